// SPDX-License-Identifier: Apache-2.0
// See kernel_node.h. The file has no state.
#include "compat/runtime/kernel_node.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/stream_call.h"

// The function and arguments of the program: of the caller, or in one piece of memory that a node
// owns, with pointers to the arguments, the closure, and the arguments behind it.
struct tn_rt_given {
    const void *function;
    const struct tn_rt_host_kernel *kernel; // only of the caller: the program may remove it
    uint32_t count;
    size_t bytes; // of the piece; 0: of the caller
    void **arguments;
};

static size_t round_up(size_t size) {
    return (size + TN_RT_CLOSURE_ALIGNMENT - 1) / TN_RT_CLOSURE_ALIGNMENT * TN_RT_CLOSURE_ALIGNMENT;
}

static struct tn_rt_given *new_piece(size_t bytes) {
    struct tn_rt_given *piece = (struct tn_rt_given *)aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, bytes);
    if (piece == NULL) (void)tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for arguments");
    return piece;
}

static void drop_given(struct tn_rt_op *op) { free(op->launch.given); }

// Copies a piece, which has pointers into itself, and so has the op.
static tn_rt_error copy_piece(struct tn_rt_op *op) {
    struct tn_rt_launch *launch = &op->launch;
    const struct tn_rt_given *given = launch->given;
    const char *old = (const char *)given;
    struct tn_rt_given *own = new_piece(given->bytes);
    if (own == NULL) return TN_RT_OUT_OF_MEMORY;
    memcpy(own, given, given->bytes);
    own->arguments = (void **)(own + 1);
    for (uint32_t i = 0; i < own->count; i++)
        own->arguments[i] = (char *)own + ((char *)given->arguments[i] - old);
    launch->closure = (char *)own + ((const char *)launch->closure - old);
    launch->given = own;
    return TN_RT_OK;
}

// Makes the op own what the caller has.
static tn_rt_error keep_given(struct tn_rt_op *op) {
    struct tn_rt_launch *launch = &op->launch;
    const struct tn_rt_given *given = launch->given;
    if (given->bytes > 0) return copy_piece(op);
    const struct tn_rt_parameter *parameters = given->kernel->parameters;
    size_t at = round_up(sizeof *given + given->count * sizeof(void *));
    size_t bytes = at + round_up(launch->closure_bytes);
    for (uint32_t i = 0; i < given->count; i++) bytes += round_up(parameters[i].bytes);
    struct tn_rt_given *own = new_piece(bytes);
    if (own == NULL) return TN_RT_OUT_OF_MEMORY;
    *own = (struct tn_rt_given){given->function, NULL, given->count, bytes, (void **)(own + 1)};
    launch->closure = memcpy((char *)own + at, launch->closure, launch->closure_bytes);
    at += round_up(launch->closure_bytes);
    for (uint32_t i = 0; i < given->count; i++) {
        own->arguments[i] = memcpy((char *)own + at, given->arguments[i], parameters[i].bytes);
        at += round_up(parameters[i].bytes);
    }
    launch->given = own;
    return TN_RT_OK;
}

// What a launch needs while it is described, on the stack of the caller.
struct call {
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[TN_RT_CLOSURE_BYTES];
    void *arguments[TN_RT_ARGUMENTS];
    struct tn_rt_given given;
};

// Completes an op whose extents are checked: the arguments and the closure.
static tn_rt_error bind_arguments(const struct tn_rt_host_kernel *kernel,
                                  const struct tn_rt_kernel_params *params, struct call *call,
                                  struct tn_rt_op *op) {
    TN_RT_TRY(
        tn_rt_host_kernel_arguments(kernel, params->arguments, params->extra, call->arguments));
    kernel->pack(call->closure, call->arguments);
    call->given =
        (struct tn_rt_given){params->function, kernel, kernel->parameter_count, 0, call->arguments};
    op->launch.closure = call->closure;
    op->launch.closure_bytes = kernel->closure_bytes;
    op->launch.given = &call->given;
    op->keep = keep_given;
    op->drop = drop_given;
    return TN_RT_OK;
}

static struct tn_rt_launch launch_of(const struct tn_rt_host_kernel *kernel,
                                     const struct tn_rt_kernel_params *params,
                                     tn_rt_block_run run) {
    return (struct tn_rt_launch){.run = run,
                                 .kernel = kernel->kernel,
                                 .name = kernel->name,
                                 .grid = params->grid,
                                 .block = params->block,
                                 .shared_bytes = params->shared_bytes,
                                 .cooperative = params->cooperative};
}

tn_rt_error tn_rt_kernel_call(const struct tn_rt_host_kernel *kernel,
                              const struct tn_rt_kernel_params *params, tn_rt_block_run run,
                              void *stream) {
    const struct tn_rt_launch launch = launch_of(kernel, params, run);
    struct tn_rt_op op;
    struct call call;
    tn_rt_error extents = tn_rt_kernel_op(&op, &launch);
    TN_RT_TRY(bind_arguments(kernel, params, &call, &op)); // an error of the arguments comes first
    return extents == TN_RT_OK ? tn_rt_submit(stream, &op) : extents;
}

tn_rt_error tn_rt_kernel_node(const struct tn_rt_host_kernel *kernel,
                              const struct tn_rt_kernel_params *params, tn_rt_block_run run,
                              struct tn_rt_op *op) {
    struct tn_rt_launch launch = launch_of(kernel, params, run);
    struct call call;
    TN_RT_REFUSE(params->arguments != NULL && params->extra != NULL, TN_RT_INVALID_VALUE,
                 "arguments both as pointers and in a buffer");
    launch.shared_bytes = 0; // the extents come first, with another error
    TN_RT_TRY(tn_rt_kernel_op(op, &launch));
    TN_RT_REFUSE(params->shared_bytes > TN_RT_SHARED_BYTES, TN_RT_INVALID_VALUE,
                 "%zu bytes of shared memory, %d at most", params->shared_bytes,
                 TN_RT_SHARED_BYTES);
    op->launch.shared_bytes = params->shared_bytes;
    TN_RT_TRY(bind_arguments(kernel, params, &call, op));
    return keep_given(op);
}

tn_rt_error tn_rt_kernel_node_params(const struct tn_rt_op *op,
                                     struct tn_rt_kernel_params *params) {
    const struct tn_rt_launch *launch = &op->launch;
    TN_RT_REFUSE(launch->given == NULL, TN_RT_NOT_SUPPORTED,
                 "a captured launch of a kernel by its name has no list of arguments");
    *params = (struct tn_rt_kernel_params){
        .function = launch->given->function,
        .grid = launch->grid,
        .block = launch->block,
        .shared_bytes = launch->shared_bytes,
        .arguments = launch->given->count > 0 ? launch->given->arguments : NULL};
    return TN_RT_OK;
}
