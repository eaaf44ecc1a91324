// SPDX-License-Identifier: Apache-2.0
// aclrtMalloc() and similar functions, the functions that free their memory, and those that
// maintain caches. The file has no state.
#include <acl/detail/memory.h>

#include "compat/acl/memory.h"
#include "compat/acl/order.h"
#include "compat/acl/usage.h"
#include "compat/face/fidelity.h"

#define MAX_CACHED (UINT64_C(1) << 50) // effective bytes of aclrtMallocCached()

// ---- allocating

// The padding of a function's sizes, and the other arguments that it checks.
enum how { PADDED, PLAIN, CACHED, CONFIGURED };

// The padding is known once the face is open, but a size that cannot be padded is reported first.
static aclError alloc_as(enum how how, void **devPtr, size_t size, uint32_t policy,
                         const aclrtMallocConfig *config) {
    struct tn_acl_request request = {.family = TN_ACL_MALLOC, .module = TN_ACL_MODULE_NONE};
    uint32_t pages = policy;
    TN_ACL_TRY(tn_acl_memory_check_config(config));
    TN_ACL_POINTER(devPtr);
    aclError opened = tn_acl_open();
    bool giant = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
    bool padded = (how == PADDED || how == CACHED) && !giant;
    TN_ACL_TRY(tn_acl_memory_bytes(size, padded ? tn_acl_face.padding : 0, &request));
    TN_ACL_TRY(opened);
    TN_FACE_DIFFERS(huge_first, policy == ACL_MEM_MALLOC_HUGE_FIRST && request.bytes > 1 << 20 &&
                                    request.bytes <= 2 << 20);
    TN_FACE_DIFFERS(peer_memory, (policy >= ACL_MEM_MALLOC_HUGE_FIRST_P2P &&
                                  policy <= ACL_MEM_MALLOC_NORMAL_ONLY_P2P) ||
                                     policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P);
    if (how == CACHED) { // the runtime checks these, after the context
        TN_ACL_TRY(tn_acl_current_device(NULL));
        TN_ACL_INVALID(request.bytes > MAX_CACHED, "%zu bytes of cached memory exceed 2^50",
                       request.bytes);
        TN_ACL_UNSUPPORTED(
            policy != ACL_MEM_MALLOC_HUGE_FIRST && policy != ACL_MEM_MALLOC_HUGE_ONLY &&
                policy != ACL_MEM_MALLOC_NORMAL_ONLY && policy != ACL_MEM_MALLOC_HUGE1G_ONLY,
            "policy 0x%x is not supported for cached memory", policy);
    }
    if (how == CONFIGURED) TN_ACL_TRY(tn_acl_memory_policy(policy, &pages));
    return tn_acl_memory_alloc_policy(devPtr, pages, config, &request);
}

TN_ACL_ROW(aclrtMalloc, TN_FACE_EXPRESSION(alloc_as(PADDED, devPtr, size, (uint32_t)policy, NULL)),
           void **, devPtr, size_t, size, aclrtMemMallocPolicy, policy)

TN_ACL_ROW(aclrtMallocAlign32,
           TN_FACE_EXPRESSION(alloc_as(PLAIN, devPtr, size, (uint32_t)policy, NULL)), void **,
           devPtr, size_t, size, aclrtMemMallocPolicy, policy)

TN_ACL_ROW(aclrtMallocCached,
           TN_FACE_EXPRESSION(alloc_as(CACHED, devPtr, size, (uint32_t)policy, NULL)), void **,
           devPtr, size_t, size, aclrtMemMallocPolicy, policy)

TN_ACL_ROW(aclrtMallocWithCfg,
           TN_FACE_EXPRESSION(alloc_as(CONFIGURED, devPtr, size, (uint32_t)policy, cfg)), void **,
           devPtr, size_t, size, aclrtMemMallocPolicy, policy, aclrtMallocConfig *, cfg)

TN_ACL_ROW(aclrtMallocForTaskScheduler,
           TN_FACE_EXPRESSION(alloc_as(CONFIGURED, devPtr, size, (uint32_t)policy, cfg)), void **,
           devPtr, size_t, size, aclrtMemMallocPolicy, policy, aclrtMallocConfig *, cfg)

// ---- freeing

TN_ACL_ROW(aclrtFree,
           TN_FACE_EXPRESSION(tn_acl_memory_free(devPtr, TN_ACL_MALLOC | TN_ACL_MANAGED)), void *,
           devPtr)

TN_ACL_ROW(aclrtFreeWithDevSync,
           TN_FACE_EXPRESSION(tn_acl_memory_free_synchronized(devPtr,
                                                              TN_ACL_MALLOC | TN_ACL_MANAGED)),
           void *, devPtr)

// ---- caches, which this device does not have: the arguments are checked, without any other effect

TN_ACL_ROW(aclrtMemFlush, tn_acl_memory_check_range, void *, devPtr, size_t, size)

TN_ACL_ROW(aclrtMemInvalidate, tn_acl_memory_check_range, void *, devPtr, size_t, size)

TN_ACL_FUNCTION(aclrtCmoAsync, void *, src, size_t, size, aclrtCmoType, cmoType, aclrtStream,
                stream) {
    TN_ACL_TRY(tn_acl_memory_check_range(src, size));
    TN_ACL_INVALID((uint32_t)cmoType > ACL_RT_CMO_TYPE_FLUSH, "cmoType %u is unknown",
                   (uint32_t)cmoType);
    TN_ACL_ORDER(order, stream);
    return ACL_SUCCESS;
}
