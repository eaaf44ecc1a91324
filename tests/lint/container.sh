#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Containerfile has a form that builds anew give the same image for: images with a tag, packages without
# recommendations and without the lists of apt, programs as arrays. It installs what packages of Debian are
# built with, and calls commands that ./x has.
set -eu
cd "$SRC"

# check FILE: prints what is wrong.
check() {
    awk '
    /^#/ || /^$/ { next }
    { text = text $0 }
    /\\$/ { sub(/\\$/, "", text); next }
    {
        line = text; text = ""
        split(line, word, " ")
        if (word[1] !~ /^(FROM|COPY|RUN|WORKDIR|ENTRYPOINT)$/) print "unknown instruction: " line
        if (word[1] == "FROM" && (word[2] !~ /^[a-z]+:[a-z0-9-]+$/ || word[2] ~ /:latest$/)) print "no tag: " line
        if (word[1] == "ENTRYPOINT" && line !~ /^ENTRYPOINT \[".*"\]$/) print "no array: " line
        if (line ~ /apt-get install/ && line !~ /apt-get install -y --no-install-recommends/)
            print "recommended packages come in: " line
        if (line ~ /apt-get update/ && line !~ /rm -rf .*\/var\/lib\/apt\/lists\/\*$/) print "lists of apt stay: " line
        if (line ~ /apt-get install/ && line !~ /apt-get update/) print "no list of packages: " line
    }' "$1"
}

wrong=0
complain() {
    echo "Containerfile: $*" >&2
    wrong=1
}
found=$(check Containerfile)
[ -z "$found" ] || complain "$found"
# shellcheck disable=SC2013 # names are words
for name in $(grep -o '\./x [a-z]*' Containerfile | sed 's/.* //'); do
    ./x help | grep -q "^  $name " || complain "./x has no command $name"
done
for name in $(sed -n '/^Build-Depends:/,/^[A-Z]/p' packaging/debian/control | sed '$d; s/^Build-Depends://; s/([^)]*)//; s/|[^,]*//' |
    tr -d ' ' | tr ',' '\n' | sed 's/-compat$//; s/^pkgconf$/pkg-config/'); do
    sed -n "/^build_packages='/,/^'/p" x | cat - Containerfile | tr '|' ' ' | grep -qw -e "$name" ||
        complain "$name, with which packages are built, is not installed"
done

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
for change in 's/bookworm-slim$/latest/' 's/--no-install-recommends//' 's/rm -rf.*/true/' 's/^WORKDIR/WORKFOLDER/' \
    's/^ENTRYPOINT.*/ENTRYPOINT tarn/'; do
    sed "$change" Containerfile >"$copy"
    [ -n "$(check "$copy")" ] || complain "the check accepts $change"
done
exit $wrong
