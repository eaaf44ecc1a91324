// SPDX-License-Identifier: Apache-2.0
// Graphs that a program makes by hand: nodes, edges, clones, executable graphs and user objects.
#include "support/cuda.h"

#include <stdio.h>

enum { MOST = 8 };

static CUgraph graph;
static CUgraphNode nodes[4];

// Four nodes without work: 0 before 1 and 2, which precede 3.
static void make_graph(void) {
    assert_cu_ok(cuGraphCreate(&graph, 0));
    assert_cu_ok(cuGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    assert_cu_ok(cuGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1));
    assert_cuda_ok(cudaGraphAddEmptyNode(&nodes[2], graph, &nodes[0], 1));
    assert_cu_ok(cuGraphAddEmptyNode(&nodes[3], graph, &nodes[1], 2));
}

static void a_graph_states_its_nodes_and_edges(void **state) {
    CUgraphNode got[MOST], from[MOST], to[MOST];
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
    size_t count = MOST;
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphGetNodes(graph, got, &count));
    assert_int_equal(count, 4);
    assert_memory_equal(got, nodes, sizeof nodes);
    assert_cu_ok(cuGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_EMPTY);
    count = MOST;
    assert_cuda_ok(cudaGraphGetRootNodes(graph, got, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(got[0], nodes[0]);
    count = 0;
    assert_cu_ok(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 4);
    assert_cu_ok(cuGraphGetEdges(graph, from, to, NULL, &count));
    assert_cu_ok(cuGraphNodeGetDependencies(nodes[3], NULL, NULL, &count));
    assert_int_equal(count, 2);
    assert_cu_ok(cuGraphNodeGetDependencies(nodes[3], got, NULL, &count));
    assert_true(got[0] == nodes[1] || got[0] == nodes[2]);
    assert_cu_ok(cuGraphNodeGetDependentNodes(nodes[0], NULL, NULL, &count));
    assert_int_equal(count, 2);
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cu(cuGraphGetNodes(graph, NULL, &count), 1);
}

static void edges_come_and_go(void **state) {
    CUgraphEdgeData data = {0};
    size_t count = 0;
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphRemoveDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
    assert_cu_ok(cuGraphGetRootNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    assert_cu(cuGraphRemoveDependencies(graph, &nodes[0], &nodes[1], NULL, 1), 1);
    assert_cu_ok(cuGraphAddDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
    assert_cu(cuGraphAddDependencies(graph, &nodes[3], &nodes[3], NULL, 1), 1);
    assert_cu_ok(cuGraphAddDependencies(graph, &nodes[1], &nodes[2], &data, 1));
    data.type = 1; // a programmatic dependency
    assert_cu(cuGraphAddDependencies(graph, &nodes[2], &nodes[3], &data, 1), 1);
    assert_cu_ok(cuGraphDestroyNode(nodes[0]));
    assert_cu_ok(cuGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 3);
    assert_cu_ok(cuGraphDestroy(graph));
}

static void a_clone_has_nodes_of_its_own(void **state) {
    CUgraph clone = NULL;
    CUgraphNode twin = NULL;
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphClone(&clone, graph));
    assert_cu_ok(cuGraphNodeFindInClone(&twin, nodes[3], clone));
    assert_ptr_not_equal(twin, nodes[3]);
    assert_cu_ok(cuGraphDestroyNode(twin));
    assert_cu(cuGraphNodeFindInClone(&twin, nodes[3], clone), 1);
    assert_null(twin);
    assert_cu_ok(cuGraphDestroy(clone));
    assert_cu_ok(cuGraphDestroy(graph));
}

static void a_graph_is_written_for_graphviz(void **state) {
    const char *path = "cuda_graph_test.dot";
    char line[64] = "";
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphDebugDotPrint(graph, path, 0));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_memory_equal(line, "digraph", 7);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(remove(path), 0);
    assert_cu_ok(cuGraphDestroy(graph));
}

static void an_executable_graph_is_a_copy(void **state) {
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags =
                                                CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH};
    CUgraphExec exec = NULL, other = NULL;
    cuuint64_t flags = 0;
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphInstantiateWithParams(&exec, graph, &params));
    assert_int_equal(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    assert_cu_ok(cuGraphExecGetFlags(exec, &flags));
    assert_int_equal(flags, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    assert_cuda_ok(cudaGraphInstantiate(&other, graph, 0));
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cu_ok(cuGraphUpload(exec, NULL));
    assert_cu_ok(cuGraphLaunch(exec, NULL));
    assert_cu_ok(cuGraphLaunch(other, NULL));
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuGraphExecDestroy(exec));
    assert_cu_ok(cuGraphExecDestroy(other));
    assert_cu(cuGraphLaunch(exec, NULL), 1);
}

static void an_update_takes_a_graph_of_the_same_shape(void **state) {
    CUgraphExecUpdateResultInfo info;
    CUgraphExec exec = NULL;
    CUgraphNode more;
    (void)state;
    make_graph();
    assert_cu_ok(cuGraphInstantiateWithFlags(&exec, graph, 0));
    assert_cu_ok(cuGraphExecUpdate(exec, graph, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    assert_cu_ok(cuGraphAddEmptyNode(&more, graph, NULL, 0));
    assert_cu(cuGraphExecUpdate(exec, graph, &info), 910);
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    assert_cu_ok(cuGraphExecDestroy(exec));
    assert_cu_ok(cuGraphDestroy(graph));
}

static void count_call(void *calls) { (*(int *)calls)++; }

static void a_user_object_ends_with_its_last_reference(void **state) {
    CUuserObject object = NULL;
    int calls = 0;
    (void)state;
    make_graph();
    assert_cu_ok(
        cuUserObjectCreate(&object, &calls, count_call, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    assert_cu_ok(cuUserObjectRetain(object, 2));
    assert_cu_ok(cuGraphRetainUserObject(graph, object, 1, 0));
    assert_cu_ok(cuUserObjectRelease(object, 3));
    assert_int_equal(calls, 0);
    assert_cu_ok(cuGraphReleaseUserObject(graph, object, 1));
    assert_cu_ok(cuCtxSynchronize());
    assert_int_equal(calls, 1);
    assert_cu_ok(cuGraphDestroy(graph));
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_states_its_nodes_and_edges),
        cmocka_unit_test(edges_come_and_go),
        cmocka_unit_test(a_clone_has_nodes_of_its_own),
        cmocka_unit_test(a_graph_is_written_for_graphviz),
        cmocka_unit_test(an_executable_graph_is_a_copy),
        cmocka_unit_test(an_update_takes_a_graph_of_the_same_shape),
        cmocka_unit_test(a_user_object_ends_with_its_last_reference),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
