#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each function of a vendor's API that returns an error has a row in src/fail/functions_FACE.h, which gives the error of a
# failure on request, and each row is a function. Afterwards the lint removes a row in a copy, and must notice.
set -eu

# names FILES...: the functions that the headers declare, without the endings of releases and forms.
names() {
    sed -nE 's/^(HIP_API |static inline |extern |TN_API )?(hipError_t|cudaError_t|CUresult|aclError|hi_s32|HIAI_StatusT) ([a-zA-Z_][A-Za-z0-9_]*)\(.*/\3/p
        s/^CUDA_PT[SD][SZ]?_?\(([A-Za-z0-9_]+),.*/\1/p; s/^CUDA[A-Z_]*_PT[DS][SZ]?_?\(([A-Za-z0-9_]+),.*/\1/p' "$@" | stem
}

# rows FILE: the functions of a table, which stand in strings between errors and recipes.
rows() { grep -o '"[^"]*"' "$1" | grep -oE '\b(_*hip|cu|acl|hi_mpi|HIAI)[A-Za-z0-9_]+\b'; }

stem() { sed -E 's/(_spt|_ptsz|_ptds|R0[06]00)$//; s/_v[0-9]$//' | sort -u; }

# check ROOT: prints what is wrong.
check() {
    for face in hip cuda acl hiai; do
        rows "$1/src/fail/functions_$face.h" | stem >"$work/rows"
        # shellcheck disable=SC2046 # names without blanks
        names $(find "$1/compat/$face/include" -name '*.h') | grep -E '^(_*hip|cu|acl|hi_mpi|HIAI)' >"$work/declared"
        comm -13 "$work/rows" "$work/declared" | sed "s/\$/: declared by $face, without a row in functions_$face.h/"
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi
mkdir -p "$work/copy/src"
cp -r "$SRC/src/fail" "$work/copy/src"
cp -r "$SRC/compat" "$work/copy"
for planted in hip:hipMalloc cuda:cudaMalloc acl:aclrtMalloc hiai:HIAIX_SendData; do
    face=${planted%:*}
    sed -i "s/\\b${planted#*:}\\b//" "$work/copy/src/fail/functions_$face.h"
    [ -n "$(check "$work/copy")" ] || { echo "not noticed: ${planted#*:} without a row" >&2; exit 1; }
    cp "$SRC/src/fail/functions_$face.h" "$work/copy/src/fail"
done
