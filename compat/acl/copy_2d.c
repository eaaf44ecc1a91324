// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d() and its asynchronous sibling. No state.
#include <acl/detail/copy.h>

#include "compat/acl/copy.h"

#define MOST_ROWS  5242880
#define MOST_WIDTH 5000000

// What a call says.
struct call {
    void *dst;
    size_t dst_pitch;
    const void *src;
    size_t src_pitch;
    size_t width;
    size_t height;
    aclrtMemcpyKind kind;
};

static bool is_nothing(const struct call *call) {
    return call->width == 0 || call->height == 0;
}

static aclError check_kind(aclrtMemcpyKind kind) {
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_DEVICE_TO_HOST:
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_DEFAULT:
        return ACL_SUCCESS;
    default:
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "kind %d is none of 1 to 4", (int)kind);
    }
}

static aclError check_size(const struct call *call) {
    if (call->height > MOST_ROWS || call->width > MOST_WIDTH) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                           "width %zu, height %zu, there may be up to %d and %d", call->width,
                           call->height, MOST_WIDTH, MOST_ROWS);
    }
    return ACL_SUCCESS;
}

// What the acl layer sees comes first, then the size.
static aclError check(const struct call *call) {
    if (call->dst == NULL || call->src == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           call->dst == NULL ? "dst" : "src");
    }
    if (call->width > call->dst_pitch || call->width > call->src_pitch) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "width %zu, dpitch %zu, spitch %zu",
                           call->width, call->dst_pitch, call->src_pitch);
    }
    aclError error = check_kind(call->kind);
    return error == ACL_SUCCESS ? check_size(call) : error;
}

static aclError check_mode(void) {
    aclError error = tn_acl_open();
    return error == ACL_SUCCESS && tn_acl_face.rc
               ? tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "no 2D copies in RC mode")
               : error;
}

static aclError look(const struct call *call, struct tn_acl_copy *copy) {
    *copy = (struct tn_acl_copy){.desc = TARN_INIT(tarn_copy_desc), .kind = call->kind};
    copy->desc.dst = TARN_ADDR(call->dst);
    copy->desc.src = TARN_ADDR(call->src);
    copy->desc.width = call->width;
    copy->desc.height = call->height;
    copy->desc.dst_pitch = call->dst_pitch;
    copy->desc.src_pitch = call->src_pitch;
    return tn_acl_copy_look(copy);
}

// ---- at once

static aclError no_such_direction(const char *direction) {
    return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "no synchronous 2D copies %s", direction);
}

static aclError check_default(const struct tn_acl_copy *copy) {
    bool to_device = copy->dst.kind == TN_ACL_PLACE_DEVICE;
    bool from_device = copy->src.kind == TN_ACL_PLACE_DEVICE;
    if (copy->kind != ACL_MEMCPY_DEFAULT || to_device != from_device) {
        return ACL_SUCCESS;
    }
    return no_such_direction(to_device ? "from device to device" : "from host to host");
}

static aclError run_now(const struct call *call, struct tn_acl_device *device) {
    struct tn_acl_copy copy;
    aclError error = look(call, &copy);
    if (error == ACL_SUCCESS) {
        error = check_default(&copy);
    }
    return error == ACL_SUCCESS ? tn_acl_copy_now(device, &copy) : error;
}

static aclError copy_now(const struct call *call) {
    struct tn_acl_context *context = NULL;
    aclError error = check(call);
    if (error == ACL_SUCCESS && call->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
        error = no_such_direction("from device to device");
    }
    if (error == ACL_SUCCESS) {
        error = check_mode();
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error == ACL_SUCCESS) {
        error = run_now(call, context->device);
        tn_acl_context_put(context);
    }
    return error;
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
    struct call call = {dst, dpitch, src, spitch, width, height, kind};
    return tn_acl_leave(is_nothing(&call) ? ACL_SUCCESS : copy_now(&call), __func__);
}

// ---- in a stream

static aclError give(const struct call *call, const struct tn_acl_order *order) {
    struct tn_acl_copy copy;
    aclError error = look(call, &copy);
    if (error == ACL_SUCCESS) {
        error = tn_acl_copy_route(&copy, &copy.kind);
    }
    return error == ACL_SUCCESS ? tn_acl_copy_give(order, &copy) : error;
}

static aclError copy_async(const struct call *call, aclrtStream stream) {
    struct tn_acl_order order;
    aclError error = check(call);
    if (error == ACL_SUCCESS) {
        error = check_mode();
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

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
    struct call call = {dst, dpitch, src, spitch, width, height, kind};
    return tn_acl_leave(is_nothing(&call) ? ACL_SUCCESS : copy_async(&call, stream), __func__);
}
