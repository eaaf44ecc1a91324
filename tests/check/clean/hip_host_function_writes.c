// SPDX-License-Identifier: Apache-2.0
// A host function writes to memory that a copy behind it reads, and that the CPU reads after a
// wait.

#include "check/support/hip.h"

enum { BYTES = 4096 };

static void produce(void *block) { memset(block, 3, BYTES); }

int main(void) {
    static char out[BYTES];
    hipStream_t stream = make_stream();
    char *pinned = NULL;
    void *block = NULL;
    must(hipHostMalloc((void **)&pinned, BYTES, 0));
    must(hipMallocAsync(&block, BYTES, stream));
    must(hipLaunchHostFunc(stream, produce, pinned));
    must(hipMemcpyAsync(block, pinned, BYTES, hipMemcpyHostToDevice, stream));
    must(hipLaunchHostFunc(stream, produce, block));
    must(hipMemcpyAsync(out, block, BYTES, hipMemcpyDeviceToHost, stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    pinned[0] = out[BYTES - 1];
    must(hipHostFree(pinned));
    must(hipStreamDestroy(stream));
    return 0;
}
