// SPDX-License-Identifier: Apache-2.0
// Copies and fills leave their block, read bytes that nothing wrote, and lack a right.
// EXPECT: ERROR heap-overflow: write of 1001 byte(s) at 0x..., wrong from 0x... on by cudaMemsetAsync
// EXPECT: ERROR uninitialised-read: 64 of 64 byte(s) at 0x... never written since registration of R2, read by cudaMemcpyAsync
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... by cuMemsetD8_v2
// EXPECT: ERROR unallocated-access: write of 64 byte(s) at 0x... by cuMemsetD8_v2, in a reservation of 4194304 byte(s) at 0x..., where nothing is mapped
#include "check/support/cuda.h"

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc reading = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READ};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    cudaStream_t stream = make_stream();
    char *block = alloc_on(stream, 1000);
    char bytes[64];
    must(cudaMemsetAsync(block, 0, 1001, stream));
    must(cudaFreeAsync(block, stream));
    block = alloc_on(stream, 4096);
    must(cudaMemcpyAsync(bytes, block, sizeof bytes, cudaMemcpyDeviceToHost, stream));
    must(cudaFreeAsync(block, stream));
    must(cudaStreamSynchronize(stream));
    must_drive(cuMemAddressReserve(&at, 2 * PAGE, 0, 0, 0));
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(at, PAGE, 0, handle, 0));
    must_drive(cuMemSetAccess(at, PAGE, &reading, 1));
    (void)cuMemsetD8(at, 1, 64);
    (void)cuMemsetD8(at + PAGE, 1, 64);
    must_drive(cuMemUnmap(at, PAGE));
    must_drive(cuMemRelease(handle));
    must_drive(cuMemAddressFree(at, 2 * PAGE));
    must(cudaStreamDestroy(stream));
    return 0;
}
