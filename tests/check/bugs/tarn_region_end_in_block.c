// SPDX-License-Identifier: Apache-2.0
// A pool of the program divides a block of a pool of Tarn. Its first block, which starts where the
// block of Tarn starts, is freed twice. Then the program ends the block of Tarn by an annotation.
// EXPECT: ERROR double-free: region R2 [0x...,+100) ended again; ended first by thread ...
// EXPECT: ERROR wrong-family-free: 0x... ended is region R3 of a pool of Tarn

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 65536);

    must(tarn_annotate_heap_begin(block, 65536, "inner"));
    must(tarn_annotate_region_begin(block, 100, "entry"));
    must(tarn_annotate_region_end(block, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(block, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(block));
    tarn_addr other = take(pool, 500);
    must(tarn_annotate_region_end(other, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, other));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
