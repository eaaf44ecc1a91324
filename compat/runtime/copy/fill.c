// SPDX-License-Identifier: Apache-2.0
// See fill.h. The file has no state.
#include "compat/runtime/copy/fill.h"

#include "compat/face/fidelity.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/multicast.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/order.h"

// Called when the fill is described and again when it runs, because memory may have been freed
// since the fill was captured.
static tn_rt_error check_memory(const tarn_fill_desc *desc) {
    if (desc->width == 0) return TN_RT_OK;
    TN_RT_REFUSE(desc->dst == 0, TN_RT_INVALID_VALUE, "dst is NULL");
    TN_RT_REFUSE(tn_rt_block_is_ordinary((const void *)(uintptr_t)desc->dst), TN_RT_INVALID_VALUE,
                 "dst 0x%llx is not memory of a device", (unsigned long long)desc->dst);
    return TN_RT_OK;
}

// The platform refuses such a fill too, but when a graph is launched that is late.
static tn_rt_error check_alignment(const tarn_fill_desc *desc) {
    bool rows = desc->height > 1 || desc->depth > 1;
    TN_RT_REFUSE(desc->width != 0 && tn_rt_copy_policy.single_rows_have_no_pitch &&
                     (desc->dst % desc->element_bytes != 0 ||
                      (rows && desc->pitch % desc->element_bytes != 0)),
                 TN_RT_INVALID_VALUE, "dst 0x%llx or pitch %llu is not a multiple of %u bytes",
                 (unsigned long long)desc->dst, (unsigned long long)desc->pitch,
                 desc->element_bytes);
    return TN_RT_OK;
}

static tn_rt_error run_fill(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    bool spread = false;
    TN_RT_TRY(check_memory(&op->fill));
    TN_RT_TRY(tn_rt_multicast_fill(where->device->tarn, &op->fill, where->stream, &spread));
    return spread ? TN_RT_OK
                  : tn_rt_error_of(tarn_fill_box(where->device->tarn, &op->fill, where->stream));
}

// No call waits for a fill from the start of coarse-grained device memory. With SYNC_MEMOPS a
// synchronous one always waits.
static bool must_wait(const tarn_fill_desc *desc, enum tn_rt_copy_call call) {
    const unsigned coarse = TN_RT_BLOCK_DEVICE | TN_RT_BLOCK_POOLED | TN_RT_BLOCK_OPENED |
                            TN_RT_BLOCK_MAPPED | TN_RT_BLOCK_IMPORTED;
    struct tn_rt_block block;
    if (call == TN_RT_COPY_ASYNC) return false;
    bool known = tn_rt_block_query((const void *)(uintptr_t)desc->dst, &block);
    TN_FACE_DIFFERS(fill_sync_memops, known && block.sync_memops);
    return !known || (block.kind & coarse) == 0 || block.device == NULL || block.flags != 0 ||
           block.start != desc->dst || block.sync_memops;
}

// `empty` counts if the fill has no bytes.
static tn_rt_error submit_fill(const tarn_fill_desc *desc, enum tn_rt_empty empty, void *stream,
                               enum tn_rt_copy_call call) {
    struct tn_rt_op op = {.work = TN_RT_WORK_FILL, .run = run_fill, .fill = *desc};
    if (desc->width == 0) op.empty = empty;
    TN_RT_TRY(check_memory(desc));
    TN_RT_TRY(check_alignment(desc));
    TN_RT_TRY(call != TN_RT_COPY_ASYNC ? tn_rt_capture_check_synchronous() : TN_RT_OK);
    return must_wait(desc, call) ? tn_rt_submit_and_wait(stream, &op) : tn_rt_submit(stream, &op);
}

// ---- one row

tn_rt_error tn_rt_fill(void *dst, uint32_t value, unsigned element_bytes, size_t count,
                       void *stream, enum tn_rt_copy_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.dst = TARN_ADDR(dst);
    desc.width = count;
    desc.value = value;
    desc.element_bytes = element_bytes;
    return submit_fill(&desc, TN_RT_EMPTY_IGNORED, stream, call);
}

// ---- boxes

static tn_rt_error check_row(const tarn_fill_desc *desc) {
    TN_RT_REFUSE(desc->pitch / desc->element_bytes < desc->width, TN_RT_INVALID_VALUE,
                 "pitch %llu, rows have %llu elements of %u bytes", (unsigned long long)desc->pitch,
                 (unsigned long long)desc->width, desc->element_bytes);
    return TN_RT_OK;
}

// `width` is in bytes for elements of every size, as vendors' libraries have it.
tn_rt_error tn_rt_fill_2d(void *dst, size_t pitch, uint32_t value, unsigned element_bytes,
                          size_t width, size_t height, void *stream, enum tn_rt_copy_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.element_bytes = element_bytes;
    desc.value = value;
    TN_RT_REFUSE(width % element_bytes != 0, TN_RT_INVALID_VALUE,
                 "rows of %zu bytes have elements of %u bytes", width, element_bytes);
    if (width != 0 && height != 0) {
        desc.dst = TARN_ADDR(dst);
        desc.width = width / element_bytes;
        desc.height = height;
        desc.pitch = height == 1 && tn_rt_copy_policy.single_rows_have_no_pitch ? width : pitch;
    }
    TN_RT_TRY(check_row(&desc));
    return submit_fill(&desc, TN_RT_EMPTY_REFUSED, stream, call);
}

