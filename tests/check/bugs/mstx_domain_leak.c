// SPDX-License-Identifier: Apache-2.0
// A domain is destroyed before its heap.
// EXPECT: NOTE domain-leak: domain "weights" is destroyed with 1 live heap(s)

#include "check/support/mstx.h"

int main(void) {

    mstxDomainHandle_t domain = mstxDomainCreateA("weights");
    (void)heap(domain, range, 4096);
    mstxDomainDestroy(domain);
    return 0;
}
