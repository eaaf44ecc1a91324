#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn run --fidelity: the tests that a record of docs/differences names touch that row, unless the record states
# why no run shows it.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "red zones change which rows tests touch"

# Each row that can be seen, with the names of its tests' files: "hip.map_outside hipMemMap".
awk -v as=rows -f "$SRC/docs/differences/read.awk" "$SRC"/docs/differences/*.txt |
    awk -F'\t' '$10 != "" && $10 !~ /^never: / && $9 !~ /^not tested: / {
    n = split($9, test, /, */)
    for (i = 1; i <= n; i++) { sub(/^`/, "", test[i]); sub(/\.[a-z]+:.*/, "", test[i]); print $2, test[i] }
}' | sort -u >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 200 ] || fail "only $(wc -l <"$work/rows") rows"

# Each test once, in the folder in which ctest starts it. One that cannot run here says so.
cd "$BUILD" || exit
sed 's/^\([a-z]*\)\.[^ ]* /\1_/' "$work/rows" | sort -u >"$work/tests"
while read -r name; do
    program=$BUILD/tests/bin/compat_$name
    [ -x "$program" ] || continue
    got=0
    "$TARN" run --fidelity --json="$work/json" -- "$program" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" = 77 ] && continue
    sed -n "s/^ *\"id\": \"\([^\"]*\)\",*$/\1 $name/p" "$work/json" >>"$work/touched"
    echo "$name" >>"$work/run"
done <"$work/tests"

while read -r row name; do
    face=${row%%.*}
    grep -qxF "${face}_$name" "$work/run" || continue
    grep -qF "$row " "$work/touched" || { echo "$row: $name does not touch it" >&2; touch "$work/failed"; }
done <"$work/rows"
[ ! -e "$work/failed" ] || fail "rows that their tests do not touch"
