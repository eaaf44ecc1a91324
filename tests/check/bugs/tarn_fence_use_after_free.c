// SPDX-License-Identifier: Apache-2.0
// A plain store to a block that was freed, with a fence and nothing else.
// OPTIONS: --fence
// EXPECT: ERROR use-after-free: write at 0x... by the CPU, instruction 0x...
// EXPECT:   is 5 byte(s) inside freed region R... size 4096
// EXPECT:   access by thread ...
// EXPECT:     #0 0x... main ...tarn_fence_use_after_free.c:20
// EXPECT:   allocated by thread ...
// EXPECT:   freed by thread ...
// EXPECT:     #1 0x... main ...tarn_fence_use_after_free.c:19
// EXPECT: was ended by signal 11

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 1024 * 4);
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    bytes[5] = 1;
    end_pool(device, pool);
    return 0;
}
