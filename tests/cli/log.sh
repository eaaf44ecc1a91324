#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls that fail are logged on request, with their reasons, also before a program initialises an interface. A
# command that starts a program names them if no call succeeded, and does not claim that there was none.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset LD_PRELOAD LD_LIBRARY_PATH TARN_LOG TARN_HIP_LOG TARN_CUDA_LOG TARN_ACL_LOG TARN_HIAI_LOG CUDA_VISIBLE_DEVICES
cc=${CC:-cc}
libraries=$(cd "$(dirname "$TARN")/../lib" && pwd)
skip_sanitized "a sanitizer's library must come first in a program"
cd "$work" || exit 1

# build NAME FACE LIBRARY: compiles a program from standard input.
build() {
    cat >"$1.c"
    $cc -I"$SRC/include" -I"$SRC/compat/$2/include" -I"$SRC/compat/kernel/include" \
        "$1.c" -o "$1" -L"$libraries" -L"$libraries/tarn/$2" -l:"$3" ||
        fail "$1 is not compiled"
}
build driver cuda libcuda.so.1 <<'EOF'
#include <cuda.h>
int main(int argc, char **argv) {
    CUdeviceptr memory;
    CUdevice device;
    (void)argv;
    int failed = cuMemAlloc(&memory, 64) != CUDA_SUCCESS && cuMemAlloc(&memory, 65) != CUDA_SUCCESS;
    if (argc > 1) return cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS;
    return !failed;
}
EOF
build management cuda libnvidia-ml.so.1 <<'EOF'
#include <nvml.h>
int main(void) {
    unsigned count;
    return nvmlDeviceGetCount_v2(&count) != NVML_ERROR_UNINITIALIZED;
}
EOF
build version cuda libcuda.so.1 <<'EOF'
#include <cuda.h>
int main(void) {
    int version;
    return cuDriverGetVersion(&version) != CUDA_SUCCESS;
}
EOF
build matrix hiai libhiai_matrix.so <<'EOF'
#include <hiaiengine/c_graph.h>
int main(void) { return HIAI_DMalloc(64, 500, 4) != 0; }
EOF
build hip hip libamdhip64.so.6 <<'EOF'
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
int main(void) {
    void *memory;
    return hipSetDevice(99) != hipErrorInvalidDevice || hipMalloc(&memory, 4096) != hipSuccess ||
           hipFree(memory) != hipSuccess;
}
EOF
build native hip libtarn.so <<'EOF'
#include <tarn/tarn.h>
int main(void) {
    tarn_device *device;
    tarn_addr memory;
    if (tarn_device_open("sim:0", &device) != TARN_OK) return 1;
    if (tarn_memory_alloc(device, 0, &memory) != TARN_BAD_ARGUMENT) return 2;
    if (tarn_memory_alloc(device, 4096, &memory) != TARN_OK) return 3;
    if (tarn_stream_query(0) == TARN_OK) return 4;
    return tarn_memory_free(memory, 0) != TARN_OK || tarn_device_close(device) != TARN_OK;
}
EOF

# Programs whose calls all fail: the calls are named, and none is said to be missing.
for row in 'driver cuda cuMemAlloc_v2: CUDA_ERROR_NOT_INITIALIZED: cuInit() was not called' 'management cuda nvmlDeviceGetCount_v2.*nvmlInit() was not called' \
    'matrix hiai HIAI_DMalloc.*HIAI_Init() was not called'; do
    # shellcheck disable=SC2086 # words
    set -- $row
    pattern=${row#"$1 $2 "}
    expect 0 run --as "$2" -- "./$1"
    says err "^tarn run: note: ./$1 opened no device, and calls of it failed:"
    [ "$(grep -c "^tarn run:   $pattern" err)" = 1 ] || fail "the call of $1 is not named once"
    if [ -e "$libraries/tarn/check/libtarn-check.so" ]; then
        expect 122 check --as "$2" -- "./$1"
        says err "^tarn check: nothing was checked: ./$1 opened no device, and calls of it failed:"
        [ "$(grep -c "^tarn check:   $pattern" err)" = 1 ] || fail "the call of $1 is not named once"
    fi
    ! grep -q 'made no call' err || fail "a program that called is said to have made no call"
    # The log has each of them.
    expect 0 run --as "$2" --log -- "./$1"
    says err "^tarn: $pattern"
done
grep -q '^tarn: HIAI_DMalloc: HIAI_GRAPH_NOT_EXIST: ' err || fail "the status is not named"
expect 0 run --as cuda -- ./driver init # a later call succeeds
[ ! -s err ] || fail "calls are named although a device was opened"
expect 122 run --as cuda -- ./version
says err 'made no call of it that needs a device$'

# Levels and files, for a face and for the library. A variable of the face comes first.
lines() { [ "$(grep -c '^tarn: ' "$1")" = "$2" ] || fail "not $2 lines in $1"; }
TARN_LOG=error expect 0 run --as hip -- ./hip
lines err 1
says err '^tarn: hipSetDevice: hipErrorInvalidDevice: no device 99'
TARN_LOG=error TARN_HIP_LOG=off expect 0 run --as hip -- ./hip
lines err 0
TARN_LOG=off TARN_HIP_LOG=info expect 0 run --as hip -- ./hip
says err '^tarn: info: TARN_HIP_LOG=info$'
says err '^tarn: info: tarn_device_open: opened "host:0"'
TARN_LOG=1:log expect 0 run --as hip -- sh -c './hip && ./hip'
lines err 0
lines log 2
rm log
TARN_LOG=error:%p.log expect 0 run --as hip -- sh -c './hip && ./hip'
set -- *.log
[ $# = 2 ] || fail "not a file for each process: $*"
export LD_LIBRARY_PATH="$libraries"
for level in off error debug; do
    TARN_LOG=$level ./native >out 2>err || fail "exit $? with TARN_LOG=$level"
    case $level in
    off) lines err 0 ;;
    *)
        says err '^tarn: tarn_memory_alloc: BAD_ARGUMENT: bytes is 0$'
        says err '^tarn: tarn_stream_query: BAD_HANDLE: '
        [ "$(grep -vc '^tarn: info: ' err)" = 2 ] || fail "not two failures"
        ;;
    esac
done
says err '^tarn: info: tarn_device_open: opened "sim:0"$'
TARN_LOG=loud ./native >out 2>err && fail "a wrong level is accepted"
exit 0
