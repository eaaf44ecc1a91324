// SPDX-License-Identifier: Apache-2.0
// A function that returns early after a failed allocation forgets the block that succeeded.
// EXPECT: ERROR leak: 3000 byte(s) in 1 region(s)
// EXPECT:   allocated by thread
// EXPECT:     ... forward .../hip_pool_leak_on_error.c:11

#include "check/support/hip.h"

static hipError_t forward(hipStream_t stream) {
    void *input = NULL, *output = NULL;
    hipError_t error = hipMallocAsync(&input, 3000, stream);
    if (error == hipSuccess) error = hipMallocAsync(&output, (size_t)1 << 50, stream);
    if (error != hipSuccess) return error;
    must(hipFreeAsync(output, stream));
    return hipFreeAsync(input, stream);
}

int main(void) {
    hipStream_t stream = make_stream();
    if (forward(stream) != hipErrorOutOfMemory) return 2;
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
