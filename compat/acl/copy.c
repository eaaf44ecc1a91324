// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy() and its asynchronous forms, which copy one row. The file has no state.
#include "compat/acl/copy.h"

#include <acl/detail/copy.h>

#include "compat/acl/capture.h"

#define ASYNC_ALIGNMENT 64

// The arguments of a call.
struct row {
    void *dst;
    size_t room;
    const void *src;
    size_t count;
    aclrtMemcpyKind kind;
};

// A count of 0 copies nothing. Generation 2 accepts it before all other checks; generation 1
// rejects it after the check for NULL.
static aclError check_row(const struct row *row, bool *nothing) {
    TN_ACL_TRY(tn_acl_open()); // reads the generation
    *nothing = row->count == 0 && tn_acl_face.generation != 1;
    if (*nothing) return ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_check_pointer(row->dst, "dst"));
    TN_ACL_TRY(tn_acl_check_pointer(row->src, "src"));
    TN_ACL_REFUSE((unsigned)row->kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, ACL_ERROR_INVALID_PARAM,
                  "kind %d is not one of 0 to 5", (int)row->kind);
    return row->count != 0 && row->count <= row->room
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "count %zu is 0 or exceeds destMax %zu",
                             row->count, row->room);
}

static aclError locate_row(const struct row *row, struct tn_acl_copy *copy) {
    *copy = (struct tn_acl_copy){.desc = TARN_INIT(tarn_copy_desc), .kind = row->kind};
    copy->desc.dst = TARN_ADDR(row->dst);
    copy->desc.src = TARN_ADDR(row->src);
    copy->desc.width = row->count;
    return tn_acl_copy_locate(copy);
}

// ---- at once

static aclError copy_row(const struct row *row) {
    struct tn_face_device *device = NULL;
    struct tn_acl_copy copy;
    bool nothing = false;
    TN_ACL_TRY(check_row(row, &nothing));
    if (nothing || row->dst == row->src) return ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_current_device(&device));
    TN_ACL_TRY(locate_row(row, &copy));
    return tn_acl_copy_now(device, &copy);
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                     aclrtMemcpyKind kind) {
    const struct row row = {dst, destMax, src, count, kind};
    return TN_ACL_CALL(copy_row(&row));
}

// ---- in a stream

// Generation 1 requires the alignment. The documents of generation 2 still recommend it.
static aclError check_alignment(const struct row *row) {
    static const char text[] = "dst %p or src %p is not a multiple of %d";
    if (((uintptr_t)row->dst | (uintptr_t)row->src) % ASYNC_ALIGNMENT == 0) return ACL_SUCCESS;
    TN_ACL_REFUSE(tn_acl_face.generation == 1 || tn_acl_face.strict, ACL_ERROR_RT_ADDR_UNALIGNED,
                  text, row->dst, row->src, ASYNC_ALIGNMENT);
    tn_acl_warn("aclrtMemcpyAsync", text, row->dst, row->src, ASYNC_ALIGNMENT);
    return ACL_SUCCESS;
}

static aclError copy_row_in(const struct row *row, aclrtStream stream) {
    struct tn_acl_copy copy;
    bool nothing = false;
    TN_ACL_TRY(check_row(row, &nothing));
    if (nothing) return ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_order_check_context(stream));
    TN_ACL_ORDER(order, stream);
    TN_ACL_TRY(locate_row(row, &copy));
    TN_ACL_TRY(tn_acl_copy_route(&copy, &copy.kind));
    if (row->dst == row->src) return ACL_SUCCESS;
    TN_ACL_TRY(check_alignment(row));
    return copy.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE
               ? tn_acl_capture_copy(&order, row->dst, row->src, row->count)
               : tn_acl_copy_enqueue(&order, &copy);
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
    const struct row row = {dst, destMax, src, count, kind};
    return TN_ACL_CALL(copy_row_in(&row, stream));
}

aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
    const struct row row = {dst, destMax, src, count, kind};
    return TN_ACL_CALL(copy_row_in(&row, stream));
}
