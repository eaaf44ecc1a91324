#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables and the picture of docs/design.md match the tree. Each folder of src, compat and tools with a source is
# named by a table, or by one in the README of a folder above it, and each folder that the tables name exists. Each solid arrow of docs/design.dot is an include from
# one room to the other; each include between two rooms is an arrow or a path of arrows; docs/design.svg
# names the same rooms.
# shellcheck disable=SC2016 # backticks are text
set -eu
cd "$SRC"

# includes: "A B" for each room A that includes a header of room B.
includes() {
    # shellcheck disable=SC2016 # for awk to expand
    find src compat plugin tools -name '*.[ch]' ! -path 'compat/*/include/*' -print0 | xargs -0 awk '
        function room(path, part, n) {
            sub(/^src\//, "", path)
            n = split(path, part, "/")
            if (part[1] ~ /^(compat|plugin)$/) return part[1] "/" part[2]
            if (part[1] ~ /^(core|backend|channel|trace)$/ && n > 2) return part[1] "/" part[2]
            return part[1]
        }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            name = $0
            sub(/^[^"<]*/, "", name)
            if (name ~ /^<tarn\//) to = "include/tarn"
            else if (name ~ /^<mstx\//) to = "compat/mstx"
            else if (name ~ /^"/ && name ~ /\//) { gsub(/"/, "", name); to = room(name) }
            else next
            from = room(FILENAME)
            if (from != to) print from, to
        }' | sort -u
}

# arrows: "A B KIND" for each arrow of the picture.
arrows() {
    awk '/->/ {
        split($0, part, "\"")
        print part[2], part[4], ($0 ~ /dashed/ ? "dashed" : "solid")
    }' docs/design.dot
}

# named: the folders that the tables name, below src or the root. A star stands for any name.
named() {
    awk -F' *[|] *' '
        /^## / { inside = $0 == "## Rooms"; parts = 0 }
        !inside || !/^\|/ { next }
        $2 == "room" { parts = $3 == "part"; next }
        {
            if ($2 != "") room = $2
            n = split(parts ? $3 : room, name, /, */)
            for (i = 1; i <= n; i++) {
                prefix = parts && name[i] ~ /^`/ ? room "/" : ""
                path = prefix (parts && prefix == "" ? room : name[i])
                if (gsub(/`/, "", path)) print path
            }
        }' "$1/docs/design.md"
}

# folders ROOT: prints each folder that no table names, and each name without a folder.
folders() {
    named "$1" >"$work/named"
    (
        cd "$1"
        while read -r name; do
            # shellcheck disable=SC2086 # the star of a name stands for folders
            for folder in src/$name $name; do
                [ ! -d "$folder" ] || continue 2
            done
            echo "docs/design.md names $name, which is no folder"
        done <"$work/named"
        find src compat tools \( -name '*.c' -o -name '*.cpp' \) ! -path '*/include/*' | sed 's|/[^/]*$||' | sort -u |
            while read -r folder; do
                found=$(while read -r name; do
                    # shellcheck disable=SC2254 # as above
                    case ${folder#src/} in $name) echo yes ;; esac
                done <"$work/named")
                [ -z "$found" ] || continue
                above=$folder
                while [ "$above" != "${above%/*}" ]; do
                    above=${above%/*}
                    ! grep -qs "^| .*\`${folder#"$above"/}[/\`]" "$above/README.md" || continue 2
                done
                echo "docs/design.md has no row for $folder"
            done
    )
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=$(folders "$SRC")
if [ -n "$missing" ]; then
    printf '%s\n' "$missing" >&2
    exit 1
fi
includes >"$work/includes"
arrows >"$work/arrows"
[ -s "$work/includes" ] && [ -s "$work/arrows" ]
bad=$(awk '
    FILENAME ~ /includes$/ { real[$1 " " $2] = 1; next }
    { arrow[$1 " " $2] = 1; room[$1] = room[$2] = 1; if ($3 == "solid" && !(($1 " " $2) in real)) print "no file of " $1 " includes one of " $2 }
    END {
        for (k in room) for (i in room) for (j in room)
            if (((i " " k) in arrow) && ((k " " j) in arrow)) arrow[i " " j] = 1
        for (pair in real) {
            split(pair, w, " ")
            if (w[2] == "include/tarn" || w[2] == "base") continue # under everything
            if (!(pair in arrow)) print w[1] " includes a header of " w[2] ", and the picture has no such arrow"
        }
    }' "$work/includes" "$work/arrows")
if [ -n "$bad" ]; then
    printf '%s\n' "$bad" >&2
    exit 1
fi
awk '{ print $1; print $2 }' "$work/arrows" | sort -u | while read -r room; do
    grep -q "<title>$room</title>" docs/design.svg || {
        echo "docs/design.svg lacks $room: run ./x docs" >&2
        exit 1
    }
done

# --- the check itself is checked -----------------------------------------------------------------
mkdir -p "$work/root/docs" "$work/root/src/a/b" "$work/root/compat/c/d" "$work/root/tools/e"
for folder in src/a src/a/b compat/c compat/c/d tools/e; do : >"$work/root/$folder/x.c"; done
# try WANTED ROOMS PARTS README: tables with these rows are refused (bad) or not (good).
try() {
    printf '## Rooms\n\n| room | contents | may not |\n|---|---|---|\n%b\n| room | part | contents |\n|---|---|---|\n%b' "$2" "$3" >"$work/root/docs/design.md"
    printf '%b' "$4" >"$work/root/compat/c/README.md"
    verdict=good
    [ -z "$(folders "$work/root")" ] || verdict=bad
    [ "$verdict" = "$1" ] || {
        echo "expected $1: $2$3$4" >&2
        exit 1
    }
}
rooms='| `a` | x | y |\n| `compat/c`, `tools/*` | x | y |\n'
parts='| `a` | the folder itself | x |\n| | `b` | x |\n'
try good "$rooms" "$parts" '| `d/` | x |\n'
try good "$rooms" "$parts"'| `compat/c` | `d` | x |\n' ''
try bad "$rooms" "$parts" ''
try bad "$rooms" '' '| `d/` | x |\n'
try bad "$rooms" "$parts"'| | `f` | x |\n' '| `d/` | x |\n'
try bad '' "$parts" '| `d/` | x |\n'
