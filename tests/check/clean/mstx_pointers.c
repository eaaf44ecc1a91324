// SPDX-License-Identifier: Apache-2.0
// Regions are unregistered by address, and no handles are asked for.

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemVirtualRangeDesc_t parts[2] = {{DEVICE, range, 64}, {DEVICE, range + 64, 64}};
    mstxMemRegionsRegisterBatch_t batch = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 2, parts, NULL};
    mstxMemRegionsRegister(globalDomain, &batch);
    end_pointer(globalDomain, range);
    end_pointer(globalDomain, range + 64);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
