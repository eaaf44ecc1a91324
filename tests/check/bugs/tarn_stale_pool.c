// SPDX-License-Identifier: Apache-2.0
// A pool is destroyed and another one made. A block of the first is still read.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by tarn_copy

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    char bytes[64] = {1};
    tarn_addr old = take(pool, sizeof bytes);
    must(tarn_copy(device, old, TARN_ADDR(bytes), sizeof bytes, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, old));
    must(tarn_pool_destroy(pool));
    pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr now = take(pool, sizeof bytes);
    (void)tarn_copy(device, TARN_ADDR(bytes), old, sizeof bytes, TARN_STREAM_NONE);
    must(tarn_pool_free(pool, now));
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
    return 0;
}
