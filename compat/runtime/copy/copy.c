// SPDX-License-Identifier: Apache-2.0
// See copy.h: copies of linear memory. The file has no state, so any thread may call its functions.
#include "compat/runtime/copy/copy.h"

#include <stdlib.h>

#include "compat/runtime/copy/box.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/multicast.h"

// The thread that launches a graph does not wait for its copies.
tn_rt_error tn_rt_copy_keep(struct tn_rt_op *op) {
    op->copy.ran = NULL;
    op->copy.take_source = false;
    if (op->copy.given == NULL) return TN_RT_OK;
    struct tn_rt_3d *own = (struct tn_rt_3d *)malloc(sizeof *own);
    TN_RT_REFUSE(own == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for the description of a copy");
    *own = *op->copy.given;
    op->copy.given = own;
    return TN_RT_OK;
}

void tn_rt_copy_drop(struct tn_rt_op *op) { free((void *)(uintptr_t)op->copy.given); }

tn_rt_error tn_rt_copy_ran(const struct tn_rt_copy *copy, const struct tn_rt_where *where,
                           tarn_status status) {
    if (status == TARN_OK && copy->ran != NULL) *copy->ran = where->stream;
    return tn_rt_error_of(status);
}

static bool is_onto_itself(const tarn_copy_desc *desc) {
    return desc->dst == desc->src && (desc->height <= 1 || desc->dst_pitch == desc->src_pitch) &&
           (desc->depth <= 1 || desc->dst_slice_pitch == desc->src_slice_pitch);
}

static tn_rt_error run_linear(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    const tarn_copy_desc *box = &op->copy.box;
    tarn_copy_desc desc;
    bool spread = false;
    tarn_status status = TARN_OK;
    if (op->copy.take_source) {
        desc = *box;
        desc.flags = TARN_COPY_TAKE_SOURCE;
        box = &desc;
    }
    TN_RT_TRY(tn_rt_multicast_copy(where->device->tarn, box, where->stream, &spread));
    if (!spread && !is_onto_itself(box))
        status = tarn_copy_box(where->device->tarn, box, where->stream);
    return tn_rt_copy_ran(&op->copy, where, status);
}

// Completes an op whose box is set. Only the members that are used are written.
static void complete_op(struct tn_rt_op *op) {
    struct tn_rt_copy *copy = &op->copy;
    tarn_copy_desc *box = &copy->box;
    bool one_row = box->height <= 1 && box->depth <= 1;
    op->work = TN_RT_WORK_COPY;
    op->empty = box->width == 0 ? TN_RT_EMPTY_IGNORED : TN_RT_HAS_BYTES;
    op->run = run_linear;
    op->keep = tn_rt_copy_keep;
    op->drop = tn_rt_copy_drop;
    copy->ran = NULL;
    copy->row = one_row ? (size_t)box->width : 0;
    copy->take_source = false;
    copy->linear[0] = box->width != 0 ? box->dst : 0;
    copy->linear[1] = box->width != 0 ? box->src : 0;
    copy->kind = TN_RT_COPY_DEFAULT;
    copy->kind_counts = false;
    copy->array[0] = copy->array[1] = NULL;
    copy->given = NULL;
    copy->form = TN_RT_COPY_BOX;
    if (box->peers[0] == NULL && box->peers[1] == NULL) box->peers[0] = tn_rt_current()->tarn;
}

void tn_rt_copy_op(const tarn_copy_desc *desc, struct tn_rt_op *op) {
    op->copy.box = *desc;
    op->copy.box.flags = 0;
    complete_op(op);
}

tn_rt_error tn_rt_copy_kind(int kind) {
    return (kind >= TN_RT_COPY_HOST_TO_HOST && kind <= TN_RT_COPY_DEFAULT) ||
                   (kind != 0 && kind == tn_rt_copy_policy.copy_kind)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_DIRECTION, "kind %d is not a direction", kind);
}

