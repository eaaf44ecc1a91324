// SPDX-License-Identifier: Apache-2.0
// Most of a block is never written, which the option --unused reports.
// OPTIONS: --unused --told-only
// EXPECT: WARN unused-memory: 80 of 100 byte(s) (80%) of R1 never written, first at +0x14

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 100);
    must(tarn_fill(device, block, 0, 1, 20, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