tn_rt_error tn_rt_fill_3d(const struct tn_rt_fill_box *box, int value, void *stream,
                          enum tn_rt_copy_call call) {
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    desc.element_bytes = 1;
    desc.value = (uint32_t)value;
    if (box->width != 0 && box->height != 0 && box->depth != 0) {
        desc.dst = TARN_ADDR(box->dst);
        desc.width = box->width;
        desc.height = box->height;
        desc.pitch = box->pitch;
        desc.depth = box->depth;
        TN_RT_REFUSE(__builtin_mul_overflow(box->pitch, box->rows, &desc.slice_pitch),
                     TN_RT_INVALID_VALUE, "slices of %zu rows of %zu bytes wrap", box->rows,
                     box->pitch);
        TN_RT_TRY(check_row(&desc));
    }
    return submit_fill(&desc, TN_RT_EMPTY_IGNORED, stream, call);
}

// ---- nodes

static tn_rt_error check_rows(const struct tn_rt_fill_rows *rows) {
    struct tn_rt_block block;
    size_t row;
    size_t all;
    size_t span;
    TN_RT_REFUSE(rows->height == 0 || rows->width == 0, TN_RT_INVALID_VALUE,
                 "%zu rows of %zu elements", rows->height, rows->width);
    TN_RT_REFUSE(rows->element_bytes != 1 && rows->element_bytes != 2 && rows->element_bytes != 4,
                 TN_RT_INVALID_VALUE, "elements of %u bytes, 1, 2 and 4 are defined",
                 rows->element_bytes);
    TN_RT_REFUSE(!tn_rt_block_reach(rows->dst, rows->width, true, &block), TN_RT_INVALID_VALUE,
                 "dst %p is not %s", rows->dst, tn_rt_memory_policy.memory_name);
    TN_RT_REFUSE(__builtin_mul_overflow(rows->width, (size_t)rows->element_bytes, &row) ||
                     __builtin_mul_overflow(row, rows->height, &all) ||
                     __builtin_mul_overflow(rows->pitch, rows->height, &span) ||
                     span > block.bytes || all > block.bytes - (TARN_ADDR(rows->dst) - block.start),
                 TN_RT_INVALID_VALUE, "%zu rows of %zu elements, pitch %zu, at %p leave the memory",
                 rows->height, rows->width, rows->pitch, rows->dst);
    TN_RT_REFUSE(rows->height > 1 && rows->pitch < row, TN_RT_INVALID_VALUE,
                 "pitch %zu, rows have %zu bytes", rows->pitch, row);
    return TN_RT_OK;
}

tn_rt_error tn_rt_read_fill(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_fill_rows *rows = (const struct tn_rt_fill_rows *)given;
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    TN_RT_TRY(check_rows(rows));
    desc.dst = TARN_ADDR(rows->dst);
    desc.width = rows->width;
    desc.height = rows->height;
    desc.pitch = rows->pitch;
    desc.value = rows->value;
    desc.element_bytes = rows->element_bytes;
    TN_RT_TRY(check_alignment(&desc));
    *op = (struct tn_rt_op){.work = TN_RT_WORK_FILL, .run = run_fill, .fill = desc};
    return TN_RT_OK;
}

tn_rt_error tn_rt_write_fill(const struct tn_rt_op *op, void *rows) {
    const tarn_fill_desc *desc = &op->fill;
    *(struct tn_rt_fill_rows *)rows =
        (struct tn_rt_fill_rows){(void *)(uintptr_t)desc->dst,
                                 desc->element_bytes > 0 ? desc->element_bytes : 1,
                                 desc->height > 0 ? desc->height : 1,
                                 desc->pitch,
                                 desc->value,
                                 desc->width};
    return TN_RT_OK;
}

tn_rt_error tn_rt_read_driver_fill(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_driver_fill *p = (const struct tn_rt_driver_fill *)given;
    const struct tn_rt_fill_rows rows = {p->dst,   p->element_bytes, p->height,
                                         p->pitch, p->value,         p->width};
    return tn_rt_read_fill(&rows, op);
}

tn_rt_error tn_rt_write_driver_fill(const struct tn_rt_op *op, void *params) {
    struct tn_rt_fill_rows rows;
    TN_RT_TRY(tn_rt_write_fill(op, &rows));
    *(struct tn_rt_driver_fill *)params = (struct tn_rt_driver_fill){
        rows.dst, rows.pitch, rows.value, rows.element_bytes, rows.width, rows.height};
    return TN_RT_OK;
}
