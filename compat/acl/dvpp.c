// SPDX-License-Identifier: Apache-2.0
// Media memory of both generations of media functions. It is ordinary device memory in huge pages,
// in two families of which each frees its own blocks only.
#include <acl/dvpp/hi_dvpp.h>
#include <acl/ops/acl_dvpp.h>
#include <stdatomic.h>

#include "compat/acl/memory.h"
#include "compat/acl/usage.h"

#define PADDING 32u // on every chip, also on those that do not pad other memory

// ---- allocating, for both

// Mistakes in the size are reported before mistakes in the policy.
static aclError alloc_media(void **ptr, size_t size, uint32_t policy,
                            const aclrtMallocConfig *config, enum tn_acl_family family) {
    struct tn_acl_request request = {.family = family, .module = TN_ACL_MODULE_MEDIA};
    uint32_t pages = 0;
    TN_ACL_TRY(tn_acl_memory_bytes(size, PADDING, &request.bytes));
    TN_ACL_TRY(tn_acl_memory_policy(policy, &pages));
    return tn_acl_memory_alloc_policy(ptr, pages, config, &request);
}

// ---- the first generation

aclError acldvppMalloc(void **devPtr, size_t size) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(alloc_media(devPtr, size, ACL_MEM_MALLOC_HUGE_ONLY, NULL, TN_ACL_DVPP),
                        __func__);
}

aclError acldvppMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                              aclrtMallocConfig *cfg) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    TN_ACL_ENTER(tn_acl_memory_check_config(cfg));
    return tn_acl_leave(alloc_media(devPtr, size, (uint32_t)policy, cfg, TN_ACL_DVPP), __func__);
}

aclError acldvppFree(void *devPtr) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(tn_acl_memory_free(devPtr, TN_ACL_DVPP), __func__);
}

// ---- the second generation, which has codes of its own

static hi_s32 leave_media(aclError error, const char *function) {
    (void)tn_acl_leave(error, function);
    switch (error) {
    case 0:
        return HI_SUCCESS;
    case 107002: // no current context
    case 507033: // the device cannot be opened
        return HI_ERR_SYS_NOT_READY;
    case 200000: // host memory
    case 207001: // memory
    case 207005: // mappings of the kernel
        return HI_ERR_SYS_NO_MEM;
    case 207000: // not supported
        return HI_ERR_SYS_NOT_SUPPORT;
    default:
        return HI_ERR_SYS_ILLEGAL_PARAM;
    }
}

hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void **dev_ptr, hi_u64 size) {
    TN_ACL_POINT;
    (void)dev_id;
    if (dev_ptr == NULL) {
        (void)tn_acl_leave(tn_acl_check_pointer(dev_ptr, "dev_ptr"), __func__);
        return HI_ERR_SYS_NULL_PTR;
    }
    return leave_media(
        alloc_media(dev_ptr, (size_t)size, ACL_MEM_MALLOC_HUGE_ONLY, NULL, TN_ACL_HI_MPI),
        __func__);
}

hi_s32 hi_mpi_dvpp_free(hi_void *dev_ptr) {
    TN_ACL_POINT;
    if (dev_ptr == NULL) {
        (void)tn_acl_leave(tn_acl_check_pointer(dev_ptr, "dev_ptr"), __func__);
        return HI_ERR_SYS_NULL_PTR;
    }
    return leave_media(tn_acl_memory_free(dev_ptr, TN_ACL_HI_MPI), __func__);
}

static _Atomic(bool) started;

hi_s32 hi_mpi_sys_init(hi_void) {
    TN_ACL_POINT;
    atomic_store_explicit(&started, true, memory_order_relaxed);
    return HI_SUCCESS;
}

hi_s32 hi_mpi_sys_exit(hi_void) {
    TN_ACL_POINT;
    bool was = atomic_exchange_explicit(&started, false, memory_order_relaxed);
    return was ? HI_SUCCESS : HI_ERR_SYS_NOT_READY;
}

hi_s32 hi_mpi_dvpp_get_version(hi_s32 *major_version, hi_s32 *minor_version,
                               hi_s32 *patch_version) {
    TN_ACL_POINT;
    if (major_version == NULL || minor_version == NULL || patch_version == NULL) {
        return HI_ERR_SYS_NULL_PTR;
    }
    *major_version = 1;
    *minor_version = 0;
    *patch_version = 0;
    return HI_SUCCESS;
}
