// SPDX-License-Identifier: Apache-2.0
// Regions without a heap.

#include "check/support/mstx.h"

int main(void) {

    mstxMemRegionHandle_t block = region(globalDomain, NULL, range, 64);
    end_handle(globalDomain, block);
    return 0;
}
