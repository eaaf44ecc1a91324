// SPDX-License-Identifier: Apache-2.0
// See host_function.h.
#include "compat/runtime/kernel/host_function.h"

#include "compat/runtime/kernel/races.h"
#include "compat/runtime/stream/stream_call.h"

static tn_rt_error call_function(const void *closure) {
    const struct tn_rt_function *function = (const struct tn_rt_function *)closure;
    tn_rt_function_mark(true);
    tn_rt_races_function(function->fn, function->arg);
    tn_rt_function_mark(false);
    return TN_RT_OK;
}

static tn_rt_error run_function(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    return tn_rt_call(where, call_function, &op->function, sizeof op->function);
}

tn_rt_error tn_rt_read_function(const void *function, struct tn_rt_op *op) {
    *op = (struct tn_rt_op){.work = TN_RT_WORK_HOST,
                            .run = run_function,
                            .function = *(const struct tn_rt_function *)function};
    TN_RT_REFUSE(op->function.fn == NULL, TN_RT_INVALID_VALUE, "fn is NULL");
    return TN_RT_OK;
}

tn_rt_error tn_rt_write_function(const struct tn_rt_op *op, void *function) {
    *(struct tn_rt_function *)function = op->function;
    return TN_RT_OK;
}

tn_rt_error tn_rt_host_function(void *stream, void (*fn)(void *arg), void *arg) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_read_function(&(struct tn_rt_function){fn, arg}, &op));
    return tn_rt_submit(stream, &op);
}

// ---- functions that are passed their stream

struct callback {
    tn_rt_callback *fn;
    void *stream;
    void *arg;
};

static void call_with_stream(void *arg) {
    const struct callback *callback = (const struct callback *)arg;
    callback->fn(callback->stream, TN_RT_OK, callback->arg);
}

static tn_rt_error call_callback(const void *closure) {
    tn_rt_races_function(call_with_stream, (void *)(uintptr_t)closure);
    return TN_RT_OK;
}

tn_rt_error tn_rt_add_callback(void *stream, tn_rt_callback *fn, void *arg, unsigned flags) {
    const struct callback closure = {fn, stream, arg};
    struct tn_rt_where where;
    TN_RT_REFUSE(fn == NULL, TN_RT_INVALID_VALUE, "callback is NULL");
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x are reserved", flags);
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_error error = tn_rt_call(&where, call_callback, &closure, sizeof closure);
    tn_rt_stream_end(&where);
    return error;
}
