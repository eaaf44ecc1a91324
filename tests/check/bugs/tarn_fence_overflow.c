// SPDX-License-Identifier: Apache-2.0
// A plain store right behind a block, with a fence and nothing else: it stops there.
// OPTIONS: --fence
// EXPECT: ERROR heap-overflow: write at 0x... by the CPU, instruction 0x...
// EXPECT:   is 0 byte(s) after region R... size 4096
// EXPECT:   access by thread ...
// EXPECT:     #0 0x... main ...tarn_fence_overflow.c:19
// EXPECT:   allocated by thread ...
// EXPECT: was ended by signal 11
// EXPECT: tarn check: 1 process(es) ended without a summary

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 1024 * 4);
    bytes[0] = 1;
    bytes[1024 * 4] = 1;
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    end_pool(device, pool);
    return 0;
}
