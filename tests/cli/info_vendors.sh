#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GPUs, NPUs and their libraries: the command works without any, reports what it tried, and opens no
# library that was not requested.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the build folder}"

# None of them is found: everything else works, and each states the reason.
TARN_CUDA_LIBRARY=/no/such/libcuda.so.1
TARN_HIP_LIBRARY=/no/such/libamdhip64.so
TARN_ASCEND_LIBRARY=/no/such/libascendcl.so
export TARN_CUDA_LIBRARY TARN_HIP_LIBRARY TARN_ASCEND_LIBRARY
expect 0 info
says out 'host:0'
says out 'not available: cuda: library "/no/such/libcuda.so.1"'
says out 'not available: hip: library "/no/such/libamdhip64.so"'
says out 'not available: ascend: library "/no/such/libascendcl.so"'
expect 0 info --json
is_json
expect 2 info --device hip:0
says err '/no/such/libamdhip64.so'
expect 2 info --device ascend:0,library=/elsewhere/libascendcl.so # the name precedes the environment
says err '/elsewhere/libascendcl.so'
expect 0 layout 1 2 3
expect 0 replay --device sim:0 "$SRC"/traces/serve.trace.gz
unset TARN_CUDA_LIBRARY TARN_HIP_LIBRARY TARN_ASCEND_LIBRARY

# The usual names: the error lists what was tried, unless there is an NPU.
if ! "$TARN" info --device ascend:0 >"$work/out" 2>"$work/err"; then
    says err 'libascendcl.so'
fi

# A device of another kind opens no vendor's library.
LD_DEBUG=files "$TARN" info --device host:0 >"$work/out" 2>"$work/err" || fail "LD_DEBUG"
if grep -q -e libcuda -e libamdhip64 -e libascendcl "$work/err"; then
    fail "host:0 looks for a vendor's library"
fi

# AMD's own library on a machine without a GPU reports that there is none.
if [ ! -e /dev/kfd ] && ldconfig -p 2>/dev/null | grep -q 'libamdhip64\.so\.5'; then
    ASAN_OPTIONS=detect_leaks=0 expect 2 info --device hip:0,library=libamdhip64.so.5
    says err 'hipGetDeviceCount.*(10[01])'
fi

# The stand-ins: the report names the library that was found.
hip=$BUILD/lib/tarn/hip/libamdhip64.so.6
acl=$BUILD/lib/tarn/acl/libascendcl.so
if [ ! -e "$hip" ] || [ ! -e "$acl" ]; then
    echo "skipped: the faces are not built"
    exit 77
fi
expect 0 info --device "hip:0,library=$hip"
says out 'hip:0  software device 0'
says out "found  *$hip"
says out 'features: .*vmm'
says out 'vmm  *works'
expect 0 info --device "hip:0,library=$hip,memory=1G" --json
is_json
[ "$(json memory_bytes)" = 1073741824 ] || fail "the memory limit is not shown"
expect 0 info --device "ascend:0,library=$acl"
says out 'shares memory by: token'

# A face over the back-end that opens the same face.
TARN_HIP_DEVICE=hip:0,library=$hip
export TARN_HIP_DEVICE
expect 1 info --device "hip:0,library=$hip"
says err 'has no usable device'
