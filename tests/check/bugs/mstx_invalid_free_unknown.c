// SPDX-License-Identifier: Apache-2.0
// An address that was never registered is unregistered.
// EXPECT: ERROR invalid-free: ... is in no region

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    end_pointer(globalDomain, range + 4096);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
