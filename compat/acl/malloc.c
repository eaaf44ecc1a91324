// SPDX-License-Identifier: Apache-2.0
// aclrtMalloc() and similar functions, the functions that free their memory, and those that
// maintain caches. The file has no state.
#include <acl/detail/memory.h>

#include "compat/acl/memory.h"
#include "compat/acl/order.h"
#include "compat/acl/usage.h"

#define MAX_CACHED (UINT64_C(1) << 50) // effective bytes of aclrtMallocCached()

// ---- allocating

// Computes the effective size. The padding is known once the face is open, but a size that cannot
// be padded is reported first.
static aclError start_request(void *const *devPtr, size_t size, uint32_t policy, bool padded,
                              struct tn_acl_request *request) {
    TN_ACL_POINTER(devPtr);
    aclError opened = tn_acl_open();
    bool giant = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
    *request = (struct tn_acl_request){.family = TN_ACL_MALLOC, .module = TN_ACL_MODULE_NONE};
    TN_ACL_TRY(tn_acl_memory_bytes(size, padded && !giant ? tn_acl_face.padding : 0, request));
    return opened;
}

static aclError alloc_padded(void **ptr, size_t size, uint32_t policy, bool padded) {
    struct tn_acl_request request;
    TN_ACL_TRY(start_request(ptr, size, policy, padded, &request));
    return tn_acl_memory_alloc_policy(ptr, policy, NULL, &request);
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return TN_ACL_CALL(alloc_padded(devPtr, size, (uint32_t)policy, true));
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return TN_ACL_CALL(alloc_padded(devPtr, size, (uint32_t)policy, false));
}

// The runtime checks these, after the context.
static aclError check_cached(size_t bytes, uint32_t policy) {
    TN_ACL_TRY(tn_acl_current_device(NULL));
    TN_ACL_REFUSE(bytes > MAX_CACHED, ACL_ERROR_RT_PARAM_INVALID,
                  "%zu bytes of cached memory exceed 2^50", bytes);
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_NORMAL_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY: return ACL_SUCCESS;
    default:
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "policy 0x%x is not supported for cached memory", policy);
    }
}

static aclError alloc_cached(void **ptr, size_t size, uint32_t policy) {
    struct tn_acl_request request;
    TN_ACL_TRY(start_request(ptr, size, policy, true, &request));
    TN_ACL_TRY(check_cached(request.bytes, policy));
    return tn_acl_memory_alloc_policy(ptr, policy, NULL, &request);
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return TN_ACL_CALL(alloc_cached(devPtr, size, (uint32_t)policy));
}

static aclError alloc_configured(void **devPtr, size_t size, uint32_t policy,
                                 const aclrtMallocConfig *config) {
    struct tn_acl_request request;
    uint32_t pages = 0;
    TN_ACL_TRY(tn_acl_memory_check_config(config));
    TN_ACL_TRY(start_request(devPtr, size, policy, false, &request));
    TN_ACL_TRY(tn_acl_memory_policy(policy, &pages));
    return tn_acl_memory_alloc_policy(devPtr, pages, config, &request);
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig *cfg) {
    return TN_ACL_CALL(alloc_configured(devPtr, size, (uint32_t)policy, cfg));
}

aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig *cfg) {
    return TN_ACL_CALL(alloc_configured(devPtr, size, (uint32_t)policy, cfg));
}

// ---- freeing

aclError aclrtFree(void *devPtr) {
    return TN_ACL_CALL(tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED));
}

aclError aclrtFreeWithDevSync(void *devPtr) {
    return TN_ACL_CALL(tn_acl_memory_free_synchronized(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED));
}

// ---- caches, which this device does not have: the arguments are checked, without any other effect

static aclError check_range(const void *ptr, size_t size) {
    return ptr == NULL || size == 0
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "the range is %zu bytes at %p", size, ptr)
               : ACL_SUCCESS;
}

aclError aclrtMemFlush(void *devPtr, size_t size) { return TN_ACL_CALL(check_range(devPtr, size)); }

aclError aclrtMemInvalidate(void *devPtr, size_t size) {
    return TN_ACL_CALL(check_range(devPtr, size));
}

static aclError enqueue_cache(void *src, size_t size, uint32_t type, aclrtStream stream) {
    TN_ACL_TRY(check_range(src, size));
    TN_ACL_REFUSE(type > ACL_RT_CMO_TYPE_FLUSH, ACL_ERROR_RT_PARAM_INVALID, "cmoType %u is unknown",
                  type);
    TN_ACL_ORDER(order, stream);
    return ACL_SUCCESS;
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
    return TN_ACL_CALL(enqueue_cache(src, size, (uint32_t)cmoType, stream));
}
