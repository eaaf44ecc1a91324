// SPDX-License-Identifier: Apache-2.0
// A circular buffer has its pages twice. Streams take turns by events, across the seam, and a page moves
// to another address when its work is done.

#include "check/support/cuda.h"

int main(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle page[2] = {0};
    CUdeviceptr ring = 0;
    cudaEvent_t turn = NULL;
    must(cudaFree(NULL)); // makes a context current
    cudaStream_t stream[2] = {make_stream(), make_stream()};
    must(cudaEventCreateWithFlags(&turn, cudaEventDisableTiming));
    must_drive(cuMemAddressReserve(&ring, 4 * PAGE, 0, 0, 0));
    for (int i = 0; i < 2; i++) must_drive(cuMemCreate(&page[i], PAGE, &prop, 0));
    for (int i = 0; i < 4; i++)
        must_drive(cuMemMap(ring + (CUdeviceptr)i * PAGE, PAGE, 0, page[i % 2], 0));
    must_drive(cuMemSetAccess(ring, 4 * PAGE, &access, 1));
    must(cudaEventRecord(turn, stream[0]));
    for (int i = 0; i < 4; i++) {
        const CUdeviceptr at = ring + PAGE + 4096 * (CUdeviceptr)i - 8192;
        must(cudaStreamWaitEvent(stream[i % 2], turn, 0));
        must_drive(cuMemsetD8Async(at + PAGE, (unsigned char)i, 8192, stream[i % 2]));
        must_drive(cuMemcpyDtoDAsync(at + PAGE / 2, at + PAGE, 4096, stream[i % 2]));
        must(cudaEventRecord(turn, stream[i % 2]));
    }
    must(cudaEventSynchronize(turn));
    must_drive(cuMemUnmap(ring, 4 * PAGE));
    must_drive(cuMemMap(ring, PAGE, 0, page[1], 0));
    must_drive(cuMemSetAccess(ring, PAGE, &access, 1));
    must_drive(cuMemsetD8Async(ring, 9, PAGE, stream[0]));
    must(cudaStreamSynchronize(stream[0]));
    must_drive(cuMemUnmap(ring, PAGE));
    for (int i = 0; i < 2; i++) {
        must_drive(cuMemRelease(page[i]));
        must(cudaStreamDestroy(stream[i]));
    }
    must_drive(cuMemAddressFree(ring, 4 * PAGE));
    must(cudaEventDestroy(turn));
    return 0;
}
