// SPDX-License-Identifier: Apache-2.0
// The same in a pool over plain memory that the program allocated.
// EXPECT: ERROR heap-overflow: write of 1008 byte(s) at 0x...
// EXPECT: region R... size 1000

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    must(tarn_memory_alloc(device, 1 << 20, &desc.base));
    desc.kind = TARN_POOL_FIXED;
    desc.bytes = 1 << 20;
    must(tarn_pool_create(&desc, &pool));
    tarn_addr block = take(pool, 1000);
    must(tarn_fill(device, block, 0, 1, 1008, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(pool));
    must(tarn_memory_free(desc.base, 0));
    must(tarn_device_close(device));
    return 0;
}
