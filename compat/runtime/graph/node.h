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

// Adds a node. Fails with INVALID_VALUE if an output, the graph, `params` or a list with elements
// is NULL, or if the graph does not live. Then come the reader's errors, then INVALID_VALUE for a
// dependency that is not in the graph or is listed twice.
tn_rt_error tn_rt_node_add(const struct tn_rt_spot *spot, tn_rt_node_reader read,
                           const void *params);

// The reader of nodes without work, which has no parameters.
tn_rt_error tn_rt_read_empty(const void *unused, struct tn_rt_op *op);

// Removes a node with its edges. Fails with INVALID_VALUE if it is not a node, with NOT_SUPPORTED
// if it allocates or frees memory, and with ILLEGAL_STATE if a capture is making its graph.
tn_rt_error tn_rt_node_remove(void *node);

// Lets each node of one list depend on that of the other, or removes such edges: all or none. Fails
// with INVALID_VALUE if `graph` is not a graph, if a list is NULL and `count` is not 0, if a node
// is not in the graph, if both nodes of an edge are the same, or if the graph has the edge already,
// or does not have the one to remove.
tn_rt_error tn_rt_node_link(void *graph, const void *from, const void *to, size_t count,
                            bool remove);

// The first function sets the parameters of a node of that kind, and the second one receives them.
// Both fail with INVALID_VALUE if `params` is NULL or the node is not of that kind. Then come the
// errors of the reader or the writer.
tn_rt_error tn_rt_node_set(void *node, enum tn_rt_work work, tn_rt_node_reader read,
                           const void *params);
tn_rt_error tn_rt_node_params(void *node, enum tn_rt_work work, tn_rt_node_writer write,
                              void *params);
