#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/functions/FACE.txt has a row for every function that the face exports, and only for those; a function
# that is said to be complete or partial is named by a test of the face. The rows of HIP agree with
# tests/compat/hip/symbols.txt on the state, and the test of that list names the function; a function
# that is an error may be tested by exports.c, which reads the list.
set -eu
work=$BUILD/tests/documented
mkdir -p "$work"
wrong=0

# rows FILE: the names in the tables of functions, in paragraphs "Complete: NAME, NAME." and in lists of absent
# functions and of named errors, one a line, with their state.
rows() {
    awk -F'|' '/^\| `[A-Za-z_0-9]+` \| (complete|partial|`hipError[A-Za-z]+`) / {
            gsub(/[` ]/, "", $2); gsub(/[` ]/, "", $3); print $2, $3 }
        /^### / { state = /^### Absent/ ? "absent" : /^### Named errors/ ? "hipErrorNotSupported" : "" }
        /^Complete: / { complete = 1 }
        /^$/ { complete = 0 }
        complete { names($0, "complete") }
        state != "" && /^\|/ { names($3, state) }
        function names(text, state) {
            while (match(text, /`[^`]*`/)) {
                print substr(text, RSTART + 1, RLENGTH - 2), state
                text = substr(text, RSTART + RLENGTH)
            }
        }' "$1"
}

# check FACE DOCUMENT LIBRARY
check() {
    rows "$SRC/docs/functions/$2.txt" | sort >"$work/$1.rows"
    cut -d' ' -f1 "$work/$1.rows" >"$work/$1.documented"
    nm -D --defined-only "$BUILD/lib/tarn/$1/$3" | awk '$2 ~ /[TW]/ { print $3 }' | sed 's/@.*//' |
        sort -u >"$work/$1.exported"
    if ! diff -u "$work/$1.exported" "$work/$1.documented"; then
        echo "docs/functions/$2.txt: '-': exported but not documented; '+': documented but not exported" >&2
        wrong=1
    fi
    grep -rhoE --include='*.c' --include='*.cpp' --include='*.h' '[A-Za-z_][A-Za-z_0-9]+' "$SRC/tests/compat/$1" | sort -u >"$work/$1.tested"
    grep -vE ' (absent|hipError.*)$' "$work/$1.rows" | cut -d' ' -f1 | sort -u | comm -23 - "$work/$1.tested" >"$work/$1.untested"
    if [ -s "$work/$1.untested" ]; then
        sed "s|^|docs/functions/$2.txt: no test names |" "$work/$1.untested" >&2
        wrong=1
    fi
}

check hip hip libamdhip64.so.6
check acl ascendcl libascendcl.so
check hiai hiai libhiai_matrix.so

# HIP's rows: "NAME STATE", as in the list.
sed '/^#/d' "$SRC/tests/compat/hip/symbols.txt" | sort >"$work/hip.listed"
if ! sed 's/@@[^ ]*//; s/ [^ ]*$//' "$work/hip.listed" | sort | diff -u - "$work/hip.rows"; then
    echo "docs/functions/hip.txt: '-': in tests/compat/hip/symbols.txt alone; '+': in docs/functions/hip.txt alone" >&2
    wrong=1
fi
[ -s "$work/hip.listed" ]
while read -r symbol state tests; do
    case $tests,$state in exports.c,hipError*) continue ;; esac
    for test in $(printf '%s' "$tests" | tr , ' '); do
        grep -qw -e "${symbol%%@*}" "$SRC/tests/compat/hip/$test" && continue
        echo "tests/compat/hip/$test does not name ${symbol%%@*}" >&2
        wrong=1
    done
done <"$work/hip.listed"
exit $wrong
