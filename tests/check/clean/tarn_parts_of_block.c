// SPDX-License-Identifier: Apache-2.0
// Parts of a block of a pool are regions without a heap of their own. They touch each other,
// and those of the block beside it.
#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr blocks[2] = {take(pool, 4096), take(pool, 4096)};
    for (int i = 0; i < 2; i++) {
        must(tarn_annotate_region_begin(blocks[i], 4096, "all"));
        must(tarn_annotate_region_end(blocks[i], TARN_STREAM_NONE));
        must(tarn_annotate_region_begin(blocks[i], 2048, "half"));
        must(tarn_annotate_region_begin(blocks[i] + 2048, 2048, "other half"));
        must(tarn_fill(device, blocks[i], 1, 1, 4096, TARN_STREAM_NONE));
    }
    for (int i = 0; i < 2; i++) {
        must(tarn_annotate_region_end(blocks[i], TARN_STREAM_NONE));
        must(tarn_annotate_region_end(blocks[i] + 2048, TARN_STREAM_NONE));
        must(tarn_pool_free(pool, blocks[i]));
    }
    end_pool(device, pool);
    return 0;
}
