// SPDX-License-Identifier: Apache-2.0
// A pool in a block of another domain begins with it. Tensors at that address end by their address,
// then the block does, in both orders of the domains' names.

#include "check/support/mstx.h"

static void use(mstxDomainHandle_t outside, mstxDomainHandle_t inside) {
    mstxMemHeapHandle_t outer = heap(outside, range, RANGE);
    (void)region(outside, outer, range, 8192);
    mstxMemHeapHandle_t inner = heap(inside, range, 8192);
    for (int i = 0; i < 3; i++) {
        (void)region(inside, inner, range, 100);
        end_pointer(inside, range);
    }
    mstxMemHeapUnregister(inside, inner);
    end_pointer(outside, range);
    mstxMemHeapUnregister(outside, outer);
}

int main(void) {
    mstxDomainHandle_t one = mstxDomainCreateA("one"), other = mstxDomainCreateA("other");
    use(one, other);
    use(other, one);
    use(globalDomain, one);
    return 0;
}
