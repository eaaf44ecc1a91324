// SPDX-License-Identifier: Apache-2.0
// A fill made through Tarn runs over the end of its block: seen at the call.
// RUN: plain
// EXPECT: ERROR: AddressSanitizer: use-after-poison

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    volatile char *bytes = (volatile char *)(uintptr_t)take(pool, 1000);

    must(tarn_fill(device, TARN_ADDR(bytes), 0, 1, 1008, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, TARN_ADDR(bytes)));
    end_pool(device, pool);
    return 0;
}
