// SPDX-License-Identifier: Apache-2.0
// See host_function.h. The file has no state.
#include "compat/runtime/host_function.h"

#include <string.h>

#include "compat/runtime/stream_call.h"

struct host_function {
    void (*fn)(void *arg);
    void *arg;
};

static tn_rt_error call_function(const void *closure) {
    const struct host_function *function = (const struct host_function *)closure;
    function->fn(function->arg);
    return TN_RT_OK;
}

static tn_rt_error run_function(const void *payload, const struct tn_rt_where *where) {
    return tn_rt_call(where, call_function, payload, sizeof(struct host_function));
}

tn_rt_error tn_rt_host_function(void *stream, void (*fn)(void *arg), void *arg) {
    struct tn_rt_op op = {.work = TN_RT_WORK_HOST, .run = run_function};
    struct host_function function = {fn, arg};
    TN_RT_TRY(fn != NULL ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "fn is NULL"));
    memcpy(op.payload, &function, sizeof function);
    return tn_rt_submit(stream, &op);
}
