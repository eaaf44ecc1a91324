// SPDX-License-Identifier: Apache-2.0
// Functions of the program, called in stream order on a thread of Tarn.
#pragma once

#include "compat/runtime/graph/op.h"

// Submits a call of fn(arg) to a stream. Fails with INVALID_VALUE if `fn` is NULL.
tn_rt_error tn_rt_host_function(void *stream, void (*fn)(void *arg), void *arg);

// Calls fn(stream, success, arg) in stream order. Vendors' types of it differ by names only. Fails
// with INVALID_VALUE if `fn` is NULL, or if flags, which are reserved, are set.
typedef void tn_rt_callback(void *stream, int error, void *arg);
tn_rt_error tn_rt_add_callback(void *stream, tn_rt_callback *fn, void *arg, unsigned flags);

// The first function describes the call of a struct tn_rt_function for a node, and the second one
// writes it. Fails with INVALID_VALUE if `fn` is NULL.
tn_rt_error tn_rt_read_function(const void *function, struct tn_rt_op *op);
tn_rt_error tn_rt_write_function(const struct tn_rt_op *op, void *function);
