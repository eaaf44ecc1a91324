// SPDX-License-Identifier: Apache-2.0 Several copies by one call. Each becomes a copy of its own,
// in the order of the list. The file has no state, so any thread may call its functions.
#include <hip/detail/copy_batch.h>

#include "compat/hip/array.h"
#include "compat/hip/copy.h"
#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

_Static_assert(sizeof(hipMemcpyAttributes) == 24 && sizeof(hipMemcpy3DOperand) == 40 &&
                   sizeof(hipMemcpy3DBatchOp) == 112,
               "programs compiled for HIP 7 pass these sizes");

static tn_rt_error check_stream(hipStream_t stream) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_invalid_stream(tn_rt_stream_get(stream, &s)));
    tn_rt_stream_put(s);
    return TN_RT_OK;
}

static tn_rt_error check_order(hipMemcpySrcAccessOrder order) {
    return order >= hipMemcpySrcAccessOrderStream && order <= hipMemcpySrcAccessOrderAny
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "order of access %d, 1 to 3 are defined",
                            (int)order);
}

static void set_failed(size_t *failed, size_t number) {
    if (failed != NULL) *failed = number;
}

// ---- rows

struct batch {
    void *const *dsts;
    void *const *srcs;
    const size_t *sizes;
    size_t count;
    const hipMemcpyAttributes *attributes;
    const size_t *first; // of each attribute: its first copy
    size_t attribute_count;
};

static tn_rt_error check_attributes(const struct batch *batch) {
    if (batch->attribute_count == 0) return TN_RT_OK;
    TN_RT_REFUSE(batch->attributes == NULL || batch->first == NULL || batch->first[0] != 0 ||
                     batch->attribute_count > batch->count,
                 TN_RT_INVALID_VALUE, "%zu attributes at %p from %p, of %zu copies",
                 batch->attribute_count, (const void *)batch->attributes,
                 (const void *)batch->first, batch->count);
    for (size_t i = 0; i < batch->attribute_count; i++) {
        TN_RT_REFUSE(batch->first[i] >= batch->count ||
                         (i > 0 && batch->first[i] <= batch->first[i - 1]),
                     TN_RT_INVALID_VALUE, "attribute %zu begins at copy %zu of %zu", i,
                     batch->first[i], batch->count);
        TN_RT_TRY(check_order(batch->attributes[i].srcAccessOrder));
    }
    return TN_RT_OK;
}

static tn_rt_error check_copies(const struct batch *batch, size_t *failed) {
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

static enum tn_rt_copy_call call_for(hipMemcpySrcAccessOrder order) {
    return order == hipMemcpySrcAccessOrderDuringApiCall ? TN_RT_COPY_COMPLETE : TN_RT_COPY_ASYNC;
}

static tn_rt_error copy_batch(const struct batch *batch, size_t *failed, hipStream_t stream) {
    enum tn_rt_copy_call call = TN_RT_COPY_ASYNC;
    size_t next = 0; // attribute
    TN_RT_TRY(check_stream(stream));
    TN_RT_REFUSE(batch->dsts == NULL || batch->srcs == NULL || batch->sizes == NULL ||
                     batch->count == 0,
                 TN_RT_INVALID_VALUE, "%zu copies at %p from %p, sizes %p", batch->count,
                 (const void *)batch->dsts, (const void *)batch->srcs, (const void *)batch->sizes);
    TN_RT_TRY(check_attributes(batch));
    TN_RT_TRY(check_copies(batch, failed));
    for (size_t i = 0; i < batch->count; i++) {
        if (next < batch->attribute_count && batch->first[next] == i)
            call = call_for(batch->attributes[next++].srcAccessOrder);
        TN_RT_TRY(tn_rt_copy_linear(batch->dsts[i], batch->srcs[i], batch->sizes[i],
                                    TN_RT_COPY_DEFAULT, stream, call));
    }
    return TN_RT_OK;
}

hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                               hipMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                               size_t *failIdx, hipStream_t stream) {
    const struct batch batch = {dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs};
    return TN_HIP_CALL(copy_batch(&batch, failIdx, stream));
}

