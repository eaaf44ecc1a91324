// SPDX-License-Identifier: Apache-2.0
// A heap is registered with no description.
// EXPECT: ERROR bad-argument: ...

#include "check/support/mstx.h"

int main(void) {

    (void)mstxMemHeapRegister(globalDomain, NULL);
    return 0;
}
