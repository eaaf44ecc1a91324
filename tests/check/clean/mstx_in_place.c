// SPDX-License-Identifier: Apache-2.0
// A batch names the input and the output of an operator that works in place, twice the same tensor, beside
// empty tensors at its start and in its middle.
#include "check/support/mstx.h"

enum { COUNT = 4 };

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemVirtualRangeDesc_t parts[COUNT] = {
        {DEVICE, range, 512}, {DEVICE, range, 512}, {DEVICE, range, 0}, {DEVICE, range + 256, 0}};
    mstxMemRegionHandle_t handles[COUNT];
    mstxMemRegionsRegisterBatch_t batch = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, COUNT, parts,
                                           handles};
    mstxMemRegionsRegister(globalDomain, &batch);
    for (int i = 0; i < COUNT; i++) end_handle(globalDomain, handles[i]);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
