// SPDX-License-Identifier: Apache-2.0
// A FIXED pool lies over two mappings, which are removed while it has a block.
// EXPECT: ERROR heap-stale: the memory of heap H1 [0x...) is freed before the heap ends, with 1 live region(s)
// EXPECT:     ... main .../tarn_fixed_unmapped.c:

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

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
    tarn_addr base = 0;
    must(tarn_space_reserve(device, 2 * PAGE, 0, 0, &base));
    for (int i = 0; i < 2; i++) {
        tarn_phys page = 0;
        must(tarn_phys_create(device, PAGE, NULL, &page));
        must(tarn_map(base + (tarn_addr)i * PAGE, PAGE, page));
        must(tarn_phys_release(page));
    }
    tarn_pool *pool = make_fixed(base, 2 * PAGE);
    tarn_addr block = take(pool, 3 << 20);
    must(tarn_unmap(base, 2 * PAGE, 0));
    must(tarn_pool_free(pool, block));
    must(tarn_space_release(base));
    end_pool(device, pool);
    return 0;
}
