#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs compiled against AMD's own headers, as a distribution ships them, run on the face.
set -eu
headers=/usr/include
[ -e $headers/hip/hip_runtime_api.h ] || {
    echo "skipped: needs libamdhip64-dev"
    exit 77
}
work=$BUILD/tests/install_amd_headers
mkdir -p "$work"
unset LD_LIBRARY_PATH TARN_DEVICE TARN_HIP_DEVICE HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES
for source in "$SRC"/tests/install/amd_headers/*.c; do
    program=$work/$(basename "$source" .c)
    # Linked with the face, so that the library and its versions are those it will ask for.
    "$CC" -std=gnu11 -D__HIP_PLATFORM_HCC__ -D__HIP_PLATFORM_AMD__ -I$headers "$source" \
        -o "$program" -L"$BUILD/lib/tarn/hip" -lamdhip64
    readelf -d "$program" | grep -q 'NEEDED.*libamdhip64\.so\.6' || {
        echo "$program was linked with another library" >&2
        exit 1
    }
    "$BUILD/bin/tarn" run --as hip --log -- "$program"
done
