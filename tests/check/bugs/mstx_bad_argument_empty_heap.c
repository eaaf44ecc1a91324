// SPDX-License-Identifier: Apache-2.0
// A heap of no bytes is registered.
// EXPECT: WARN bad-argument: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapUnregister(globalDomain, heap(globalDomain, range, 0));
    return 0;
}
