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
static aclError alloc_media(void **devPtr, size_t size, uint32_t policy,
                            const aclrtMallocConfig *config, enum tn_acl_family family) {
    struct tn_acl_request request = {.family = family, .module = TN_ACL_MODULE_MEDIA};
    uint32_t pages = 0;
    TN_ACL_POINTER(devPtr);
    TN_ACL_TRY(tn_acl_memory_check_config(config));
    TN_ACL_TRY(tn_acl_memory_bytes(size, PADDING, &request));
    TN_ACL_TRY(tn_acl_memory_policy(policy, &pages));
    return tn_acl_memory_alloc_policy(devPtr, pages, config, &request);
}

// ---- the first generation

aclError acldvppMalloc(void **devPtr, size_t size) {
    TN_FACE_GIVEN(0, TN_FACE_WORD(size))
    return TN_ACL_CALL(alloc_media(devPtr, size, ACL_MEM_MALLOC_HUGE_ONLY, NULL, TN_ACL_DVPP));
}

TN_ACL_ROW(acldvppMallocWithCfg,
           TN_FACE_EXPRESSION(alloc_media(devPtr, size, (uint32_t)policy, cfg, TN_ACL_DVPP)),
           void **, devPtr, size_t, size, aclrtMemMallocPolicy, policy, aclrtMallocConfig *, cfg)

aclError acldvppFree(void *devPtr) {
    TN_FACE_GIVEN(TN_FACE_WORD(devPtr))
    return TN_ACL_CALL(tn_acl_memory_free(devPtr, TN_ACL_DVPP));
}

// ---- the second generation, which has codes of its own

static hi_s32 media_code(bool has_null, aclError error) {
    switch (error) {
    case 0: return HI_SUCCESS;
    case 100000: // an argument
        return has_null ? HI_ERR_SYS_NULL_PTR : HI_ERR_SYS_ILLEGAL_PARAM;
    case 100001: // not started
    case 107002: // no current context
    case 507033: // the device cannot be opened
        return HI_ERR_SYS_NOT_READY;
    case 200000: // host memory
    case 207001: // memory
    case 207005: // mappings of the kernel
        return HI_ERR_SYS_NO_MEM;
    case 207000: // not supported
        return HI_ERR_SYS_NOT_SUPPORT;
    default: return HI_ERR_SYS_ILLEGAL_PARAM;
    }
}

hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void **dev_ptr, hi_u64 size) {
    TN_FACE_GIVEN(0, 0, TN_FACE_WORD(size))
    (void)dev_id;
    return media_code(dev_ptr == NULL,
                      TN_ACL_CALL(alloc_media(dev_ptr, (size_t)size, ACL_MEM_MALLOC_HUGE_ONLY, NULL,
                                              TN_ACL_HI_MPI)));
}

hi_s32 hi_mpi_dvpp_free(hi_void *dev_ptr) {
    TN_FACE_GIVEN(TN_FACE_WORD(dev_ptr))
    return media_code(dev_ptr == NULL, TN_ACL_CALL(tn_acl_memory_free(dev_ptr, TN_ACL_HI_MPI)));
}

static _Atomic(bool) started;

static aclError set_started(bool now) {
    bool before = atomic_exchange(&started, now);
    return now || before ? ACL_SUCCESS
                         : tn_acl_fail(ACL_ERROR_UNINITIALIZE, "hi_mpi_sys_init() was not called");
}

hi_s32 hi_mpi_sys_init(hi_void) { return media_code(false, TN_ACL_CALL(set_started(true))); }

hi_s32 hi_mpi_sys_exit(hi_void) { return media_code(false, TN_ACL_CALL(set_started(false))); }

static aclError get_version(hi_s32 *major_version, hi_s32 *minor_version, hi_s32 *patch_version) {
    TN_ACL_POINTERS(major_version, minor_version);
    TN_ACL_POINTER(patch_version);
    *major_version = 1;
    *minor_version = 0;
    *patch_version = 0;
    return ACL_SUCCESS;
}

hi_s32 hi_mpi_dvpp_get_version(hi_s32 *major_version, hi_s32 *minor_version,
                               hi_s32 *patch_version) {
    return media_code(true, TN_ACL_CALL(get_version(major_version, minor_version, patch_version)));
}
