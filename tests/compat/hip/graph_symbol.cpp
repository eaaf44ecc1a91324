// SPDX-License-Identifier: Apache-2.0
// Nodes that copy variables of kernels.
#include <hip/hip_runtime.h>

#include "support/graph.h"

namespace {

__device__ int words[8];
__device__ int one;
__device__ int other[8];

__global__ void double_words() {
    HIP_EXT_KERNEL((double_words));
    words[threadIdx.x] *= 2;
}

const hipMemcpyKind to = hipMemcpyHostToDevice;
const hipMemcpyKind from = hipMemcpyDeviceToHost;

void nodes_are_checked_when_they_are_added(void **state) {
    int memory[8] = {};
    static int unknown;
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = nullptr;
    const void *none = nullptr;
    (void)state;
    assert_hip(hipGraphAddMemcpyNodeToSymbol(nullptr, graph, nullptr, 0, words, memory, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemcpyNodeToSymbol(&node, nullptr, nullptr, 0, words, memory, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, words, memory, 0, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, words, nullptr, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, none, memory, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, memory,
                                               static_cast<const void *>(&unknown), 4, 0, from),
               hipErrorInvalidSymbol);
    assert_hip(
        hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, memory, words, 8, 28, from),
        hipErrorInvalidValue);
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, memory, words, 4, 28,
                                                  static_cast<hipMemcpyKind>(7)));
    assert_int_equal(type_of(node), hipGraphNodeTypeMemcpy);
    assert_hip_ok(hipGraphDestroy(graph));
}

void a_graph_writes_runs_and_reads_a_variable(void **state) {
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int out[8] = {};
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[3] = {};
    (void)state;
    assert_hip_ok(
        hipGraphAddMemcpyNodeToSymbol(&nodes[0], graph, nullptr, 0, words, in, sizeof in, 0, to));
    hipKernelNodeParams params = {};
    params.func = reinterpret_cast<void *>(double_words);
    params.gridDim = dim3(1);
    params.blockDim = dim3(8);
    assert_hip_ok(hipGraphAddKernelNode(&nodes[1], graph, nodes, 1, &params));
    assert_hip_ok(
        hipGraphAddMemcpyNodeFromSymbol(&nodes[2], graph, &nodes[1], 1, out, words, 8, 24, from));
    run_graph(graph);
    assert_true(out[0] == 14 && out[1] == 16 && out[2] == 0);
    assert_hip_ok(hipGraphMemcpyNodeSetParamsToSymbol(nodes[0], words, in, 4, 28, to));
    assert_hip_ok(hipGraphMemcpyNodeSetParamsFromSymbol(nodes[2], out, words, 8, 24, from));
    run_graph(graph);
    assert_true(out[0] == 28 && out[1] == 2);
    assert_hip_ok(hipGraphDestroy(graph));
}

void changes_are_checked(void **state) {
    int memory[8] = {};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = nullptr;
    const void *none = nullptr;
    (void)state;
    hipGraphNode_t empty = add_empty(graph, nullptr, 0);
    assert_hip_ok(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, one, memory, 4, 0, to));
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(nullptr, none, memory, 4, 0, to),
               hipErrorInvalidSymbol); // first
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(nullptr, one, memory, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(empty, one, memory, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, one, nullptr, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, one, memory, 0, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, one, memory, 8, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, words, words, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip_ok(hipMemcpyToSymbol(other, memory, 4)); // known from now on
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, words, other, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsToSymbol(node, one, memory, 4, 0, from),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParamsFromSymbol(node, memory, one, 4, 0, to),
               hipErrorInvalidMemcpyDirection);
    assert_hip_ok(hipGraphMemcpyNodeSetParamsFromSymbol(node, memory, one, 4, 0, from));
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
}

void executables_copy_other_variables(void **state) {
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int out[8] = {};
    static int unknown;
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[2] = {};
    const void *none = nullptr;
    (void)state;
    assert_hip_ok(
        hipGraphAddMemcpyNodeToSymbol(&nodes[0], graph, nullptr, 0, words, in, sizeof in, 0, to));
    assert_hip_ok(hipGraphAddMemcpyNodeFromSymbol(&nodes[1], graph, nodes, 1, out, words,
                                                  sizeof out, 0, from));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, nodes[0], other, in, 16, 16, to));
    assert_hip_ok(
        hipGraphExecMemcpyNodeSetParamsFromSymbol(exec, nodes[1], out, other, 8, 24, from));
    assert_hip(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, nodes[0], none, in, 4, 0, to),
               hipErrorInvalidSymbol);
    assert_hip(hipGraphExecMemcpyNodeSetParamsFromSymbol(
                   exec, nodes[1], out, static_cast<const void *>(&unknown), 4, 0, from),
               hipErrorInvalidSymbol);
    assert_hip(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, nodes[0], other, in, 4, 32, to),
               hipErrorInvalidValue);
    assert_hip(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, nodes[0], other, in, 4, 0, from),
               hipErrorInvalidValue);
    assert_hip(hipGraphExecMemcpyNodeSetParamsToSymbol(nullptr, nodes[0], other, in, 4, 0, to),
               hipErrorInvalidValue);
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(out[0] == 3 && out[1] == 4 && out[2] == 0);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_checked_when_they_are_added),
        cmocka_unit_test(a_graph_writes_runs_and_reads_a_variable),
        cmocka_unit_test(changes_are_checked),
        cmocka_unit_test(executables_copy_other_variables),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
