// SPDX-License-Identifier: Apache-2.0
// The edges of graphs: added, removed and listed; nodes that are destroyed, and found in clones.
#include "support/graph.h"

static size_t count_edges(hipGraph_t graph) {
    size_t count = 99;
    assert_hip_ok(hipGraphGetEdges(graph, NULL, NULL, &count));
    return count;
}

// Nodes a, b, c of a graph, without edges, and one of another graph.
struct parts {
    hipGraph_t graph;
    hipGraph_t other;
    hipGraphNode_t a, b, c;
    hipGraphNode_t foreign;
};

static struct parts make_parts(void) {
    struct parts p = {new_graph(), new_graph(), NULL, NULL, NULL, NULL};
    p.a = add_empty(p.graph, NULL, 0);
    p.b = add_empty(p.graph, NULL, 0);
    p.c = add_empty(p.graph, NULL, 0);
    p.foreign = add_empty(p.other, NULL, 0);
    return p;
}

static void end_parts(const struct parts *p) {
    assert_hip_ok(hipGraphDestroy(p->graph));
    assert_hip_ok(hipGraphDestroy(p->other));
}

// As ROCm 6.3 answered.
static void edges_that_cannot_be_added_are_refused(void **state) {
    struct parts p = make_parts();
    hipGraphNode_t none = NULL;
    (void)state;
    assert_hip(hipGraphAddDependencies(NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(NULL, &p.a, &p.b, 1), hipErrorInvalidValue);
    assert_hip_ok(hipGraphAddDependencies(p.graph, NULL, NULL, 0));
    assert_hip(hipGraphAddDependencies(p.graph, NULL, &p.b, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, &p.a, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &none, &p.b, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.foreign, &p.b, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, &p.foreign, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.other, &p.a, &p.b, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, &p.b, 10), hipErrorInvalidValue);
    assert_int_equal(count_edges(p.graph), 0);
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.a, &p.b, 1));
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, &p.b, 1), hipErrorInvalidValue);
    hipGraphNode_t from[] = {p.b, p.a};
    hipGraphNode_t to[] = {p.c, p.b};
    assert_hip(hipGraphAddDependencies(p.graph, from, to, 2), hipErrorInvalidValue);
    from[1] = p.b; // twice in the call
    to[1] = p.c;
    assert_hip(hipGraphAddDependencies(p.graph, from, to, 2), hipErrorInvalidValue);
    assert_int_equal(count_edges(p.graph), 1); // all or none
    end_parts(&p);
}

static void edges_are_removed_all_or_none(void **state) {
    struct parts p = make_parts();
    hipGraphNode_t none = NULL;
    hipGraphNode_t from[] = {p.a, p.b};
    hipGraphNode_t to[] = {p.c, p.c};
    hipGraphNode_t got[2];
    size_t count = 2;
    (void)state;
    assert_hip_ok(hipGraphAddDependencies(p.graph, from, to, 2));
    assert_hip(hipGraphRemoveDependencies(NULL, from, to, 1), hipErrorInvalidValue);
    assert_hip_ok(hipGraphRemoveDependencies(p.graph, NULL, NULL, 0));
    assert_hip(hipGraphRemoveDependencies(p.graph, NULL, to, 1), hipErrorInvalidValue);
    assert_hip(hipGraphRemoveDependencies(p.graph, from, &none, 1), hipErrorInvalidValue);
    assert_hip(hipGraphRemoveDependencies(p.graph, &p.b, &p.a, 1), hipErrorInvalidValue);
    to[1] = p.a; // not an edge
    assert_hip(hipGraphRemoveDependencies(p.graph, from, to, 2), hipErrorInvalidValue);
    from[1] = p.a; // twice in the call
    to[1] = p.c;
    assert_hip(hipGraphRemoveDependencies(p.graph, from, to, 2), hipErrorInvalidValue);
    assert_hip_ok(hipGraphNodeGetDependencies(p.c, got, &count));
    assert_true(count == 2 && got[0] == p.a && got[1] == p.b); // in their order
    assert_hip_ok(hipGraphRemoveDependencies(p.graph, from, to, 1));
    assert_hip(hipGraphRemoveDependencies(p.graph, from, to, 1), hipErrorInvalidValue);
    assert_int_equal(count_edges(p.graph), 1);
    end_parts(&p);
}

