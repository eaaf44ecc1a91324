#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The last field of docs/differences and that of the quirks in docs/quirks.md, by which `tarn run --fidelity` counts: each
# function exists in a face, each text is one of the sources', each record with a place has one in the code, and each place
# has a record. "never: REASON" stands for a record that no run shows.
# shellcheck disable=SC2016 # backticks are text
set -eu

# names_of ROOT: words that include the functions that the faces export.
names_of() {
    find "$1/compat" \( -name '*.map' -o -name '*.txt' -o -path '*/include/*.h' \) -exec cat {} + | tr -cs 'A-Za-z0-9_' '\n' | sort -u
}

# texts_of ROOT: the string literals of the sources, those that follow each other joined.
texts_of() {
    find "$1/src" "$1/compat" -name '*.[ch]' -exec cat {} + | tr '\n' ' ' | sed 's/" *"//g; s/\\"/"/g'
}

# check ROOT NAMES TEXTS: prints each entry that is wrong.
check() {
    {
        awk -v as=rows -f "$SRC/docs/differences/read.awk" "$1"/docs/differences/*.txt | cut -f 1,2,10 | grep -v '/sources\.txt:'
        awk -F' *[|] *' '/^\| `[a-z0-9-]+` \|/ && NF == 7 { print FILENAME ":" FNR "\tquirk." $2 "\t" $6 }' "$1/docs/quirks.md"
    } | awk -F'\t' '
        { sub(/.*\/docs\//, "docs/", $1); gsub(/`/, "", $2); emit($2, $3) }
        function emit(id, seen) {
            if (seen ~ /^never: [^ ]/) return
            while (match(seen, /`[^`]*`/)) {
                print $1 "\t" id "\tcall\t" substr(seen, RSTART + 1, RLENGTH - 2)
                seen = substr(seen, 1, RSTART - 1) substr(seen, RSTART + RLENGTH)
            }
            gsub(/[ ,]/, "", seen)
            if (seen == "place") print $1 "\t" id "\tplace\t-"
            else if (seen != "") print $1 "\t" id "\twrong\t" seen
        }' >"$copy/entries"
    # Functions and results.
    tab=$(printf '\t')
    while IFS=$tab read -r where id kind entry; do
        case $kind in
        wrong) echo "$where: $id: \"$entry\" is no entry" ;;
        call)
            printf '%s\n' "$entry" | grep -qxE '[A-Za-z_*][A-Za-z0-9_*]*=(!|[0-9]+)( [^ ].*)?' || echo "$where: $id: \"$entry\" is not NAME=RESULT TEXT"
            pattern=$(printf '%s' "${entry%%=*}" | sed 's/\*/[A-Za-z0-9_]*/g')
            grep -qxE "$pattern" "$2" || echo "$where: $id: no function is called ${entry%%=*}"
            ;;
        esac
    done <"$copy/entries"
    # The words between stars, without numbers and addresses, which the sources print.
    awk -F'\t' -v texts="$3" '
        BEGIN { while ((getline line < texts) > 0) all = all line }
        $3 == "call" && $4 ~ /^[^ ]* / {
            text = $4
            sub(/^[^ ]* /, "", text)
            n = split(text, part, "*")
            for (i = 1; i <= n; i++) {
                gsub(/0x[0-9a-f]*|\(nil\)|[0-9]+/, "\001", part[i])
                m = split(part[i], word, "\001")
                for (j = 1; j <= m; j++)
                    if (!index(all, word[j])) print $1 ": " $2 ": no source has the text \"" word[j] "\""
            }
        }' "$copy/entries"
    # Places.
    grep -rhoE 'TN_FACE_DIFFERS\([a-z][a-z0-9_]*' "$1/compat" --include='*.c' | sed 's/.*(//' | sort -u >"$copy/places"
    awk -F'\t' '$3 == "place" { sub(/^[a-z]*\./, "", $2); print $2 }' "$copy/entries" | sort -u >"$copy/wanted"
    comm -23 "$copy/wanted" "$copy/places" | sed 's/$/: the code has no TN_FACE_DIFFERS() of this row/'
    comm -13 "$copy/wanted" "$copy/places" | sed 's/$/: TN_FACE_DIFFERS() of no row with a place/'
}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
names_of "$SRC" >"$copy/names"
texts_of "$SRC" >"$copy/texts"
found=$(check "$SRC" "$copy/names" "$copy/texts")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
mkdir -p "$copy/root/docs/differences" "$copy/root/compat/hip"
: >"$copy/root/docs/quirks.md"
echo 'TN_FACE_DIFFERS(here, true);' >"$copy/root/compat/hip/a.c"
printf '%s\n' hipA hipB >"$copy/names"
echo '"%p overlaps" "%s is not" ' >"$copy/texts"
missed=0
# try WANTED SEEN: a record with that field, beside one with the place, must be refused (bad) or not (good).
try() {
    printf 'x\n    seen       %s\nhere\n    seen       place\n' "$2" >"$copy/root/docs/differences/hip.txt"
    verdict=good
    [ -z "$(check "$copy/root" "$copy/names" "$copy/texts")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
try good 'never: a text'
try good '`hipA=0`'
try good '`hip*=! overlaps`, `hipB=12 0x* is not`'
try bad '`hipA=1`, place'
try bad '`hipC=0`'
try bad '`hipA`'
try bad '`hipA=1 overlap by`'
try bad 'hipA=0'
try bad 'never:'
try bad 'place'
exit $missed
