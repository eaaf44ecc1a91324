// SPDX-License-Identifier: Apache-2.0
// Copies of variables of kernels, as parameters of nodes, for graphs and executable graphs.
#pragma once

#include <stdbool.h>

#include <hip/driver_types.h>

#include "compat/runtime/op.h"

struct tn_hip_symbol_copy {
    const void *symbol;
    const void *memory; // the other side
    size_t size;
    size_t offset; // in the variable
    hipMemcpyKind kind;
    bool to_symbol;
};

// Reads one for a node that exists. INVALID_VALUE: no bytes, no memory, memory that is a variable,
// a range that leaves the variable or the memory; INVALID_SYMBOL: an unknown variable; a kind that
// does not fit is INVALID_VALUE for a copy to a variable, and INVALID_DIRECTION for one from it.
tn_rt_error tn_hip_read_symbol_copy(const void *copy, struct tn_rt_op *op);
