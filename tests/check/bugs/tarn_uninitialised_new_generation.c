// SPDX-License-Identifier: Apache-2.0
// What an earlier block wrote does not count for the next one at its address.
// OPTIONS: --realloc-keep=0 --told-only
// EXPECT: ERROR uninitialised-read: 64 of 64 byte(s) at 0x... never written since registration of
// R2

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    char out[64];
    tarn_addr block = take(pool, 64);
    must(tarn_fill(device, block, 1, 1, 64, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    block = take(pool, 64);
    must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
