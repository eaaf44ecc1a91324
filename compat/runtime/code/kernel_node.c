// SPDX-License-Identifier: Apache-2.0
// See kernel_node.h. The file has no state.
#include "compat/runtime/code/kernel_node.h"

#include <stdalign.h>

#include "compat/runtime/code/kernel_query.h"
#include "compat/runtime/code/policy.h"
#include "compat/runtime/stream/stream_call.h"

// Memory for the description of one launch, on the stack of the caller.
struct call {
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[TN_RT_CLOSURE_BYTES];
    void *arguments[TN_RT_ARGUMENTS];
};

// Completes an op whose extents are checked: the arguments, in the closure.
static tn_rt_error bind_arguments(const struct tn_rt_host_kernel *kernel,
                                  const struct tn_rt_kernel_params *params, struct call *call,
                                  struct tn_rt_op *op) {
    TN_RT_TRY(
        tn_rt_host_kernel_arguments(kernel, params->arguments, params->extra, call->arguments));
    kernel->pack(call->closure, call->arguments);
    op->launch.closure = call->closure;
    op->launch.closure_bytes = kernel->closure_bytes;
    return TN_RT_OK;
}

static struct tn_rt_launch launch_of(const struct tn_rt_host_kernel *kernel,
                                     const struct tn_rt_kernel_params *params) {
    return (struct tn_rt_launch){.run = tn_rt_kernel_run,
                                 .kernel = kernel->kernel,
                                 .name = kernel->name,
                                 .grid = params->grid,
                                 .block = params->block,
                                 .max_threads = kernel->max_threads,
                                 .shared_bytes = params->shared_bytes,
                                 .cooperative = params->cooperative,
                                 .function = params->function,
                                 .argument_count = kernel->parameter_count,
                                 .list = kernel->list};
}

tn_rt_error tn_rt_kernel_call(const struct tn_rt_kernel_params *params, void *stream) {
    const struct tn_rt_host_kernel *kernel = NULL;
    struct tn_rt_op op;
    struct call call;
    if (tn_rt_code_policy.launch_checks_extents_first) {
        const struct tn_rt_launch shape = {.grid = params->grid,
                                           .block = params->block,
                                           .shared_bytes = params->shared_bytes,
                                           .cooperative = params->cooperative};
        tn_rt_error error = tn_rt_kernel_extents(&shape);
        if (error != TN_RT_OK && tn_rt_kernel_name(params->function) != NULL) return error;
    }
    TN_RT_TRY(tn_rt_host_kernel_get(params->function, &kernel));
    const struct tn_rt_launch launch = launch_of(kernel, params);
    tn_rt_error extents = tn_rt_kernel_op(&op, &launch);
    TN_RT_TRY(bind_arguments(kernel, params, &call, &op)); // an error of the arguments comes first
    return extents == TN_RT_OK ? tn_rt_kernel_submit(&op, stream) : extents;
}

tn_rt_error tn_rt_kernel_node(const struct tn_rt_kernel_params *params, struct tn_rt_op *op) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_rt_host_kernel_get(params->function, &kernel));
    const struct tn_rt_launch launch = launch_of(kernel, params);
    const struct tn_rt_dim *g = &launch.grid;
    const struct tn_rt_dim *b = &launch.block;
    bool empty = g->x == 0 || g->y == 0 || g->z == 0 || b->x == 0 || b->y == 0 || b->z == 0;
    struct call call;
    TN_RT_REFUSE(params->arguments != NULL && params->extra != NULL, TN_RT_INVALID_VALUE,
                 "arguments both as pointers and in a buffer");
    TN_RT_REFUSE(!empty && params->shared_bytes > TN_RT_SHARED_BYTES, TN_RT_INVALID_VALUE,
                 "%zu bytes of shared memory, %d at most", params->shared_bytes,
                 TN_RT_SHARED_BYTES);
    TN_RT_TRY(tn_rt_kernel_op(op, &launch));
    TN_RT_TRY(bind_arguments(kernel, params, &call, op));
    return op->keep(op);
}

tn_rt_error tn_rt_kernel_node_params(const struct tn_rt_op *op,
                                     struct tn_rt_kernel_params *params) {
    const struct tn_rt_launch *launch = &op->launch;
    TN_RT_REFUSE(launch->function == NULL, TN_RT_NOT_SUPPORTED,
                 "the captured launch does not name its kernel");
    *params = (struct tn_rt_kernel_params){
        .function = launch->function,
        .grid = launch->grid,
        .block = launch->block,
        .shared_bytes = launch->shared_bytes,
        .arguments = launch->argument_count > 0 ? launch->arguments : NULL};
    return TN_RT_OK;
}
