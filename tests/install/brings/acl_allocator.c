// SPDX-License-Identifier: Apache-2.0
// HEADERS: acl/acl_rt_allocator.h acl/acl.h
aclError forget(aclrtStream stream);

aclError forget(aclrtStream stream) {
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    (void)aclrtAllocatorUnregister(stream);
    return aclrtAllocatorDestroyDesc(desc);
}
