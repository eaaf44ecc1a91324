#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each function that a face implements stands by its full name in exactly one place of the face's folder, so that
# `grep -rw NAME compat` and ctags lead to it. ctags reads the rows of the faces by .ctags.d. Afterwards the lint
# plants mistakes in a copy, and must notice each.
set -eu
ctags --version 2>/dev/null | grep -q Universal || {
    echo "skipped: needs universal-ctags"
    exit 77
}
libraries='
hip hip/libamdhip64.so
cuda cuda/libcuda.so.1
acl acl/libascendcl.so
hiai hiai/libhiai_matrix.so
mstx mstx/libms_tools_ext.so
'

# implemented FACE LIBRARY: the functions that a library exports, except those that are listed as absent. A
# function of CUDA that is absent is weak, and the targets of its fronts have a prefix.
implemented() {
    nm -D --defined-only "$BUILD/lib/tarn/$2" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
        sed -E 's/^tn_(cudart|nvml)_//' | sort -u >"$work/exported"
    sed '/^#/d; s/.* //' "$SRC/compat/$1/absent_list.txt" 2>/dev/null | sort -u | comm -23 "$work/exported" -
}

# defined ROOT FACE: the functions that the folder of a face defines, as ctags lists them. MSTX is a header.
defined() {
    cd "$1"
    find "compat/$2" \( -name '*.[ch]' -o -name '*.txt' \) ! -path '*/front/*' |
        if [ "$2" = mstx ]; then cat; else grep -v /include/; fi |
        ctags -L - -f - --languages=C,TarnAliases --langmap=C:.c.h --kinds-C=f --sort=no | cut -f1 | sort
}

# check ROOT FACE: prints each implemented function that does not stand in one place.
check() {
    (defined "$1" "$2") | uniq -c | awk '$1 == 1 { print $2 }' | sort >"$work/once"
    comm -23 "$work/$2" "$work/once" | sed "s/\$/ does not stand in exactly one place of compat\/$2/"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=
while read -r face library; do
    [ -n "$face" ] || continue
    [ -e "$BUILD/lib/tarn/$library" ] || {
        echo "skipped: needs a build of the faces"
        exit 77
    }
    implemented "$face" "$library" >"$work/$face"
    found=$found$(check "$SRC" "$face")
    echo "$face: $(comm -12 "$work/$face" "$work/once" | wc -l) of $(wc -l <"$work/$face")"
done <<END
$libraries
END
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
# plant FILE PROGRAM FUNCTION: the check must name FUNCTION after sed has run PROGRAM on FILE in a copy.
plant() {
    rm -rf "$work/copy"
    mkdir "$work/copy"
    cp -r "$SRC/.ctags.d" "$SRC/compat" "$work/copy"
    sed -i "$2" "$work/copy/$1"
    face=${1#compat/}
    check "$work/copy" "${face%%/*}" | grep -q "^$3 " || {
        echo "not noticed: $2 in $1" >&2
        exit 1
    }
}
plant compat/hip/vmm.c 's/(hipMemMap,/(NAME(MemMap),/' hipMemMap
plant compat/hip/memory.c 's/^TN_HIP_UNCAPTURED_ROW(hipHostFree,/TN_HIP_UNCAPTURED_ROW(hipFree,/' hipFree
plant compat/hip/functions.c 's/hipEventRecord_spt,/SPT(hipEventRecord),/' hipEventRecord_spt
plant compat/cuda/functions.c 's/ cudaStreamQuery_ptsz,/ TWIN(cudaStreamQuery),/' cudaStreamQuery_ptsz
plant compat/cuda/nvml.c 's/^NVML(nvmlShutdown,/NVML(PASTED(Shutdown),/' nvmlShutdown
plant compat/acl/malloc.c 's/(aclrtFree,/(NAME(Free),/' aclrtFree
plant compat/hiai/block.c 's/ HIAIX_BlockSize(/ NAME(BlockSize)(/' HIAIX_BlockSize
plant compat/mstx/include/mstx/mstx_detail/mstx_impl_core.h 's/(mstxMarkA,/(NAME(MarkA),/' mstxMarkA
