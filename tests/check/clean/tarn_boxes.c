// SPDX-License-Identifier: Apache-2.0
// Boxes that end with their blocks.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    static const char rows[4][100];
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = take(pool, 4 * 128 - 28);
    desc.src = TARN_ADDR(rows);
    desc.width = 100;
    desc.height = 4;
    desc.dst_pitch = 128;
    desc.src_pitch = 100;
    must(tarn_copy_box(device, &desc, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, desc.dst));
    end_pool(device, pool);
    return 0;
}
