// SPDX-License-Identifier: Apache-2.0
// The type of a heap is left as it was on the stack.
// EXPECT: WARN unknown-type: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemVirtualRangeDesc_t all = {DEVICE, range, 4096};
    mstxMemHeapDesc_t desc = {(mstxMemHeapUsageType)0x5a5a, (mstxMemType)0, &all};
    mstxMemHeapUnregister(globalDomain, mstxMemHeapRegister(globalDomain, &desc));
    return 0;
}
