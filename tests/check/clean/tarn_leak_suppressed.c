// SPDX-License-Identifier: Apache-2.0
// A block that lives on purpose, and a rule that says so.
// OPTIONS: --suppressions=tests/check/support/rules

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    (void)block;
    return 0;
    end_pool(device, pool);
    return 0;
}
