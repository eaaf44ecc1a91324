// SPDX-License-Identifier: Apache-2.0
// Memory for which AscendCL's documents state no rule is divided without padding, at odd addresses: pinned,
// managed and mapped memory.
#include "check/support/acl_mstx.h"

static void divide(char *memory) {
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t odd = region(globalDomain, pool, memory + 1, 99);
    mstxMemRegionHandle_t rest = region(globalDomain, pool, memory + 100, 3996);
    end_handle(globalDomain, rest);
    end_handle(globalDomain, odd);
    mstxMemHeapUnregister(globalDomain, pool);
}

int main(void) {
    void *pinned = NULL, *managed = NULL, *mapped = NULL;
    aclrtDrvMemHandle handle = NULL;
    aclrtPhysicalMemProp prop = {ACL_MEM_HANDLE_TYPE_NONE,
                                 ACL_MEM_ALLOCATION_TYPE_PINNED,
                                 ACL_HBM_MEM_HUGE,
                                 {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                 0};
    open_device();
    must(aclrtMallocHost(&pinned, 4096));
    divide(pinned);
    must(aclrtFreeHost(pinned));
    must(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    divide(managed);
    must(aclrtFree(managed));
    must(aclrtReserveMemAddress(&mapped, 2 << 20, 0, NULL, 1));
    must(aclrtMallocPhysical(&handle, 2 << 20, &prop, 0));
    must(aclrtMapMem(mapped, 2 << 20, 0, handle, 0));
    divide(mapped);
    must(aclrtUnmapMem(mapped));
    must(aclrtFreePhysical(handle));
    must(aclrtReleaseMemAddress(mapped));
    close_device();
    return 0;
}
