#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --fail selects calls of vendors' functions by their own arguments: sizes, also of rows and boxes, addresses, streams, devices and
# types of handles. A function fails as its manual lists. A filter without such an argument is refused before the program starts.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "a sanitizer's library must come first in a program"

# build FACE NAME LIBRARY...: compiles NAME.c for a face.
build() {
    face=$1 name=$2
    shift 2
    "${CC:-cc}" -D__HIP_PLATFORM_AMD__ "$work/$name.c" -I "$SRC/compat/$face/include" -I "$SRC/compat/kernel/include" \
        -I "$SRC/include" -L "$BUILD/lib/tarn/$face" "$@" -Wl,-rpath,"$BUILD/lib/tarn/$face" -o "$work/$name"
}

# fails FACE SPEC LINE: with the spec the program prints the line, and without it another one.
fails() {
    expect 0 run --as "$1" --fail "$2" -- "$work/$1"
    says out "^$3\$"
    says err "^tarn: injected: ${2%%:*}"
    expect 0 run --as "$1" -- "$work/$1"
    grep -q "^$3\$" "$work/out" && fail "$3 without --fail"
    return 0
}

cat >"$work/hip.c" <<'END'
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#define SHOW(call) printf(#call " %s\n", hipGetErrorName(call))
int main(void) {
    void *a = NULL, *b = NULL, *space = NULL;
    size_t pitch;
    hipStream_t stream;
    hipPitchedPtr box;
    hipMemGenericAllocationHandle_t memory;
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned, .location = {hipMemLocationTypeDevice, 0}};
    hipChannelFormatDesc desc = hipCreateChannelDesc(32, 32, 0, 0, hipChannelFormatKindFloat);
    hipArray_t array;
    SHOW(hipMalloc(&a, 4096));
    SHOW(hipMalloc(&b, 8192));
    SHOW(hipStreamCreate(&stream));
    SHOW(hipMallocPitch(&space, &pitch, 100, 10));
    SHOW(hipMalloc3D(&box, make_hipExtent(64, 4, 2)));
    SHOW(hipMallocArray(&array, &desc, 16, 0, 0));
    SHOW(hipMemCreate(&memory, 2 << 20, &prop, 0));
    SHOW(hipMemset2D(a, 64, 0, 64, 2));
    SHOW(hipMemsetD32Async(a, 0, 8, stream));
    SHOW(hipMemcpy(b, a, 64, hipMemcpyDeviceToDevice));
    SHOW(hipStreamQuery(stream));
    SHOW(hipSetDevice(0));
    return 0;
}
END
build hip hip -lamdhip64
fails hip hipMalloc:size=8K 'hipMalloc(&b, 8192) hipErrorOutOfMemory'
fails hip hipMallocPitch:size=1000 'hipMallocPitch(.* hipErrorOutOfMemory'
fails hip hipMalloc3D:size=512 'hipMalloc3D(.* hipErrorOutOfMemory'
fails hip hipMallocArray:size=128 'hipMallocArray(.* hipErrorOutOfMemory'
fails hip hipMemCreate:size=2M:device=0:handle=0 'hipMemCreate(.* hipErrorOutOfMemory'
fails hip hipMemset2D:size=128:address=1- 'hipMemset2D(.* hipErrorInvalidValue'
fails hip hipMemsetD32Async:size=32:stream=1- 'hipMemsetD32Async(.* hipErrorInvalidValue'
fails hip hipMemcpy:size=64 'hipMemcpy(.* hipErrorInvalidValue'
fails hip hipStreamQuery:stream=1- 'hipStreamQuery(.* hipErrorInvalidHandle\|hipStreamQuery(.* hipErrorLaunchFailure'
fails hip hipSetDevice:device=0 'hipSetDevice(.* hipErrorInvalidDevice'
for spec in hipMalloc:size=4097-8191 hipMemCreate:device=1 hipStreamQuery:stream=0 hipMemcpy:address=1-2; do
    expect 0 run --as hip --fail "$spec" -- "$work/hip"
    grep -q injected "$work/err" && fail "$spec selects a call"
