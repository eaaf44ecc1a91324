// SPDX-License-Identifier: Apache-2.0
// Blocks that live at the end, with written bytes in more runs than a region's record holds: the
// sets of runs belong to the checker, and LeakSanitizer does not report them.
// OPTIONS: --leaks=0

#include "check/support/tarn.h"

static tarn_device *device;
static tarn_pool *pool;

int main(void) {
    device = open_device();
    pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr runs = take(pool, 1000);
    for (unsigned i = 0; i < 5; i++)
        must(tarn_fill(device, runs + 200 * i, 1, 1, 100, TARN_STREAM_NONE));
    static const char rows[4][100];
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = take(pool, 4 * 128 - 28);
    desc.src = TARN_ADDR(rows);
    desc.width = 100;
    desc.height = 4;
    desc.dst_pitch = 128;
    desc.src_pitch = 100;
    must(tarn_copy_box(device, &desc, TARN_STREAM_NONE));
    return 0;
}
