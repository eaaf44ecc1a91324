// SPDX-License-Identifier: Apache-2.0
// A library that runs kernels reports a race within one, and a kernel that it cannot observe.
// EXPECT: ERROR kernel-race: write of 4 byte(s) at 0x... by thread 1 of block 1, in kernel scale, is unordered with the atomic write by thread 0 of block 0
// EXPECT:   access:
// EXPECT:     ... store_later .../tarn_kernel_race.c:17
// EXPECT:   earlier access:
// EXPECT:     ... store_first .../tarn_kernel_race.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_kernel_race.c:22
// EXPECT: WARN kernel-unwatched: kernel add was compiled without the option
// EXPECT:   kernel:
// EXPECT:     ... store_first .../tarn_kernel_race.c:16

#include "check/support/tarn.h"

static void store_first(int *to) { *to = 1; }
static void store_later(int *to) { *to = 2; }

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    const tarn_addr block = take(pool, 4096);
    const uintptr_t first = (uintptr_t)&store_first + 1;
    const uintptr_t later = (uintptr_t)&store_later + 1;
    const tarn_check_access accesses[] = {{"thread 1 of block 1", "write", &later, 1},
                                          {"thread 0 of block 0", "atomic write", &first, 1}};
    tarn_check_race(block + 100, sizeof(int), "kernel scale", accesses);
    tarn_check_race((uintptr_t)&store_first, 0, "kernel add was compiled without the option", NULL);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
