// SPDX-License-Identifier: Apache-2.0
// A pool over memory of the program: a copy takes two blocks at once, which do not touch.
// EXPECT: ERROR heap-overflow: read of 8192 byte(s) at 0x..., wrong from 0x... on by tarn_copy
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_pool_over_overflow.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_pool_over_overflow.c:17

#include "check/support/tarn.h"

int main(void) {
    static _Alignas(4096) char memory[1 << 20];
    static char out[8192];
    tarn_device *device = open_device();
    tarn_pool *pool = NULL;
    must(tarn_pool_create_over("aclrtMalloc", TARN_ADDR(memory), sizeof memory, &pool));
    tarn_addr one = take(pool, 4096), other = take(pool, 4096);
    memset(memory, 0, sizeof memory);
    must(tarn_copy(device, TARN_ADDR(out), one < other ? one : other, 8192, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, one));
    must(tarn_pool_free(pool, other));
    end_pool(device, pool);
    return 0;
}