done

cat >"$work/cuda.c" <<'END'
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
int main(void) {
    void *a = NULL;
    CUdeviceptr b = 0;
    cudaStream_t stream;
    printf("malloc %d\n", cudaMalloc(&a, 4096));
    printf("alloc %d\n", cuMemAlloc(&b, 8192));
    printf("create %d\n", cudaStreamCreate(&stream));
    printf("fill %d\n", cuMemsetD16(b, 0, 100));
    printf("async %d\n", cudaMallocAsync(&a, 512, stream));
    printf("query %d\n", cudaStreamQuery(stream));
    printf("free %d\n", cuMemFree(b));
    return 0;
}
END
build cuda cuda -l:libcuda.so.1 -l:libcudart.so.13
fails cuda cudaMalloc:size=4K 'malloc 2'
fails cuda cuMemAlloc:size=8K 'alloc 2' # the newest form of the function
fails cuda cuMemAlloc_v2:size=8K 'alloc 2'
fails cuda cuMemsetD16:size=200 'fill 719'
fails cuda cudaMallocAsync:stream=1-:size=512 'async 2'
fails cuda cudaStreamQuery 'query 719'
fails cuda cuMemFree:address=1- 'free 719'

cat >"$work/acl.c" <<'END'
#include <acl/acl.h>
#include <stdio.h>
int main(void) {
    void *a = NULL, *b = NULL;
    aclrtStream stream = NULL;
    aclrtDrvMemHandle handle;
    aclrtPhysicalMemProp prop = {.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED,
                                 .memAttr = ACL_HBM_MEM_HUGE,
                                 .location = {.type = ACL_MEM_LOCATION_TYPE_DEVICE}};
    printf("device %d\n", aclrtSetDevice(0));
    printf("malloc %d\n", aclrtMalloc(&a, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    printf("host %d\n", aclrtMallocHost(&b, 8192));
    printf("physical %d\n", aclrtMallocPhysical(&handle, 2 << 20, &prop, 0));
    printf("stream %d\n", aclrtCreateStream(&stream));
    printf("set %d\n", aclrtMemset(a, 4096, 0, 100));
    printf("copy %d\n", aclrtMemcpyAsync(a, 4096, b, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    printf("wait %d\n", aclrtSynchronizeStream(stream));
    printf("free %d\n", aclrtFree(a));
    return 0;
}
END
build acl acl -lascendcl
fails acl aclrtMalloc:size=4K 'malloc 207001'
fails acl aclrtMallocHost:size=8K 'host 207001'
fails acl aclrtMallocPhysical:size=2M:device=0 'physical 207001'
fails acl aclrtCreateStream 'stream 207008'
fails acl aclrtMemset:size=100:address=1- 'set 507899'
fails acl aclrtMemcpyAsync:size=64:stream=1- 'copy 507899'
fails acl aclrtSetDevice:device=0 'device 507899'
fails acl aclrtFree:address=1- 'free 207002'

# refused SPEC REASON: nothing starts.
refused() {
    expect 125 run --fail "$1" -- touch "$work/started"
    says err "$2\$"
}
refused hipFree:size=4K '"size=4K": hipFree has no such argument; it has address'
refused hipMalloc:address=0- '"address=0-": hipMalloc has no such argument; it has size'
refused cuEventQuery:stream=0 '"stream=0": cuEventQuery has no such argument; it has none'
refused aclrtMalloc:device=0 '"device=0": aclrtMalloc has no such argument; it has size'
refused HIAI_DFree:size=4K '"size=4K": HIAI_DFree has no such argument; it has address'
refused map:stream=1 '"stream=1": map has no such argument; it has size address'
refused tarn_stream_create:size=4K '"size=4K": tarn_stream_create has no such argument; it has none'
refused hipPeekAtLastError:1 'its manual lists no error; choose one by as='
[ ! -e "$work/started" ] || fail "the program was started"
