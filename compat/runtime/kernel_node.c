// SPDX-License-Identifier: Apache-2.0
// See kernel_node.h. The file has no state.
#include "compat/runtime/kernel_node.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/stream_call.h"

// What a node owns, in one piece of memory: pointers to the arguments, the closure, and the
// arguments, each aligned as it must be for any type.
struct tn_rt_given {
    const void *function;
    size_t bytes; // of the piece
    uint32_t count;
    void *arguments[];
};

static size_t round_up(size_t size) { return (size + 15) / 16 * 16; }

static tn_rt_error no_memory(void) {
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a kernel's arguments");
}

// The copy has pointers into itself, and so has the op.
static tn_rt_error keep_given(struct tn_rt_op *op) {
    struct tn_rt_launch *launch = &op->launch;
    const struct tn_rt_given *given = launch->given;
    struct tn_rt_given *own = (struct tn_rt_given *)aligned_alloc(16, given->bytes);
    if (own == NULL) return no_memory();
    memcpy(own, given, given->bytes);
    for (uint32_t i = 0; i < own->count; i++)
        own->arguments[i] = (char *)own + ((char *)given->arguments[i] - (const char *)given);
    launch->closure = (char *)own + ((const char *)launch->closure - (const char *)given);
    launch->given = own;
    return TN_RT_OK;
}

static void drop_given(struct tn_rt_op *op) { free(op->launch.given); }

static tn_rt_error make_given(const struct tn_rt_host_kernel *kernel, const void *function,
                              void *const *arguments, struct tn_rt_op *op) {
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[TN_RT_CLOSURE_BYTES];
    size_t at = round_up(sizeof(struct tn_rt_given) + kernel->parameter_count * sizeof(void *));
    size_t bytes = at + round_up(kernel->closure_bytes);
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        bytes += round_up(kernel->parameters[i].bytes);
    struct tn_rt_given *given = (struct tn_rt_given *)aligned_alloc(16, bytes);
    if (given == NULL) return no_memory();
    *given = (struct tn_rt_given){function, bytes, kernel->parameter_count};
    kernel->pack(closure, arguments);
    op->launch.closure = memcpy((char *)given + at, closure, kernel->closure_bytes);
    op->launch.closure_bytes = kernel->closure_bytes;
    at += round_up(kernel->closure_bytes);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        given->arguments[i] = memcpy((char *)given + at, arguments[i], kernel->parameters[i].bytes);
        at += round_up(kernel->parameters[i].bytes);
    }
    op->launch.given = given;
    op->keep = keep_given;
    op->drop = drop_given;
    return TN_RT_OK;
}

tn_rt_error tn_rt_kernel_node(const struct tn_rt_host_kernel *kernel,
                              const struct tn_rt_kernel_params *params,
                              tn_rt_error (*run)(void (*kernel)(void), const void *closure,
                                                 struct tn_rt_host_block *block, const char **why),
                              struct tn_rt_op *op) {
    void *found[TN_RT_ARGUMENTS];
    struct tn_rt_launch launch = {.run = run,
                                  .kernel = kernel->kernel,
                                  .name = kernel->name,
                                  .grid = params->grid,
                                  .block = params->block};
    TN_RT_REFUSE(params->arguments != NULL && params->extra != NULL, TN_RT_INVALID_VALUE,
                 "arguments both as pointers and in a buffer");
    TN_RT_TRY(tn_rt_kernel_op(op, &launch));
    TN_RT_REFUSE(params->shared_bytes > TN_RT_SHARED_BYTES, TN_RT_INVALID_VALUE,
                 "%zu bytes of shared memory, %d at most", params->shared_bytes,
                 TN_RT_SHARED_BYTES);
    TN_RT_TRY(tn_rt_host_kernel_arguments(kernel, params->arguments, params->extra, found));
    op->launch.shared_bytes = params->shared_bytes;
    return make_given(kernel, params->function, found, op);
}

tn_rt_error tn_rt_kernel_node_params(const struct tn_rt_op *op,
                                     struct tn_rt_kernel_params *params) {
    const struct tn_rt_launch *launch = &op->launch;
    TN_RT_REFUSE(launch->given == NULL, TN_RT_NOT_SUPPORTED,
                 "a captured launch has no list of arguments");
    *params = (struct tn_rt_kernel_params){
        .function = launch->given->function,
        .grid = launch->grid,
        .block = launch->block,
        .shared_bytes = launch->shared_bytes,
        .arguments = launch->given->count > 0 ? launch->given->arguments : NULL};
    return TN_RT_OK;
}
