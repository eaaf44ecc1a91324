// SPDX-License-Identifier: Apache-2.0
// A copy reads a block of a pool that was destroyed.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by tarn_copy
// EXPECT: freed region R1
// EXPECT:   access by thread
// EXPECT: tarn_destroyed_pool.c:22
// EXPECT:   allocated by thread
// EXPECT: tarn_destroyed_pool.c:18
// EXPECT:   freed by thread
// EXPECT: tarn_destroyed_pool.c:20

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    static char host[64];
    tarn_addr block = take(pool, 1 << 20);
    must(tarn_fill(device, block, 1, 1, 1 << 20, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(pool));
    (void)tarn_copy(device, (tarn_addr)(uintptr_t)host, block, 64, TARN_STREAM_NONE);
    must(tarn_device_close(device));
    return 0;
}