static void edges_and_neighbours_are_listed(void **state) {
    struct parts p = make_parts();
    hipGraphNode_t from[4];
    hipGraphNode_t to[4];
    size_t count = 4;
    (void)state;
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.a, &p.b, 1));
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.a, &p.c, 1));
    assert_hip(hipGraphGetEdges(p.graph, NULL, to, &count), hipErrorInvalidValue);
    assert_hip(hipGraphGetEdges(p.graph, from, NULL, &count), hipErrorInvalidValue);
    assert_hip(hipGraphGetEdges(p.graph, from, to, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphGetEdges(NULL, from, to, &count), hipErrorInvalidValue);
    assert_hip_ok(hipGraphGetEdges(p.graph, from, to, &count));
    assert_true(count == 2 && from[0] == p.a && to[0] == p.b && from[1] == p.a && to[1] == p.c);
    assert_true(from[2] == NULL && to[3] == NULL);
    count = 1;
    from[1] = p.b;
    assert_hip_ok(hipGraphGetEdges(p.graph, from, to, &count));
    assert_true(count == 1 && from[1] == p.b);
    count = 0;
    assert_hip_ok(hipGraphGetEdges(p.graph, from, to, &count));
    assert_int_equal(count, 0);
    count = 3;
    assert_hip_ok(hipGraphNodeGetDependentNodes(p.a, to, &count));
    assert_true(count == 2 && to[0] == p.b && to[1] == p.c && to[2] == NULL);
    assert_hip(hipGraphNodeGetDependentNodes(p.a, to, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphNodeGetDependentNodes(NULL, to, &count), hipErrorInvalidValue);
    count = 3;
    assert_hip_ok(hipGraphNodeGetDependencies(p.c, from, &count));
    assert_true(count == 1 && from[0] == p.a);
    end_parts(&p);
}

static void nodes_are_listed_behind_those_that_they_depend_on(void **state) {
    struct parts p = make_parts();
    hipGraphNode_t nodes[3];
    size_t count = 3;
    (void)state;
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.c, &p.b, 1));
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.b, &p.a, 1));
    assert_hip_ok(hipGraphGetNodes(p.graph, nodes, &count));
    assert_true(nodes[0] == p.c && nodes[1] == p.b && nodes[2] == p.a);
    assert_hip_ok(hipGraphGetRootNodes(p.graph, nodes, &count));
    assert_true(count == 1 && nodes[0] == p.c && nodes[1] == NULL);
    end_parts(&p);
}

// As ROCm 6.3 answered.
static void a_cycle_is_allowed_until_nodes_are_sorted(void **state) {
    struct parts p = make_parts();
    hipGraphNode_t from[] = {p.a, p.b, p.c};
    hipGraphNode_t to[] = {p.b, p.c, p.a};
    hipGraphExec_t exec = (hipGraphExec_t)9;
    hipGraph_t clone = NULL;
    size_t count = 9;
    (void)state;
    assert_hip_ok(hipGraphAddDependencies(p.graph, from, to, 3));
    assert_hip(hipGraphGetNodes(p.graph, NULL, &count), hipErrorInvalidValue);
    assert_int_equal(count, 9);
    assert_int_equal(count_edges(p.graph), 3);
    assert_hip_ok(hipGraphGetRootNodes(p.graph, NULL, &count));
    assert_int_equal(count, 0);
    assert_hip(hipGraphInstantiate(&exec, p.graph, NULL, NULL, 0), hipErrorInvalidValue);
    assert_ptr_equal(exec, (hipGraphExec_t)9);
    assert_hip_ok(hipGraphClone(&clone, p.graph));
    assert_hip_ok(hipGraphDestroy(clone));
    assert_hip_ok(hipGraphRemoveDependencies(p.graph, &p.c, &p.a, 1));
    run_graph(p.graph);
    end_parts(&p);
}

// ---- nodes that end

