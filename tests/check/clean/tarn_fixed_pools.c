// SPDX-License-Identifier: Apache-2.0
// FIXED pools that end before their memory, over plain memory, pinned memory, mappings that are removed while
// the pool has no block, a block of another pool, memory of a simulated device, and numbers.

#include "check/support/tarn.h"

enum { BYTES = 4 << 20, PAGE = 2 << 20 };

static tarn_pool *make_fixed(tarn_addr base, uint64_t bytes) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = bytes;
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

static void use_fixed(tarn_addr base) {
    tarn_pool *pool = make_fixed(base, BYTES);
    tarn_addr block = take(pool, 1000);
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(pool));
}

static void use_memory(tarn_device *device) {
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, BYTES, &memory));
    use_fixed(memory);
    use_fixed(memory);
    must(tarn_memory_free(memory, 0));
}

static void map_pages(tarn_device *device, tarn_addr base) {
    for (int i = 0; i < 2; i++) {
        tarn_phys page = 0;
        must(tarn_phys_create(device, PAGE, NULL, &page));
        must(tarn_map(base + (tarn_addr)i * PAGE, PAGE, page));
        must(tarn_phys_release(page));
    }
}

static void use_mappings(tarn_device *device) {
    tarn_addr base = 0;
    must(tarn_space_reserve(device, BYTES, 0, 0, &base));
    tarn_pool *pool = make_fixed(base, BYTES);
    for (int i = 0; i < 2; i++) {
        map_pages(device, base);
        tarn_addr block = take(pool, BYTES);
        must(tarn_pool_free(pool, block));
        must(tarn_unmap(base, BYTES, 0));
    }
    must(tarn_pool_destroy(pool));
    must(tarn_space_release(base));
}

int main(void) {
    tarn_device *device = open_device(), *simulated = NULL;
    void *pinned = NULL;
    must(tarn_device_open("sim:0", &simulated));
    use_memory(device);
    use_memory(simulated);
    must(tarn_host_alloc(device, BYTES, 0, &pinned));
    use_fixed(TARN_ADDR(pinned));
    must(tarn_host_free(pinned));
    use_mappings(device);
    tarn_pool *outer = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(outer, BYTES);
    use_fixed(block);
    must(tarn_pool_free(outer, block));
    must(tarn_pool_destroy(outer));
    use_fixed(4096); // numbers that are no memory
    must(tarn_device_close(simulated));
    must(tarn_device_close(device));
    return 0;
}
