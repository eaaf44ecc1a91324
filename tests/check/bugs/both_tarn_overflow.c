// SPDX-License-Identifier: Apache-2.0
// A plain store right behind a block of a pool. Tarn reports the block to the tool itself.
// EXPECT asan: ERROR: AddressSanitizer: use-after-poison
// EXPECT asan: WRITE of size 1
// EXPECT valgrind: Invalid write of size 1

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 1000);

    bytes[1000] = 1;
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    end_pool(device, pool);
    return 0;
}
