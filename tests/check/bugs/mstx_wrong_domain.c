// SPDX-License-Identifier: Apache-2.0
// A region of one domain is unregistered in another.
// EXPECT: ERROR wrong-domain: region R1 of domain "weights" ... in domain "cache"
// EXPECT:   is 0 byte(s) inside region R1 ... size 64

#include "check/support/mstx.h"

int main(void) {

    mstxDomainHandle_t weights = mstxDomainCreateA("weights");
    mstxDomainHandle_t cache = mstxDomainCreateA("cache");
    mstxMemHeapHandle_t pool = heap(weights, range, RANGE);
    end_handle(cache, region(weights, pool, range, 64));
    mstxMemHeapUnregister(weights, pool);
    mstxDomainDestroy(weights);
    mstxDomainDestroy(cache);
    return 0;
}
