// SPDX-License-Identifier: Apache-2.0
// A program makes 10,300 mistakes that all differ. The last 300 are only counted.
// OPTIONS: --stack-depth 0 --log-path /dev/null --json
// EXPECT: "serial": 1, "kind": "double-free"
// EXPECT: "serial": 10000, "kind": "double-free"
// EXPECT: "unlisted": 300}
// EXPECT: "summary": {"errors": 10300,
// EXIT: 77

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (int i = 0; i < 10300; i++) {
        mstxMemRegionHandle_t handle = region(globalDomain, pool, range + i, 1);
        end_handle(globalDomain, handle);
        end_handle(globalDomain, handle);
    }
    return 0;
}
