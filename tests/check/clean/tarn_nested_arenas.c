// SPDX-License-Identifier: Apache-2.0
// Arenas divide a block of a pool and plain memory. Each ends before the memory below it, and the
// last piece ends where its arena ends.

#include "check/support/tarn.h"

enum { ARENA = 65536 };

static void use_arena(tarn_device *device, tarn_addr base) {
    must(tarn_annotate_heap_begin(base, ARENA, "arena"));
    must(tarn_annotate_region_begin(base, 1000, "head"));
    must(tarn_annotate_region_begin(base + ARENA - 512, 512, "tail"));
    must(tarn_annotate_region_begin_with(
        REGION_OF(base + 4096, 4000, 4096, TARN_STREAM_NONE, "middle")));
    must(tarn_fill(device, base, 0, 1, 1000, TARN_STREAM_NONE));
    must(tarn_fill(device, base + ARENA - 512, 0, 1, 512, TARN_STREAM_NONE));
    must(tarn_annotate_heap_begin(base + 4096, 4000, "inner"));
    must(tarn_annotate_heap_end(base + 4096));
    must(tarn_annotate_region_end(base + 4096, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + ARENA - 512, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
}

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr memory = 0, block = take(pool, ARENA);
    must(tarn_memory_alloc(device, ARENA, &memory));
    use_arena(device, block);
    use_arena(device, memory);
    must(tarn_memory_free(memory, 0));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
