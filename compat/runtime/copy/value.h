// SPDX-License-Identifier: Apache-2.0
// Waits for a value in memory, and writes of one, in stream order. Any thread may call.
#pragma once

#include "compat/runtime/graph/op.h"

// The conditions of waits: the masked word is at least the value; is the value; has a bit of it; or
// lacks a bit that the value lacks too.
enum { TN_RT_VALUE_GTE, TN_RT_VALUE_EQ, TN_RT_VALUE_AND, TN_RT_VALUE_NOR };

// Submit waits and writes in their order, at most TN_RT_VALUES. All are checked before the first is
// submitted. Both fail with INVALID_VALUE if an address is not in memory of the program, or is not
// aligned where the policy `aligned_values` wants that, or if a condition is unknown.
#define TN_RT_VALUES 256
tn_rt_error tn_rt_values_submit(void *stream, const struct tn_rt_value *values, unsigned count);
tn_rt_error tn_rt_value_submit(void *stream, const struct tn_rt_value *value);

// The same for a list in the layout that CUDA and HIP share. Fails with INVALID_VALUE also if there
// is no list, if `flags` or the number is not allowed, or if an operation is neither a wait nor a
// write.
enum { TN_RT_WAIT_32 = 1, TN_RT_WRITE_32 = 2, TN_RT_WAIT_64 = 4, TN_RT_WRITE_64 = 5 };
struct tn_rt_value_op {
    int operation;
    void *address;
    union {
        uint32_t value;
        uint64_t value64;
    };
    unsigned flags; // of a wait
    void *alias;
    uint64_t unused;
};
tn_rt_error tn_rt_value_ops_submit(void *stream, unsigned count, const void *ops, unsigned flags);

// The first function describes such a list for a node, and fails with INVALID_VALUE also if there
// is no context. The second one writes it; the list that it writes belongs to the node.
struct tn_rt_value_list {
    void *context;
    unsigned count;
    struct tn_rt_value_op *ops;
    unsigned flags;
};
tn_rt_error tn_rt_read_values(const void *list, struct tn_rt_op *op);
tn_rt_error tn_rt_write_values(const struct tn_rt_op *op, void *list);
