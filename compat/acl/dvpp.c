// SPDX-License-Identifier: Apache-2.0
// Media memory, of both generations of media functions: ordinary device memory in huge pages, of
// two families that free their own only.
#include <acl/dvpp/hi_dvpp.h>
#include <acl/ops/acl_dvpp.h>
#include <stdatomic.h>

#include "compat/acl/memory.h"
#include "compat/acl/usage.h"

#define PADDING 32u // of every chip: those that need none for other memory need it here

// ---- allocating, for both

// What is wrong with a size comes before what is wrong with a policy.
static aclError alloc(void **ptr, size_t size, uint32_t policy, const aclrtMallocConfig *config,
                      enum tn_acl_family family) {
    struct tn_acl_want want = {.family = family, .module = TN_ACL_MODULE_MEDIA};
    uint32_t pages = 0;
    aclError error = tn_acl_memory_bytes(size, PADDING, &want.bytes);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_policy(policy, &pages);
    }
    return error == ACL_SUCCESS ? tn_acl_memory_get(ptr, pages, config, &want) : error;
}

static aclError check_pointer(const void *ptr) {
    return ptr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr is NULL") : ACL_SUCCESS;
}

// ---- the first generation

aclError acldvppMalloc(void **devPtr, size_t size) {
    aclError error = check_pointer(devPtr);
    if (error == ACL_SUCCESS) {
        error = alloc(devPtr, size, ACL_MEM_MALLOC_HUGE_ONLY, NULL, TN_ACL_DVPP);
    }
    return tn_acl_leave(error, __func__);
}

aclError acldvppMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                              aclrtMallocConfig *cfg) {
    aclError error = check_pointer(devPtr);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_check_config(cfg);
    }
    if (error == ACL_SUCCESS) {
        error = alloc(devPtr, size, (uint32_t)policy, cfg, TN_ACL_DVPP);
    }
    return tn_acl_leave(error, __func__);
}

aclError acldvppFree(void *devPtr) {
    aclError error = check_pointer(devPtr);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_free(devPtr, TN_ACL_DVPP);
    }
    return tn_acl_leave(error, __func__);
}

// ---- the second generation, with codes of its own

static hi_s32 leave(aclError error, const char *function) {
    (void)tn_acl_leave(error, function);
    switch (error) {
    case 0:
        return HI_SUCCESS;
    case 107002: // no current context
    case 507033: // the device could not be set up
        return HI_ERR_SYS_NOT_READY;
    case 200000: // host memory
    case 207001:
    case 207005: // kernel mappings
        return HI_ERR_SYS_NO_MEM;
    case 207000:
        return HI_ERR_SYS_NOT_SUPPORT;
    default:
        return HI_ERR_SYS_ILLEGAL_PARAM;
    }
}

hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void **dev_ptr, hi_u64 size) {
    (void)dev_id;
    if (dev_ptr == NULL) {
        (void)leave(tn_acl_fail(ACL_ERROR_INVALID_PARAM, "dev_ptr is NULL"), __func__);
        return HI_ERR_SYS_NULL_PTR;
    }
    return leave(alloc(dev_ptr, (size_t)size, ACL_MEM_MALLOC_HUGE_ONLY, NULL, TN_ACL_HI_MPI),
                 __func__);
}

hi_s32 hi_mpi_dvpp_free(hi_void *dev_ptr) {
    if (dev_ptr == NULL) {
        (void)leave(tn_acl_fail(ACL_ERROR_INVALID_PARAM, "dev_ptr is NULL"), __func__);
        return HI_ERR_SYS_NULL_PTR;
    }
    return leave(tn_acl_memory_free(dev_ptr, TN_ACL_HI_MPI), __func__);
}

static _Atomic(bool) started;

hi_s32 hi_mpi_sys_init(hi_void) {
    atomic_store_explicit(&started, true, memory_order_relaxed);
    return HI_SUCCESS;
}

hi_s32 hi_mpi_sys_exit(hi_void) {
    bool was = atomic_exchange_explicit(&started, false, memory_order_relaxed);
    return was ? HI_SUCCESS : HI_ERR_SYS_NOT_READY;
}

hi_s32 hi_mpi_dvpp_get_version(hi_s32 *major_version, hi_s32 *minor_version,
                               hi_s32 *patch_version) {
    if (major_version == NULL || minor_version == NULL || patch_version == NULL) {
        return HI_ERR_SYS_NULL_PTR;
    }
    *major_version = 1;
    *minor_version = 0;
    *patch_version = 0;
    return HI_SUCCESS;
}
