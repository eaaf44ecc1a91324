// SPDX-License-Identifier: Apache-2.0
// Graphs. A graph is a handle for a plan, with handles for those of its nodes that a program has
// asked for. A capture makes the graph; the program owns it once the capture has ended.
#ifndef TARN_COMPAT_HIP_GRAPH_H
#define TARN_COMPAT_HIP_GRAPH_H

#include "compat/hip/plan.h"
#include "compat/hip/user_object.h"
#include "compat/runtime/handle.h"

struct tn_hip_graph_node;

struct tn_hip_graph {
    struct tn_face_object object;
    struct tn_hip_plan *plan;
    bool capturing; // under tn_hip_plan_lock()
    // Under graph.c's lock: the nodes by position; NULL for a node without a handle.
    struct tn_hip_graph_node **nodes;
    uint32_t node_capacity;
    bool closed;
    struct tn_hip_user_list users; // its references to user objects
};

// Makes a graph with a handle. Takes over the reference to `plan`, also on failure.
// TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_hip_graph_new(struct tn_hip_plan *plan, struct tn_hip_graph **graph);

// Closes the handle and those of the nodes, and drops the handle's reference.
void tn_hip_graph_close(struct tn_hip_graph *graph);

// Returns the graph of a handle and adds a reference. With `complete`, a graph that a capture is
// making is refused: TN_RT_ILLEGAL_STATE. TN_RT_INVALID_VALUE: not a graph.
tn_rt_error tn_hip_graph_get(hipGraph_t handle, bool complete, struct tn_hip_graph **graph);

// Finds the position of a node by its handle. TN_RT_INVALID_VALUE: not a node of this graph.
tn_rt_error tn_hip_graph_node_position(const struct tn_hip_graph *graph, hipGraphNode_t node,
                                       uint32_t *position);

// Returns the handle of a node. TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_hip_graph_node_handle(struct tn_hip_graph *graph, uint32_t position,
                                     hipGraphNode_t *node);

#endif
