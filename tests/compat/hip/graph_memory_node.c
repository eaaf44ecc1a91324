// SPDX-License-Identifier: Apache-2.0
// Nodes that allocate and free memory, added by hand.
#include "support/graph.h"

#define MIB ((size_t)1 << 20)

static hipMemAllocNodeParams params_of(size_t bytes) {
    hipMemAllocNodeParams params;
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location.type = hipMemLocationTypeDevice;
    params.bytesize = bytes;
    params.dptr = (void *)9;
    return params;
}

static hipGraphNode_t add_alloc(hipGraph_t graph, size_t bytes, void **ptr) {
    hipMemAllocNodeParams params = params_of(bytes);
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
    *ptr = params.dptr;
    return node;
}

// Vector 24, and AMD's answers: which errors write the address.
static void allocations_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = (hipGraphNode_t)9;
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    (void)state;
    hipMemAllocNodeParams p = params_of(0);
    p.poolProps.location.id = 9;
    assert_hip(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_null(p.dptr);
    p = params_of(64);
    p.poolProps.allocType = hipMemAllocationTypeInvalid;
    assert_hip(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_null(p.dptr);
    p = params_of(64);
    p.poolProps.location.type = hipMemLocationTypeInvalid;
    assert_hip(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_null(p.dptr);
    p = params_of(64);
    p.poolProps.location.id = 9;
    assert_hip(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_ptr_equal(p.dptr, (void *)9);
    assert_hip(hipGraphAddMemAllocNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddMemAllocNode(NULL, graph, NULL, 0, &p), hipErrorInvalidValue);
    p = params_of(64);
    assert_hip(hipGraphAddMemAllocNode(&node, graph, &foreign, 1, &p), hipErrorInvalidValue);
    assert_ptr_equal(p.dptr, (void *)9);
    assert_ptr_equal(node, (hipGraphNode_t)9);
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(other));
}

// Vectors 28 and 3 of the second sheet.
static void frees_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = NULL;
    void *ptr = NULL;
    void *plain = new_zeros(64);
    (void)state;
    hipGraphNode_t alloc = add_alloc(graph, MIB, &ptr);
    assert_hip(hipGraphAddMemFreeNode(&node, graph, &alloc, 0, ptr), hipErrorInvalidValue);
    assert_hip(hipGraphAddMemFreeNode(&node, graph, &alloc, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddMemFreeNode(&node, graph, &alloc, 1, plain), hipErrorInvalidValue);
    assert_hip(hipGraphAddMemFreeNode(&node, graph, &alloc, 1, (char *)ptr + 64),
               hipErrorInvalidValue);
    assert_hip(hipGraphAddMemFreeNode(&node, other, &alloc, 1, ptr), hipErrorInvalidValue);
    assert_null(node);
    assert_hip_ok(
        hipGraphAddMemFreeNode(&node, other, NULL, 0, ptr)); // the failure above is undone
    assert_hip(hipGraphAddMemFreeNode(&node, graph, &alloc, 1, ptr), hipErrorInvalidValue);
    assert_hip(hipDrvGraphAddMemFreeNode(&node, graph, &alloc, 1, ptr), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipFree(plain));
}

static void parameters_are_returned_as_they_were_given(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipGraphNode_t frees = NULL;
    hipMemAccessDesc rights[] = {{{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtReadWrite}};
    hipMemAllocNodeParams got;
    hipMemAllocNodeParams p = params_of(100);
    void *ptr = NULL;
    (void)state;
    p.accessDescs = rights;
    p.accessDescCount = 1;
    assert_hip_ok(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    assert_int_equal(p.bytesize, 100);
    assert_int_equal(type_of(node), hipGraphNodeTypeMemAlloc);
    rights[0].location.id = 7; // the list was copied
    assert_hip(hipGraphMemAllocNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphMemAllocNodeGetParams(node, &got));
    assert_true(got.bytesize == 100 && got.dptr == p.dptr && got.accessDescCount == 1);
    assert_int_equal(got.accessDescs[0].location.id, 1);
    assert_hip_ok(hipDrvGraphAddMemFreeNode(&frees, graph, &node, 1, p.dptr));
    assert_int_equal(type_of(frees), hipGraphNodeTypeMemFree);
    assert_hip_ok(hipGraphMemFreeNodeGetParams(frees, &ptr));
    assert_ptr_equal(ptr, p.dptr);
    assert_hip(hipGraphMemFreeNodeGetParams(frees, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphMemFreeNodeGetParams(node, &ptr), hipErrorInvalidValue);
    assert_hip(hipGraphMemAllocNodeGetParams(frees, &got), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
}

// Vectors 25, 27 and 29.
static void memory_is_used_between_its_nodes_at_each_launch(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t clone = NULL;
    hipGraphExec_t again = NULL;
    hipGraphNode_t nodes[3];
    hipPointerAttribute_t attributes;
    static unsigned out;
    void *ptr = NULL;
    (void)state;
    hipGraphNode_t alloc = add_alloc(graph, MIB, &ptr);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr)); // before any launch
    const hipMemsetParams fill = {ptr, 4, 1, 0, 17, 4};
    assert_hip_ok(hipGraphAddMemsetNode(&nodes[0], graph, &alloc, 1, &fill));
    assert_hip_ok(hipGraphAddMemcpyNode1D(&nodes[1], graph, &nodes[0], 1, &out, ptr, 4,
                                          hipMemcpyDeviceToHost));
    assert_hip_ok(hipGraphAddMemFreeNode(&nodes[2], graph, &nodes[1], 1, ptr));
    assert_hip(hipGraphDestroyNode(alloc), hipErrorNotSupported);
    assert_hip(hipGraphDestroyNode(nodes[2]), hipErrorNotSupported);
    assert_hip(hipGraphClone(&clone, graph), hipErrorNotSupported);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip(hipGraphInstantiate(&again, graph, NULL, NULL, 0), hipErrorNotSupported);
    for (int i = 0; i < 10; i++) {
        out = 0;
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(out, 17);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

// Vector 26.
static void memory_that_no_node_frees_is_freed_by_the_program(void **state) {
    hipGraph_t graph = new_graph();
    void *ptr = NULL;
    (void)state;
    (void)add_alloc(graph, MIB, &ptr);
    assert_hip(hipFree(ptr), hipErrorInvalidValue); // no launch has allocated it
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipMemset(ptr, 1, MIB));
    assert_hip_ok(hipFreeAsync(ptr, NULL));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipMemset(ptr, 1, MIB)); // it lives until it is freed
    assert_hip_ok(hipFree(ptr));
}

static void a_graph_with_memory_is_no_child(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraphNode_t node = NULL;
    void *ptr = NULL;
    (void)state;
    (void)add_alloc(child, MIB, &ptr);
    assert_hip(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child), hipErrorNotSupported);
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_checked),
        cmocka_unit_test(frees_are_checked),
        cmocka_unit_test(parameters_are_returned_as_they_were_given),
        cmocka_unit_test(memory_is_used_between_its_nodes_at_each_launch),
        cmocka_unit_test(memory_that_no_node_frees_is_freed_by_the_program),
        cmocka_unit_test(a_graph_with_memory_is_no_child),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
