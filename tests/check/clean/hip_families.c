// SPDX-License-Identifier: Apache-2.0
// Frees that HIP documents: hipFree of managed memory and of a block of a pool, hipFreeAsync of device memory,
// hipHostFree of pinned memory.

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    void *memory = NULL, *managed = NULL, *pinned = NULL, *block = NULL;
    must(hipMallocManaged(&managed, 4096, hipMemAttachGlobal));
    must(hipFree(managed));
    must(hipMallocAsync(&block, 4096, stream));
    must(hipFree(block));
    must(hipMalloc(&memory, 4096));
    must(hipFreeAsync(memory, stream));
    must(hipHostMalloc(&pinned, 4096, 0));
    must(hipHostFree(pinned));
    must(hipStreamDestroy(stream));
    return 0;
}
