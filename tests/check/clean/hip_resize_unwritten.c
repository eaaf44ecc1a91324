// SPDX-License-Identifier: Apache-2.0
// A vector grows before anything was written to it, as those of RMM do. Then the host reads only what it
// has written.

#include "check/support/hip.h"

#include <string.h>

int main(void) {
    static char out[2000];
    hipStream_t stream = NULL;
    char *block = NULL;
    must(hipStreamCreate(&stream));
    must(hipMallocAsync((void **)&block, 1000, stream));
    for (size_t size = 1000; size < 64000; size *= 2) {
        char *larger = NULL;
        must(hipMallocAsync((void **)&larger, 2 * size, stream));
        must(hipMemcpyAsync(larger, block, size, hipMemcpyDeviceToDevice, stream));
        must(hipFreeAsync(block, stream));
        block = larger;
    }
    must(hipMemsetAsync(block, 1, sizeof out, stream));
    must(hipMemcpyAsync(out, block, sizeof out, hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
