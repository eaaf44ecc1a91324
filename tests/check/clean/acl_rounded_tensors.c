// SPDX-License-Identifier: Apache-2.0
// A framework registers the tensors of an operator in its workspace with sizes that are rounded up to 512
// already, back to back, and the output of an operator in place of its input. The name of its domain says so.
#include "check/support/acl_mstx.h"

enum { COUNT = 4 };

int main(void) {
    char *workspace = begin_acl(65536);
    mstxDomainHandle_t domain = mstxDomainCreateA("atb");
    mstxMemHeapHandle_t pool = heap(domain, workspace, 65536);
    mstxMemVirtualRangeDesc_t tensors[COUNT] = {{UINT32_MAX, workspace, 512},
                                                {UINT32_MAX, workspace + 512, 1024},
                                                {UINT32_MAX, workspace + 512, 1024},
                                                {UINT32_MAX, workspace + 1536, 64000}};
    mstxMemRegionHandle_t handles[COUNT];
    mstxMemRegionsRegisterBatch_t batch = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, COUNT, tensors,
                                           handles};
    for (int kernel = 0; kernel < 3; kernel++) {
        mstxMemRegionsRegister(domain, &batch);
        for (int i = 0; i < COUNT; i++) end_handle(domain, handles[i]);
    }
    mstxMemHeapUnregister(domain, pool);
    end_acl(workspace);
    return 0;
}
