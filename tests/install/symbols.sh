#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library exports exactly the functions that the public headers declare, and nothing else.
set -eu
work=$BUILD/tests/symbols
mkdir -p "$work"
# A prototype may span lines: join each declaration that begins with TARN_API up to its semicolon.
awk '/^TARN_API/ { text = ""; inside = 1 }
     inside { text = text " " $0 }
     inside && /;/ { inside = 0; sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text }' \
    "$SRC"/include/tarn/*.h | sort -u >"$work/declared"
nm -D --defined-only "$BUILD/lib/libtarn.so" | sed 's/@.*//' | awk '$2 != "A" { print $3 }' |
    sort -u >"$work/exported"
[ -s "$work/declared" ] && [ -s "$work/exported" ]
if ! diff -u "$work/declared" "$work/exported"; then
    echo "'-': declared but not exported (not written yet?); '+': exported but not declared" >&2
    exit 1
fi
