// SPDX-License-Identifier: Apache-2.0
// Graphs. A graph is a handle for a plan, with handles for those of its nodes that a program has
// asked for. A capture makes the graph; the program owns it once the capture has ended.
#pragma once

#include "compat/runtime/base/handle.h"
#include "compat/runtime/graph/plan.h"
#include "compat/runtime/graph/user_object.h"

struct tn_rt_spot; // node.h

struct tn_rt_graph {
    struct tn_face_object object;
    struct tn_face_device *device; // current when the graph was made; of nodes added by hand
    struct tn_rt_plan *plan;       // its own; this and the next four: under tn_rt_plan_lock
    bool capturing;
    bool clone; // of another graph
    bool child; // of a node, which destroys it
    bool moved; // the program gave it to that node
    bool closed;
    struct tn_rt_user_list users; // its references to user objects
};

// A node that has a handle. The graph closes it together with its own handle.
struct tn_rt_graph_node {
    struct tn_face_object object;
    struct tn_rt_graph *graph; // with a reference
    uint32_t id;
};

// Makes a graph without a handle, and gives it one; the second function is called under
// tn_rt_plan_lock, while the caller has the only reference, which becomes that of the handle.
// TN_RT_OUT_OF_MEMORY, after which the first has freed `plan`.
tn_rt_error tn_rt_graph_new_child(struct tn_rt_plan *plan, struct tn_rt_graph **graph);
tn_rt_error tn_rt_graph_give_handle(struct tn_rt_graph *graph);

// Makes a graph with a handle. The graph owns `plan`, which is freed on failure. Fails with
// OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_graph_new(struct tn_rt_plan *plan, struct tn_rt_graph **graph);

// Makes an empty graph for a program. Fails with INVALID_VALUE if `graph` is NULL or `flags` is not
// 0.
tn_rt_error tn_rt_graph_create(void *graph, unsigned flags);

// Closes the handle and those of the nodes, and drops the handle's reference.
void tn_rt_graph_close(struct tn_rt_graph *graph);

// Returns the graph of a handle and adds a reference. Fails with INVALID_VALUE if the handle is not
// of a graph, and with ILLEGAL_STATE if a capture is making the graph and `complete` is set.
tn_rt_error tn_rt_graph_get(void *handle, bool complete, struct tn_rt_graph **graph);

// Called under tn_rt_plan_lock. Returns NOT_SUPPORTED if the graph is of a node and the policy
// `children_have_no_memory` forbids work that allocates or frees memory.
tn_rt_error tn_rt_graph_check_op(const struct tn_rt_graph *graph, const struct tn_rt_op *op);

// Returns INVALID_VALUE if a node took the graph; see tn_rt_node_add_moved().
tn_rt_error tn_rt_graph_check_moved(const struct tn_rt_graph *graph);

// Returns the node of a handle and adds a reference. Fails with INVALID_VALUE if the handle is not
// of a node.
tn_rt_error tn_rt_graph_node_get(void *handle, struct tn_rt_graph_node **node);

// The next four are called under tn_rt_plan_lock. Finds the node. Fails with INVALID_VALUE if it
// was removed, or is of another kind than `work`.
tn_rt_error tn_rt_graph_node_find(const struct tn_rt_graph_node *name,
                                  struct tn_rt_plan_node **node);
tn_rt_error tn_rt_graph_node_find_as(const struct tn_rt_graph_node *name, enum tn_rt_work work,
                                     struct tn_rt_plan_node **node);

// A declaration: a node that one of the two finds, which `step` calls. Returns the error from the
// enclosing function.
#define TN_RT_FIND_NODE(node, step)                                                                \
    struct tn_rt_plan_node *node = NULL;                                                           \
    TN_RT_TRY(step)

// Finds the ids of nodes by their handles. The caller frees the list, after an error too. Fails
// with INVALID_VALUE if a node is not of this graph, or if there are more than `limit`.
tn_rt_error tn_rt_graph_node_ids(const struct tn_rt_graph *graph, void *const *nodes, size_t count,
                                 uint64_t limit, uint32_t **ids);

// Returns the handle of a node. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_graph_node_handle(struct tn_rt_graph *graph, uint32_t id, void **handle);

// Returns the kind of a node, an enum tn_rt_work. Fails with INVALID_VALUE if `node` is not a node,
// or `work` is NULL.
tn_rt_error tn_rt_graph_node_work(void *node, unsigned *work);

// Ends a graph of the program. Fails with INVALID_VALUE if it is not a graph, or with ILLEGAL_STATE
// by the policy `stale_graph_is_state`.
tn_rt_error tn_rt_graph_destroy(void *handle);