static tn_rt_error describe_linear(void *dst, const void *src, size_t size,
                                   const struct tn_face_device *dst_owner,
                                   const struct tn_face_device *src_owner, struct tn_rt_op *op) {
    if (size != 0) {
        TN_RT_TRY(tn_rt_check_pointer(dst, "dst"));
        TN_RT_TRY(tn_rt_check_pointer(src, "src"));
    }
    op->copy.box = (tarn_copy_desc){.struct_size = sizeof(tarn_copy_desc),
                                    .dst = TARN_ADDR(dst),
                                    .src = TARN_ADDR(src),
                                    .width = size,
                                    .peers = {dst_owner != NULL ? dst_owner->tarn : NULL,
                                              src_owner != NULL ? src_owner->tarn : NULL}};
    complete_op(op);
    return TN_RT_OK;
}

tn_rt_error tn_rt_copy_linear(void *dst, const void *src, size_t size, int kind, void *stream,
                              enum tn_rt_copy_call call) {
    struct tn_rt_op op;
    TN_RT_TRY(describe_linear(dst, src, size, NULL, NULL, &op));
    if (size != 0) {
        TN_RT_TRY(tn_rt_copy_kind(kind));
        op.copy.kind = kind;
        op.copy.kind_counts = true;
    } else {
        op.empty = TN_RT_EMPTY_REFUSED;
    }
    return tn_rt_copy_submit(&op, stream, call);
}

tn_rt_error tn_rt_copy_peer(void *dst, int dst_ordinal, const void *src, int src_ordinal,
                            size_t size, void *stream, enum tn_rt_copy_call call) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_check_device(dst_ordinal));
    TN_RT_TRY(tn_rt_check_device(src_ordinal));
    TN_RT_TRY(
        describe_linear(dst, src, size, tn_rt_device(dst_ordinal), tn_rt_device(src_ordinal), &op));
    return tn_rt_copy_submit(&op, stream, call);
}

// ---- nodes

// Memory of the program, in which the row must lie.
static tn_rt_error find_row(const void *ptr, size_t size, const char *name, bool *known) {
    struct tn_rt_block block;
    *known = tn_rt_block_query(ptr, &block);
    TN_RT_REFUSE(*known && block.kind != TN_RT_BLOCK_MAPPED &&
                     block.bytes - (TARN_ADDR(ptr) - block.start) < size,
                 TN_RT_INVALID_VALUE, "%s: %zu bytes at %p leave the memory, which has %zu", name,
                 size, ptr, block.bytes);
    return TN_RT_OK;
}

// Ordinary memory has a direction; memory of the program may be on either side of any copy.
static bool kind_fits(int kind, bool dst_known, bool src_known) {
    if (kind == TN_RT_COPY_DEFAULT || (dst_known && src_known)) return true;
    return kind == (dst_known   ? TN_RT_COPY_HOST_TO_DEVICE
                    : src_known ? TN_RT_COPY_DEVICE_TO_HOST
                                : TN_RT_COPY_HOST_TO_HOST);
}

tn_rt_error tn_rt_read_row(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_copy_row *row = (const struct tn_rt_copy_row *)given;
    bool dst_known = false;
    bool src_known = false;
    TN_RT_REFUSE(row->size == 0 || row->dst == NULL || row->src == NULL, TN_RT_INVALID_VALUE,
                 "%zu bytes from %p to %p", row->size, row->src, row->dst);
    TN_RT_TRY(tn_rt_copy_kind(row->kind));
    TN_RT_TRY(find_row(row->dst, row->size, "dst", &dst_known));
    TN_RT_TRY(find_row(row->src, row->size, "src", &src_known));
    TN_RT_REFUSE(!kind_fits(row->kind, dst_known, src_known), TN_RT_INVALID_VALUE,
                 "kind %d does not fit a copy from %p to %p", row->kind, row->src, row->dst);
    TN_RT_TRY(describe_linear(row->dst, row->src, row->size, NULL, NULL, op));
    op->copy.kind = row->kind;
    return TN_RT_OK;
}

tn_rt_error tn_rt_read_other_row(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_copy_row *row = (const struct tn_rt_copy_row *)given;
    TN_RT_REFUSE(row->dst == row->src, TN_RT_INVALID_VALUE, "dst and src are both %p", row->src);
    return tn_rt_read_row(given, op);
}
