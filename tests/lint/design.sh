#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The picture of docs/design.md matches the tree. Each solid arrow of docs/design.dot is an include from
# one room to the other; each include between two rooms is an arrow or a path of arrows; docs/design.svg
# names the same rooms.
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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
