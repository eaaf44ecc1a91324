// SPDX-License-Identifier: Apache-2.0
// A plan: the pieces of work of a graph, called nodes, and the edges between them. Nodes and edges
// are added and removed in any order; whether there is a cycle shows when the plan is sorted. A
// node is named by an id, which is never used again in its plan, and which copies of the plan keep.
// The plan of a graph is used under tn_rt_plan_lock, that of an executable graph never changes.
#pragma once

#include "compat/face/scope.h"
#include "compat/runtime/graph/op.h"

struct tn_rt_ids {
    uint32_t *of;
    uint32_t count;
    uint32_t capacity;
};

struct tn_rt_graph_node; // graph.c

// The memory of one side of a copy or fill. The device is NULL for the host. Kind 0: no memory.
struct tn_rt_memory_class {
    unsigned kind; // an enum tn_rt_block_kind, or that of arrays
    const struct tn_face_device *device;
};

// A part of memory that should stay in a cache, in the layout that CUDA and HIP share.
struct tn_rt_window {
    void *base;
    int hit;
    float hit_ratio;
    int miss;
    size_t bytes;
};

// Of a kernel node. The launch of the node says whether it is cooperative.
struct tn_rt_node_attributes {
    struct tn_rt_window window;
    int priority;
    int cooperative; // as the program passed it
};

struct tn_rt_plan_node {
    struct tn_rt_op op;
    uint32_t id;
    uint64_t serial;                 // unique in the process, but copies of the node have it too
    struct tn_rt_graph_node *handle; // of the program, in a graph; NULL until it asks for it
    unsigned enabled;                // in an executable graph: 0 if it does nothing; at first 1
    struct tn_rt_memory_class memory[2]; // in an executable graph, of its first work
    bool dropped;            // a program let its stream depend on other nodes, so it may be loose
    struct tn_rt_ids before; // the nodes that it depends on, in the order in which edges were added
    struct tn_rt_ids after;  // the nodes that depend on it
    struct tn_rt_node_attributes attributes; // of a kernel
};

struct tn_rt_plan {
    struct tn_face_device *device; // of all nodes; NULL while there is no node
    bool instantiated;             // with memory: once only
    uint32_t count;
    uint32_t end; // all ids are smaller
    uint32_t capacity;
    struct tn_rt_plan_node **nodes; // by id; NULL if the node was removed
};

// The lock of captures, of places in them, and of the plans of graphs. A thread that holds it takes
// only the locks that compat/runtime/base/lock.h lists after it.
extern pthread_mutex_t tn_rt_plan_lock;

// Returns an empty plan, or NULL without host memory. The second function frees a plan with its
// nodes; NULL is allowed. It may wait for work, so the caller holds no lock.
struct tn_rt_plan *tn_rt_plan_new(void);
void tn_rt_plan_free(struct tn_rt_plan *plan);

// Makes a copy with the same ids. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_plan_copy(const struct tn_rt_plan *plan, struct tn_rt_plan **copy);

// Finds a node. Returns NULL if the plan has none with that id.
struct tn_rt_plan_node *tn_rt_plan_find(const struct tn_rt_plan *plan, uint32_t id);

// Returns the node with the smallest id that is at least `from`, or NULL.
struct tn_rt_plan_node *tn_rt_plan_next(const struct tn_rt_plan *plan, uint32_t from);

// Adds a piece of work of `device` that depends on `count` nodes, and keeps the data that it points
// to. With `owned` the op owns what it points to already; on success the plan owns it. Fails with
// INVALID_VALUE if a node of `before` is unknown or named twice, with OUT_OF_MEMORY without memory,
// or with the error of keep().
tn_rt_error tn_rt_plan_add(struct tn_rt_plan *plan, struct tn_face_device *device,
                           const struct tn_rt_op *op, bool owned, const uint32_t *before,
                           uint32_t count, uint32_t *id);

// Removes a node and its edges. Returns the node, which the caller frees after it has released all
// locks, or NULL if the plan has none with that id.
struct tn_rt_plan_node *tn_rt_plan_remove(struct tn_rt_plan *plan, uint32_t id);
void tn_rt_plan_node_free(struct tn_rt_plan_node *node);

// Adds an edge: `to` depends on `from`. The second function adds all edges or none. Both fail with
// INVALID_VALUE if a node is unknown, if both nodes are the same, or if the plan has the edge, and
// with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_plan_link(struct tn_rt_plan *plan, uint32_t from, uint32_t to);
tn_rt_error tn_rt_plan_link_all(struct tn_rt_plan *plan, const uint32_t *from, const uint32_t *to,
                                size_t count);

// Removes an edge. Fails with INVALID_VALUE if the plan does not have it. The second function
// removes all edges or none; an edge that is listed twice is refused.
tn_rt_error tn_rt_plan_unlink(struct tn_rt_plan *plan, uint32_t from, uint32_t to);
tn_rt_error tn_rt_plan_unlink_all(struct tn_rt_plan *plan, const uint32_t *from, const uint32_t *to,
                                  size_t count);

// Writes the ids of all nodes to order[0 .. plan->count), each after those that it depends on.
// Fails with INVALID_VALUE if the plan has a cycle, and with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_plan_sort(const struct tn_rt_plan *plan, uint32_t *order);

// Finds the node with the smallest id on which no node of `ends` depends, directly or not, and no
// dropped one. *loose is plan->end if there is none, which means that all forked streams were
// joined. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_plan_loose(const struct tn_rt_plan *plan, const uint32_t *ends,
                             uint32_t end_count, uint32_t *loose);
