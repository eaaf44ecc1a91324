// SPDX-License-Identifier: Apache-2.0
// A copy goes to an address that is no multiple of what was asked for.
// OPTIONS: --alignment=32
// EXPECT: ERROR misaligned-access: write of 32 byte(s) at 0x... (needs 32-byte alignment) in R1+0x6

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    static const char from[32];
    tarn_addr block = take(pool, 256);
    must(tarn_copy(device, block + 6, TARN_ADDR(from), 32, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
