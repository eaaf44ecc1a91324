// SPDX-License-Identifier: Apache-2.0
// Graphs from the inside: a handle on a plan, and handles for its nodes when somebody asks for
// them. A graph is made with its capture and belongs to the program once that has ended.
#ifndef TARN_COMPAT_HIP_GRAPH_H
#define TARN_COMPAT_HIP_GRAPH_H

#include "compat/hip/handle.h"
#include "compat/hip/plan.h"

struct tn_hip_graph_name;

struct tn_hip_graph {
    struct tn_face_object object;
    struct tn_hip_plan *plan;
    bool capturing; // under the capture's lock
    // Under graph.c's lock: the nodes that have a handle, by position; NULL: no handle yet.
    struct tn_hip_graph_name **names;
    uint32_t name_room;
    bool closed;
};

// A graph with a handle on `plan`, whose reference it takes over, also when it fails.
// hipErrorOutOfMemory.
hipError_t tn_hip_graph_new(struct tn_hip_plan *plan, struct tn_hip_graph **graph);

// Closes the handle and those of the nodes, and gives the handle's reference back.
void tn_hip_graph_close(struct tn_hip_graph *graph);

// The graph of a handle, with one more reference; with `complete` one that no capture is making.
// hipErrorInvalidValue, hipErrorIllegalState.
hipError_t tn_hip_graph_get(hipGraph_t handle, bool complete, struct tn_hip_graph **graph);

// The handle of a node. hipErrorOutOfMemory.
hipError_t tn_hip_graph_node(struct tn_hip_graph *graph, uint32_t position, hipGraphNode_t *node);

#endif
