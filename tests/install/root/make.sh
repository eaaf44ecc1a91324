#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a root folder that contains nothing but Debian packages of this machine: make.sh ROOT PACKAGE...
# copies the essential packages, those that are named, and all that they depend on, with the database of
# dpkg. It needs no network. Documents and translations are left out.
set -eu
root=$1
shift
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/proc" "$root/dev" "$root/tmp"
for name in bin sbin lib lib32 lib64; do # /bin and its like may be links to them
    mkdir -p "$root/usr/$name"
done
: >"$root/dev/null" # a mount point
: >"$root/var/lib/dpkg/available"

# The packages that are needed, as PACKAGE or PACKAGE:ARCHITECTURE.
# shellcheck disable=SC2016 # dpkg-query expands it, not the shell
packages=$(dpkg-query -W -f='${db:Status-Abbrev}\t${Package}\t${Architecture}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n' |
    awk -F'\t' -v wanted="$*" -v native="$(dpkg --print-architecture)" '
    $1 ~ /^ii/ && ($3 == native || $3 == "all") {
        depends[$2] = $6
        if ($4 == "yes") wanted = wanted " " $2
        n = split($5, names, ", *")
        for (i = 1; i <= n; i++) { sub(/ .*/, "", names[i]); provider[names[i]] = $2 }
    }
    END {
        count = split(wanted, queue, " ")
        for (at = 1; at <= count; at++) {
            name = queue[at]
            if (!(name in depends)) { print "make.sh: " name " is not installed" >"/dev/stderr"; exit 1 }
            if (taken[name]++) continue
            print name
            clauses = split(depends[name], clause, ", *")
            for (i = 1; i <= clauses; i++) {
                ways = split(clause[i], way, " *\\| *")
                for (j = 1; j <= ways; j++) {
                    sub(/[ :(].*/, "", way[j])
                    if (!(way[j] in depends) && way[j] in provider) way[j] = provider[way[j]]
                    if (way[j] in depends) { queue[++count] = way[j]; break }
                }
            }
        }
    }')

# shellcheck disable=SC2086 # a list of words
dpkg-query -L $packages | grep '^/' |
    grep -vE '^/(\.|usr/share/(doc|man|locale|info|lintian|cmake-[0-9.]*/Help)/.*)$' | LC_ALL=C sort -u |
    while read -r name; do
        if [ -e "$name" ] || [ -L "$name" ]; then printf '%s\n' "${name#/}"; fi
    done >"$root/tmp/names"
for name in etc/passwd etc/group etc/shells etc/alternatives etc/ld.so.conf usr/bin/awk; do
    printf '%s\n' $name >>"$root/tmp/names"
done
tar -C / --no-recursion -cf - -T "$root/tmp/names" | tar -C "$root" -xpf -
cp -a /etc/alternatives "$root/etc/"
rm "$root/tmp/names"
chmod 1777 "$root/tmp"

for name in $packages; do
    for file in /var/lib/dpkg/info/"$name".* /var/lib/dpkg/info/"$name":*; do
        [ ! -e "$file" ] || cp -p "$file" "$root/var/lib/dpkg/info/"
    done
done
# shellcheck disable=SC2086
dpkg-query -s $packages >"$root/var/lib/dpkg/status"
cp /var/lib/dpkg/info/format "$root/var/lib/dpkg/info/format"
/sbin/ldconfig -r "$root"
