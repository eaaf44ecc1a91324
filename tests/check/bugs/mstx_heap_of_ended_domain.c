// SPDX-License-Identifier: Apache-2.0
// A tensor is registered through a domain that was destroyed with its framework.
// EXPECT: ERROR destroyed-domain: use of domain "framework" after it was destroyed
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_heap_of_ended_domain.c:21
// EXPECT: ERROR bad-heap: mstxMemRegionsRegister: heap H1 was unregistered
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_heap_of_ended_domain.c:21
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_heap_of_ended_domain.c:18
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_heap_of_ended_domain.c:19

#include "check/support/mstx.h"

int main(void) {
    mstxDomainHandle_t framework = mstxDomainCreateA("framework");
    mstxMemHeapHandle_t pool = heap(framework, range, RANGE);
    mstxMemHeapUnregister(framework, pool);
    mstxDomainDestroy(framework);
    (void)region(framework, pool, range, 100);
    return 0;
}
