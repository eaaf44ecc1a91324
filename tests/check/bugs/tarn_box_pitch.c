// SPDX-License-Identifier: Apache-2.0
// A halo is received with the pitch of the field instead of its own.
// EXPECT: ERROR heap-overflow: write of 4 byte(s) at 0x... by tarn_copy
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_box_pitch.c:25
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_box_pitch.c:16

#include "check/support/tarn.h"

enum { WIDTH = 64, ROWS = 16 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr field = take(pool, WIDTH * ROWS), halo = take(pool, 4 * ROWS);
    tarn_copy_desc column = TARN_INIT(tarn_copy_desc);
    must(tarn_fill(device, field, 1, 1, WIDTH * ROWS, TARN_STREAM_NONE));
    column.dst = halo;
    column.src = field;
    column.width = 4;
    column.height = ROWS;
    column.dst_pitch = WIDTH;
    column.src_pitch = WIDTH;
    (void)tarn_copy_box(device, &column, TARN_STREAM_NONE);
    must(tarn_pool_free(pool, field));
    must(tarn_pool_free(pool, halo));
    end_pool(device, pool);
    return 0;
}
