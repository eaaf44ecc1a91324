// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy() and its asynchronous siblings, of one row. No state: each call describes its copy,
// so any thread may be here.
#include "compat/acl/copy.h"

#include <acl/detail/copy.h>

#include "compat/acl/capture.h"

#define ASYNC_ALIGNMENT 64

// What a call says.
struct call {
    void *dst;
    size_t room;
    const void *src;
    size_t count;
    aclrtMemcpyKind kind;
};

// A count of 0 is fine before all else, or, in generation 1, wrong after what is NULL.
static aclError check(const struct call *call, bool *nothing) {
    aclError error = tn_acl_open(); // knows the generation
    *nothing = error == ACL_SUCCESS && call->count == 0 && tn_acl_face.generation != 1;
    if (error != ACL_SUCCESS || *nothing) {
        return error;
    }
    if (call->dst == NULL || call->src == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           call->dst == NULL ? "dst" : "src");
    }
    if ((unsigned)call->kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "kind %d is none of 0 to 5", (int)call->kind);
    }
    if (call->count == 0 || call->count > call->room) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "count %zu, destMax %zu", call->count,
                           call->room);
    }
    return ACL_SUCCESS;
}

static aclError look(const struct call *call, struct tn_acl_copy *copy) {
    *copy = (struct tn_acl_copy){.desc = TARN_INIT(tarn_copy_desc), .kind = call->kind};
    copy->desc.dst = TARN_ADDR(call->dst);
    copy->desc.src = TARN_ADDR(call->src);
    copy->desc.width = call->count;
    return tn_acl_copy_look(copy);
}

// ---- at once

static aclError copy_now(const struct call *call) {
    struct tn_acl_context *context = NULL;
    struct tn_acl_copy copy;
    bool nothing = false;
    aclError error = check(call, &nothing);
    if (error != ACL_SUCCESS || nothing || call->dst == call->src) {
        return error;
    }
    error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = look(call, &copy);
    if (error == ACL_SUCCESS) {
        error = tn_acl_copy_now(context->device, &copy);
    }
    tn_acl_context_put(context);
    return error;
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                     aclrtMemcpyKind kind) {
    struct call call = {dst, destMax, src, count, kind};
    return tn_acl_leave(copy_now(&call), __func__);
}

// ---- in a stream

// Generation 1 wants it; generation 2 no more, but its documents still advise it.
static aclError check_alignment(const struct call *call) {
    uintptr_t dst = (uintptr_t)call->dst;
    uintptr_t src = (uintptr_t)call->src;
    if ((dst | src) % ASYNC_ALIGNMENT == 0) {
        return ACL_SUCCESS;
    }
    if (tn_acl_face.generation == 1 || tn_acl_face.strict) {
        return tn_acl_fail(ACL_ERROR_RT_ADDR_UNALIGNED, "dst %p, src %p: not multiples of %d",
                           call->dst, call->src, ASYNC_ALIGNMENT);
    }
    tn_acl_warn("aclrtMemcpyAsync", "dst %p, src %p: not multiples of %d", call->dst, call->src,
                ASYNC_ALIGNMENT);
    return ACL_SUCCESS;
}

static aclError give(const struct call *call, const struct tn_acl_order *order) {
    struct tn_acl_copy copy;
    aclError error = look(call, &copy);
    if (error == ACL_SUCCESS) {
        error = tn_acl_copy_route(&copy, &copy.kind);
    }
    if (error != ACL_SUCCESS || call->dst == call->src) {
        return error;
    }
    error = check_alignment(call);
    if (error != ACL_SUCCESS) {
        return error;
    }
    return copy.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE
               ? tn_acl_capture_copy(order, call->dst, call->src, call->count)
               : tn_acl_copy_give(order, &copy);
}

static aclError copy_async(const struct call *call, aclrtStream stream) {
    struct tn_acl_order order;
    bool nothing = false;
    aclError error = check(call, &nothing);
    if (nothing) {
        return ACL_SUCCESS;
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_order_check_context(stream);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_order_get(stream, &order);
    }
    if (error == ACL_SUCCESS) {
        error = give(call, &order);
        tn_acl_order_put(&order);
    }
    return error;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
    struct call call = {dst, destMax, src, count, kind};
    return tn_acl_leave(copy_async(&call, stream), __func__);
}

aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
    struct call call = {dst, destMax, src, count, kind};
    return tn_acl_leave(copy_async(&call, stream), __func__);
}
