// SPDX-License-Identifier: Apache-2.0
// Kernel nodes that a program adds by hand. The node owns copies of the arguments.
#pragma once

#include "compat/runtime/host_kernel.h"

// The parameters of a node, as a face reads them.
struct tn_rt_kernel_params {
    const void *function; // as the program names the kernel
    struct tn_rt_dim grid;
    struct tn_rt_dim block;
    size_t shared_bytes;
    void *const *arguments; // written: of the node
    void *const *extra;     // written: NULL
};

// Describes such a node; `run` is that of struct tn_rt_launch. It checks in this order.
// INVALID_VALUE: both lists of arguments; INVALID_CONFIGURATION: an extent; INVALID_VALUE: too much
// shared memory, no arguments, or a buffer that is too small.
tn_rt_error tn_rt_kernel_node(const struct tn_rt_host_kernel *kernel,
                              const struct tn_rt_kernel_params *params,
                              tn_rt_error (*run)(void (*kernel)(void), const void *closure,
                                                 struct tn_rt_host_block *block, const char **why),
                              struct tn_rt_op *op);

// Writes the parameters. NOT_SUPPORTED: a captured launch.
tn_rt_error tn_rt_kernel_node_params(const struct tn_rt_op *op, struct tn_rt_kernel_params *params);
