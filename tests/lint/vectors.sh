#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/compat/hip/README.md: every test that its tables name exists, in the file that is named, and
# each numbered vector of the sheets has a row. `FILE:FUNCTION` names a test; the functions behind it, up
# to the next file, are of the same file. `Map` stands for hipMemMap.c, and so on.
set -eu

# tests_of ROOT: "FILE FUNCTION" for each function that cmocka can call.
tests_of() {
    (
        cd "$1/tests"
        grep -rnE '^(static )?void [A-Za-z_0-9]+\(void \*\*' --include='*.c' --include='*.cpp' . |
            sed -E 's/^([^:]*\/)?([^/:]+):[0-9]+:(static )?void ([A-Za-z_0-9]+).*/\2 \4/' | sort -u
    )
}

# check ROOT TESTS: prints what is wrong.
check() {
    awk -F'|' -v tests="$2" '
        function refuse(why) { printf "tests/compat/hip/README.md:%d: %s\n", FNR, why }
        function full(file) { return file ~ /\.(c|cpp)$/ ? file : "hipMem" file ".c" }
        function check_cell(text, words, n, i, at) {
            n = split(text, words, /[ ,;()`]+/)
            for (i = 1; i <= n; i++) {
                at = index(words[i], ":")
                if (at > 0) file = full(substr(words[i], 1, at - 1))
                word = substr(words[i], at + 1)
                if (word !~ /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/) continue # a word of the text, or a file
                if (!((file, word) in exists)) refuse(file ":" word " does not exist")
                named++
            }
        }
        BEGIN {
            while ((getline line < tests) > 0) { split(line, pair, " "); exists[pair[1], pair[2]] = 1 }
        }
        /^## / { sheet = $0 ~ /[Vv]ectors/ ? $0 : "" }
        !/^\|/ || /^\|[-|]*$/ { next }
        { file = ""; check_cell($3) }
        sheet != "" {
            n = split($2, numbers, /[ ,;]+/)
            for (i = 1; i <= n; i++) {
                if (numbers[i] !~ /^[0-9]+$/) continue
                seen[sheet, numbers[i]] = 1
                if (numbers[i] + 0 > last[sheet]) last[sheet] = numbers[i] + 0
            }
        }
        END {
            for (s in last) for (i = 1; i <= last[s]; i++) if (!((s, i) in seen)) print s ": no row for vector " i
            if (named < 1) print "no tests are named"
        }' "$1/tests/compat/hip/README.md"
}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tests_of "$SRC" >"$copy/tests"
found=$(check "$SRC" "$copy/tests")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
mkdir -p "$copy/tests.d/tests/compat/hip"
printf '%s\n' 'hipMemMap.c calls_are_refused' 'a.c it_works' 'a.c it_fails_too' >"$copy/known"
missed=0
# try WANTED ROW...: a page with these rows must be refused (bad) or not (good).
try() {
    wanted=$1
    shift
    printf '%s\n' '## Vectors' '| vector | tests |' '|---|---|' "$@" >"$copy/tests.d/tests/compat/hip/README.md"
    verdict=good
    [ -z "$(check "$copy/tests.d" "$copy/known")" ] || verdict=bad
    [ "$verdict" = "$wanted" ] && return
    echo "expected $wanted: $*" >&2
    missed=1
}
try good '| 1, 2 | a.c:it_works, it_fails_too; Map:calls_are_refused |'
try good '| 2 | a.c:it_works (as AMD) |' '| 1 | a.c, all; Map:calls_are_refused |'
try good '| 1; 2 | a.c:it_works; it_fails_too |'
try bad '| 1, 3 | a.c:it_works |'
try bad '| 1 | a.c:it_is_gone |'
try bad '| 1 | a.c:it_works; Map:it_fails_too |'
try bad '| 1 | b.c:it_works |'
try bad '| 1 | nothing |'
exit $missed
