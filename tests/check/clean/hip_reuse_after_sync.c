// SPDX-License-Identifier: Apache-2.0
// Blocks are freed on one stream and allocated on another after the host has waited.

#include "check/support/hip.h"

enum { BYTES = 8192 };

int main(void) {
    static char out[BYTES];
    hipStream_t streams[2] = {make_stream(), make_stream()};
    for (int round = 0; round < 6; round++) {
        hipStream_t stream = streams[round % 2];
        void *block = NULL;
        must(hipMallocAsync(&block, BYTES, stream));
        must(hipMemsetAsync(block, round, BYTES, stream));
        must(hipMemcpyAsync(out, block, BYTES, hipMemcpyDeviceToHost, stream));
        must(hipFreeAsync(block, stream));
        must(hipStreamSynchronize(stream));
    }
    must(hipStreamDestroy(streams[0]));
    must(hipStreamDestroy(streams[1]));
    return 0;
}
