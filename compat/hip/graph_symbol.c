// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes that copy variables of kernels. See compat/runtime/node.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_symbol.h"
#include "compat/hip/variable.h"
#include "compat/runtime/copy.h"
#include "compat/runtime/graph_exec.h"

// Describes the copy. The node has the kind that the program passed, whatever it is.
static tn_rt_error read_copy(const void *given, struct tn_rt_op *op) {
    const struct tn_hip_symbol_copy *copy = (const struct tn_hip_symbol_copy *)given;
    void *address = NULL;
    TN_RT_REFUSE(copy->size == 0 || copy->memory == NULL, TN_RT_INVALID_VALUE, "%zu bytes, %p",
                 copy->size, copy->memory);
    TN_RT_TRY(tn_hip_variable_range(copy->symbol, copy->offset, copy->size, &address));
    const struct tn_rt_copy_row row = {copy->to_symbol ? address : (void *)(uintptr_t)copy->memory,
                                       copy->to_symbol ? copy->memory : address, copy->size,
                                       TN_RT_COPY_DEFAULT};
    TN_RT_TRY(tn_rt_read_row(&row, op));
    op->copy.kind = (int)copy->kind;
    return TN_RT_OK;
}

// As AMD's, a node is added with every kind, and a NULL is a bad value.
static tn_rt_error read_new(const void *given, struct tn_rt_op *op) {
    TN_RT_TRY(tn_rt_check_pointer(((const struct tn_hip_symbol_copy *)given)->symbol, "symbol"));
    return read_copy(given, op);
}

tn_rt_error tn_hip_read_symbol_copy(const void *given, struct tn_rt_op *op) {
    const struct tn_hip_symbol_copy *copy = (const struct tn_hip_symbol_copy *)given;
    const hipMemcpyKind wrong = copy->to_symbol ? hipMemcpyDeviceToHost : hipMemcpyHostToDevice;
    void *unused = NULL;
    TN_RT_REFUSE(copy->memory == copy->symbol, TN_RT_INVALID_VALUE, "a copy of %p onto itself",
                 copy->symbol);
    TN_RT_REFUSE(tn_hip_variable_range(copy->memory, 0, 0, &unused) == TN_RT_OK,
                 TN_RT_INVALID_VALUE, "%p is a variable, too", copy->memory);
    TN_RT_TRY(read_copy(given, op));
    if (copy->kind != hipMemcpyHostToHost && copy->kind != wrong &&
        tn_rt_copy_kind((int)copy->kind) == TN_RT_OK)
        return TN_RT_OK;
    return tn_rt_fail(copy->to_symbol ? TN_RT_INVALID_VALUE : TN_RT_INVALID_DIRECTION,
                      "kind %d for this copy of a variable", (int)copy->kind);
}

static tn_rt_error set_copy(hipGraphNode_t node, const struct tn_hip_symbol_copy *copy) {
    TN_RT_REFUSE(copy->symbol == NULL, TN_RT_INVALID_SYMBOL, "symbol is NULL");
    return tn_rt_node_set(node, TN_RT_WORK_COPY, tn_hip_read_symbol_copy, copy);
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies,
                                         size_t numDependencies, const void *symbol,
                                         const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    const struct tn_hip_symbol_copy copy = {symbol, src, count, offset, kind, true};
    return TN_HIP_CALL(tn_rt_node_add(&spot, read_new, &copy));
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies,
                                           size_t numDependencies, void *dst, const void *symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    const struct tn_hip_symbol_copy copy = {symbol, dst, count, offset, kind, false};
    return TN_HIP_CALL(tn_rt_node_add(&spot, read_new, &copy));
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol,
                                               const void *src, size_t count, size_t offset,
                                               hipMemcpyKind kind) {
    const struct tn_hip_symbol_copy copy = {symbol, src, count, offset, kind, true};
    return TN_HIP_CALL(set_copy(node, &copy));
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind) {
    const struct tn_hip_symbol_copy copy = {symbol, dst, count, offset, kind, false};
    return TN_HIP_CALL(set_copy(node, &copy));
}

// ---- executable graphs

static tn_rt_error set_exec_copy(hipGraphExec_t exec, hipGraphNode_t node,
                                 const struct tn_hip_symbol_copy *copy) {
    TN_RT_REFUSE(copy->symbol == NULL, TN_RT_INVALID_SYMBOL, "symbol is NULL");
    return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_COPY, tn_hip_read_symbol_copy, copy);
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const void *symbol, const void *src,
                                                   size_t count, size_t offset,
                                                   hipMemcpyKind kind) {
    const struct tn_hip_symbol_copy copy = {symbol, src, count, offset, kind, true};
    return TN_HIP_CALL(set_exec_copy(hGraphExec, node, &copy));
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                     void *dst, const void *symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind) {
    const struct tn_hip_symbol_copy copy = {symbol, dst, count, offset, kind, false};
    return TN_HIP_CALL(set_exec_copy(hGraphExec, node, &copy));
}
