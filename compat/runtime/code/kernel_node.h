// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by their addresses, and nodes that a program adds by hand. A node, captured
// or not, owns copies of the arguments.
#pragma once

#include "compat/runtime/code/host_kernel.h"

// The parameters of a launch, as a face reads them.
struct tn_rt_kernel_params {
    const void *function; // as the program names the kernel
    struct tn_rt_dim grid;
    struct tn_rt_dim block;
    size_t shared_bytes;
    bool cooperative;
    void *const *arguments; // written: of the node
    void *const *extra;     // written: NULL
};

// Launches a kernel with copies of the arguments. It returns the errors of tn_rt_host_kernel_get(),
// of tn_rt_host_kernel_arguments(), and then of tn_rt_kernel_launch(). By the policy
// `launch_checks_extents_first`, `configuration_error` precedes them.
tn_rt_error tn_rt_kernel_call(const struct tn_rt_kernel_params *params, void *stream);

// Describes a node. It checks in this order. First come the errors of tn_rt_host_kernel_get(). Then
// it fails with INVALID_VALUE for both lists of arguments, with `configuration_error` for an extent
// of 0, with INVALID_VALUE for too much shared memory, with `configuration_error` for another
// extent, and with INVALID_VALUE if there are no arguments or a buffer is too small.
tn_rt_error tn_rt_kernel_node(const struct tn_rt_kernel_params *params, struct tn_rt_op *op);

// Writes the parameters. Fails with NOT_SUPPORTED for a captured launch that does not name its
// kernel.
tn_rt_error tn_rt_kernel_node_params(const struct tn_rt_op *op, struct tn_rt_kernel_params *params);
