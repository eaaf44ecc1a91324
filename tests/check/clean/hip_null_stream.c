// SPDX-License-Identifier: Apache-2.0
// Work on the null stream waits for streams that block it, and they wait for it.

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t stream = NULL;
    void *block = NULL;
    must(hipStreamCreate(&stream));
    must(hipMalloc(&block, BYTES));
    must(hipMemsetAsync(block, 1, BYTES, stream));
    must(hipMemsetAsync(block, 2, BYTES, NULL));
    must(hipMemsetAsync(block, 3, BYTES, stream));
    must(hipDeviceSynchronize());
    must(hipFree(block));
    must(hipStreamDestroy(stream));
    return 0;
}
