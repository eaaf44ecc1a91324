// SPDX-License-Identifier: Apache-2.0
// Rights are taken away and given back; they end with the tensor.

#include "check/support/mstx.h"

int main(void) {
    const uint32_t reads = MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ;
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (int i = 0; i < 3; i++) {
        mstxMemRegionHandle_t tensor = region(globalDomain, pool, range, 100);
        permit(globalDomain, tensor, reads);
        permit(globalDomain, tensor, reads | MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
        permit(globalDomain, tensor, reads);
        end_handle(globalDomain, tensor);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
