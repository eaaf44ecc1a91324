// SPDX-License-Identifier: Apache-2.0
// Nodes that a program adds to a graph by hand, and changes of nodes. A kind of node is a reader,
// which checks the parameters that a program passes and describes them as work, and a writer, which
// gives them back. The files that implement the work have both. The calls take tn_rt_plan_lock.
#pragma once

#include "compat/runtime/graph/op.h"

// Reads parameters in the layout that vendors share. On success the caller owns what `op` points
// to, as if op->keep() had been called.
typedef tn_rt_error (*tn_rt_node_reader)(const void *params, struct tn_rt_op *op);

// Writes the parameters of a node. Called under tn_rt_plan_lock.
typedef tn_rt_error (*tn_rt_node_writer)(const struct tn_rt_op *op, void *params);

// The place of a new node, as the program passes it: the variable for its handle, the graph, and
// the handles of the nodes that it depends on.
struct tn_rt_spot {
    void *node;
    void *graph;
    const void *before;
    size_t count;
};

// Adds a node. INVALID_VALUE: an output, the graph, `params` or a list with elements is NULL, or
// the graph is none; the errors of the reader; then INVALID_VALUE: a dependency is not a node of
// the graph, or an earlier one too.
tn_rt_error tn_rt_node_add(const struct tn_rt_spot *spot, tn_rt_node_reader read,
                           const void *params);

// The reader of nodes without work, which has no parameters.
tn_rt_error tn_rt_read_empty(const void *unused, struct tn_rt_op *op);

// Removes a node with its edges. INVALID_VALUE: not a node; NOT_SUPPORTED: it allocates or frees
// memory; ILLEGAL_STATE: a capture is making its graph.
tn_rt_error tn_rt_node_remove(void *node);

// Lets each node of one list depend on that of the other, or removes such edges: all or none.
// INVALID_VALUE: not a graph; with a count, a list is NULL; a node is not of the graph; the nodes
// of an edge are the same, or the graph has the edge already, or does not have it.
tn_rt_error tn_rt_node_link(void *graph, const void *from, const void *to, size_t count,
                            bool remove);

// Sets the parameters of a node of that kind; receives them. INVALID_VALUE: `params` is NULL, or
// not such a node; the errors of the reader or the writer.
tn_rt_error tn_rt_node_set(void *node, enum tn_rt_work work, tn_rt_node_reader read,
                           const void *params);
tn_rt_error tn_rt_node_params(void *node, enum tn_rt_work work, tn_rt_node_writer write,
                              void *params);
