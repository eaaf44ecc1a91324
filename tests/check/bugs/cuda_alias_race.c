// SPDX-License-Identifier: Apache-2.0
// One physical page has two addresses, as in a circular buffer. The event that orders the second stream
// was recorded before the fill.
// EXPECT: ERROR copy-race: read of 256 byte(s) at 0x... by cuMemcpyDtoDAsync... on stream 0x... is unordered with the write by cuMemsetD8Async on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../cuda_alias_race.c:28

#include "check/support/cuda.h"

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr ring = 0;
    cudaEvent_t filled = NULL;
    must(cudaFree(NULL)); // makes a context current
    cudaStream_t producer = make_stream(), consumer = make_stream();
    must(cudaEventCreate(&filled));
    must_drive(cuMemAddressReserve(&ring, 2 * PAGE, 0, 0, 0));
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(ring, PAGE, 0, handle, 0));
    must_drive(cuMemMap(ring + PAGE, PAGE, 0, handle, 0));
    must_drive(cuMemSetAccess(ring, 2 * PAGE, &access, 1));
    must_drive(cuMemRelease(handle));
    must(cudaEventRecord(filled, producer));
    must_drive(cuMemsetD8Async(ring, 1, 256, producer));
    must(cudaStreamWaitEvent(consumer, filled, 0));
    must_drive(cuMemcpyDtoDAsync(ring + 4096, ring + PAGE, 256, consumer));
    must(cudaDeviceSynchronize());
    must_drive(cuMemUnmap(ring, 2 * PAGE));
    must_drive(cuMemAddressFree(ring, 2 * PAGE));
    must(cudaEventDestroy(filled));
    must(cudaStreamDestroy(producer));
    must(cudaStreamDestroy(consumer));
    return 0;
}
