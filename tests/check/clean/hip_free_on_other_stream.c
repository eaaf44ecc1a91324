// SPDX-License-Identifier: Apache-2.0
// A block is allocated on one stream, used on another behind an event, and freed there.

#include "check/support/hip.h"

enum { BYTES = 1 << 20 };

int main(void) {
    hipStream_t produce = make_stream(), consume = make_stream();
    hipEvent_t ready = NULL;
    must(hipEventCreate(&ready));
    for (int round = 0; round < 3; round++) {
        void *block = NULL;
        must(hipMallocAsync(&block, BYTES, produce));
        must(hipMemsetAsync(block, 1, BYTES, produce));
        must(hipEventRecord(ready, produce));
        must(hipStreamWaitEvent(consume, ready, 0));
        must(hipMemsetAsync(block, 2, BYTES, consume));
        must(hipFreeAsync(block, consume));
    }
    must(hipDeviceSynchronize());
    must(hipEventDestroy(ready));
    must(hipStreamDestroy(produce));
    must(hipStreamDestroy(consume));
    return 0;
}
