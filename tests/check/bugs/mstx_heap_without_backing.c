// SPDX-License-Identifier: Apache-2.0
// A heap is registered over addresses where nothing is.
// OPTIONS: --backing
// EXPECT: WARN heap-without-backing: heap H1 ... lies outside all known memory

#include "check/support/mstx.h"

int main(void) {

    const void *nowhere = (const void *)(uintptr_t)0x12c0c0000000;
    mstxMemHeapUnregister(globalDomain, heap(globalDomain, nowhere, 4096));
    return 0;
}
