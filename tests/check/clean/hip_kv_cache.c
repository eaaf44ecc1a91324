// SPDX-License-Identifier: Apache-2.0
// The blocks of a KV cache lie side by side. Each is copied by itself, to its last byte.

#include "check/support/hip.h"

enum { BLOCK = 4096, BLOCKS = 4 };

int main(void) {
    static char out[BLOCK];
    hipStream_t stream = make_stream();
    char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        must(hipMallocAsync((void **)&blocks[i], BLOCK, stream));
        must(hipMemsetAsync(blocks[i], i, BLOCK, stream));
    }
    for (int i = 0; i < BLOCKS; i++) {
        must(hipMemcpyAsync(out, blocks[i] + BLOCK / 2, BLOCK / 2, hipMemcpyDeviceToHost, stream));
        must(hipMemcpyAsync(out, blocks[i], BLOCK, hipMemcpyDeviceToHost, stream));
        must(hipFreeAsync(blocks[i], stream));
    }
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
