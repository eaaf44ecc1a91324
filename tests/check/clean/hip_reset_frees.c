// SPDX-License-Identifier: Apache-2.0
// The program leaves everything to hipDeviceReset(), and uses the device again after it.

#include "check/support/hip.h"

int main(void) {
    for (int i = 0; i < 3; i++) {
        void *block = NULL, *pooled = NULL;
        hipStream_t stream = make_stream();
        must(hipMalloc(&block, 1000));
        must(hipMallocAsync(&pooled, 1000, stream));
        must(hipMemsetAsync(pooled, 1, 1000, stream));
        must(hipMemcpyAsync(block, pooled, 1000, hipMemcpyDeviceToDevice, stream));
        must(hipDeviceReset());
    }
    return 0;
}
