// SPDX-License-Identifier: Apache-2.0
// A host function copies out of a block that is freed behind it, on its own stream and on one that
// waits for it. It runs after both frees were submitted.

#include "check/support/hip.h"

enum { BYTES = 4096 };

static char out[BYTES];
static int freed;

static void copy_out(void *block) {
    while (__atomic_load_n(&freed, __ATOMIC_ACQUIRE) == 0) {
    }
    must(hipMemcpy(out, block, BYTES, hipMemcpyDeviceToHost));
}

int main(void) {
    hipStream_t stream = make_stream(), other = make_stream();
    hipEvent_t event = NULL;
    void *first = NULL, *second = NULL;
    must(hipEventCreate(&event));
    must(hipMallocAsync(&first, BYTES, stream));
    must(hipMallocAsync(&second, BYTES, stream));
    must(hipMemsetAsync(first, 1, BYTES, stream));
    must(hipMemsetAsync(second, 1, BYTES, stream));
    must(hipLaunchHostFunc(stream, copy_out, first));
    must(hipLaunchHostFunc(stream, copy_out, second));
    must(hipFreeAsync(first, stream));
    must(hipEventRecord(event, stream));
    must(hipStreamWaitEvent(other, event, 0));
    must(hipFreeAsync(second, other));
    __atomic_store_n(&freed, 1, __ATOMIC_RELEASE);
    must(hipStreamSynchronize(other));
    must(hipStreamSynchronize(stream));
    must(hipEventDestroy(event));
    must(hipStreamDestroy(other));
    must(hipStreamDestroy(stream));
    return 0;
}
