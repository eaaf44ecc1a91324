// SPDX-License-Identifier: Apache-2.0
// Two parts of one block of a pool have the same bytes.
// EXPECT: ERROR region-overlap: R3 [0x...,+100) overlaps live R2 by 50 byte(s)
// EXPECT:     ... main .../tarn_overlap_in_block.c:12
#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 4096);
    must(tarn_annotate_region_begin(block, 100, "one"));
    must(tarn_annotate_region_begin(block + 50, 100, "other"));
    must(tarn_annotate_region_end(block + 50, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(block, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
