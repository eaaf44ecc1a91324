#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short option means the same in every command that has it: it stands for one long option, with one
# kind of argument. The help of each command is the source.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# An argument that lists its names, such as --rule=a|b, is of any kind.
each_command | while read -r words; do
    # shellcheck disable=SC2086 # words
    "$TARN" help $words | sed -n 's/^  \(-[^-]\), \(--[a-z-]*\)\[\{0,1\}=\{0,1\}\([^] ]*\).*/\1 \2 \3/p' |
        sed 's/ [^ ]*|[^ ]*$/ any/; s/ FACES$/ FACE/' | sed "s/\$/ (tarn $words)/"
done >"$work/options"
[ "$(grep -c -- '^-h --help' "$work/options")" -gt 15 ] || fail "too few commands have a help"
grep -q -- '^-d --device URI (tarn run)' "$work/options" || fail "the options of tarn run are missing"

awk '{
    argument = $3 ~ /^\(/ ? "" : $3
    where = substr($0, index($0, "("))
    if (!($1 in name)) { name[$1] = $2; kind[$1] = argument; first[$1] = where }
    else if (name[$1] != $2 || (kind[$1] != argument && kind[$1] != "any" && argument != "any"))
        print $1 ": " name[$1] " " kind[$1] " " first[$1] "; " $2 " " argument " " where
}' "$work/options" >"$work/out"
[ ! -s "$work/out" ] || fail "short options with two meanings"
