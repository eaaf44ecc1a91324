// SPDX-License-Identifier: Apache-2.0
// Memory that nodes of graphs allocate. Its address is known at once and stays the same for the life
// of the nodes. A launch allocates it and gives it pages of the device; a free node, or a free
// outside of graphs, ends that until the next launch. Free memory keeps its pages until a call could
// tell the difference, or the device needs them. Any thread.
#pragma once

#include "compat/runtime/graph/node.h"
#include "compat/runtime/graph/plan.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/pool.h"

struct tn_rt_graph_memory;

// Adds a node that allocates `size` bytes of `device` to the capture of a stream. Returns true with
// *error, and *addr on success, if the stream captures; else false.
bool tn_rt_graph_memory_alloc(struct tn_rt_stream *stream, struct tn_face_device *device,
                              size_t size, tarn_addr *addr, tn_rt_error *error);

// Adds a node that frees the memory at `ptr` to the capture of a stream, in the same way. Returns
// false for memory that was not allocated in a capture, too. *error is INVALID_VALUE if `ptr` is
// not the start of memory, or if a node frees it already.
bool tn_rt_graph_memory_free(struct tn_rt_stream *stream, const void *ptr, tn_rt_error *error);

// The parameters of a node that allocates, in the layout that CUDA and HIP share.
struct tn_rt_alloc_params {
    struct tn_rt_pool_props pool; // only its type and location count
    const struct tn_rt_access *rights;
    size_t right_count;
    size_t bytes;
    void *ptr; // receives the address
};

// Adds a node that allocates, and writes the address to params->ptr. Fails with INVALID_VALUE if
// there are no bytes, the type of allocation is another one, or the location is not one of a
// device; the address is NULL then. Fails with INVALID_VALUE and leaves the address alone if no
// device has the ordinal, and where tn_rt_node_add() does. Fails with OUT_OF_MEMORY if there is no
// memory.
tn_rt_error tn_rt_node_add_alloc(const struct tn_rt_spot *spot, struct tn_rt_alloc_params *params);

// Adds a node that frees the memory at `ptr`. Fails with INVALID_VALUE if a list has no elements,
// or if `ptr` is not the start of memory of a graph that no node frees yet.
tn_rt_error tn_rt_node_add_free(const struct tn_rt_spot *spot, const void *ptr);

// Write the parameters of such nodes. The list of rights belongs to the memory.
tn_rt_error tn_rt_write_alloc(const struct tn_rt_op *op, void *params);
tn_rt_error tn_rt_write_free(const struct tn_rt_op *op, void *ptr);

// Returns true if the block is memory of a graph.
bool tn_rt_graph_memory_is(const struct tn_rt_block *block);

// Frees the memory of a graph outside of graphs, behind the work of `stream`, or behind completed
// work if that is TARN_STREAM_NONE. Fails with INVALID_VALUE if no launch has allocated it.
tn_rt_error tn_rt_graph_memory_release(const struct tn_rt_block *block, tarn_stream stream);

// Returns the number of nodes of a plan that allocate, and writes their memory to `list` if that is
// not NULL.
uint32_t tn_rt_graph_memory_list(const struct tn_rt_plan *plan, struct tn_rt_graph_memory **list);

// The first function prepares a launch: it gives all memory pages, and keeps them until the second
// one. It fails with INVALID_VALUE if memory is still allocated, unless `auto_free`, and with
// OUT_OF_MEMORY if the device has no pages left. The second function ends the preparation when the
// nodes have been submitted. If one of them `failed`, it frees the memory that the launch has
// allocated again, behind the work of `stream`.
tn_rt_error tn_rt_graph_memory_begin(struct tn_rt_graph_memory *const *list, uint32_t count,
                                     bool auto_free);
void tn_rt_graph_memory_end(struct tn_rt_graph_memory *const *list, uint32_t count, bool failed,
                            tarn_stream stream);

// Returns the pages of free memory of a device to it, without waiting for work. Returns true if
// there were any.
bool tn_rt_graph_memory_trim(const struct tn_face_device *device);

// The same for the device with that number. Fails with INVALID_DEVICE if there is none.
tn_rt_error tn_rt_graph_memory_trim_device(int ordinal);

// Return and set the bytes of a device's graph memory that are allocated, those that have pages,
// and the peaks, each a uint64_t. Only a peak can be set, and only to 0. Both fail with
// INVALID_DEVICE for an unknown device, and with INVALID_VALUE if `value` is NULL, the attribute is
// unknown, or it cannot be set so.
enum { TN_RT_GRAPH_USED, TN_RT_GRAPH_USED_HIGH, TN_RT_GRAPH_RESERVED, TN_RT_GRAPH_RESERVED_HIGH };
tn_rt_error tn_rt_graph_memory_get(int ordinal, int attribute, void *value);
tn_rt_error tn_rt_graph_memory_set(int ordinal, int attribute, const void *value);
