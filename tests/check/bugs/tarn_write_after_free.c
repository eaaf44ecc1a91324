// SPDX-License-Identifier: Apache-2.0
// A list of free blocks writes its link into a block, after the pool got it back.
// OPTIONS: --fill
// EXPECT: ERROR write-after-free: 8 byte(s) at 0x... changed while free (expected dd, found ...), region R2
// EXPECT:   called by thread
// EXPECT:     ... main .../tarn_write_after_free.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_write_after_free.c:17
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_write_after_free.c:18

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr keep = take(pool, 1000), block = take(pool, 1000);
    must(tarn_pool_free(pool, block));
    *(tarn_addr *)(uintptr_t)(block + 64) = keep;
    must(tarn_pool_free(pool, keep));
    end_pool(device, pool);
    return 0;
}
