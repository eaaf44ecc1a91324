#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/differences.md: every row has its six fields, a source that the page lists, and a test that
# exists, or "not tested: REASON". A test is `FILE:FUNCTION`, with FILE somewhere under tests/.
set -eu

# tests_of ROOT: "FILE:FUNCTION" for each function that cmocka can call.
tests_of() {
    (
        cd "$1/tests"
        grep -rnE '^(static )?void [A-Za-z_0-9]+\(void \*\*' --include='*.c' --include='*.cpp' . |
            sed -E 's/^([^:]*\/)?([^/:]+):[0-9]+:(static )?void ([A-Za-z_0-9]+).*/\2:\4/' | sort -u
    )
}

# check ROOT TESTS: prints each row of the page that is incomplete.
check() {
    awk -F'|' -v tests="$2" '
        function refuse(why) { printf "docs/differences.md:%d: %s\n", FNR, why }
        function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
        BEGIN { while ((getline line < tests) > 0) exists[line] = 1 }
        FNR == 1 { pass++; in_sources = 0 }
        /^## / { in_sources = ($0 == "## Sources") }
        pass == 1 { # the names of sources are below the rows that use them
            if (in_sources && /^\| `/) { listed = trim($2); gsub(/`/, "", listed); known[listed] = 1 }
            next
        }
        in_sources || !/^\|/ || /^\|[-|]*$/ { next }
        /^\| matter \|/ {
            if ($0 != "| matter | vendor | source | Tarn | reason | test |") refuse("not the head of a table of differences")
            next
        }
        {
            rows++
            if (NF != 8) { refuse(NF - 2 " fields instead of 6"); next }
            for (i = 2; i <= 7; i++) if (trim($i) ~ /^-?$/) refuse("field " i - 1 " is empty")
            n = split($4, source, ";")
            for (i = 1; i <= n; i++) {
                split(trim(source[i]), word, " ")
                if (word[1] != "" && !(word[1] in known)) refuse("source " word[1] " is not listed under Sources")
            }
            test = trim($7)
            if (test ~ /^not tested: [^ ]/ || test == "") next
            n = split(test, name, ",")
            for (i = 1; i <= n; i++) {
                one = trim(name[i])
                if (one !~ /^`[^`]+`$/) { refuse("test " one " is not `FILE:FUNCTION`"); continue }
                gsub(/`/, "", one)
                if (!(one in exists)) refuse("test " one " does not exist")
            }
        }
        END { if (rows < 1) print "docs/differences.md: no rows" }' "$1/docs/differences.md" "$1/docs/differences.md"
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
mkdir "$copy/docs"
echo 'hipA.c:calls_are_refused' >"$copy/known"
missed=0
# try WANTED ROW: a page with that row must be refused (bad) or not (good).
try() {
    printf '%s\n' '| matter | vendor | source | Tarn | reason | test |' '|---|---|---|---|---|---|' "$2" \
        '## Sources' '| name | publication |' '|---|---|' "| \`clr\` | code |" >"$copy/docs/differences.md"
    verdict=good
    [ -z "$(check "$copy" "$copy/known")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
try good "| a | b | clr x.cpp | c | d | \`hipA.c:calls_are_refused\` |"
try good '| a | b | clr | c | d | not tested: no such device |'
try bad '| a | b | | c | d | not tested: no such device |'
try bad '| a | b | - | c | d | not tested: no such device |'
try bad '| a | b | rumour | c | d | not tested: no such device |'
try bad '| a | b | clr; rumour | c | d | not tested: no such device |'
try bad '| a | b | clr | c | d | not tested: |'
try bad '| a | b | clr | c | d | |'
try bad '| a | b | clr | c | | not tested: no such device |'
try bad '| a | b | clr | c | not tested: no such device |'
try bad "| a | b | clr | c | d | \`hipA.c:calls_pass\` |"
try bad "| a | b | clr | c | d | \`hipA.c:calls_are_refused\`, \`hipB.c:calls_are_refused\` |"
try bad '| a | b | clr | c | d | hipA.c:calls_are_refused |'
try bad ''
exit $missed
