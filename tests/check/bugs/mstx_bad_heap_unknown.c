// SPDX-License-Identifier: Apache-2.0
// Regions are registered in a heap that never was.
// EXPECT: ERROR bad-heap: ...

#include "check/support/mstx.h"

int main(void) {

    region(globalDomain, (mstxMemHeapHandle_t)(void *)range, range, 64);
    return 0;
}
