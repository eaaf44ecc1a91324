// SPDX-License-Identifier: Apache-2.0
// See host_function.h.
#include "compat/runtime/host_function.h"

#include "compat/runtime/stream_call.h"

static tn_rt_error run_function(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    return tn_rt_call(where, tn_rt_call_function, &op->function, sizeof op->function);
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
