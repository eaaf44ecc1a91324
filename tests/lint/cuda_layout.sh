#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Numbers, layouts, signatures and symbols of our CUDA headers equal those of the toolkit, if it is
# installed. See tests/compat/cuda/layout.py.
set -eu

toolkit=
for folder in "${CUDA_HOME:-}/include" "${CUDA_PATH:-}/include" /usr/local/cuda/include; do
    # Other releases have other types.
    ! grep -q '^#define CUDA_VERSION 13000$' "$folder/cuda.h" 2>/dev/null || toolkit=$folder
done
[ -n "$toolkit" ] || {
    echo "skipped: no headers of CUDA 13.0 on this machine"
    exit 77
}
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$SRC/tests/compat/cuda/layout.py" "$SRC/compat/cuda/include" "$toolkit"
