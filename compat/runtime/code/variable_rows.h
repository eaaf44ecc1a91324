// SPDX-License-Identifier: Apache-2.0
// The work of rows about variables of kernels that HIP and CUDA have in common: the parameters of
// each direction, and the copy that they describe.
#pragma once

#include "compat/runtime/code/variable.h"

#define TN_RT_TO   const void *symbol, const void *src, size_t size, size_t offset, int kind
#define TN_RT_FROM void *dst, const void *symbol, size_t size, size_t offset, int kind
#define TN_RT_COPY_TO                                                                              \
    &(const struct tn_rt_symbol_copy) { symbol, src, size, offset, kind, true }
#define TN_RT_COPY_FROM                                                                            \
    &(const struct tn_rt_symbol_copy) { symbol, dst, size, offset, kind, false }

#define TN_RT_SYMBOL_CALLS(way, WAY)                                                               \
    static inline tn_rt_error tn_rt_symbol_##way(TN_RT_##WAY, void *stream,                        \
                                                 enum tn_rt_copy_call call) {                      \
        return tn_rt_symbol_copy(TN_RT_COPY_##WAY, stream, call);                                  \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_add_##way(void *node, void *graph, const void *before,  \
                                                     size_t count, TN_RT_##WAY) {                  \
        const struct tn_rt_spot spot = {node, graph, before, count};                               \
        return tn_rt_symbol_node_add(&spot, TN_RT_COPY_##WAY);                                     \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_set_##way(void *node, TN_RT_##WAY) {                    \
        return tn_rt_symbol_node_set(node, TN_RT_COPY_##WAY);                                      \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_change_##way(void *exec, void *node, TN_RT_##WAY) {     \
        return tn_rt_symbol_node_change(exec, node, TN_RT_COPY_##WAY);                             \
    }

TN_RT_SYMBOL_CALLS(to, TO)
TN_RT_SYMBOL_CALLS(from, FROM)
