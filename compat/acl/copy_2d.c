// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d() and its asynchronous form. The file has no state.
#include <acl/detail/copy.h>

#include "compat/acl/copy.h"

#define MAX_ROWS  5242880
#define MAX_WIDTH 5000000

// The arguments of a call.
struct rows {
    void *dst;
    size_t dst_pitch;
    const void *src;
    size_t src_pitch;
    size_t width;
    size_t height;
    aclrtMemcpyKind kind;
};

static bool is_empty(const struct rows *rows) { return rows->width == 0 || rows->height == 0; }

// The acl layer checks everything except the limits, which the runtime checks later.
static aclError check_rows(const struct rows *rows) {
    TN_ACL_TRY(tn_acl_check_pointer(rows->dst, "dst"));
    TN_ACL_TRY(tn_acl_check_pointer(rows->src, "src"));
    TN_ACL_REFUSE(rows->width > rows->dst_pitch || rows->width > rows->src_pitch,
                  ACL_ERROR_INVALID_PARAM, "width %zu exceeds dpitch %zu or spitch %zu",
                  rows->width, rows->dst_pitch, rows->src_pitch);
    TN_ACL_REFUSE(rows->kind < ACL_MEMCPY_HOST_TO_DEVICE || rows->kind > ACL_MEMCPY_DEFAULT,
                  ACL_ERROR_INVALID_PARAM, "kind %d is not one of 1 to 4", (int)rows->kind);
    return rows->height <= MAX_ROWS && rows->width <= MAX_WIDTH
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                             "width %zu exceeds %d, or height %zu exceeds %d", rows->width,
                             MAX_WIDTH, rows->height, MAX_ROWS);
}

static aclError check_mode(void) {
    TN_ACL_TRY(tn_acl_open());
    return tn_acl_face.rc ? tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                        "2D copies are not supported in RC mode")
                          : ACL_SUCCESS;
}

static aclError locate_rows(const struct rows *rows, struct tn_acl_copy *copy) {
    *copy = (struct tn_acl_copy){.desc = TARN_INIT(tarn_copy_desc), .kind = rows->kind};
    copy->desc.dst = TARN_ADDR(rows->dst);
    copy->desc.src = TARN_ADDR(rows->src);
    copy->desc.width = rows->width;
    copy->desc.height = rows->height;
    copy->desc.dst_pitch = rows->dst_pitch;
    copy->desc.src_pitch = rows->src_pitch;
    return tn_acl_copy_locate(copy);
}

// ---- at once

static aclError refuse_direction(const char *direction) {
    return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                       "synchronous 2D copies %s are not supported", direction);
}

static aclError copy_rows(const struct rows *rows) {
    struct tn_face_device *device = NULL;
    struct tn_acl_copy copy;
    TN_ACL_TRY(check_rows(rows));
    if (rows->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) return refuse_direction("from device to device");
    TN_ACL_TRY(check_mode());
    TN_ACL_TRY(tn_acl_current_device(&device));
    TN_ACL_TRY(locate_rows(rows, &copy));
    bool to_device = copy.dst.kind == TN_ACL_PLACE_DEVICE;
    bool from_device = copy.src.kind == TN_ACL_PLACE_DEVICE;
    if (rows->kind == ACL_MEMCPY_DEFAULT && to_device == from_device)
        return refuse_direction(to_device ? "from device to device" : "from host to host");
    return tn_acl_copy_now(device, &copy);
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
    const struct rows rows = {dst, dpitch, src, spitch, width, height, kind};
    return TN_ACL_CALL(is_empty(&rows) ? ACL_SUCCESS : copy_rows(&rows));
}

// ---- in a stream

static aclError copy_rows_in(const struct rows *rows, aclrtStream stream) {
    struct tn_acl_copy copy;
    TN_ACL_TRY(check_rows(rows));
    TN_ACL_TRY(check_mode());
    TN_ACL_ORDER(order, stream);
    TN_ACL_TRY(locate_rows(rows, &copy));
    TN_ACL_TRY(tn_acl_copy_route(&copy, &copy.kind));
    return tn_acl_copy_enqueue(&order, &copy);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
    const struct rows rows = {dst, dpitch, src, spitch, width, height, kind};
    return TN_ACL_CALL(is_empty(&rows) ? ACL_SUCCESS : copy_rows_in(&rows, stream));
}
