// SPDX-License-Identifier: Apache-2.0
// Graphs by hand, for tests: calls that must succeed, in one line each.
#pragma once

#include "support/work.h"

static inline hipGraph_t new_graph(void) {
    hipGraph_t graph = NULL;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    return graph;
}

static inline hipGraphNode_t add_empty(hipGraph_t graph, const hipGraphNode_t *before,
                                       size_t count) {
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddEmptyNode(&node, graph, before, count));
    return node;
}

static inline size_t count_nodes(hipGraph_t graph) {
    size_t count = 99;
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    return count;
}

static inline hipGraphNodeType type_of(hipGraphNode_t node) {
    hipGraphNodeType type = hipGraphNodeTypeCount;
    assert_hip_ok(hipGraphNodeGetType(node, &type));
    return type;
}

static inline hipGraphExec_t make_exec(hipGraph_t graph) {
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

// Runs a graph once, and waits for it.
static inline void run_graph(hipGraph_t graph) {
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipGraphExecDestroy(exec));
}

// Device memory of zeros.
static inline void *new_zeros(size_t size) {
    void *memory = NULL;
    assert_hip_ok(hipMalloc(&memory, size));
    assert_hip_ok(hipMemset(memory, 0, size));
    assert_hip_ok(hipDeviceSynchronize());
    return memory;
}

static inline unsigned word_at(const void *memory, size_t offset) {
    unsigned word = 0;
    assert_hip_ok(
        hipMemcpy(&word, (const char *)memory + offset, sizeof word, hipMemcpyDeviceToHost));
    return word;
}
