// SPDX-License-Identifier: Apache-2.0
// A mapping is removed while a fill of it is queued. CUDA does not wait for the fill, which fails.
// EXPECT: ERROR unmap-in-flight: 2097152 byte(s) at 0x... that cuMemsetD8Async on stream 0x... may still write, in a mapping of 2097152 byte(s)
#include "check/support/cuda.h"

static void wait_for_flag(void *flag) {
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) {
    }
}

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    int open = 0;
    must(cudaFree(NULL)); // makes a context current
    cudaStream_t stream = make_stream();
    must_drive(cuMemAddressReserve(&at, PAGE, 0, 0, 0));
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(at, PAGE, 0, handle, 0));
    must_drive(cuMemSetAccess(at, PAGE, &access, 1));
    must_drive(cuMemRelease(handle));
    must(cudaLaunchHostFunc(stream, wait_for_flag, &open));
    must_drive(cuMemsetD8Async(at, 1, PAGE, stream));
    must_drive(cuMemUnmap(at, PAGE));
    __atomic_store_n(&open, 1, __ATOMIC_RELEASE);
    (void)cudaStreamSynchronize(stream);
    must_drive(cuMemAddressFree(at, PAGE));
    (void)cudaDeviceReset();
    return 0;
}
