// SPDX-License-Identifier: Apache-2.0
// A host function on a stream writes to a block that was freed before in order of that stream.
// EXPECT: ERROR use-after-free: write at 0x... by the CPU, instruction 0x...
// EXPECT:   access by thread
// EXPECT:     ... write_late .../hip_kernel_after_free.c:13
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_kernel_after_free.c:18
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_kernel_after_free.c:19

#include "check/support/hip.h"

static void write_late(void *block) { memset(block, 7, 64); }

int main(void) {
    hipStream_t stream = make_stream();
    void *block = NULL;
    must(hipMallocAsync(&block, 4096, stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    must(hipLaunchHostFunc(stream, write_late, block));
    (void)hipStreamSynchronize(stream);
    return 0;
}
