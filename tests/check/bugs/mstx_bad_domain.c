// SPDX-License-Identifier: Apache-2.0
// A domain handle is used that names no domain.
// EXPECT: ERROR bad-domain: domain 0x... is unknown; the global domain is used

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap((mstxDomainHandle_t)(void *)range, range, 4096);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
