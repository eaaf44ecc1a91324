#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No circles between the files of a room, nor between the rooms of a house, proved from the object files:
# file A needs file B when A's object has an undefined symbol that B's object defines. The exceptions
# are listed below, each with its reason. BUILD is the build folder.
set -eu

# "A -> B  why": a need that may close a circle. Paths below src/ or compat/, as this lint prints them.
exceptions='
'

# needs: reads lines "FILE U|D SYMBOL" and prints "A B" for each pair of files of one folder in which A
# needs B, without the exceptions.
needs() {
    awk -v exceptions="$exceptions" '
        BEGIN {
            n = split(exceptions, line, "\n")
            for (i = 1; i <= n; i++) if (split(line[i], w, " ") >= 3) excepted[w[1] " " w[3]] = 1
        }
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        $2 == "D" { defines[$3] = defines[$3] " " $1 }
        $2 == "U" { needs[$1 " " $3] = 1 }
        END {
            for (pair in needs) {
                split(pair, w, " ")
                n = split(defines[w[2]], by, " ")
                for (i = 1; i <= n; i++)
                    if (by[i] != w[1] && folder(by[i]) == folder(w[1]) && !((w[1] " " by[i]) in excepted))
                        print w[1], by[i], w[2]
            }
        }'
}

# Folders in which each folder, and each file beside them, is a room that needs others in one direction.
houses='src/core/pool'

# rooms: the same for the rooms of a house.
rooms() {
    awk -v houses="$houses" '
        BEGIN { n = split(houses, house, " ") }
        function room(path, i, at) {
            for (i = 1; i <= n; i++)
                if (index(path, house[i] "/") == 1) {
                    at = index(substr(path, length(house[i]) + 2), "/")
                    return at ? substr(path, 1, length(house[i]) + at) : path
                }
            return ""
        }
        { at = room($1) }
        at == "" { next }
        $2 == "D" { home[$3] = at }
        $2 == "U" { needs[at " " $3] = 1 }
        END {
            for (pair in needs) {
                split(pair, w, " ")
                if ((w[2] in home) && home[w[2]] != w[1]) print w[1], home[w[2]], w[2]
            }
        }'
}

# circles: reads "A B SYMBOL" lines and prints those that lie in or between circles: files that nothing
# needs, and files that need nothing, are removed until none is left.
circles() {
    awk '
        { from[NR] = $1; to[NR] = $2; symbol[NR] = $3; alive[NR] = 1 }
        END {
            do {
                split("", out); split("", in_)
                for (i = 1; i <= NR; i++) if (alive[i]) { out[from[i]]++; in_[to[i]]++ }
                removed = 0
                for (i = 1; i <= NR; i++)
                    if (alive[i] && (!(to[i] in out) || !(from[i] in in_))) { alive[i] = 0; removed = 1 }
            } while (removed)
            for (i = 1; i <= NR; i++) if (alive[i]) print from[i] " -> " to[i] " (" symbol[i] ")"
        }' | sort -u
}

# symbols: reads nm's lines and prints "FILE U|D SYMBOL"; the file is its path below the target's folder.
symbols() {
    awk '
        {
            path = $1
            sub(/:$/, "", path)
            sub(/\.o$/, "", path)
            if (match(path, /\.dir\//)) path = substr(path, RSTART + 5)
            if ($3 == "U") print path, "U", $2
            else if ($3 ~ /^[TDBRVWC]$/) print path, "D", $2
        }' | sort -u
}

# sources ROOT: prints each C file of the product as its object names it.
sources() {
    (cd "$1" && find src compat plugin tools -name '*.c' 2>/dev/null) | sed -E 's#^(compat|plugin)/##'
}

# check ROOT BUILD: prints the needs that lie in or between circles. An object that is compiled twice is
# read once; one without a source is left over from before a rename.
check() {
    sources "$1" >"$work/sources"
    (
        cd "$2"
        find . -name '*.o' -path '*.dir/*' ! -path './tests/*' ! -path './bench/*' ! -path '*opened_late*' \
            ! -path '*/tarn_check.dir/*' -exec nm -A --format=posix {} + 2>/dev/null | symbols |
            awk -v list="$work/sources" 'BEGIN { while ((getline file < list) > 0) known[file] = 1 } $1 in known' \
                >"$work/symbols"
    )
    needs <"$work/symbols" | circles
    rooms <"$work/symbols" | circles
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(check "${SRC:?}" "${BUILD:?}")
if [ -n "$found" ]; then
    printf 'These needs lie in or between circles of files or rooms:\n%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$work/copy
mkdir "$copy"
missed=0
# try VERDICT A B [FOLDER-OF-B] [FOLDER-OF-A]: two files, room/a.c and room/b.c, with these texts.
try() {
    rm -rf "$copy/x.dir" "$copy/src"
    for file in "${5:-room}/a.c" "${4:-room}/b.c"; do
        mkdir -p "$(dirname "$copy/src/$file")" "$(dirname "$copy/x.dir/src/$file")"
        touch "$copy/src/$file"
    done
    echo "$2" | "${CC:-cc}" -x c -c -o "$copy/x.dir/src/${5:-room}/a.c.o" -
    echo "$3" | "${CC:-cc}" -x c -c -o "$copy/x.dir/src/${4:-room}/b.c.o" -
    verdict=good
    [ -z "$(check "$copy" "$copy")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2 / $3" >&2
    missed=1
}
try bad 'void b(void); void a(void) { b(); }' 'void a(void); void b(void) { a(); }'
try bad 'extern int b; int *a(void) { return &b; }' 'int *a(void); int b; int *c(void) { return a(); }'
try good 'void b(void); void a(void) { b(); }' 'void b(void) { }'
try good 'void b(void); void a(void) { b(); }' 'void a(void); void b(void) { a(); }' other
try bad 'void b(void); void a(void) { b(); }' 'void a(void); void b(void) { a(); }' core/pool/fit core/pool/grow
try bad 'void b(void); void a(void) { b(); }' 'void a(void); void b(void) { a(); }' core/pool/fit core/pool
try good 'void b(void); void a(void) { b(); }' 'void b(void) { }' core/pool/fit core/pool/grow
exit $missed
