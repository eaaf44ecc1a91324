#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/differences: every record has its eight fields, a name of its own, a source of sources.txt, and a test that
# exists, or "not tested: REASON". A test is `FILE:FUNCTION`, with FILE somewhere under tests/. Its confirmation
# names a source with answers, `SOURCE QUESTION` if there is a question, whose answer must be recorded, and for a
# device must differ from Tarn's. Each table has a page with all records. differences_seen.sh has the last field.
# shellcheck disable=SC2016 # backticks are text
set -eu
read_awk=$SRC/docs/differences/read.awk

# tests_of ROOT: "FILE:FUNCTION" for each function that cmocka can call.
tests_of() {
    (
        cd "$1/tests"
        grep -rnE '^(static )?void [A-Za-z_0-9]+\(void \*\*' --include='*.c' --include='*.cpp' . |
            sed -E 's/^([^:]*\/)?([^/:]+):[0-9]+:(static )?void ([A-Za-z_0-9]+).*/\2:\4/' | sort -u
    )
}

# rows ROOT: the records of all tables as lines.
rows() {
    awk -v as=rows -f "$read_awk" "$1"/docs/differences/*.txt | sed "s|^$1/||"
}

# answers_of ROOT: "SOURCE" and "SOURCE QUESTION" for each source with answers. Of a device only the questions count that
# it answers differently.
answers_of() {
    awk -F'\t' '$1 ~ /\/sources\.txt:/ && $12 != "" { print $2, $12 }' "$copy/rows" |
        while read -r source file; do
            echo "$source"
            case $file in
            *.answers) grep -v '^#' "$1/tests/conform/${file%.answers}.txt" ;;
            *) sed -n '/^#/!s/\t.*//p' "$1/docs/confirmed/$file" ;;
            esac | sed "s/^/$source /"
        done
}

# check ROWS TESTS ANSWERS: prints each record that is incomplete.
check() {
    awk -F'\t' -v tests="$2" -v answers="$3" '
        function refuse(why) { print $1 ": " why }
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        BEGIN {
            while ((getline line < tests) > 0) exists[line] = 1
            while ((getline line < answers) > 0) answered[line] = 1
        }
        # Each confirmation is of a source with answers, and each such source of the record confirms it.
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
                if (one[i] in answered && !index(confirmed, one[i])) refuse("source " one[i] " does not confirm the record")
        }
        FNR == 1 { pass++ }
        NF > 12 { refuse($13) }
        $1 ~ /\/sources\.txt:/ { known[$2] = 1; if ($11 == "") refuse("source " $2 " has no text"); next }
        pass == 1 { next }
        {
            records++
            for (i = 3; i <= 10; i++) if ($i == "" || $i == "-") refuse($2 ": field " i - 2 " is empty")
            if ($2 !~ /^(hip|cuda|acl|mstx|hiai)\.[a-z][a-z0-9_]*$/) refuse($2 " is no id of a record")
            if ($2 in ids) refuse($2 " is the id of another record too")
            ids[$2] = 1
            check_confirmed($5, $6)
            n = split($5, source, ";")
            for (i = 1; i <= n; i++) {
                split(trim(source[i]), word, " ")
                if (word[1] != "" && !(word[1] in known)) refuse("source " word[1] " is not in sources.txt")
            }
            if ($9 ~ /^not tested: [^ ]/ || $9 == "") next
            n = split($9, name, ",")
            for (i = 1; i <= n; i++) {
                one = trim(name[i])
                if (one !~ /^`[^`]+`$/) { refuse("test " one " is not `FILE:FUNCTION`"); continue }
                gsub(/`/, "", one)
                if (!(one in exists)) refuse("test " one " does not exist")
            }
        }
        END { if (records < 1) print "docs/differences: no records" }' "$1" "$1"
}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tests_of "$SRC" >"$copy/tests"
rows "$SRC" >"$copy/rows"
answers_of "$SRC" >"$copy/answers"
found=$(
    check "$copy/rows" "$copy/tests" "$copy/answers"
    for face in hip cuda acl mstx hiai; do
        table=$SRC/docs/differences/$face.txt
        awk -f "$read_awk" "$SRC/docs/differences/sources.txt" "$table" >"$copy/page"
        [ "$(grep -c "<sub>.$face\.[a-z0-9_]*.," "$copy/page")" = "$(grep -c '^[a-z][a-z0-9_]*$' "$table")" ] ||
            echo "$face.txt: its page lacks a record"
    done
)
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
mkdir -p "$copy/docs/differences"
printf "clr\n    text       code\ngpu\n    text       answers\n" >"$copy/docs/differences/sources.txt"
echo 'hipA.c:calls_are_refused' >"$copy/known"
printf '%s\n' gpu 'gpu vmm.unmap' >"$copy/answers"
missed=0
# try WANTED RECORD: a table with that record must be refused (bad) or not (good).
try() {
    printf '%s\n' "$2" >"$copy/docs/differences/hip.txt"
    rows "$copy" >"$copy/rows"
    verdict=good
    [ -z "$(check "$copy/rows" "$copy/known" "$copy/answers")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
# record NAME SOURCE CONFIRMED REASON TEST: a record with these fields.
record() {
    printf '%s\n    matter     a\n    vendor     b\n    source     %s\n    confirmed  %s\n    tarn       c\n' "$1" "$2" "$3"
    printf '    reason     %s\n    test       %s\n    seen       never: e\n' "$4" "$5"
}
test="\`hipA.c:calls_are_refused\`"
untested='not tested: no such device'
try good "$(record x 'clr x.cpp' nobody d "$test")"
try good "$(record x clr nobody d "$untested")"
try bad "$(record x '' nobody d "$untested")"
try bad "$(record x - nobody d "$untested")"
try bad "$(record x rumour nobody d "$untested")"
try bad "$(record x 'clr; rumour' nobody d "$untested")"
try bad "$(record x clr nobody d 'not tested:')"
try bad "$(record x clr nobody d '')"
try bad "$(record x clr nobody '' "$untested")"
try bad "$(record x clr nobody d "$untested" | sed /tarn/d)"
try bad "$(record x clr nobody d "$untested" | sed s/tarn/other/)"
try bad "$(record x clr nobody d "$untested" | sed 's/tarn/reason/')"
try bad "$(record x clr nobody d "\`hipA.c:calls_pass\`")"
try bad "$(record x clr nobody d "$test, \`hipB.c:calls_are_refused\`")"
try bad "$(record x clr nobody d 'hipA.c:calls_are_refused')"
try bad ''
# Ids.
try bad "$(record cuda.x clr nobody d "$test")"
try bad "$(record X clr nobody d "$test")"
try bad "$(record x clr nobody d "$test")
$(record x clr nobody d "$test")"
# Confirmations.
try good "$(record x gpu gpu d "$test")"
try good "$(record x 'clr; gpu' '`gpu vmm.unmap`' d "$test")"
try bad "$(record x gpu nobody d "$test")"
try bad "$(record x clr gpu d "$test")"
try bad "$(record x gpu '`gpu vmm.map`' d "$test")"
try bad "$(record x clr clr d "$test")"
exit $missed
