// SPDX-License-Identifier: Apache-2.0
// A block is never freed.
// EXPECT: ERROR leak: 1000 byte(s) in 1 region(s)
// EXPECT:   allocated by thread ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    (void)take(pool, 1000);
    return 0;
    must(tarn_device_close(device));
    return 0;
}
