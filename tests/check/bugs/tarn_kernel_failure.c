// SPDX-License-Identifier: Apache-2.0
// A library that runs kernels reports one that failed: with an address and the code, and with neither.
// EXPECT: ERROR kernel-failure: kernel scale: an access of freed memory
// EXPECT:   failure:
// EXPECT:     ... store .../tarn_kernel_failure.c:11
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_kernel_failure.c:16
// EXPECT: ERROR kernel-failure: kernel add: a trap
#include "check/support/tarn.h"

static void store(int *to) { *to = 1; }

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    const tarn_addr block = take(pool, 4096);
    tarn_check_failure(block + 100, "kernel scale: an access of freed memory",
                       (uintptr_t)&store + 1);
    tarn_check_failure(0, "kernel add: a trap", 0);
    tarn_check_failure(0, NULL, 0);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
