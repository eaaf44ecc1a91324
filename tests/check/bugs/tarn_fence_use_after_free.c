// SPDX-License-Identifier: Apache-2.0
// A plain store to a block that was freed, with a fence and nothing else.
// OPTIONS: --fence
// EXPECT: was ended by signal 11
// EXIT: 139

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 1024 * 4);
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    bytes[5] = 1;
    end_pool(device, pool);
    return 0;
}