// Returns true if the graph or a child of it allocates or frees memory. Called under
// tn_rt_plan_lock.
bool tn_rt_graph_has_memory(const struct tn_rt_graph *graph);

// Copies the plan of a graph. Without `memory`, fails with NOT_SUPPORTED if the graph has memory.
tn_rt_error tn_rt_graph_copy_plan(const struct tn_rt_graph *graph, bool memory,
                                  struct tn_rt_plan **plan);

// Makes a graph with a copy of the plan and as many references to user objects. Fails with
// NOT_SUPPORTED if the graph allocates memory, and with INVALID_VALUE if `clone` is NULL or
// `original` is not a graph.
tn_rt_error tn_rt_graph_clone(void *clone, void *original);

// Finds the copy of a node in a clone, or in a clone of that. Fails with INVALID_VALUE if `copy` is
// NULL, if a handle is not a node or not a clone, or if the clone has no copy of the node.
tn_rt_error tn_rt_graph_find_copy(void *copy, void *original, void *clone);

// Add and release references of a graph to a user object; see user_object.h.
enum { TN_RT_USER_MOVE = 1 }; // the only flag
tn_rt_error tn_rt_graph_retain_user(void *handle, void *object, unsigned count, unsigned flags);
tn_rt_error tn_rt_graph_release_user(void *handle, void *object, unsigned count);

// ---- graph_list.c

// List the nodes of a graph, each behind those that it depends on; its roots; the nodes that a node
// depends on, or those that depend on it; and edges, of which to[i] depends on from[i]. If the list
// is NULL, *count receives the number. Otherwise *count is the capacity of the list, whose rest is
// filled with NULL, and receives the number written. All fail with INVALID_VALUE if the handle is
// not a graph or a node, or if `count` or only one of two lists is NULL. The first function also
// fails with INVALID_VALUE if the graph has a cycle.
tn_rt_error tn_rt_graph_list_nodes(void *handle, void *nodes, size_t *count);
tn_rt_error tn_rt_graph_list_roots(void *handle, void *nodes, size_t *count);
tn_rt_error tn_rt_graph_list_before(void *node, void *nodes, size_t *count);
tn_rt_error tn_rt_graph_list_after(void *node, void *nodes, size_t *count);
tn_rt_error tn_rt_graph_list_edges(void *handle, void *from, void *to, size_t *count);

// ---- graph_child.c: nodes that are copies of graphs. A copy uses the same memory as its original.

// The first function describes a copy of a graph, by a pointer to its handle, for a node. It fails
// with INVALID_VALUE if the handle is not a graph. The second function writes the handle of a
// node's copy, which the program may change. It fails with INVALID_VALUE if the node was captured
// from a launch.
tn_rt_error tn_rt_read_child(const void *graph, struct tn_rt_op *op);
tn_rt_error tn_rt_write_child(const struct tn_rt_op *op, void *graph);

// Adds a node that takes a graph, by a pointer to its handle, instead of a copy. The handle stays
// valid until the node ends, but the graph cannot be destroyed, instantiated or given to another
// node, and takes no more memory nodes. Fails with INVALID_VALUE if the handle is not a graph, if
// the graph is one of a node, or if it contains the graph of the new node; and where
// tn_rt_node_add() fails.
tn_rt_error tn_rt_node_add_moved(const struct tn_rt_spot *spot, const void *graph);

// Replaces the copy of a node. Fails with INVALID_VALUE also if the node is not a child node, and
// with UNKNOWN if the graph is that of the node.
tn_rt_error tn_rt_node_set_child(void *node, const void *graph);

// ---- graph_text.c

// Returns the name of a node in reports of tools, which is valid until the process ends. `path` is
// that of tn_rt_where.
const char *tn_rt_graph_node_name(const char *path, uint32_t id, enum tn_rt_work work);

// Writes a graph and its child graphs to a file, as text for Graphviz. The flags select the kinds
// of nodes whose parameters are shown. Fails with INVALID_VALUE if an argument is NULL or not a
// graph, and with OPERATING_SYSTEM if the file cannot be written.
enum {
    TN_RT_DOT_ALL = 1 << 0,
    TN_RT_DOT_KERNEL = 1 << 2,
    TN_RT_DOT_COPY = 1 << 3,
    TN_RT_DOT_FILL = 1 << 4,
    TN_RT_DOT_HOST = 1 << 5,
    TN_RT_DOT_EVENT = 1 << 6,
};
tn_rt_error tn_rt_graph_print(void *handle, const char *path, unsigned flags);
