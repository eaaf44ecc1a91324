// SPDX-License-Identifier: Apache-2.0
// Executable graphs. Each has a plan of its own, the order in which a launch submits the nodes, and
// lanes: streams of all branches but the first, which runs on the launching stream. A launch is a
// piece of work like any other, so a graph that is launched into a capturing stream becomes a node
// there. Each has its own lock, for launches and changes.
#pragma once

#include <pthread.h>

#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/node.h"
#include "compat/runtime/graph/schedule.h"

// The streams and events of a launch. A launch uses those of the last launch on its stream, or of
// one that has ended, so launches on different streams run at the same time. A graph with memory has
// one lane, so that its launches run one after another.
struct tn_rt_lane {
    struct tn_rt_lane *next;
    tarn_stream stream; // of the last launch
    tarn_event last;    // its end
    tarn_event entry;   // of launches on streams of other devices, or 0
    uint32_t branch_count;
    uint32_t event_count;
    struct tn_rt_stream **branches; // the first: for launches on streams of other devices, or NULL
    tarn_event *events;             // of the schedule
};

struct tn_rt_graph_exec {
    struct tn_face_object object;
    uintptr_t graph; // the handle of the graph that it was made of, which may have ended
    unsigned long long flags;
    struct tn_rt_plan *plan;
    struct tn_rt_schedule schedule;
    struct tn_rt_graph_memory **memories; // that it and its child graphs allocate; never changes
    uint32_t memory_count;
    pthread_mutex_t lock;
    struct tn_rt_lane *lanes;     // at least one
    struct tn_rt_user_list users; // its references to user objects
};

// Returns the executable graph of a handle and adds a reference. Fails with INVALID_VALUE if the
// handle is of none.
static inline tn_rt_error tn_rt_graph_exec_get(void *handle, struct tn_rt_graph_exec **exec) {
    *exec = (struct tn_rt_graph_exec *)tn_face_handle_get((uintptr_t)handle, TN_RT_GRAPH_EXEC);
    return *exec != NULL ? TN_RT_OK
                         : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not an executable graph", handle);
}

// ---- graph_lane.c

// Makes a lane of an executable graph.
tn_rt_error tn_rt_lane_new(struct tn_rt_graph_exec *exec);

// Chooses the lane for a launch on a stream, under the lock.
tn_rt_error tn_rt_lane_choose(struct tn_rt_graph_exec *exec, tarn_stream stream,
                              struct tn_rt_lane **chosen);

// Makes the stream of a branch, in the place of one that failed in the last launch, if that has
// ended; until then, the error is the failure.
tn_rt_error tn_rt_lane_renew(const struct tn_rt_graph_exec *exec, struct tn_rt_lane *lane,
                             uint32_t branch);

// Returns true if the last launch has not ended.
bool tn_rt_lane_is_busy(const struct tn_rt_lane *lane);

// Frees the lanes of an executable graph, and those of earlier ones. Destroying a stream waits for
// it, so those that are busy are freed by a later call.
void tn_rt_lanes_end(struct tn_rt_graph_exec *exec);

// ---- graph_exec.c

// Returns the class of the memory on one side of a copy (0: the destination) or of a fill. Instantiation
// stores it for each node. By the policy `changes_keep_memory`, later parameters of the node have the
// same class, a fill of several rows keeps these, and a copy of several rows changes by an update only.
struct tn_rt_memory_class tn_rt_memory_class_of(const struct tn_rt_op *op, unsigned side);

// Makes an executable graph of a copy of the plan, which later changes of the graph do not affect.
// With AUTO_FREE, a launch frees memory that the one before left. PRIORITY has no effect. Fails
// with NOT_SUPPORTED if the graph allocates memory and was instantiated before, and with
// INVALID_VALUE if an argument is NULL or not a graph, if `flags` is not 0 or one of these two, or
// if there is a cycle. `log`, if not NULL, receives the text of an error in up to `bytes` bytes.
enum {
    TN_RT_INSTANTIATE_AUTO_FREE = 1,
    TN_RT_INSTANTIATE_UPLOAD = 2,
    TN_RT_INSTANTIATE_DEVICE_LAUNCH = 4,
    TN_RT_INSTANTIATE_PRIORITY = 8
};
tn_rt_error tn_rt_graph_instantiate(void *exec, void *graph, unsigned long long flags);
tn_rt_error tn_rt_graph_instantiate_log(void *exec, void *graph, const void *unused_node, char *log,
                                        size_t bytes);

