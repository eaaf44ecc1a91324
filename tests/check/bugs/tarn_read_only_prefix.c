// SPDX-License-Identifier: Apache-2.0
// A prefix that sequences share is read-only, and one of them appends to it.
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... to R1 which is READ only
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_read_only_prefix.c:20
// EXPECT:   permission assigned by thread
// EXPECT:     #0 0x... tarn_annotate_permission ...
// EXPECT:     ... main .../tarn_read_only_prefix.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_read_only_prefix.c:17

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr prefix = take(pool, 4096);
    must(tarn_fill(device, prefix, 1, 1, 4096, TARN_STREAM_NONE));
    must(tarn_annotate_permission(prefix, 4096, TARN_ACCESS_READ));
    (void)tarn_fill(device, prefix + 2048, 2, 1, 64, TARN_STREAM_NONE);
    must(tarn_pool_free(pool, prefix));
    end_pool(device, pool);
    return 0;
}
