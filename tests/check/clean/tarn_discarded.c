// SPDX-License-Identifier: Apache-2.0
// Blocks sleep without their contents, and are written after they woke up; one keeps its contents.

#include "check/support/tarn.h"

enum { BYTES = 4 << 20, KEPT = 1, LOST = 2 };

static tarn_addr take_tagged(tarn_device *device, tarn_pool *pool, uint32_t tag) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr block = 0;
    request.bytes = BYTES;
    request.tag = tag;
    must(tarn_pool_alloc_with(pool, &request, &block));
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
    return block;
}

int main(void) {
    static char out[BYTES];
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr kept = take_tagged(device, pool, KEPT);
    tarn_addr filled = take_tagged(device, pool, LOST);
    tarn_addr stored = take_tagged(device, pool, LOST);
    must(tarn_pool_sleep(pool, KEPT, 0, NULL));
    must(tarn_pool_sleep(pool, LOST, TARN_POOL_DISCARD, NULL));
    must(tarn_pool_wake(pool, LOST));
    must(tarn_pool_wake(pool, KEPT));
    must(tarn_copy(device, TARN_ADDR(out), kept, BYTES, TARN_STREAM_NONE));
    must(tarn_fill(device, filled, 2, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), filled, BYTES, TARN_STREAM_NONE));
    memset((void *)(uintptr_t)stored, 3, BYTES); // by the CPU, which the checker does not see
    must(tarn_copy(device, TARN_ADDR(out), stored, BYTES, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, kept));
    must(tarn_pool_free(pool, filled));
    must(tarn_pool_free(pool, stored));
    end_pool(device, pool);
    return out[BYTES - 1] != 3;
}
