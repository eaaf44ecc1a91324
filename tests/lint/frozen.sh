#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The headers that tarn/tarn.h includes will be frozen (docs/versions.md): they include no other header, and declare
# at most so many functions. Each other header says that it may change. tarn.map lists the functions of both kinds by
# name, each kind in a node of its own.
set -eu
most=115

# headers FOLDER: the headers that tarn.h includes, and tarn.h.
headers() {
    sed -n 's|^#include <tarn/\(.*\)>|\1|p' "$1/tarn.h"
    echo tarn.h
}

# functions FILE...: the names of the functions that the headers declare. A prototype may span lines.
functions() {
    awk '/^TARN_API/ { text = ""; inside = 1 }
         inside { text = text " " $0 }
         inside && /;/ { inside = 0; sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text }' "$@" | sort
}

# check FOLDER MAP: prints what is wrong with the headers there, and with the map.
check() {
    (
        cd "$1"
        frozen=$(headers .)
        for header in *.h; do
            if printf '%s\n' "$frozen" | grep -qxF "$header"; then
                sed -n 's|^#include <tarn/\(.*\)>.*|\1|p' "$header" | grep -vxF "$frozen" |
                    sed "s/.*/$header includes &, which may change/"
            elif ! grep -q '^ \* This header may change in every release' "$header"; then
                echo "$header is not in tarn.h, and does not say that it may change"
            fi
        done
        # shellcheck disable=SC2086 # words
        number=$(functions $frozen | wc -l)
        [ "$number" -le "$most" ] || echo "tarn.h has $number functions; at most $most"
        # shellcheck disable=SC2086 # words
        functions $frozen >"$work/frozen"
        functions ./*.h | grep -vxFf "$work/frozen" >"$work/changing"
        for kind in frozen changing; do
            node='^TARN_[0-9.]*_CHANGING {'
            [ $kind = changing ] || node='^TARN_[0-9.]* {'
            sed -n "/$node/,/^}/p" "$2" | sed -n 's/^ *\(tarn_[a-z0-9_]*\);$/\1/p' |
                diff "$work/$kind" - | sed -n "s/^< \(.*\)/tarn.map lacks \1, which is $kind/p
                    s/^> \(.*\)/tarn.map has \1, which is not $kind/p"
        done
    )
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(check "$SRC/include/tarn" "$SRC/tarn.map")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$work/copy
mkdir "$copy"
missed=0
# fresh: the headers as they are, in the copy.
fresh() {
    rm -f "$copy"/*
    cp "$SRC"/include/tarn/*.h "$copy"
}
# plant FILE TEXT: the check finds the file with that line at its end.
plant() {
    fresh
    printf '%s\n' "$2" >>"$copy/$1"
    [ -n "$(check "$copy" "$SRC/tarn.map")" ] && return
    echo "not noticed: $1 with $2" >&2
    missed=1
}
plant space.h '#include <tarn/face.h>'
plant new.h 'TARN_API void tarn_new(void);'
i=0
plant copy.h "$(while [ $i -lt "$most" ]; do
    echo "TARN_API void tarn_new$i(void);"
    i=$((i + 1))
done)"
fresh
for line in '/tarn_copy;/d' '/tarn_annotate_caller;/d' 's/tarn_copy;/tarn_*;/' 's/tarn_annotate_caller;/tarn_copy_new;/'; do
    sed "$line" "$SRC/tarn.map" >"$work/map"
    [ -n "$(check "$copy" "$work/map")" ] || {
        echo "not noticed: tarn.map edited by $line" >&2
        missed=1
    }
done
exit $missed
