#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A text of a recording cannot control the terminal that a command prints it to.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

printf 'm 0 \033[2Jforward\na 1 0 4096\nm 2 back\177ward\nf 3 0\n' >"$work/story.trace"
sed 's/4096/8192/' "$work/story.trace" >"$work/after.trace"
for command in "replay -v --device sim:0,memory=1G" "explain --no-replay" "diff $work/after.trace" \
    "diff --by phase $work/after.trace" "fit --pool segments" "view --svg -o -"; do
    # shellcheck disable=SC2086 # a list of words
    expect 0 $command "$work/story.trace"
    ! tr -d '\n\t -~' <"$work/out" | LC_ALL=C grep -q '[[:cntrl:]]' || fail "$command prints control characters"
done
expect 0 diff "$work/story.trace" "$work/after.trace"
says out '?\[2Jforward'