static void a_destroyed_node_takes_its_edges_with_it(void **state) {
    struct parts p = make_parts();
    hipGraphNodeType type = hipGraphNodeTypeCount;
    hipGraphNode_t node = (hipGraphNode_t)9;
    size_t count = 9;
    (void)state;
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.a, &p.b, 1));
    assert_hip_ok(hipGraphAddDependencies(p.graph, &p.b, &p.c, 1));
    assert_hip(hipGraphDestroyNode(NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroyNode(p.b));
    assert_hip(hipGraphDestroyNode(p.b), hipErrorInvalidValue);
    assert_int_equal(count_nodes(p.graph), 2);
    assert_int_equal(count_edges(p.graph), 0);
    assert_hip(hipGraphNodeGetType(p.b, &type), hipErrorInvalidValue);
    assert_hip(hipGraphNodeGetDependencies(p.b, NULL, &count), hipErrorInvalidValue);
    assert_hip(hipGraphAddDependencies(p.graph, &p.a, &p.b, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, p.graph, &p.b, 1), hipErrorInvalidValue);
    assert_ptr_equal(node, (hipGraphNode_t)9);
    end_parts(&p);
}

static void an_executable_graph_keeps_a_node_that_is_destroyed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    unsigned *d = (unsigned *)new_zeros(64);
    const hipMemsetParams params = {d, 4, 1, 0, 3, 1};
    (void)state;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &params));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphDestroyNode(node));
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_int_equal(word_at(d, 0), 3);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipFree(d));
}

static void a_capture_keeps_its_nodes(void **state) {
    hipStream_t stream = hipStreamPerThread;
    hipStreamCaptureStatus status;
    hipGraph_t graph = NULL;
    hipGraphNode_t node = NULL;
    size_t count = 1;
    void *d = new_zeros(64);
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemsetAsync(d, 1, 4, stream));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, NULL, NULL));
    assert_hip_ok(hipGraphGetNodes(graph, &node, &count));
    assert_hip(hipGraphDestroyNode(node), hipErrorIllegalState);
    assert_hip_ok(hipMemsetAsync(d, 2, 4, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_int_equal(count_nodes(graph), 2);
    assert_hip_ok(hipGraphDestroyNode(node));
    assert_int_equal(count_nodes(graph), 1);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

// ---- clones

static void a_node_is_found_in_clones(void **state) {
    struct parts p = make_parts();
    hipGraph_t clone = NULL;
    hipGraph_t second = NULL;
    hipGraphNode_t found = (hipGraphNode_t)9;
    hipGraphNode_t again = NULL;
    (void)state;
    assert_hip_ok(hipGraphClone(&clone, p.graph));
    hipGraphNode_t late = add_empty(p.graph, NULL, 0);
    hipGraphNode_t own = add_empty(clone, NULL, 0); // has the same number as `late`
    assert_hip(hipGraphNodeFindInClone(NULL, NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(NULL, p.b, clone), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(&found, NULL, clone), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(&found, p.b, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(&found, p.b, p.graph), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(&found, p.foreign, clone), hipErrorInvalidValue);
    assert_hip(hipGraphNodeFindInClone(&found, late, clone), hipErrorInvalidValue);
    assert_ptr_equal(found, (hipGraphNode_t)9);
    assert_hip_ok(hipGraphNodeFindInClone(&found, p.b, clone));
    assert_ptr_not_equal(found, p.b);
    assert_hip_ok(hipGraphNodeFindInClone(&again, found, clone)); // as AMD's
    assert_ptr_equal(again, found);
    assert_hip_ok(hipGraphClone(&second, clone));
    assert_hip_ok(hipGraphNodeFindInClone(&again, found, second));
    assert_hip_ok(hipGraphNodeFindInClone(&found, p.b, second));
    assert_ptr_equal(again, found);
    assert_hip_ok(hipGraphNodeFindInClone(&found, own, second));
    end_parts(&p);
    assert_int_equal(count_nodes(clone), 4);
    run_graph(clone);
    assert_hip_ok(hipGraphDestroy(clone));
    assert_hip_ok(hipGraphDestroy(second));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_that_cannot_be_added_are_refused),
        cmocka_unit_test(edges_are_removed_all_or_none),
        cmocka_unit_test(edges_and_neighbours_are_listed),
        cmocka_unit_test(nodes_are_listed_behind_those_that_they_depend_on),
        cmocka_unit_test(a_cycle_is_allowed_until_nodes_are_sorted),
        cmocka_unit_test(a_destroyed_node_takes_its_edges_with_it),
        cmocka_unit_test(an_executable_graph_keeps_a_node_that_is_destroyed),
        cmocka_unit_test(a_capture_keeps_its_nodes),
        cmocka_unit_test(a_node_is_found_in_clones),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
