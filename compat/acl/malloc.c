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
static aclError start_request(size_t size, uint32_t policy, bool padded,
                              struct tn_acl_request *request) {
    aclError opened = tn_acl_open();
    bool giant = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
    *request = (struct tn_acl_request){.family = TN_ACL_MALLOC, .module = TN_ACL_MODULE_NONE};
    TN_ACL_TRY(
        tn_acl_memory_bytes(size, padded && !giant ? tn_acl_face.padding : 0, &request->bytes));
    return opened;
}

static aclError alloc_padded(void **ptr, size_t size, uint32_t policy, bool padded) {
    struct tn_acl_request request;
    TN_ACL_TRY(start_request(size, policy, padded, &request));
    return tn_acl_memory_alloc_policy(ptr, policy, NULL, &request);
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(alloc_padded(devPtr, size, (uint32_t)policy, true), __func__);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(alloc_padded(devPtr, size, (uint32_t)policy, false), __func__);
}

// The runtime checks these, after the context.
static aclError check_cached(size_t bytes, uint32_t policy) {
    TN_ACL_TRY(tn_acl_current_device(NULL));
    if (bytes > MAX_CACHED) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%zu bytes of cached memory exceed 2^50",
                           bytes);
    }
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_NORMAL_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
        return ACL_SUCCESS;
    default:
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "policy 0x%x is not supported for cached memory", policy);
    }
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    TN_ACL_POINT;
    struct tn_acl_request request;
    TN_ACL_POINTER(devPtr);
    TN_ACL_ENTER(start_request(size, (uint32_t)policy, true, &request));
    TN_ACL_ENTER(check_cached(request.bytes, (uint32_t)policy));
    return tn_acl_leave(tn_acl_memory_alloc_policy(devPtr, (uint32_t)policy, NULL, &request),
                        __func__);
}

static aclError alloc_configured(void **ptr, size_t size, uint32_t policy,
                                 const aclrtMallocConfig *config) {
    struct tn_acl_request request;
    uint32_t pages = 0;
    TN_ACL_TRY(tn_acl_memory_check_config(config));
    TN_ACL_TRY(start_request(size, policy, false, &request));
    TN_ACL_TRY(tn_acl_memory_policy(policy, &pages));
    return tn_acl_memory_alloc_policy(ptr, pages, config, &request);
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig *cfg) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(alloc_configured(devPtr, size, (uint32_t)policy, cfg), __func__);
}

aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig *cfg) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(alloc_configured(devPtr, size, (uint32_t)policy, cfg), __func__);
}

// ---- freeing

aclError aclrtFree(void *devPtr) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    return tn_acl_leave(tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED), __func__);
}

aclError aclrtFreeWithDevSync(void *devPtr) {
    TN_ACL_POINT;
    TN_ACL_POINTER(devPtr);
    TN_ACL_ENTER(tn_acl_memory_synchronize());
    return tn_acl_leave(tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED), __func__);
}

// ---- caches, which this device does not have: the arguments are checked, without any other effect

static aclError check_range(const void *ptr, size_t size) {
    return ptr == NULL || size == 0
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "the range is %zu bytes at %p", size, ptr)
               : ACL_SUCCESS;
}

aclError aclrtMemFlush(void *devPtr, size_t size) {
    TN_ACL_POINT;
    return tn_acl_leave(check_range(devPtr, size), __func__);
}

aclError aclrtMemInvalidate(void *devPtr, size_t size) {
    TN_ACL_POINT;
    return tn_acl_leave(check_range(devPtr, size), __func__);
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
    TN_ACL_POINT;
    struct tn_acl_order order;
    TN_ACL_ENTER(check_range(src, size));
    if ((uint32_t)cmoType > ACL_RT_CMO_TYPE_FLUSH) {
        TN_ACL_ENTER(
            tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "cmoType %u is unknown", (uint32_t)cmoType));
    }
    TN_ACL_ENTER(tn_acl_order_get(stream, &order));
    tn_acl_order_put(&order);
    return ACL_SUCCESS;
}
