// SPDX-License-Identifier: Apache-2.0
// aclrtMemset() and its relatives. No state.
#include <acl/detail/set.h>

#include "compat/acl/order.h"
#include "compat/acl/place.h"

// What a call says.
struct call {
    void *dst;
    size_t room; // bytes
    uint32_t value;
    unsigned width; // bytes of the value: 1 or 4
    size_t count;   // of values
};

// A count of 0 is fine before all else, or, in generation 1, wrong after what is NULL.
static aclError check(const struct call *call, bool *nothing) {
    aclError error = tn_acl_open(); // knows the generation
    *nothing = error == ACL_SUCCESS && call->count == 0 && tn_acl_face.generation != 1;
    if (error != ACL_SUCCESS || *nothing) {
        return error;
    }
    if (call->dst == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "the address is NULL");
    }
    return call->count != 0 ? ACL_SUCCESS
                            : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "the count is 0");
}

static aclError check_room(const struct call *call, aclError refused) {
    return call->count <= call->room / call->width
               ? ACL_SUCCESS
               : tn_acl_fail(refused, "%zu times %u bytes, there are %zu", call->count, call->width,
                             call->room);
}

// Ordinary memory is not for devices to set.
static aclError check_place(const struct call *call, aclError refused) {
    struct tn_acl_place place;
    tn_acl_place_look(call->dst, 1, &place);
    return place.kind != TN_ACL_PLACE_PAGEABLE && place.kind != TN_ACL_PLACE_NOWHERE
               ? ACL_SUCCESS
               : tn_acl_fail(refused, "%p is %s", call->dst, tn_acl_place_name(&place));
}

static aclError fill(const struct call *call, struct tn_acl_device *device, tarn_stream stream) {
    aclError error = check_place(call, ACL_ERROR_RT_PARAM_INVALID);
    return error == ACL_SUCCESS
               ? tn_acl_from(tarn_fill(device->tarn, TARN_ADDR(call->dst), call->value, call->width,
                                       call->count, stream),
                             ACL_ERROR_RT_PARAM_INVALID)
               : error;
}

static aclError fill_now(const struct call *call) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        error = fill(call, context->device, TARN_STREAM_NONE);
        tn_acl_context_put(context);
    }
    return error;
}

static aclError fill_in(const struct call *call, aclrtStream stream) {
    struct tn_acl_order order;
    aclError error = tn_acl_order_get(stream, &order);
    if (error == ACL_SUCCESS) {
        error = fill(call, order.device, order.stream);
        tn_acl_order_put(&order);
    }
    return error;
}

// ---- bytes

static aclError check_bytes(const struct call *call, bool *nothing) {
    aclError error = check(call, nothing);
    return error == ACL_SUCCESS && !*nothing ? check_room(call, ACL_ERROR_RT_PARAM_INVALID) : error;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
    struct call call = {devPtr, maxCount, (uint32_t)value & 0xff, 1, count};
    bool nothing = false;
    aclError error = check_bytes(&call, &nothing);
    if (error == ACL_SUCCESS && !nothing) {
        error = fill_now(&call);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
    struct call call = {devPtr, maxCount, (uint32_t)value & 0xff, 1, count};
    bool nothing = false;
    aclError error = check_bytes(&call, &nothing);
    if (error == ACL_SUCCESS && !nothing) {
        error = fill_in(&call, stream);
    }
    return tn_acl_leave(error, __func__);
}

// ---- words

static aclError check_words(const struct call *call, bool *nothing) {
    aclError error = check(call, nothing);
    if (error != ACL_SUCCESS || *nothing) {
        return error;
    }
    if ((uintptr_t)call->dst % call->width != 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%p is no multiple of %u", call->dst,
                           call->width);
    }
    error = check_room(call, ACL_ERROR_INVALID_PARAM);
    return error == ACL_SUCCESS ? check_place(call, ACL_ERROR_INVALID_PARAM) : error;
}

aclError aclrtMemsetD32(void *devPtr, size_t memSize, uint32_t value, size_t num) {
    struct call call = {devPtr, memSize, value, 4, num};
    bool nothing = false;
    aclError error = check_words(&call, &nothing);
    if (error == ACL_SUCCESS && !nothing) {
        error = fill_now(&call);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemsetD32Async(void *devPtr, size_t memSize, uint32_t value, size_t num,
                             aclrtStream stream) {
    struct call call = {devPtr, memSize, value, 4, num};
    bool nothing = false;
    aclError error = check_words(&call, &nothing);
    if (error == ACL_SUCCESS && !nothing) {
        error = fill_in(&call, stream);
    }
    return tn_acl_leave(error, __func__);
}
