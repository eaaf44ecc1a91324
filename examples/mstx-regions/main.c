// SPDX-License-Identifier: Apache-2.0
// A program with its own pool that describes it to tools over MSTX: the bytes of the pool, and the
// parts in use. Run it under `tarn check`, or with another tool in MSTX_INJECTION_PATH. Without a
// tool each call is a load and a branch.
#include <stdio.h>
#include <stdlib.h>

#include <mstx/ms_tools_ext.h>

int main(void) {
    enum { POOL = 4096, PART = 256 };
    const uint32_t device = 0;
    char *memory = malloc(POOL);
    if (memory == NULL) return 1;
    const mstxMemVirtualRangeDesc_t range = {device, memory, POOL};
    const mstxMemHeapDesc_t heap = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                    MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
    mstxDomainHandle_t domain = mstxDomainCreateA("example");
    mstxMemHeapHandle_t pool = mstxMemHeapRegister(domain, &heap);

    // From here on only memory[0..255] may be touched.
    const mstxMemVirtualRangeDesc_t part = {device, memory, PART};
    mstxMemRegionHandle_t handle = NULL;
    const mstxMemRegionsRegisterBatch_t taken = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &part,
                                                 &handle};
    mstxMemRegionsRegister(domain, &taken);
    for (int i = 0; i < PART; i++) memory[i] = (char)i;
    uint64_t tool = MSTX_TOOL_INVALID_ID;
    mstxGetToolId(&tool);
    printf("%d of %d bytes in use, told to tool 0x%llx\n", PART, POOL, (unsigned long long)tool);

    mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE, .handle = handle};
    const mstxMemRegionsUnregisterBatch_t given_back = {1, &ref};
    mstxMemRegionsUnregister(domain, &given_back);
    mstxMemHeapUnregister(domain, pool);
    free(memory);
    return 0;
}
