// SPDX-License-Identifier: Apache-2.0
// A FIXED pool is twice as large as its memory.
// EXPECT: ERROR heap-exceeds-memory: heap H1 [0x...) exceeds the block of device memory [0x...)
// EXPECT:     ... make_fixed .../tarn_fixed_too_large.c:

#include "check/support/tarn.h"

enum { BYTES = 4 << 20 };

static tarn_pool *make_fixed(tarn_addr base, uint64_t bytes) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = bytes;
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, BYTES, &memory));
    tarn_pool *pool = make_fixed(memory, 2 * BYTES);
    tarn_addr block = take(pool, BYTES);
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(pool));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
