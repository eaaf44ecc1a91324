// SPDX-License-Identifier: Apache-2.0
// See box.h: several copies by one call. The file has no state.
#include <string.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/copy/box.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/stream/stream.h"

static void set_failed(size_t *failed, size_t number) {
    if (failed != NULL) *failed = number;
}

static enum tn_rt_copy_call call_for(unsigned order) {
    TN_FACE_DIFFERS(copy_read_now, order == TN_RT_READ_NOW);
    return order == TN_RT_READ_NOW ? TN_RT_COPY_COMPLETE : TN_RT_COPY_ASYNC;
}

// ---- rows

static unsigned order_of(const struct tn_rt_batch *batch, size_t i) {
    struct tn_rt_copy_attribute attribute;
    memcpy(&attribute, (const char *)batch->attributes + i * sizeof attribute, sizeof attribute);
    return attribute.order;
}

static tn_rt_error check_order(unsigned order) {
    TN_RT_REFUSE(order < TN_RT_READ_IN_ORDER || order > TN_RT_READ_ANY, TN_RT_INVALID_VALUE,
                 "order of access %d, 1 to 3 are defined", (int)order);
    return TN_RT_OK;
}

static tn_rt_error check_attributes(const struct tn_rt_batch *batch) {
    if (batch->attribute_count == 0 && !tn_rt_copy_policy.copies_need_attributes) return TN_RT_OK;
    TN_RT_TRY(tn_rt_check_pointer(batch->attributes, "the attributes"));
    TN_RT_TRY(tn_rt_check_starts(batch->first, batch->attribute_count, batch->count));
    for (size_t i = 0; i < batch->attribute_count; i++) TN_RT_TRY(check_order(order_of(batch, i)));
    return TN_RT_OK;
}

static tn_rt_error check_copies(const struct tn_rt_batch *batch, size_t *failed) {
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->sizes[i] == 0) {
            set_failed(failed, i);
            return tn_rt_fail(TN_RT_INVALID_VALUE, "copy %zu has 0 bytes", i);
        }
    }
    set_failed(failed, SIZE_MAX);
    for (size_t i = 0; i < batch->count; i++) {
        TN_RT_TRY(tn_rt_check_pointer(batch->dsts[i], "a destination"));
        TN_RT_TRY(tn_rt_check_pointer(batch->srcs[i], "a source"));
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_copy_batch(const struct tn_rt_batch *batch, size_t *failed, void *stream) {
    enum tn_rt_copy_call call = TN_RT_COPY_ASYNC;
    size_t next = 0; // attribute
    TN_RT_TRY(tn_rt_invalid_stream(tn_rt_stream_check(stream)));
    TN_RT_REFUSE(batch->dsts == NULL || batch->srcs == NULL || batch->sizes == NULL ||
                     batch->count == 0,
                 TN_RT_INVALID_VALUE, "%zu copies at %p from %p, sizes %p", batch->count,
                 (const void *)batch->dsts, (const void *)batch->srcs, (const void *)batch->sizes);
    TN_RT_TRY(check_attributes(batch));
    TN_RT_TRY(check_copies(batch, failed));
    for (size_t i = 0; i < batch->count; i++) {
        if (next < batch->attribute_count && batch->first[next] == i)
            call = call_for(order_of(batch, next++));
        TN_RT_TRY(tn_rt_copy_linear(batch->dsts[i], batch->srcs[i], batch->sizes[i],
                                    TN_RT_COPY_DEFAULT, stream, call));
    }
    return TN_RT_OK;
}

// ---- boxes

// *bytes stays as it is unless the operand is an array.
static tn_rt_error check_operand(const struct tn_rt_operand *operand, uint64_t *bytes) {
    switch (operand->type) {
    case TN_RT_OPERAND_POINTER: return TN_RT_OK;
    case TN_RT_OPERAND_ARRAY: return tn_rt_array_element(operand->array.array, bytes);
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "type %d of an operand, 1 and 2 are defined",
                          (int)operand->type);
    }
}

static tn_rt_error read_operand(const struct tn_rt_operand *operand, const size_t extent[3],
                                uint64_t element, struct tn_rt_3d_side *side) {
    *side = (struct tn_rt_3d_side){.array = NULL};
    if (operand->type == TN_RT_OPERAND_ARRAY) {
        side->array = operand->array.array;
        memcpy(side->pos, operand->array.pos, sizeof side->pos);
        return TN_RT_OK;
    }
    size_t row = operand->linear.row;
    side->ptr = operand->linear.ptr;
    side->rows = operand->linear.rows != 0 ? operand->linear.rows : extent[1];
    return __builtin_mul_overflow(row != 0 ? row : extent[0], element, &side->pitch)
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "rows of %zu elements of %llu bytes wrap", row,
                            (unsigned long long)element)
               : TN_RT_OK;
}

static tn_rt_error copy_entry(const struct tn_rt_batch_box *entry, void *stream) {
    struct tn_rt_3d given = {.kind = TN_RT_COPY_DEFAULT};
    uint64_t element = 1;
    TN_RT_TRY(check_operand(&entry->src, &element));
    TN_RT_TRY(check_operand(&entry->dst, &element));
    TN_RT_TRY(read_operand(&entry->src, entry->extent, element, &given.src));
    TN_RT_TRY(read_operand(&entry->dst, entry->extent, element, &given.dst));
    memcpy(given.extent, entry->extent, sizeof given.extent);
    return tn_rt_copy_3d(&given, stream, call_for(entry->order));
}

static tn_rt_error check_box(const struct tn_rt_batch_box *box) {
    TN_RT_REFUSE(box->extent[0] == 0 || box->extent[1] == 0 || box->extent[2] == 0,
                 TN_RT_INVALID_VALUE, "a box of %zu x %zu x %zu elements", box->extent[0],
                 box->extent[1], box->extent[2]);
    return check_order(box->order);
}

tn_rt_error tn_rt_copy_boxes(size_t count, const void *list, size_t *failed,
                             unsigned long long flags, void *stream) {
    const struct tn_rt_batch_box *boxes = (const struct tn_rt_batch_box *)list;
    TN_RT_REFUSE(list == NULL || count == 0 || flags != 0, TN_RT_INVALID_VALUE,
                 "%zu copies at %p, flags 0x%llx", count, list, flags);
    TN_RT_TRY(tn_rt_invalid_stream(tn_rt_stream_check(stream)));
    for (size_t i = 0; i < count && tn_rt_copy_policy.copies_need_attributes; i++)
        TN_RT_TRY(check_box(&boxes[i]));
    set_failed(failed, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        tn_rt_error error = copy_entry(&boxes[i], stream);
        if (error != TN_RT_OK) {
            set_failed(failed, i);
            return error;
        }
    }
    return TN_RT_OK;
}
