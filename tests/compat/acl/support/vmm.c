// SPDX-License-Identifier: Apache-2.0
// See vmm.h.
#include "support/vmm.h"

aclrtPhysicalMemProp vmm_prop(aclrtMemAttr attribute, int device) {
    return (aclrtPhysicalMemProp){ACL_MEM_HANDLE_TYPE_NONE,
                                  ACL_MEM_ALLOCATION_TYPE_PINNED,
                                  attribute,
                                  {(uint32_t)device, ACL_MEM_LOCATION_TYPE_DEVICE},
                                  0};
}

aclrtDrvMemHandle vmm_create(size_t size, int device) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, device);
    aclrtDrvMemHandle handle = NULL;
    assert_acl_ok(aclrtMallocPhysical(&handle, size, &prop, 0));
    assert_non_null(handle);
    return handle;
}

char *vmm_reserve(size_t size) {
    void *start = NULL;
    assert_acl_ok(aclrtReserveMemAddress(&start, size, 0, NULL, 1));
    assert_non_null(start);
    return start;
}

void vmm_let_host(void *at, size_t size) {
    aclrtMemAccessDesc desc = {
        ACL_RT_MEM_ACCESS_FLAGS_READWRITE, {0, ACL_MEM_LOCATION_TYPE_HOST}, {0}};
    assert_acl_ok(aclrtMemSetAccess(at, size, &desc, 1));
}

void vmm_fill(char *at, size_t size) {
    aclrtDrvMemHandle handle = vmm_create(size, 0);
    assert_acl_ok(aclrtMapMem(at, size, 0, handle, 0));
    assert_acl_ok(aclrtFreePhysical(handle));
}
