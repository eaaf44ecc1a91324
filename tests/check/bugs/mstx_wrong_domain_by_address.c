// SPDX-License-Identifier: Apache-2.0
// A block of one framework's domain is returned through the domain of another, by its address.
// EXPECT: ERROR wrong-domain: region R1 of domain "ours" unregistered in domain "theirs"
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_wrong_domain_by_address.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_wrong_domain_by_address.c:15

#include "check/support/mstx.h"

int main(void) {
    mstxDomainHandle_t ours = mstxDomainCreateA("ours"), theirs = mstxDomainCreateA("theirs");
    mstxMemHeapHandle_t pool = heap(ours, range, 4096);
    mstxMemHeapHandle_t other = heap(theirs, range + 4096, 4096);
    (void)region(ours, pool, range, 64);
    end_pointer(theirs, range);
    mstxMemHeapUnregister(ours, pool);
    mstxMemHeapUnregister(theirs, other);
    return 0;
}
