// SPDX-License-Identifier: Apache-2.0
// The last row of a box runs over the end of its block.
// EXPECT: ERROR heap-overflow: write of 80 byte(s) at 0x... by tarn_copy
// EXPECT: region R1 ... size 400

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    static const char rows[4][80];
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    tarn_addr block = take(pool, 400);
    desc.dst = block + 40;
    desc.src = TARN_ADDR(rows);
    desc.width = sizeof rows[0];
    desc.height = 4;
    desc.dst_pitch = 100;
    desc.src_pitch = sizeof rows[0];
    must(tarn_copy_box(device, &desc, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
