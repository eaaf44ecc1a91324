#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A packaged client of CUDA, numba, works on the memory of the software device: our tests of it, and
# those of its own that use no kernel.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset LD_LIBRARY_PATH LD_PRELOAD TARN_CUDA_COMPAT TARN_CUDA_LOG CUDA_VISIBLE_DEVICES
python=${PYTHON:-/usr/bin/python3}
if ! "$python" -c 'import numba.cuda' 2>/dev/null; then
    echo "skipped: needs python3-numba"
    exit 77
fi
skip_sanitized "a sanitizer's library must come first in a program"
device=host:0,devices=2,memory=1G
expect 0 run --as cuda --compat 12 --device $device -- "$python" "$SRC/tests/support/numba_memory.py"
own=
for part in auto_context memory; do own="$own numba.cuda.tests.cudadrv.test_cuda_$part"; done
for part in deallocations emm_plugins events host_alloc pinned profiler reset_device select_device streams; do
    own="$own numba.cuda.tests.cudadrv.test_$part"
done
# shellcheck disable=SC2086 # a list of names
expect 0 run --as cuda --compat 12 --device $device -- "$python" -m numba.runtests $own
says err '^OK'