// The same with parameters, of which *result becomes 1 on an error, 0 on success; *error_node then
// becomes NULL. UPLOAD does as tn_rt_graph_upload(), too. DEVICE_LAUNCH fails with NOT_SUPPORTED.
struct tn_rt_instantiation {
    unsigned long long flags;
    void *upload_stream;
    void *error_node; // a handle
    int *result;
};
tn_rt_error tn_rt_graph_instantiate_with(void *exec, void *graph,
                                         const struct tn_rt_instantiation *parameters);

// Makes a child graph executable: *op launches an executable graph of its own then, whose memory
// its parent prepares. Other work stays as it is. Fails with INVALID_VALUE if there is a cycle.
tn_rt_error tn_rt_graph_exec_open(struct tn_rt_op *op);

tn_rt_error tn_rt_graph_exec_flags(void *handle, void *flags);
tn_rt_error tn_rt_graph_exec_end(void *handle);

// ---- graph_launch.c

// Submits the work of an executable graph to a stream. Fails with INVALID_VALUE if the handle is
// not one, or if an earlier launch has allocated memory that is not free yet.
tn_rt_error tn_rt_graph_launch(void *handle, void *stream);

// Describes the launch of an executable graph as work. The op owns the caller's reference if it is
// dropped.
struct tn_rt_op tn_rt_graph_exec_op(struct tn_rt_graph_exec *exec);

// Checks the arguments as a launch does. There is nothing to transfer to a software device.
tn_rt_error tn_rt_graph_upload(void *handle, void *stream);

// ---- graph_change.c

// Disable a node, or enable it, and return what was set last, at first 1. A disabled node does
// nothing at a launch. Both fail with INVALID_VALUE if the node is not in a graph of which `exec`
// was made, or is not a kernel, copy or fill.
tn_rt_error tn_rt_graph_exec_set_enabled(void *exec, void *node, unsigned enabled);
tn_rt_error tn_rt_graph_exec_enabled(void *exec, void *node, unsigned *enabled);

// Decides INVALID_VALUE unless `node` is one of a graph of which `exec` was made.
tn_rt_error tn_rt_graph_exec_check(void *exec, void *node);

// Sets the parameters of a node of that kind. Fails with INVALID_VALUE if `params` is NULL, if
// `exec` or the node is as above, or if the node is of another kind. Then come the reader's errors,
// of which those of copies and fills become INVALID_VALUE. Then it fails with INVALID_VALUE for a
// copy of another direction, and for a fill of rows of another size or of memory of another device.
tn_rt_error tn_rt_graph_exec_set(void *exec, void *node, enum tn_rt_work work,
                                 tn_rt_node_reader read, const void *params);

// Sets the parameters of all nodes to those of another graph, whose nodes are paired with them in
// the order of a launch. Fails with UPDATE_FAILED if the graph does not fit. Nothing has changed
// then, *result is the reason, and *node, a handle, is the node of the graph that does not fit, or
// NULL. Fails with INVALID_VALUE if an argument is NULL, or as above.
enum tn_rt_update {
    TN_RT_UPDATE_SUCCESS,
    TN_RT_UPDATE_ERROR,
    TN_RT_UPDATE_TOPOLOGY,
    TN_RT_UPDATE_KIND,
    TN_RT_UPDATE_FUNCTION,
    TN_RT_UPDATE_PARAMETERS,
    TN_RT_UPDATE_NOT_SUPPORTED,
    TN_RT_UPDATE_UNSUPPORTED_FUNCTION
};
tn_rt_error tn_rt_graph_exec_update(void *exec, void *graph, void *node, unsigned *result);
