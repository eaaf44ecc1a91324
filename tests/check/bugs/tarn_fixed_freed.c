// SPDX-License-Identifier: Apache-2.0
// The memory of a FIXED pool is freed while the pool has a block: plain memory, then pinned memory.
// EXPECT: ERROR heap-stale: the memory of heap H1 [0x...) is freed before the heap ends, with 1 live region(s)
// EXPECT:   called by thread
// EXPECT:     ... main .../tarn_fixed_freed.c:
// EXPECT:   registered by thread
// EXPECT:     ... make_fixed .../tarn_fixed_freed.c:
// EXPECT: ERROR heap-stale: the memory of heap H2 [0x...) is freed before the heap ends, with 1 live region(s)

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
    void *pinned = NULL;
    must(tarn_memory_alloc(device, BYTES, &memory));
    tarn_pool *pool = make_fixed(memory, BYTES);
    tarn_addr block = take(pool, 1000);
    must(tarn_memory_free(memory, 0));
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(pool));
    must(tarn_host_alloc(device, BYTES, 0, &pinned));
    pool = make_fixed(TARN_ADDR(pinned), BYTES);
    block = take(pool, 1000);
    must(tarn_host_free(pinned));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
