// SPDX-License-Identifier: Apache-2.0
// Variables that kernels use, by their address on the host: those that a kernel compiled for the
// host uses itself, and those of code for GPUs, which have memory of their own for each device
// (device_code.c). One lock guards the list of the first ones.
#pragma once

#include "compat/runtime/copy/copy.h"
#include "compat/runtime/graph/node.h"

// Makes a variable known, as memory of the program, until the process ends. INVALID_VALUE: NULL, 0
// bytes, or a range that is not mapped; ALREADY_REGISTERED: a part of it is other memory.
tn_rt_error tn_rt_variable_register(const void *symbol, size_t bytes);

// Return the address for the current device and the size of a variable. INVALID_VALUE: an output is
// NULL; INVALID_SYMBOL: unknown.
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

// INVALID_SYMBOL; INVALID_VALUE: the range is longer than the variable; INVALID_DIRECTION: a kind
// of the other direction; else as tn_rt_copy_linear().
tn_rt_error tn_rt_symbol_copy(const struct tn_rt_symbol_copy *copy, void *stream,
                              enum tn_rt_copy_call call);

// Add a node that copies, and let a node copy, also in an executable graph. INVALID_VALUE: no
// bytes, no memory, a range that leaves the variable or the memory; INVALID_SYMBOL: an unknown
// variable. For a node that exists, also INVALID_VALUE: memory that is a variable, and a wrong kind
// of a copy to one; INVALID_DIRECTION: a wrong kind of a copy from one. A new node has the kind
// that the program passed, whatever it is, and a NULL symbol is INVALID_VALUE.
tn_rt_error tn_rt_symbol_node_add(const struct tn_rt_spot *spot,
                                  const struct tn_rt_symbol_copy *copy);
tn_rt_error tn_rt_symbol_node_set(void *node, const struct tn_rt_symbol_copy *copy);
tn_rt_error tn_rt_symbol_node_change(void *exec, void *node, const struct tn_rt_symbol_copy *copy);
