#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Our declarations of CUDA's driver API equal those of the toolkit, if it is installed: numbers,
# layouts, and the order and size of each function's parameters.
set -eu
LC_ALL=C
export LC_ALL

header=
for folder in "${CUDA_HOME:-}/include" "${CUDA_PATH:-}/include" /usr/local/cuda/include \
    /usr/local/cuda-*/include /usr/include; do
    [ ! -f "$folder/cuda.h" ] || header=$folder
done
if [ -z "$header" ]; then
    echo "skipped: no cuda.h on this machine"
    exit 77
fi

"$CC" -std=c11 -fsyntax-only -I "$header" -I "$SRC/src" "$SRC/tests/standin/cuda_header.c"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shapes: of each prototype on the input its name, and for each parameter its bytes, p for a pointer.
shapes() {
    tr '\n' ' ' | tr ';' '\n' | awk '
        function shape(type) {
            if (type ~ /\*|CUcontext|CUstream|CUevent|CUmemoryPool|CUhostFn|_context|_stream|_event|_pool |_host_fn/)
                return "p"
            if (type ~ /size_t|long long|uint64_t|CUdeviceptr|GenericAllocationHandle|_address|_phys/)
                return 8
            if (type ~ /char/) return 1
            if (type ~ /short/) return 2
            return 4
        }
        match($0, /(CUresult|tn_cu_result) +[^(]*\(/) {
            $0 = substr($0, RSTART)
            sub(/^[^ ]* +/, "")
            name = $0
            sub(/\(.*/, "", name)
            gsub(/ /, "", name)
            sub(/^[^(]*\(/, "")
            sub(/\)[^)]*$/, "")
            line = name
            n = split($0, part, ",")
            for (i = 1; i <= n; i++) line = line " " shape(part[i] " ")
            print line
        }' | sort -u
}

printf '%s\n' '#include <cuda.h>' |
    "$CC" -E -P -D__CUDA_API_VERSION_INTERNAL -I "$header" - | shapes >"$work/theirs"
printf '%s\n' '#include "backend/cuda/driver.h"' \
    '#define X(name, symbol, version, parameters) tn_cu_result symbol parameters;' \
    'TN_CU_BASE_LIST(X) TN_CU_VMM_LIST(X) TN_CU_POOL_LIST(X) TN_CU_MORE_LIST(X) TN_CU_LOADER_LIST(X)' |
    "$CC" -E -P -I "$SRC/src" - | shapes >"$work/ours"
[ "$(wc -l <"$work/ours")" -gt 70 ]

# Ours that are not theirs, to the letter.
comm -23 "$work/ours" "$work/theirs" >"$work/alone"
[ ! -s "$work/alone" ] && exit 0
echo "not as in $header/cuda.h:" >&2
cat "$work/alone" >&2
exit 1