// ---- boxes

static tn_rt_error read_array(const hipMemcpy3DOperand *operand, hipArray_t *array, hipPos *pos) {
    const hipOffset3D *offset = &operand->op.array.offset;
    *array = operand->op.array.array;
    *pos = (hipPos){offset->x, offset->y, offset->z};
    return TN_RT_OK;
}

static tn_rt_error read_pointer(const hipMemcpy3DOperand *operand, const hipExtent *extent,
                                uint64_t element, hipPitchedPtr *pointer) {
    size_t row = operand->op.ptr.rowLength;
    size_t rows = operand->op.ptr.layerHeight;
    pointer->ptr = operand->op.ptr.ptr;
    pointer->ysize = rows != 0 ? rows : extent->height;
    TN_RT_REFUSE(__builtin_mul_overflow(row != 0 ? row : extent->width, element, &pointer->pitch),
                 TN_RT_INVALID_VALUE, "rows of %zu elements of %llu bytes wrap", row,
                 (unsigned long long)element);
    pointer->xsize = pointer->pitch;
    return TN_RT_OK;
}

static tn_rt_error check_operand(const hipMemcpy3DOperand *operand) {
    return operand->type == hipMemcpyOperandTypePointer ||
                   operand->type == hipMemcpyOperandTypeArray
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "type %d of an operand, 1 and 2 are defined",
                            (int)operand->type);
}

// *bytes stays as it is unless the operand is an array.
static tn_rt_error element_of(const hipMemcpy3DOperand *operand, uint64_t *bytes) {
    return operand->type == hipMemcpyOperandTypeArray
               ? tn_rt_array_element(operand->op.array.array, bytes)
               : TN_RT_OK;
}

static tn_rt_error copy_box(const hipMemcpy3DBatchOp *op, hipStream_t stream) {
    hipMemcpy3DParms parms = {.extent = op->extent, .kind = hipMemcpyDefault};
    uint64_t element = 1;
    TN_RT_TRY(check_operand(&op->src));
    TN_RT_TRY(check_operand(&op->dst));
    TN_RT_TRY(element_of(&op->src, &element));
    TN_RT_TRY(element_of(&op->dst, &element));
    TN_RT_TRY(op->src.type == hipMemcpyOperandTypeArray
                  ? read_array(&op->src, &parms.srcArray, &parms.srcPos)
                  : read_pointer(&op->src, &op->extent, element, &parms.srcPtr));
    TN_RT_TRY(op->dst.type == hipMemcpyOperandTypeArray
                  ? read_array(&op->dst, &parms.dstArray, &parms.dstPos)
                  : read_pointer(&op->dst, &op->extent, element, &parms.dstPtr));
    return tn_hip_copy_3d(&parms, stream, call_for(op->srcAccessOrder) == TN_RT_COPY_COMPLETE);
}

static tn_rt_error copy_boxes(const hipMemcpy3DBatchOp *ops, size_t count, size_t *failed,
                              unsigned long long flags, hipStream_t stream) {
    TN_RT_REFUSE(ops == NULL || count == 0 || flags != 0, TN_RT_INVALID_VALUE,
                 "%zu copies at %p, flags 0x%llx", count, (const void *)ops, flags);
    TN_RT_TRY(check_stream(stream));
    set_failed(failed, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        tn_rt_error error = copy_box(&ops[i], stream);
        if (error != TN_RT_OK) {
            set_failed(failed, i);
            return error;
        }
    }
    return TN_RT_OK;
}

hipError_t hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp *opList, size_t *failIdx,
                                 unsigned long long flags, hipStream_t stream) {
    return TN_HIP_CALL(copy_boxes(opList, numOps, failIdx, flags, stream));
}
