#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes tarn(1) and a page for each command into the folder OUT, from the --help of the command TARN and
# from docs/manual/pages.txt: pages.sh TARN DOCDIR DATE OUT. DOCDIR is the folder in which the documents
# are installed, DATE the day of the pages. Needs help2man.
set -eu
tarn=$1 docdir=$2 date=$3 out=$4
manual=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ARGP_HELP_FMT=rmargin=4000,no-dup-args-note # a paragraph is a line
LC_ALL=C.UTF-8
unset TARN_DEVICE
export ARGP_HELP_FMT LC_ALL
version=$("$tarn" version | sed 's/.* //')
mkdir -p "$out"
rm -f "$out"/tarn.1 "$out"/tarn-*.1

# commands WORD...: lines "WORD... COMMAND|SUMMARY" for the commands that a help lists.
commands() {
    "$tarn" help "$@" | sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\)  *\(.*\)/$*${1:+ }\1|\2/p"
}

# name_of WORD...: the page of `tarn WORD...`.
name_of() {
    printf '%s-' tarn "$@" | sed 's/-$//'
}

# sections PAGE: the sections of a page in pages.txt, for help2man. A line with four blanks in front is an
# example, "NAME  text" an entry of a list.
sections() {
    awk -v page="$1" '
        /^(#|$)/ { next }
        /^@ / { is_here = $2 == page; next }
        !is_here { next }
        { gsub(/\\/, "\\e"); gsub(/-/, "\\-") }
        /^\[/ { print; is_after = 0; next }
        /^    / { print ".PP\n.RS\n.nf\n" substr($0, 5) "\n.fi\n.RE"; is_after = 1; next }
        is_after { print ".PP"; is_after = 0 }
        /^[^ ]+  / { print ".TP\n.B " $1; sub(/^[^ ]+ +/, "") }
        { print }' "$manual/pages.txt"
}

# see_also PAGE DOCUMENT: the other pages about the same document, and the document.
see_also() {
    printf '[SEE ALSO]\n'
    awk -v page="$1" -v document="$2" '
        $2 == document && $1 != page || $1 == "tarn" && page != "tarn" { print ".BR " $1 " (1)," }' "$work/list" | sort
    printf '.BR libtarn (3)\n.PP\n.I %s/%s\n' "$docdir" "$2"
}

# shape COMMAND: the help of a command with the heads that help2man makes sections of.
shape() {
    awk -v words="$1" '
        /^Read on: / { next }
        NR == 1 { sub("^Usage: " words, "Usage: " tied(words)) }
        /^ +-/ && !has_options { print "Options:\n"; has_options = 1 }
        /^Exit status: / { print_status($0); next }
        /^[^ ]/ && has_options && !has_notes { print "*Notes*\n"; has_notes = 1 }
        { print }
        function tied(text) { gsub(/ /, "~", text); return text }
        # "0 success; 1 system error" becomes a list.
        function print_status(text, item, n, i) {
            gsub(/^Exit status: |\.$/, "", text)
            print "*Exit status*\n"
            n = split(text, item, "; ")
            for (i = 1; i <= n; i++) {
                if (item[i] ~ /^[0-9]+ /) sub(/ /, "  ", item[i]) sub(/^/, "  ", item[i])
                print item[i] (i < n && item[i] !~ /^ / ? ";" : "")
            }
        }'
}

# page SUMMARY WORD...: writes the page of `tarn WORD...`.
page() {
    summary=$1
    shift
    name=$(name_of "$@")
    cat >"$work/$name" <<END
#!/bin/sh
cat '$work/$name.help'
END
    chmod +x "$work/$name"
    "$tarn" help "$@" | shape "tarn${1:+ }$*" >"$work/$name.help"
    document=$(awk -v page="$name" '$1 == page { print $2 }' "$work/list")
    { sections "$name" && see_also "$name" "$document"; } >"$work/include"
    help2man --no-info --no-discard-stderr --name="$summary" --version-string="$version" \
        --include="$work/include" "$work/$name" |
        sed "s/^\(\.TH [^ ]* \"1\"\) \"[^\"]*\" \"[^\"]*\"/\1 \"$date\" \"tarn $version\"/
            s/^\.B tarn~\(.*\)/.B tarn \1/; s/^\(\.B tarn .*\)~/\1 /" >"$out/$name.1"
}

{
    echo '|one memory manager for accelerators'
    commands
    for command in $(commands | sed 's/|.*//'); do commands "$command"; done
} >"$work/commands"
while IFS='|' read -r words _; do
    # shellcheck disable=SC2086 # words
    printf '%s %s\n' "$(name_of $words)" "$("$tarn" help $words | sed -n 's,^Read on: .*docs/,,p')"
done <"$work/commands" >"$work/list"
while IFS='|' read -r words summary; do
    # shellcheck disable=SC2086 # words
    page "$summary" $words
done <"$work/commands"

# The other name of a command.
ln -sf tarn-hipcc.1 "$out/tarn-hip++.1"
