// SPDX-License-Identifier: Apache-2.0
// hipGraphAddNode() and hipGraphNodeSetParams(): nodes of the kind that their parameters name.
#include "support/graph.h"

static hipGraphNodeParams params_of(int type) {
    hipGraphNodeParams params;
    memset(&params, 0, sizeof params);
    params.type = (hipGraphNodeType)type;
    return params;
}

static hipMemsetParams word_of(void *dst, unsigned value) {
    const hipMemsetParams params = {dst, 4, 1, 0, value, 1};
    return params;
}

static hipMemcpy3DParms row_of(void *dst, void *src) {
    hipMemcpy3DParms params;
    memset(&params, 0, sizeof params);
    params.srcPtr = make_hipPitchedPtr(src, 64, 64, 1);
    params.dstPtr = make_hipPitchedPtr(dst, 64, 64, 1);
    params.extent = make_hipExtent(4, 1, 1);
    params.kind = hipMemcpyDefault;
    return params;
}

static void kinds_without_parameters_are_refused(void **state) {
    const int none[] = {hipGraphNodeTypeEmpty, hipGraphNodeTypeMemcpyFromSymbol,
                        hipGraphNodeTypeMemcpyToSymbol, hipGraphNodeTypeBatchMemOp, 99};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = (hipGraphNode_t)9;
    (void)state;
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    hipGraphNodeParams p = params_of(hipGraphNodeTypeExtSemaphoreSignal);
    assert_hip(hipGraphAddNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddNode(NULL, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_hip(hipGraphAddNode(&node, NULL, NULL, 0, &p), hipErrorInvalidValue);
    assert_hip(hipGraphNodeSetParams(empty, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphNodeSetParams(NULL, &p), hipErrorInvalidValue);
    for (int type = hipGraphNodeTypeExtSemaphoreSignal; type <= hipGraphNodeTypeExtSemaphoreWait;
         type++) {
        p = params_of(type);
        assert_hip(hipGraphAddNode(&node, graph, NULL, 0, &p), hipErrorNotSupported);
        assert_hip(hipGraphNodeSetParams(empty, &p), hipErrorNotSupported);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        p = params_of(none[i]);
        assert_hip(hipGraphAddNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
        assert_hip(hipGraphNodeSetParams(empty, &p), hipErrorInvalidValue);
    }
    p = params_of(hipGraphNodeTypeMemAlloc);
    assert_hip(hipGraphNodeSetParams(empty, &p), hipErrorNotSupported);
    p = params_of(hipGraphNodeTypeMemFree);
    assert_hip(hipGraphNodeSetParams(empty, &p), hipErrorNotSupported);
    assert_ptr_equal(node, (hipGraphNode_t)9);
    assert_int_equal(count_nodes(graph), 1);
    assert_hip_ok(hipGraphDestroy(graph));
}

// Each kind is checked like the function for it.
static void bad_parameters_are_those_of_the_kind(void **state) {
    const int types[] = {hipGraphNodeTypeMemcpy,    hipGraphNodeTypeMemset,
                         hipGraphNodeTypeHost,      hipGraphNodeTypeGraph,
                         hipGraphNodeTypeWaitEvent, hipGraphNodeTypeEventRecord,
                         hipGraphNodeTypeMemAlloc,  hipGraphNodeTypeMemFree};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        hipGraphNodeParams p = params_of(types[i]); // zeros
        assert_hip(hipGraphAddNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    }
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphDestroy(graph));
}

static atomic_count_t calls;

static void all_kinds_are_added_changed_and_run(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipEvent_t event = NULL;
    hipGraphNode_t nodes[8];
    char *d = (char *)new_zeros(256);
    float ms = -1;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    hipMemsetParams fill = word_of(d + 128, 5);
    hipGraphNode_t inner = NULL;
    assert_hip_ok(hipGraphAddMemsetNode(&inner, child, NULL, 0, &fill));

    hipGraphNodeParams p[8];
    p[0] = params_of(hipGraphNodeTypeMemset);
    p[0].memset = word_of(d, 1);
    p[1] = params_of(hipGraphNodeTypeMemcpy);
    p[1].memcpy.copyParams = row_of(d + 64, d);
    p[2] = params_of(hipGraphNodeTypeHost);
    p[2].host.fn = count;
    p[2].host.userData = &calls;
    p[3] = params_of(hipGraphNodeTypeGraph);
    p[3].graph.graph = child;
    p[4] = params_of(hipGraphNodeTypeWaitEvent);
    p[4].eventWait.event = event;
    p[5] = params_of(hipGraphNodeTypeEventRecord);
    p[5].eventRecord.event = event;
    for (int i = 0; i < 6; i++) {
        assert_hip_ok(
            hipGraphAddNode(&nodes[i], graph, &nodes[i > 0 ? i - 1 : 0], i > 0 ? 1 : 0, &p[i]));
        assert_int_equal(type_of(nodes[i]), p[i].type);
    }
    run_graph(graph);
    assert_int_equal(word_at(d, 64), 1);
    assert_int_equal(word_at(d, 128), 5);
    assert_int_equal(atomic_load(&calls), 1);
    assert_hip_ok(hipEventElapsedTime(&ms, event, event));

    for (int i = 0; i < 6; i++) {
        assert_hip_ok(hipGraphNodeSetParams(nodes[i], &p[i])); // the same
        assert_hip(hipGraphNodeSetParams(nodes[(i + 1) % 6], &p[i]), hipErrorInvalidValue);
    }
    p[0].memset.value = 2;
    p[1].memcpy.copyParams = row_of(d + 192, d);
    assert_hip_ok(hipGraphNodeSetParams(nodes[0], &p[0]));
    assert_hip_ok(hipGraphNodeSetParams(nodes[1], &p[1]));
    fill.value = 6;
    assert_hip_ok(hipGraphMemsetNodeSetParams(inner, &fill));
    assert_hip_ok(hipGraphNodeSetParams(nodes[3], &p[3])); // copies the child again
    run_graph(graph);
    assert_int_equal(word_at(d, 64), 1);
    assert_int_equal(word_at(d, 192), 2);
    assert_int_equal(word_at(d, 128), 6);

    p[0].memset.elementSize = 3;
    assert_hip(hipGraphNodeSetParams(nodes[0], &p[0]), hipErrorInvalidValue);
    p[2].host.userData = NULL;
    assert_hip(hipGraphNodeSetParams(nodes[2], &p[2]), hipErrorInvalidValue);
    p[3].graph.graph = graph;
    assert_hip(hipGraphNodeSetParams(nodes[3], &p[3]), hipErrorUnknown);
    assert_hip(hipGraphNodeSetParams(nodes[2], &p[3]), hipErrorInvalidValue); // no child node
    p[3].graph.graph = NULL;
    assert_hip(hipGraphNodeSetParams(nodes[3], &p[3]), hipErrorInvalidValue);
    p[4].eventWait.event = NULL;
    assert_hip(hipGraphNodeSetParams(nodes[4], &p[4]), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipFree(d));
}

static void memory_is_allocated_and_freed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[2];
    (void)state;
    hipGraphNodeParams p = params_of(hipGraphNodeTypeMemAlloc);
    p.alloc.poolProps.allocType = hipMemAllocationTypePinned;
    p.alloc.poolProps.location.type = hipMemLocationTypeDevice;
    p.alloc.bytesize = 4096;
    assert_hip_ok(hipGraphAddNode(&nodes[0], graph, NULL, 0, &p));
    assert_non_null(p.alloc.dptr);
    hipGraphNodeParams f = params_of(hipGraphNodeTypeMemFree);
    f.free.dptr = p.alloc.dptr;
    assert_hip_ok(hipGraphAddNode(&nodes[1], graph, nodes, 1, &f));
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_without_parameters_are_refused),
        cmocka_unit_test(bad_parameters_are_those_of_the_kind),
        cmocka_unit_test(all_kinds_are_added_changed_and_run),
        cmocka_unit_test(memory_is_allocated_and_freed),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
