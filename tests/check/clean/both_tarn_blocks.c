// SPDX-License-Identifier: Apache-2.0
// Blocks are written to their last byte, freed and reused.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    for (unsigned i = 1; i < 200; i++) {
        uint64_t size = 37 * i;
        volatile char *bytes = (volatile char *)(uintptr_t)take(pool, size);
        for (uint64_t at = 0; at < size; at++) bytes[at] = (char)i;
        must(tarn_fill(device, TARN_ADDR(bytes), i, 1, size, TARN_STREAM_NONE));
        must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    }
    end_pool(device, pool);
    return 0;
}
