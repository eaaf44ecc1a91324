// SPDX-License-Identifier: Apache-2.0
// In one batch a tensor lies inside of another one.
// EXPECT: ERROR region-overlap: R3 [0x...,+64) overlaps live R2 by 64 byte(s)
// EXPECT: and 128 byte(s) inside region R2
#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemVirtualRangeDesc_t parts[3] = {
        {DEVICE, range, 256}, {DEVICE, range + 256, 256}, {DEVICE, range + 384, 64}};
    mstxMemRegionsRegisterBatch_t batch = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 3, parts, NULL};
    mstxMemRegionsRegister(globalDomain, &batch);
    for (int i = 0; i < 3; i++) end_pointer(globalDomain, parts[i].ptr);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
