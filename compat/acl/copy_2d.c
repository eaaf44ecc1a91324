// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d() and its asynchronous form. The file has no state.
#include <acl/detail/copy.h>

#include "compat/acl/copy.h"

#define MAX_ROWS  5242880
#define MAX_WIDTH 5000000

// Describes a copy, whose addresses may be NULL.
static struct tn_acl_copy rows_of(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                  size_t width, size_t height, aclrtMemcpyKind kind) {
    struct tn_acl_copy rows = tn_acl_copy_row(dst, src, width, kind);
    rows.desc.height = height;
    rows.desc.dst_pitch = dst_pitch;
    rows.desc.src_pitch = src_pitch;
    return rows;
}

static bool is_empty(const struct tn_acl_copy *rows) {
    return rows->desc.width == 0 || rows->desc.height == 0;
}

// The acl layer checks everything except the limits and the mode, which the runtime checks later.
// The runtime also refuses `refused`, a kind of synchronous copies, or 0.
static aclError check_rows(const struct tn_acl_copy *rows, aclrtMemcpyKind refused) {
    const tarn_copy_desc *desc = &rows->desc;
    TN_ACL_ARGUMENT(desc->dst == 0, "dst is NULL");
    TN_ACL_ARGUMENT(desc->src == 0, "src is NULL");
    TN_ACL_ARGUMENT(desc->width > desc->dst_pitch || desc->width > desc->src_pitch,
                    "width %zu exceeds dpitch %zu or spitch %zu", (size_t)desc->width,
                    (size_t)desc->dst_pitch, (size_t)desc->src_pitch);
    TN_ACL_ARGUMENT(rows->kind < ACL_MEMCPY_HOST_TO_DEVICE || rows->kind > ACL_MEMCPY_DEFAULT,
                    "kind %d is not one of 1 to 4", (int)rows->kind);
    TN_ACL_INVALID(desc->height > MAX_ROWS || desc->width > MAX_WIDTH,
                   "width %zu exceeds %d, or height %zu exceeds %d", (size_t)desc->width, MAX_WIDTH,
                   (size_t)desc->height, MAX_ROWS);
    TN_ACL_UNSUPPORTED(rows->kind == refused,
                       "synchronous 2D copies from device to device are not supported");
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_UNSUPPORTED(tn_acl_face.rc, "2D copies are not supported in RC mode");
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemcpy2d, void *, dst, size_t, dpitch, const void *, src, size_t, spitch,
                size_t, width, size_t, height, aclrtMemcpyKind, kind) {
    struct tn_acl_copy rows = rows_of(dst, dpitch, src, spitch, width, height, kind);
    if (is_empty(&rows)) return ACL_SUCCESS;
    TN_ACL_TRY(check_rows(&rows, ACL_MEMCPY_DEVICE_TO_DEVICE));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_copy_locate(&rows));
    bool to_device = rows.dst.kind == TN_ACL_PLACE_DEVICE;
    bool from_device = rows.src.kind == TN_ACL_PLACE_DEVICE;
    TN_ACL_UNSUPPORTED(kind == ACL_MEMCPY_DEFAULT && to_device == from_device,
                       "synchronous 2D copies from %s are not supported",
                       to_device ? "device to device" : "host to host");
    return tn_acl_copy_now(device, &rows);
}

static aclError copy_rows_in(struct tn_acl_copy *rows, aclrtStream stream) {
    if (is_empty(rows)) return ACL_SUCCESS;
    TN_ACL_TRY(check_rows(rows, 0));
    TN_ACL_ORDER(order, stream);
    TN_ACL_TRY(tn_acl_copy_locate(rows));
    TN_ACL_TRY(tn_acl_copy_route(rows));
    return tn_acl_copy_enqueue(&order, rows);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
    TN_FACE_GIVEN(TN_FACE_WORD(dst), TN_FACE_WORD(dpitch), TN_FACE_WORD(src), TN_FACE_WORD(spitch),
                  TN_FACE_WORD(width), TN_FACE_WORD(height), 0, TN_FACE_WORD(stream))
    struct tn_acl_copy rows = rows_of(dst, dpitch, src, spitch, width, height, kind);
    return TN_ACL_CALL(copy_rows_in(&rows, stream));
}
