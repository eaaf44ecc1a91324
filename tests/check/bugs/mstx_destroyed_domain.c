// SPDX-License-Identifier: Apache-2.0
// A domain is used after it was destroyed.
// EXPECT: ERROR destroyed-domain: use of domain "weights" after it was destroyed

#include "check/support/mstx.h"

int main(void) {

    mstxDomainHandle_t domain = mstxDomainCreateA("weights");
    mstxDomainDestroy(domain);
    mstxMemHeapUnregister(domain, heap(domain, range, 4096));
    return 0;
}
