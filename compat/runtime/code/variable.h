// SPDX-License-Identifier: Apache-2.0
// Variables that kernels use, by their address on the host: those that a kernel compiled for the
// host uses itself, and those of code for GPUs, which have memory of their own for each device
// (device_code.c). One lock guards the list of the first ones.
#pragma once

#include "compat/runtime/copy/copy.h"
#include "compat/runtime/graph/node.h"

// Makes a variable known, as memory of the program, until the process ends. Fails with
// INVALID_VALUE if it is NULL, has no bytes, or is not mapped, and with ALREADY_REGISTERED if a
// part of it is other memory.
tn_rt_error tn_rt_variable_register(const void *symbol, size_t bytes);

// Return the address for the current device and the size of a variable. Both fail with
// INVALID_VALUE if an output is NULL, and with INVALID_SYMBOL if the variable is unknown.
tn_rt_error tn_rt_variable_address(void **address, const void *symbol);
tn_rt_error tn_rt_variable_size(size_t *bytes, const void *symbol);

// A copy between a variable and other memory.
struct tn_rt_symbol_copy {
    const void *symbol;
    const void *memory; // the other side
    size_t size;
    size_t offset; // in the variable
    int kind;
    bool to_symbol;
};

// Copies to or from a variable. Fails with INVALID_SYMBOL if the variable is unknown, with
// INVALID_VALUE if the range is longer than it, and with INVALID_DIRECTION if the kind is of the
// other direction; otherwise as tn_rt_copy_linear().
tn_rt_error tn_rt_symbol_copy(const struct tn_rt_symbol_copy *copy, void *stream,
                              enum tn_rt_copy_call call);

// Add a node that copies, and let a node copy, also in an executable graph. All fail with
// INVALID_VALUE if there are no bytes or no memory, or if the range leaves the variable or the
// memory, and with INVALID_SYMBOL if the variable is unknown. For a node that exists, memory that
// is a variable and a wrong kind of a copy to one fail with INVALID_VALUE, and a wrong kind of a
// copy from one with INVALID_DIRECTION. A new node has the kind that the program passed, whatever
// it is, and fails with INVALID_VALUE if the symbol is NULL.
tn_rt_error tn_rt_symbol_node_add(const struct tn_rt_spot *spot,
                                  const struct tn_rt_symbol_copy *copy);
tn_rt_error tn_rt_symbol_node_set(void *node, const struct tn_rt_symbol_copy *copy);
tn_rt_error tn_rt_symbol_node_change(void *exec, void *node, const struct tn_rt_symbol_copy *copy);
