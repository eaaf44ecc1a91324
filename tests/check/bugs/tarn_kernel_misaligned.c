// SPDX-License-Identifier: Apache-2.0
// A library that runs kernels reports a misaligned access, which the option makes an error.
// OPTIONS: --kernel-races --misaligned
// EXPECT: ERROR misaligned-access: write of 4 byte(s) at 0x... (needs 4-byte alignment) by thread 1 of block 1, in kernel scale
// EXPECT:   access:
// EXPECT:     ... store .../tarn_kernel_misaligned.c:11
// EXPECT:   allocated by thread

#include "check/support/tarn.h"

static void store(int *to) { *to = 1; }

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    const tarn_addr block = take(pool, 4096);
    const uintptr_t code = (uintptr_t)&store + 1;
    const tarn_check_access access = {"thread 1 of block 1", "write", &code, 1};
    tarn_check_misaligned(block + 101, 4, 4, "kernel scale", &access);
    tarn_check_misaligned(block + 101, 4, 4, NULL, &access);
    tarn_check_misaligned(block + 101, 4, 4, "kernel scale", NULL);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
