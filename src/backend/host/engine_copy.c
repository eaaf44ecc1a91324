// SPDX-License-Identifier: Apache-2.0
// The slots copy and fill: now, on the spot, or later.
#include <stdio.h>

#include "backend/host/engine_parts.h"
#include "base/error.h"

// The calling thread's last error. A violation on the spot is the stream's, not the call's, so the
// call must leave the thread's as it was.
struct kept_error {
    tarn_error error;
    char message[512];
};

static void keep_error(struct kept_error *kept) {
    if (tarn_last_error(&kept->error) != TARN_OK) {
        (void)snprintf(kept->message, sizeof kept->message, "%s", kept->error.message);
    }
}

static void put_error_back(const struct kept_error *kept) {
    if (kept->error.status == TARN_OK) {
        tarn_clear_error();
    } else {
        (void)tn_fail_native(kept->error.status, kept->error.call, kept->error.native_code, "%s",
                             kept->message);
    }
}

static void run_on_the_spot(struct tn_host_stream *s, struct tn_host_op *op,
                            const struct kept_error *kept) {
    op->borrowed = true;
    tn_host_give_and_run(s, op);
    if (s->faulted) {
        put_error_back(kept);
    }
}

static tarn_status queue(struct tn_host_stream *s, const struct tn_host_op *work) {
    tarn_status status = tn_host_workers_need(s->engine);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_host_op *op = tn_host_op_new(s->engine, work->kind);
    if (op == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory to queue work");
    }
    op->u = work->u;
    tn_host_give(s, op);
    return TARN_OK;
}

tarn_status tn_host_give_or_run(struct tn_host_stream *s, struct tn_host_op *op, bool small) {
    struct tn_host_engine *engine = s->engine;
    struct kept_error kept;
    if (small) {
        keep_error(&kept);
    }
    tn_host_engine_lock(engine);
    tarn_status status = tn_host_stream_status(s);
    if (status == TARN_OK && small && s->state == TN_HOST_STREAM_IDLE) {
        run_on_the_spot(s, op, &kept);
    } else if (status == TARN_OK) {
        status = queue(s, op);
    }
    tn_host_engine_unlock(engine);
    return status;
}

static tarn_status give(struct tn_host_stream *s, struct tn_host_op *op, uint64_t width,
                        uint64_t rows) {
    return tn_host_give_or_run(
        s, op, rows <= TN_HOST_ON_THE_SPOT_ROWS && width <= TN_HOST_ON_THE_SPOT_BYTES / rows);
}

tarn_status tn_host_copy(void *p, void *stream, const tarn_backend_copy *desc) {
    struct tn_host_op op = {.kind = TN_HOST_OP_COPY, .u.copy = *desc};
    if (stream == NULL) {
        return tn_host_move_now(p, &op);
    }
    return give((struct tn_host_stream *)stream, &op, desc->width, desc->height * desc->depth);
}

tarn_status tn_host_fill(void *p, void *stream, const tarn_backend_fill *desc) {
    struct tn_host_op op = {.kind = TN_HOST_OP_FILL, .u.fill = *desc};
    if (stream == NULL) {
        return tn_host_move_now(p, &op);
    }
    return give((struct tn_host_stream *)stream, &op, desc->width, desc->height * desc->depth);
}
