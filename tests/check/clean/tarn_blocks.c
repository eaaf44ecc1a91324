// SPDX-License-Identifier: Apache-2.0
// Blocks of all sizes are filled to their last byte, read and freed.
// OPTIONS: --unused --told-only

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    char out[4096];
    tarn_addr blocks[64];
    for (unsigned i = 0; i < 64; i++) {
        uint64_t bytes = 16 + 61 * i;
        blocks[i] = take(pool, bytes);
        must(tarn_fill(device, blocks[i], i, 1, bytes, TARN_STREAM_NONE));
        must(tarn_copy(device, TARN_ADDR(out), blocks[i], bytes, TARN_STREAM_NONE));
    }
    for (unsigned i = 0; i < 64; i++) must(tarn_pool_free(pool, blocks[i]));
    end_pool(device, pool);
    return 0;
}
