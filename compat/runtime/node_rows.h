// SPDX-License-Identifier: Apache-2.0
// The work of rows about nodes of graphs that HIP and CUDA have in common. A kind of node has four
// functions: one adds a node, one gets its parameters, one sets them, and one changes them in an
// executable graph. See node.h and graph_exec.h.
#pragma once

#include "compat/runtime/code/kernel_node.h"
#include "compat/runtime/copy/driver_copy.h"
#include "compat/runtime/copy/fill.h"
#include "compat/runtime/copy/value.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/graph/node.h"
#include "compat/runtime/kernel/host_function.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/stream/event.h"

// The functions of a kind whose parameters are one struct, made of its reader and its writer. Their
// names begin with `prefix`.
#define TN_RT_NODE_KIND(prefix, name, kind, reader, writer)                                        \
    static inline tn_rt_error prefix##add_##name(void *node, void *graph, const void *before,      \
                                                 size_t count, const void *params) {               \
        const struct tn_rt_spot spot = {node, graph, before, count};                               \
        return tn_rt_node_add(&spot, reader, params);                                              \
    }                                                                                              \
    static inline tn_rt_error prefix##get_##name(void *node, void *params) {                       \
        return tn_rt_node_params(node, TN_RT_WORK_##kind, writer, params);                         \
    }                                                                                              \
    static inline tn_rt_error prefix##set_##name(void *node, const void *params) {                 \
        return tn_rt_node_set(node, TN_RT_WORK_##kind, reader, params);                            \
    }                                                                                              \
    static inline tn_rt_error prefix##change_##name(void *exec, void *node, const void *params) {  \
        return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_##kind, reader, params);                \
    }

TN_RT_NODE_KIND(tn_rt_, function, HOST, tn_rt_read_function, tn_rt_write_function)
TN_RT_NODE_KIND(tn_rt_, fill, FILL, tn_rt_read_fill, tn_rt_write_fill)
TN_RT_NODE_KIND(tn_rt_, driver_fill, FILL, tn_rt_read_driver_fill, tn_rt_write_driver_fill)
TN_RT_NODE_KIND(tn_rt_, box, COPY, tn_rt_read_3d, tn_rt_write_3d)
TN_RT_NODE_KIND(tn_rt_, driver_box, COPY, tn_rt_read_driver_copy, tn_rt_write_driver_copy)
TN_RT_NODE_KIND(tn_rt_, values, VALUE, tn_rt_read_values, tn_rt_write_values)

// ---- kinds whose parameter is a handle

#define TN_RT_HANDLE_KIND(name, kind, reader, writer)                                              \
    TN_RT_NODE_KIND(tn_rt_, name, kind, reader, writer)                                            \
    static inline tn_rt_error tn_rt_add_##name##_of(void *node, void *graph, const void *before,   \
                                                    size_t count, void *handle) {                  \
        return tn_rt_add_##name(node, graph, before, count, &handle);                              \
    }                                                                                              \
    static inline tn_rt_error tn_rt_set_##name##_of(void *node, void *handle) {                    \
        return tn_rt_set_##name(node, &handle);                                                    \
    }                                                                                              \
    static inline tn_rt_error tn_rt_change_##name##_of(void *exec, void *node, void *handle) {     \
        return tn_rt_change_##name(exec, node, &handle);                                           \
    }

TN_RT_HANDLE_KIND(record, EVENT_RECORD, tn_rt_read_record, tn_rt_write_event)
TN_RT_HANDLE_KIND(wait, EVENT_WAIT, tn_rt_read_wait, tn_rt_write_event)
TN_RT_HANDLE_KIND(child, GRAPH, tn_rt_read_child, tn_rt_write_child)

// ---- kinds whose parameters are arguments

static inline tn_rt_error tn_rt_add_empty(void *node, void *graph, const void *before,
                                          size_t count) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add(&spot, tn_rt_read_empty, "");
}

static inline tn_rt_error tn_rt_add_row(void *node, void *graph, const void *before, size_t count,
                                        void *dst, const void *src, size_t size, int kind) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_node_add(&spot, tn_rt_read_row, &row);
}

static inline tn_rt_error tn_rt_set_row(void *node, void *dst, const void *src, size_t size,
                                        int kind) {
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_node_set(node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row);
}

static inline tn_rt_error tn_rt_change_row(void *exec, void *node, void *dst, const void *src,
                                           size_t size, int kind) {
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row);
}

// ---- memory

static inline tn_rt_error tn_rt_add_alloc(void *node, void *graph, const void *before, size_t count,
                                          void *params) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add_alloc(&spot, (struct tn_rt_alloc_params *)params);
}

static inline tn_rt_error tn_rt_add_free(void *node, void *graph, const void *before, size_t count,
                                         void *ptr) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add_free(&spot, ptr);
}

static inline tn_rt_error tn_rt_get_alloc(void *node, void *params) {
    return tn_rt_node_params(node, TN_RT_WORK_MEMORY_ALLOC, tn_rt_write_alloc, params);
}

static inline tn_rt_error tn_rt_get_free(void *node, void *ptr) {
    return tn_rt_node_params(node, TN_RT_WORK_MEMORY_FREE, tn_rt_write_free, ptr);
}

// Writes the parameters of a kernel node into the struct of that type, which both runtime APIs have.
#define TN_RT_KERNEL_WRITER(name, type)                                                            \
    static tn_rt_error name(const struct tn_rt_op *op, void *params) {                             \
        struct tn_rt_kernel_params own;                                                            \
        TN_RT_TRY(tn_rt_kernel_node_params(op, &own));                                             \
        *(type *)params = (type){                                                                  \
            .func = (void *)(uintptr_t)own.function,                                               \
            .gridDim = {own.grid.x, own.grid.y, own.grid.z},                                       \
            .blockDim = {own.block.x, own.block.y, own.block.z},                                   \
            .sharedMemBytes = (unsigned)own.shared_bytes,                                          \
            .kernelParams = (void **)(uintptr_t)own.arguments,                                     \
        };                                                                                         \
        return TN_RT_OK;                                                                           \
    }
