#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/differences.md: every row has its nine fields, an id of its own, a source that the page lists, and a test that
# exists, or "not tested: REASON". A test is `FILE:FUNCTION`, with FILE somewhere under tests/. Its confirmation
# names a source with answers, `SOURCE QUESTION` if there is a question, whose answer must be recorded, and for a
# device must differ from Tarn's. differences_seen.sh has the last column.
# shellcheck disable=SC2016 # backticks are text
set -eu

# tests_of ROOT: "FILE:FUNCTION" for each function that cmocka can call.
tests_of() {
    (
        cd "$1/tests"
        grep -rnE '^(static )?void [A-Za-z_0-9]+\(void \*\*' --include='*.c' --include='*.cpp' . |
            sed -E 's/^([^:]*\/)?([^/:]+):[0-9]+:(static )?void ([A-Za-z_0-9]+).*/\2:\4/' | sort -u
    )
}

# answers_of ROOT: "SOURCE" and "SOURCE QUESTION" for each source with answers. Of a device only the questions count that
# it answers differently.
answers_of() {
    sed -n 's/^| `\([^`]*\)` | .*(confirmed\/\([^)]*\)) |$/\1 \2/p' "$1/docs/differences.md" |
        while read -r source file; do
            echo "$source"
            case $file in
            *.answers) grep -v '^#' "$1/tests/conform/${file%.answers}.txt" ;;
            *) sed -n '/^#/!s/\t.*//p' "$1/docs/confirmed/$file" ;;
            esac | sed "s/^/$source /"
        done
}

# check ROOT TESTS ANSWERS: prints each row of the page that is incomplete.
check() {
    awk -F'|' -v tests="$2" -v answers="$3" '
        function refuse(why) { printf "docs/differences.md:%d: %s\n", FNR, why }
        function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
        BEGIN {
            while ((getline line < tests) > 0) exists[line] = 1
            while ((getline line < answers) > 0) answered[line] = 1
            n = split("HIP=hip CUDA=cuda AscendCL=acl MSTX=mstx HiAI=hiai", pair, " ")
            for (i = 1; i <= n; i++) { split(pair[i], half, "="); face[half[1]] = half[2] }
        }
        # Each confirmation is of a source with answers, and each such source of the row confirms it.
        function check_confirmed(sources, confirmed, i, n, one, words) {
            if (confirmed != "nobody") {
                n = split(confirmed, one, ",")
                for (i = 1; i <= n; i++) {
                    one[i] = trim(one[i])
                    gsub(/`/, "", one[i])
                    if (!(one[i] in answered)) refuse("\"" one[i] "\" confirms nothing: no such answer, or Tarn gives it too")
                    split(one[i], words, " ")
                    if (!index("; " sources "; ", "; " words[1] "; ")) refuse("source " words[1] " is missing")
                }
            }
            n = split(sources, one, "; ")
            for (i = 1; i <= n; i++)
                if (one[i] in answered && !index(confirmed, one[i])) refuse("source " one[i] " does not confirm the row")
        }
        FNR == 1 { pass++; in_sources = 0; prefix = "" }
        /^## / {
            in_sources = ($0 == "## Sources")
            prefix = "?"
            for (vendor in face) if (index($0, "## " vendor) == 1) prefix = face[vendor]
        }
        pass == 1 { # the names of sources are below the rows that use them
            if (in_sources && /^\| `/) { listed = trim($2); gsub(/`/, "", listed); known[listed] = 1 }
            next
        }
        prefix == "" || in_sources || !/^\|/ || /^\|[-|]*$/ { next }
        /^\| (id|matter) \|/ {
            if ($0 != "| id | matter | vendor | source | confirmed | Tarn | reason | test | seen |") refuse("not the head of a table of differences")
            next
        }
        {
            rows++
            if (NF != 11) { refuse(NF - 2 " fields instead of 9"); next }
            for (i = 2; i <= 10; i++) if (trim($i) ~ /^-?$/) refuse("field " i - 1 " is empty")
            id = trim($2)
            if (id !~ "^`" prefix "\\.[a-z][a-z0-9_]*`$") refuse("id " id " is not " prefix ".NAME")
            if (id in ids) refuse("id " id " is that of another row")
            ids[id] = 1
            check_confirmed(trim($5), trim($6))
            n = split($5, source, ";")
            for (i = 1; i <= n; i++) {
                split(trim(source[i]), word, " ")
                if (word[1] != "" && !(word[1] in known)) refuse("source " word[1] " is not listed under Sources")
            }
            test = trim($9)
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
answers_of "$SRC" >"$copy/answers"
found=$(check "$SRC" "$copy/tests" "$copy/answers")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
mkdir "$copy/docs"
echo 'hipA.c:calls_are_refused' >"$copy/known"
printf '%s\n' gpu 'gpu vmm.unmap' >"$copy/answers"
missed=0
# try WANTED ROW: a page with that row must be refused (bad) or not (good).
try() {
    printf '%s\n' '## HIP' '| id | matter | vendor | source | confirmed | Tarn | reason | test | seen |' \
        '|---|---|---|---|---|---|---|---|---|' "$2" '## Sources' '| name | publication |' '|---|---|' "| \`clr\` | code |" \
        "| \`gpu\` | answers |" >"$copy/docs/differences.md"
    verdict=good
    [ -z "$(check "$copy" "$copy/known" "$copy/answers")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
# row ID SOURCE CONFIRMED REASON TEST: a row with these fields.
row() {
    printf '| `%s` | a | b | %s | %s | c | %s | %s | never: e |' "$@"
}
test="\`hipA.c:calls_are_refused\`"
untested='not tested: no such device'
try good "$(row hip.x 'clr x.cpp' nobody d "$test")"
try good "$(row hip.x clr nobody d "$untested")"
try bad "$(row hip.x '' nobody d "$untested")"
try bad "$(row hip.x - nobody d "$untested")"
try bad "$(row hip.x rumour nobody d "$untested")"
try bad "$(row hip.x 'clr; rumour' nobody d "$untested")"
try bad "$(row hip.x clr nobody d 'not tested:')"
try bad "$(row hip.x clr nobody d '')"
try bad "$(row hip.x clr nobody '' "$untested")"
try bad '| `hip.x` | a | b | clr | nobody | c | not tested: no such device | never: e |'
try bad "$(row hip.x clr nobody d "\`hipA.c:calls_pass\`")"
try bad "$(row hip.x clr nobody d "$test, \`hipB.c:calls_are_refused\`")"
try bad "$(row hip.x clr nobody d 'hipA.c:calls_are_refused')"
try bad ''
# Ids.
try bad "$(row cuda.x clr nobody d "$test")"
try bad "$(row hip.X clr nobody d "$test")"
try bad "$(row hip.x clr nobody d "$test")
$(row hip.x clr nobody d "$test")"
# Confirmations.
try good "$(row hip.x gpu gpu d "$test")"
try good "$(row hip.x 'clr; gpu' '`gpu vmm.unmap`' d "$test")"
try bad "$(row hip.x gpu nobody d "$test")"
try bad "$(row hip.x clr gpu d "$test")"
try bad "$(row hip.x gpu '`gpu vmm.map`' d "$test")"
try bad "$(row hip.x clr clr d "$test")"
exit $missed
