#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn complete` knows commands, options and the names that options take, and offers nothing where a
# file or a word of a program is due. bash completes with it.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# offers "CANDIDATE..." WORD...
offers() {
    names=$1
    shift
    expect 0 complete -- "$@"
    got=$(cut -f1 "$work/out" | tr '\n' ' ')
    [ "$got" = "${names:+$names }" ] || fail "'$got', not '$names', for: tarn $*"
}
offers 'record replay run' r
offers 'bench' channel b
offers 'record replay' help re
offers '--pool=' replay --po
offers '--segment= --streams= --scale=' replay trace --s
offers 'expandable:time expandable:balanced expandable:memory expandable:planned expandable' replay --pool e
offers '--pool=fixed' replay --pool=f
offers 'plain' fit -r p
offers 'plain' replay -vr p
offers 'ignore' replay trace --streams i
offers 'function' diff --by f
offers 'peak' convert --at p
offers '--leaks=0 --leaks=1 --leaks=step' check --leaks=
offers '--fence --fail-on-warning --fill --faults --fail=' check --f
offers 'late-map late-handles' run --quirk la
offers 'hip hiai' info --as h
offers '' replay trace
offers '' replay ''
offers '' view --output ''
offers '' run -- program --as
offers '' check program --leaks
offers '' channel bench nothing
offers '' no-such-command --po
expect 0 complete
[ ! -s "$work/out" ] || fail "candidates for no word"
# Every option of every command is offered.
"$TARN" complete -- '' | cut -f1 >"$work/commands"
while read -r command; do
    "$TARN" "$command" --help | sed -n 's/^ .* --\([a-z-]*\).*   *.*/\1/p; s/^ .* --\([a-z-]*\)[=[].*/\1/p' |
        sort -u >"$work/shown"
    "$TARN" complete -- "$command" -- | cut -f1 | sed 's/^--//; s/=$//' | sort -u >"$work/offered"
    [ -z "$(comm -23 "$work/shown" "$work/offered")" ] ||
        fail "tarn $command: not offered: $(comm -23 "$work/shown" "$work/offered")"
done <"$work/commands"

command -v bash >/dev/null || exit 0
# in_bash "CANDIDATE..." LINE: the words that bash puts in place of the last one.
in_bash() {
    # shellcheck disable=SC2016 # bash expands it
    got=$(PATH=$(dirname "$TARN"):$PATH bash -c '
        . "$1"
        COMP_LINE=$2 COMP_POINT=${#2}
        _tarn
        printf "%s " "${COMPREPLY[@]}"' bash "$SRC/tools/complete/tarn.bash" "$2")
    [ "$got" = "$1 " ] || fail "'$got', not '$1', for: $2"
}
in_bash 'record replay run' 'tarn r'
in_bash '--compare' 'tarn replay --comp'
in_bash 'fixed' 'tarn replay --pool=f'
in_bash 'time' 'tarn replay --pool=expandable:t'
in_bash 'time' 'tarn replay --pool expandable:t'
in_bash 'bench top' 'tarn channel '
in_bash '' 'tarn view '
