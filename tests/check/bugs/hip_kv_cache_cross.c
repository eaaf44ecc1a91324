// SPDX-License-Identifier: Apache-2.0
// A KV cache copies the blocks of two sequences at once, since its pool placed them side by side.
// EXPECT: ERROR cross-region-copy: hipMemcpyAsync of 8192 byte(s) at 0x... runs from R3 (size 4096) into R2 (size 4096)
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_kv_cache_cross.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_kv_cache_cross.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_kv_cache_cross.c:19

#include "check/support/hip.h"

enum { BLOCK = 4096 };

int main(void) {
    hipStream_t stream = make_stream();
    void *keys = NULL, *values = NULL, *out = NULL;
    must(hipMalloc(&out, 2 * BLOCK));
    must(hipMallocAsync(&keys, BLOCK, stream));
    must(hipMallocAsync(&values, BLOCK, stream));
    must(hipMemsetAsync(keys, 0, BLOCK, stream));
    must(hipMemsetAsync(values, 0, BLOCK, stream));
    void *first = keys < values ? keys : values;
    must(hipMemcpyAsync(out, first, 2 * BLOCK, hipMemcpyDeviceToDevice, stream));
    must(hipFreeAsync(keys, stream));
    must(hipFreeAsync(values, stream));
    must(hipStreamSynchronize(stream));
    must(hipFree(out));
    must(hipStreamDestroy(stream));
    return 0;
}
