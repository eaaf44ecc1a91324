// SPDX-License-Identifier: Apache-2.0
// aclrtMalloc() and those like it, their free functions, and what caches are told.
#include <acl/detail/memory.h>

#include "compat/acl/memory.h"
#include "compat/acl/usage.h"

#define MOST_CACHED (UINT64_C(1) << 50) // effective bytes of aclrtMallocCached()

// ---- allocating

static aclError check_output(void *const *ptr) {
    return ptr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr is NULL") : ACL_SUCCESS;
}

static bool is_giant(uint32_t policy) {
    return policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

// The configuration, the padding too, is known once the face is open.
static aclError size_up(size_t size, uint32_t policy, bool padded, struct tn_acl_want *want) {
    aclError error = tn_acl_open();
    uint32_t padding = padded && !is_giant(policy) ? tn_acl_face.padding : 0;
    *want = (struct tn_acl_want){.family = TN_ACL_MALLOC, .module = TN_ACL_MODULE_NONE};
    aclError refused = tn_acl_memory_bytes(size, padding, &want->bytes);
    return refused != ACL_SUCCESS ? refused : error;
}

static aclError alloc(void **ptr, size_t size, uint32_t policy, bool padded) {
    struct tn_acl_want want;
    aclError error = check_output(ptr);
    if (error == ACL_SUCCESS) {
        error = size_up(size, policy, padded, &want);
    }
    return error == ACL_SUCCESS ? tn_acl_memory_get(ptr, policy, NULL, &want) : error;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return tn_acl_leave(alloc(devPtr, size, (uint32_t)policy, true), __func__);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return tn_acl_leave(alloc(devPtr, size, (uint32_t)policy, false), __func__);
}

// What the runtime checks, below the question for a context.
static aclError check_cached(size_t bytes, uint32_t policy) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    tn_acl_context_put(context);
    if (bytes > MOST_CACHED) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%zu bytes of cached memory, 2^50 at most",
                           bytes);
    }
    switch (policy) {
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_NORMAL_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
        return ACL_SUCCESS;
    default:
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "policy 0x%x of cached memory",
                           policy);
    }
}

static aclError alloc_cached(void **ptr, size_t size, uint32_t policy) {
    struct tn_acl_want want;
    aclError error = check_output(ptr);
    if (error == ACL_SUCCESS) {
        error = size_up(size, policy, true, &want);
    }
    if (error == ACL_SUCCESS) {
        error = check_cached(want.bytes, policy);
    }
    return error == ACL_SUCCESS ? tn_acl_memory_get(ptr, policy, NULL, &want) : error;
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return tn_acl_leave(alloc_cached(devPtr, size, (uint32_t)policy), __func__);
}

static aclError alloc_configured(void **ptr, size_t size, uint32_t policy,
                                 const aclrtMallocConfig *config) {
    struct tn_acl_want want;
    uint32_t pages = 0;
    aclError error = check_output(ptr);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_check_config(config);
    }
    if (error == ACL_SUCCESS) {
        error = size_up(size, policy, false, &want);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_policy(policy, &pages);
    }
    return error == ACL_SUCCESS ? tn_acl_memory_get(ptr, pages, config, &want) : error;
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig *cfg) {
    return tn_acl_leave(alloc_configured(devPtr, size, (uint32_t)policy, cfg), __func__);
}

aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig *cfg) {
    return tn_acl_leave(alloc_configured(devPtr, size, (uint32_t)policy, cfg), __func__);
}

// ---- freeing

static aclError check_pointer(const void *ptr) {
    return ptr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr is NULL") : ACL_SUCCESS;
}

aclError aclrtFree(void *devPtr) {
    aclError error = check_pointer(devPtr);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtFreeWithDevSync(void *devPtr) {
    aclError error = check_pointer(devPtr);
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_synchronize();
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED);
    }
    return tn_acl_leave(error, __func__);
}

// ---- caches, of which there are none

static aclError check_range(const void *ptr, size_t size) {
    return ptr == NULL || size == 0
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%zu bytes at %p", size, ptr)
               : ACL_SUCCESS;
}

aclError aclrtMemFlush(void *devPtr, size_t size) {
    return tn_acl_leave(check_range(devPtr, size), __func__);
}

aclError aclrtMemInvalidate(void *devPtr, size_t size) {
    return tn_acl_leave(check_range(devPtr, size), __func__);
}

static aclError order_nothing(aclrtCmoType type, aclrtStream stream) {
    struct tn_acl_order order;
    if ((uint32_t)type > ACL_RT_CMO_TYPE_FLUSH) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "cmoType %u", (uint32_t)type);
    }
    aclError error = tn_acl_order_get(stream, &order);
    if (error == ACL_SUCCESS) {
        tn_acl_order_put(&order);
    }
    return error;
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
    aclError error = check_range(src, size);
    if (error == ACL_SUCCESS) {
        error = order_nothing(cmoType, stream);
    }
    return tn_acl_leave(error, __func__);
}
