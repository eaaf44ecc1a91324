// SPDX-License-Identifier: Apache-2.0
// The slots copy, fill, array_map and array_copy. Without a stream they run before they return.
// With a stream, the calling thread runs a small operation itself if the stream is empty; others
// are queued. Any thread.
#include <stdlib.h>

#include "backend/host/array.h"
#include "backend/host/engine/parts.h"
#include "backend/host/sys.h"
#include "base/error.h"

// The calling thread runs operations up to this size: waking a worker would take longer.
#define INLINE_BYTES ((uint64_t)256 << 10)
#define INLINE_ROWS  ((uint64_t)1 << 10)

static bool is_small(uint64_t width, uint64_t rows) {
    TARN_ASSERT(rows != 0);
    return rows <= INLINE_ROWS && width <= INLINE_BYTES / rows;
}

tarn_status tn_host_op_queue(struct tn_host_stream *s, const struct tn_host_op *work) {
    TN_TRY(tn_host_workers_require(s->engine));
    struct tn_host_op *op = tn_host_op_new(s->engine, work->kind);
    TN_REFUSE(op == NULL, TARN_NO_HOST_MEMORY, "out of host memory to queue an operation");
    op->owns_dst = work->owns_dst;
    op->owns_src = work->owns_src;
    op->u = work->u;
    tn_host_op_enqueue(s, op);
    tn_host_schedule_submitted(s);
    return TARN_OK;
}

// Runs the operation in the calling thread if the schedule allows it and the stream is empty.
// Returns false if it must be queued. DEVICE_FAILED, FORKED.
static bool op_run(struct tn_host_stream *s, struct tn_host_op *op, bool small,
                   tarn_status *status) {
    struct tn_host_engine *engine = s->engine;
    struct tn_error_saved before;
    if (engine->schedule != TN_HOST_SCHEDULE_EAGER && engine->schedule != TN_HOST_SCHEDULE_PROMPT &&
        !(small && engine->schedule == TN_HOST_SCHEDULE_PARALLEL))
        return false;
    tn_error_save(&before);
    tn_host_engine_lock(engine);
    *status = tn_host_stream_status(s);
    bool runs = *status == TARN_OK && s->state == TN_HOST_STREAM_IDLE;
    if (runs) {
        op->borrowed = true;
        tn_host_op_enqueue_running(s, op);
        tn_host_run_head(s);
        // A violation is an error of the stream, not of the call.
        if (s->failed || s->unreported) tn_error_restore(&before);
    }
    tn_host_engine_unlock(engine);
    return runs || *status != TARN_OK;
}

// DEVICE_FAILED, FORKED, NO_HOST_MEMORY, SYSTEM.
static tarn_status op_queue(struct tn_host_stream *s, const struct tn_host_op *op) {
    tn_host_engine_lock(s->engine);
    tarn_status status = tn_host_stream_status(s);
    if (status == TARN_OK) status = tn_host_op_queue(s, op);
    tn_host_engine_unlock(s->engine);
    return status;
}

// Submits the operation. The stream takes over the resources of the operation, unless the call
// fails, with the statuses of op_queue().
static tarn_status op_submit(void *stream, struct tn_host_op *op, bool small) {
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    tarn_status status;
    return op_run(s, op, small, &status) ? status : op_queue(s, op);
}

// The same for a move; a side of 0 is not linear memory. By the time a move runs, memory of the
// platform may have been released, and its addresses must not pass for ordinary memory.
static tarn_status move_submit(void *p, void *stream, struct tn_host_op *op, tarn_addr dst,
                               tarn_addr src, bool small) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    tarn_status status;
    if (op_run(s, op, small, &status)) return status;
    struct tn_reader *reader = tn_host_mmu_lock_shared(h);
    op->owns_dst = op->owns_dst || (dst != 0 && tn_host_mmu_owns(h, dst));
    op->owns_src = op->owns_src || (src != 0 && tn_host_mmu_owns(h, src));
    tn_host_mmu_unlock_shared(h, reader);
    return op_queue(s, op);
}

tarn_status tn_host_copy(void *p, void *stream, const tarn_backend_copy *desc) {
    struct tn_host_op op = {.kind = TN_HOST_OP_COPY,
                            .owns_dst = desc->dst_is_own,
                            .owns_src = desc->src_is_own,
                            .u.copy = *desc};
    if (stream == NULL) return tn_host_move_now(p, &op);
    return move_submit(p, stream, &op, desc->dst, desc->src,
                       is_small(desc->width, desc->height * desc->depth));
}

tarn_status tn_host_fill(void *p, void *stream, const tarn_backend_fill *desc) {
    struct tn_host_op op = {.kind = TN_HOST_OP_FILL, .owns_dst = desc->dst_is_own, .u.fill = *desc};
    if (stream == NULL) return tn_host_move_now(p, &op);
    return move_submit(p, stream, &op, desc->dst, 0,
                       is_small(desc->width, desc->height * desc->depth));
}

tarn_status tn_host_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    tarn_backend_array_copy box = *desc;
    struct tn_host_op op = {.kind = TN_HOST_OP_BOX,
                            .owns_dst = desc->dst.is_own,
                            .owns_src = desc->src.is_own,
                            .u.box = &box};
    if (stream == NULL) return tn_host_move_now(p, &op);
    op.u.box = (tarn_backend_array_copy *)tn_host_sys_alloc(sizeof *desc);
    TN_REFUSE(op.u.box == NULL, TARN_NO_HOST_MEMORY, "out of host memory to queue an array copy");
    *op.u.box = *desc;
    bool small = is_small(desc->extent[0] * desc->element_bytes, desc->extent[1] * desc->extent[2]);
    tarn_status status = move_submit(p, stream, &op, desc->dst.array == NULL ? desc->dst.addr : 0,
                                     desc->src.array == NULL ? desc->src.addr : 0, small);
    if (status != TARN_OK) free(op.u.box);
    return status;
}

tarn_status tn_host_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                              size_t count) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_op op = {.kind = TN_HOST_OP_REMAP};
    TN_TRY(tn_host_remap_new(h, items, count, &op.u.remap));
    if (stream == NULL) {
        tn_host_remap_run(h, op.u.remap);
        free(op.u.remap);
        return TARN_OK;
    }
    tarn_status status = op_submit(stream, &op, tn_host_remap_entries(op.u.remap) <= INLINE_ROWS);
    if (status != TARN_OK) {
        tn_host_remap_drop(h, op.u.remap, false);
        free(op.u.remap);
    }
    return status;
}
