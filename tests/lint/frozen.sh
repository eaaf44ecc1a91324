#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The headers that tarn/tarn.h includes will be frozen (docs/versions.md): they include no other header, and declare
# at most so many functions. Each other header says that it may change.
set -eu
most=124

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

# check FOLDER: prints what is wrong with the headers there.
check() {
    (
        cd "$1"
        frozen=$(headers .)
        for header in *.h; do
            if printf '%s\n' "$frozen" | grep -qxF "$header"; then
                for other in $(sed -n 's|^#include <tarn/\(.*\)>.*|\1|p' "$header"); do
                    printf '%s\n' "$frozen" | grep -qxF "$other" || echo "$header includes $other, which may change"
                done
            elif ! grep -q '^ \* This header may change in every release' "$header"; then
                echo "$header is not in tarn.h, and does not say that it may change"
            fi
        done
        # shellcheck disable=SC2086 # words
        number=$(functions $frozen | wc -l)
        [ "$number" -le "$most" ] || echo "tarn.h has $number functions; at most $most"
    )
}

found=$(check "$SRC/include/tarn")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0
# plant FILE TEXT: the check finds the file with that line at its end.
plant() {
    cp "$SRC"/include/tarn/*.h "$copy"
    printf '%s\n' "$2" >>"$copy/$1"
    [ -n "$(check "$copy")" ] && return
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
exit $missed
