// SPDX-License-Identifier: Apache-2.0
// hipGraphDebugDotPrint(): a graph as text for Graphviz.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/graph.h"

static char path[] = "/tmp/tarn-graph-XXXXXX";
static char text[8192];

static const char *print(hipGraph_t graph, unsigned flags) {
    assert_hip_ok(hipGraphDebugDotPrint(graph, path, flags));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    return text;
}

static void nothing(void *arg) { (void)arg; }

// A fill, a copy behind it, and a child graph of a function.
static hipGraph_t make_graph(char *memory) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraphNode_t fill = NULL, copy = NULL, node = NULL;
    const hipMemsetParams rows = {memory, 4, 1, 0, 0xab, 3};
    const hipHostNodeParams function = {nothing, NULL};
    assert_hip_ok(hipGraphAddMemsetNode(&fill, graph, NULL, 0, &rows));
    assert_hip_ok(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, memory + 32, memory, 12,
                                          hipMemcpyDeviceToDevice));
    assert_hip_ok(hipGraphAddHostNode(&node, child, NULL, 0, &function));
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, &copy, 1, child));
    assert_hip_ok(hipGraphDestroy(child));
    return graph;
}

static void nodes_edges_and_children_are_written(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = make_graph(memory);
    (void)state;
    assert_ptr_equal(strstr(print(graph, 0), "digraph"), text);
    assert_non_null(strstr(text, "\"0.0\" [label=\"0 memset\"];"));
    assert_non_null(strstr(text, "\"0.0\" -> \"0.1\";"));
    assert_non_null(strstr(text, "\"0.1\" -> \"0.2\";"));
    assert_non_null(strstr(text, "\"1.0\" [label=\"0 host function\"];"));
    assert_non_null(strstr(text, "subgraph cluster_1"));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(memory));
}

static void flags_choose_parameters(void **state) {
    static const struct {
        unsigned flags;
        bool fill, copy, host;
    } cases[] = {{0, false, false, false},
                 {hipGraphDebugDotFlagsMemsetNodeParams, true, false, false},
                 {hipGraphDebugDotFlagsMemcpyNodeParams, false, true, false},
                 {hipGraphDebugDotFlagsHostNodeParams, false, false, true},
                 {hipGraphDebugDotFlagsVerbose, true, true, true}};
    char *memory = new_zeros(64);
    hipGraph_t graph = make_graph(memory);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)print(graph, cases[i].flags);
        assert_int_equal(strstr(text, "3 x 1 elements of 4 bytes") != NULL, cases[i].fill);
        assert_int_equal(strstr(text, "12 x 1 x 1 bytes") != NULL, cases[i].copy);
        assert_int_equal(strstr(text, "function 0x") != NULL, cases[i].host);
    }
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(memory));
}

static void what_cannot_be_written_is_refused(void **state) {
    hipGraph_t graph = new_graph();
    (void)state;
    (void)hipGetLastError();
    assert_hip(hipGraphDebugDotPrint(NULL, path, 0), hipErrorInvalidValue);
    assert_hip(hipGraphDebugDotPrint(graph, NULL, 0), hipErrorInvalidValue);
    assert_hip_ok(hipGetLastError()); // not kept
    assert_hip(hipGraphDebugDotPrint(graph, "/does/not/exist", 0), hipErrorOperatingSystem);
    assert_hip(hipGraphDebugDotPrint(graph, "/dev/full", 0), hipErrorOperatingSystem);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip(hipGraphDebugDotPrint(graph, path, 0), hipErrorInvalidValue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_edges_and_children_are_written),
        cmocka_unit_test(flags_choose_parameters),
        cmocka_unit_test(what_cannot_be_written_is_refused),
    };
    int made = mkstemp(path);
    if (made < 0 || close(made) != 0) return 1;
    int failed = cmocka_run_group_tests(tests, work_group_setup, NULL);
    (void)unlink(path);
    return failed;
}
