// SPDX-License-Identifier: Apache-2.0
// The slots of streams, and waiting for a device. Any thread. See engine.h.
#include <stdlib.h>

#include "backend/sim/platform.h"
#include "base/error.h"
#include "base/list.h"

tarn_status tn_sim_stream_create(void *p, int device, void **stream) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_stream *s = (struct tn_sim_stream *)calloc(1, sizeof *s);
    struct tn_soft_failure *failure = (struct tn_soft_failure *)calloc(1, sizeof *failure);
    if (s == NULL || failure == NULL) {
        free(s);
        free(failure);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a stream");
    }
    failure->refs = 1;
    s->device = device;
    s->failure = failure;
    *stream = s;
    TN_LOCKED(&sim->engine.lock);
    TN_LIST_ADD(sim->engine.streams, s, next, prev);
    return TARN_OK;
}

tarn_status tn_sim_stream_wrap(void *p, int device, void *native, void **stream) {
    (void)native; // only this engine makes streams of the device
    return tn_sim_stream_create(p, device, stream);
}

void tn_sim_stream_destroy(void *p, void *stream) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_stream *s = (struct tn_sim_stream *)stream;
    tn_mutex_lock(&sim->engine.lock);
    TARN_ASSERT(s->head == NULL || sim->engine.forked);
    // In the child of a fork, operations that will not run.
    TN_CHAIN_DRAIN(struct tn_sim_op, op, s->head, next) {
        if (op->kind == TN_SIM_OP_RECORD || op->kind == TN_SIM_OP_WAIT)
            tn_soft_point_unref(op->of.point);
        else if (op->kind == TN_SIM_OP_REMAP)
            free(op->of.remap);
        free(op);
    }
    tn_soft_failure_unref(s->failure);
    TN_LIST_REMOVE(sim->engine.streams, s, next, prev);
    tn_mutex_unlock(&sim->engine.lock);
    free(s);
}

tarn_status tn_sim_stream_synchronize(void *p, void *stream, uint64_t deadline_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_stream *s = (struct tn_sim_stream *)stream;
    TN_LOCKED(&sim->engine.lock);
    uint64_t target = s->submitted;
    bool in_time = true;
    while (in_time && s->done < target && !sim->engine.forked)
        in_time = tn_sim_wait_until(sim, deadline_ns);
    tarn_status status = tn_sim_stream_status(sim, s);
    if (status == TARN_OK && s->done < target) status = TARN_TIMED_OUT;
    return status;
}

tarn_status tn_sim_stream_query(void *p, void *stream) {
    struct tn_sim *sim = (struct tn_sim *)p;
    const struct tn_sim_stream *s = (const struct tn_sim_stream *)stream;
    TN_LOCKED(&sim->engine.lock);
    tarn_status status = tn_sim_stream_status(sim, s);
    if (status == TARN_OK && s->done < s->submitted) status = TARN_NOT_READY;
    return status;
}

// The engine holds no work back, and a query changes nothing.
tarn_status tn_sim_stream_peek(void *p, void *stream) { return tn_sim_stream_query(p, stream); }

tarn_status tn_sim_stream_call(void *p, void *stream, void (*fn)(void *), void *arg) {
    const struct tn_sim_op op = {.kind = TN_SIM_OP_CALL, .of.call = {fn, arg}};
    return tn_sim_op_submit((struct tn_sim *)p, (struct tn_sim_stream *)stream, &op);
}

tarn_status tn_sim_stream_run(void *p, void *stream, void (*fn)(void *arg, uint64_t part),
                              void *arg, uint64_t parts) {
    const struct tn_sim_op op = {.kind = TN_SIM_OP_RUN, .of.run = {fn, arg, parts}};
    return tn_sim_op_submit((struct tn_sim *)p, (struct tn_sim_stream *)stream, &op);
}

// Defines a slot of what the device lacks. Work runs when it is submitted: all of it has run when the
// program could ask, and there is no thread that could call a condition again.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LACKS(slot, parameters, why)                                                               \
    tarn_status tn_sim_##slot parameters { return tn_fail(TARN_UNSUPPORTED, "sim: " why); }
LACKS(stream_wait_until,
      (void *p, void *stream, tarn_status (*passed)(void *arg, bool dropped), void *arg),
      "streams have no conditions")
LACKS(stream_abort, (void *p, void *stream), "streams have no work to drop")
LACKS(stream_fail, (void *p, void *stream, const char *text), "streams fail by their own work only")
LACKS(stream_set_resilient, (void *p, void *stream, bool resilient),
      "a failure of a stream is sticky")
LACKS(memory_export_fd, (void *p, tarn_addr addr, uint64_t size, int *fd), "memory has no bytes")
#pragma GCC diagnostic pop

static bool device_is_busy(const struct tn_sim *sim, int device) {
    for (const struct tn_sim_stream *s = sim->engine.streams; s != NULL; s = s->next)
        if (s->device == device && s->done < s->submitted) return true;
    return false;
}

tarn_status tn_sim_device_synchronize(void *p, int device, uint64_t deadline_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    bool in_time = true;
    bool busy;
    TN_LOCKED(&sim->engine.lock);
    while ((busy = !sim->engine.forked && device_is_busy(sim, device)) && in_time)
        in_time = tn_sim_wait_until(sim, deadline_ns);
    return busy ? TARN_TIMED_OUT : TARN_OK;
}
