// SPDX-License-Identifier: Apache-2.0
// One block is overflown, freed twice and used after that. Another one, unrelated, leaks. The summary
// shows three causes: the two errors about the end of the block have one.
// EXPECT: ERROR heap-overflow: ...
// EXPECT: ERROR double-free: ...
// EXPECT: ERROR use-after-free: ...
// EXPECT: ERROR leak: 500 byte(s) in 1 region(s)
// EXPECT: CAUSES, the first error on top:
// EXPECT:    1. [#1] heap-overflow: write of 1008 byte(s) ...
// EXPECT:    2. [#2] double-free: region R1 ...
// EXPECT:        then [#3] use-after-free: write of 8 byte(s) ...
// EXPECT:    3. [#4] leak: 500 byte(s) in 1 region(s)
// EXPECT: SUMMARY: 4 error(s), ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    must(tarn_fill(device, block, 0, 1, 1008, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    (void)tarn_pool_free(pool, block);
    (void)tarn_fill(device, block, 0, 1, 8, TARN_STREAM_NONE);
    (void)take(pool, 500);
    return 0;
}
