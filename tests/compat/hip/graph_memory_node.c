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

// As ROCm 6.3 answered: which errors write the address.
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

// A child that allocates, fills and, if told so, frees; a copy of its parent reads behind it.
static hipGraph_t parent_of(hipGraph_t child, void **ptr, unsigned *out, bool frees) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipGraphNode_t copy = NULL;
    hipGraphNode_t alloc = add_alloc(child, MIB, ptr);
    const hipMemsetParams fill = {*ptr, 4, 1, 0, 17, 4};
    assert_hip_ok(hipGraphAddMemsetNode(&node, child, &alloc, 1, &fill));
    if (frees) assert_hip_ok(hipGraphAddMemFreeNode(&node, child, &node, 1, *ptr));
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    if (!frees)
        assert_hip_ok(
            hipGraphAddMemcpyNode1D(&copy, graph, &node, 1, out, *ptr, 4, hipMemcpyDeviceToHost));
    return graph;
}

// The child itself, too, at another time.
static void a_child_uses_its_memory_at_each_launch(void **state) {
    hipGraph_t child = new_graph();
    void *ptr = NULL;
    hipGraphExec_t execs[2];
    hipGraphExec_t again = (hipGraphExec_t)9;
    hipGraph_t clone = NULL;
    hipGraph_t copy = NULL;
    hipGraphNode_t node = NULL;
    size_t one = 1;
    (void)state;
    hipGraph_t graph = parent_of(child, &ptr, NULL, true);
    assert_hip_ok(hipGraphGetNodes(graph, &node, &one));
    assert_hip_ok(hipGraphChildGraphNodeGetGraph(node, &copy));
    assert_hip(hipGraphClone(&clone, graph), hipErrorNotSupported);
    assert_hip(hipGraphClone(&clone, copy), hipErrorNotSupported);
    execs[0] = make_exec(graph);
    execs[1] = make_exec(child);
    assert_hip(hipGraphInstantiate(&again, graph, NULL, NULL, 0), hipErrorNotSupported);
    for (int i = 0; i < 6; i++) assert_hip_ok(hipGraphLaunch(execs[i % 2], NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip(hipFree(ptr), hipErrorInvalidValue); // it is free
    for (int i = 0; i < 2; i++) assert_hip_ok(hipGraphExecDestroy(execs[i]));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
}

static void a_parent_frees_what_its_child_allocates(void **state) {
    static unsigned out;
    hipGraph_t child = new_graph();
    hipGraphNode_t nodes[2];
    hipGraphNode_t last = NULL;
    size_t count = 2;
    void *ptr = NULL;
    (void)state;
    hipGraph_t graph = parent_of(child, &ptr, &out, false);
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_hip_ok(hipGraphAddMemFreeNode(&last, graph, &nodes[1], 1, ptr));
    hipGraphExec_t exec = make_exec(graph);
    for (int i = 0; i < 3; i++) {
        out = 0;
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(out, 17);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

static void memory_of_a_child_is_freed_by_the_program_or_the_next_launch(void **state) {
    static unsigned out;
    static atomic_count_t calls;
    const hipHostNodeParams beside = {count, &calls};
    (void)state;
    for (int automatic = 0; automatic < 2; automatic++) {
        hipGraph_t child = new_graph();
        hipGraphExec_t exec = NULL;
        hipGraphNode_t node = NULL;
        void *ptr = NULL;
        hipGraph_t graph = parent_of(child, &ptr, &out, false);
        assert_hip_ok(hipGraphAddHostNode(&node, graph, NULL, 0, &beside));
        atomic_store(&calls, 0);
        assert_hip_ok(hipGraphInstantiateWithFlags(
            &exec, graph, automatic ? hipGraphInstantiateFlagAutoFreeOnLaunch : 0));
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip(hipGraphLaunch(exec, NULL), automatic ? hipSuccess : hipErrorInvalidValue);
        assert_hip_ok(hipFree(ptr));
        assert_int_equal(atomic_load(&calls), automatic ? 2 : 1); // nothing of a refused one runs
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip_ok(hipFree(ptr));
        assert_hip_ok(hipGraphExecDestroy(exec));
        assert_hip_ok(hipGraphDestroy(graph));
        assert_hip_ok(hipGraphDestroy(child));
    }
}

static void a_launch_that_fails_frees_the_memory_of_its_children(void **state) {
    static unsigned out;
    unsigned long long used = 9;
    hipGraph_t child = new_graph();
    hipGraphNode_t nodes[2];
    hipGraphNode_t last = NULL;
    size_t num = 2;
    void *ptr = NULL;
    char *other = (char *)new_zeros(64);
    const hipMemsetParams odd = {other + 1, 2, 1, 0, 1, 4}; // misaligned
    (void)state;
    hipGraph_t graph = parent_of(child, &ptr, &out, false);
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &num));
    assert_hip_ok(hipGraphAddMemsetNode(&last, graph, &nodes[1], 1, &odd));
    hipGraphExec_t exec = make_exec(graph);
    for (int i = 0; i < 2; i++) {
        out = 0;
        assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidValue);
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(out, 17); // the nodes before it
        assert_hip_ok(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
        assert_int_equal(used, 0);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip_ok(hipFree(other));
}

// The copy that a node contains becomes one that allocates after its node was added.
static void a_child_may_get_memory_later(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraph_t copy = NULL;
    hipGraph_t clone = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node = NULL;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip_ok(hipGraphChildGraphNodeGetGraph(node, &copy));
    (void)add_alloc(copy, MIB, &ptr);
    assert_hip(hipGraphClone(&clone, graph), hipErrorNotSupported);
    exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipMemset(ptr, 1, MIB));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

// Values of its nodes may change, but not which memory they allocate.
static void an_update_keeps_the_memory_of_a_child(void **state) {
    static unsigned out;
    hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
    hipGraph_t children[2] = {new_graph(), new_graph()};
    hipGraph_t graphs[2];
    hipGraphNode_t nodes[2];
    hipGraphNode_t bad = NULL;
    size_t count = 2;
    void *ptrs[2];
    (void)state;
    for (int i = 0; i < 2; i++) graphs[i] = parent_of(children[i], &ptrs[i], &out, false);
    hipGraphExec_t exec = make_exec(graphs[0]);
    assert_hip(hipGraphExecUpdate(exec, graphs[1], &bad, &result), hipErrorGraphExecUpdateFailure);
    assert_int_equal(result, hipGraphExecUpdateErrorNotSupported);
    assert_hip_ok(hipGraphExecUpdate(exec, graphs[0], &bad, &result));
    assert_hip_ok(hipGraphGetNodes(graphs[0], nodes, &count));
    assert_hip(hipGraphExecChildGraphNodeSetParams(exec, nodes[0], children[1]), hipErrorUnknown);
    assert_hip_ok(hipGraphExecChildGraphNodeSetParams(exec, nodes[0], children[0]));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipFree(ptrs[0]));
    assert_int_equal(out, 17);
    assert_hip_ok(hipGraphExecDestroy(exec));
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipGraphDestroy(graphs[i]));
        assert_hip_ok(hipGraphDestroy(children[i]));
    }
}

// ---- what a device has of it

static unsigned long long bytes_of(hipGraphMemAttributeType attribute) {
    unsigned long long bytes = 77;
    assert_hip_ok(hipDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

// As ROCm 6.3 answered, group gh_alloc_hold.
static void the_device_counts_memory_between_its_nodes(void **state) {
    hipGraph_t graph = new_graph();
    void *ptr = NULL;
    unsigned long long zero = 0;
    (void)state;
    (void)add_alloc(graph, MIB, &ptr);
    hipGraphExec_t exec = make_exec(graph);
    assert_int_equal(bytes_of(hipGraphMemAttrUsedMemCurrent), 0);
    assert_int_equal(bytes_of(hipGraphMemAttrReservedMemCurrent), 0);
    assert_hip_ok(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
    for (int i = 0; i < 3; i++) {
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_int_equal(bytes_of(hipGraphMemAttrUsedMemCurrent), MIB);
        assert_int_equal(bytes_of(hipGraphMemAttrReservedMemCurrent), MIB);
        assert_hip_ok(hipDeviceGraphMemTrim(0)); // keeps what is in use
        assert_hip_ok(hipMemset(ptr, 1, MIB));
        assert_hip_ok(i == 0 ? hipFree(ptr) : hipFreeAsync(ptr, NULL));
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(bytes_of(hipGraphMemAttrUsedMemCurrent), 0);
        assert_int_equal(bytes_of(hipGraphMemAttrReservedMemCurrent), 0);
    }
    assert_int_equal(bytes_of(hipGraphMemAttrUsedMemHigh), MIB);
    assert_int_equal(bytes_of(hipGraphMemAttrReservedMemHigh), MIB);
    assert_hip_ok(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
    assert_hip_ok(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemHigh, &zero));
    assert_int_equal(bytes_of(hipGraphMemAttrUsedMemHigh), 0);
    assert_int_equal(bytes_of(hipGraphMemAttrReservedMemHigh), 0);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

static void attributes_are_checked(void **state) {
    unsigned long long value = 1;
    (void)state;
    assert_hip(hipDeviceGetGraphMemAttribute(-1, hipGraphMemAttrUsedMemHigh, NULL),
               hipErrorInvalidDevice);
    assert_hip(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, NULL),
               hipErrorInvalidValue);
    assert_hip(hipDeviceGetGraphMemAttribute(0, (hipGraphMemAttributeType)4, &value),
               hipErrorInvalidValue);
    assert_hip(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, (void *)-1),
               hipErrorInvalidValue); // not read
    assert_hip(hipDeviceSetGraphMemAttribute(9, hipGraphMemAttrUsedMemHigh, &value),
               hipErrorInvalidDevice);
    assert_hip(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &value),
               hipErrorInvalidValue);
    value = 0;
    assert_hip(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &value),
               hipErrorInvalidValue);
    assert_hip(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, &value),
               hipErrorInvalidValue);
    assert_hip(hipDeviceGraphMemTrim(-1), hipErrorInvalidDevice);
}

// Either graph fits the device; both do while only one is in use.
static void pages_are_taken_at_the_launch(void **state) {
    hipGraph_t graphs[2] = {new_graph(), new_graph()};
    hipGraphExec_t execs[2];
    size_t left = 0;
    void *ptrs[3];
    (void)state;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    size_t most = left / 4 * 3 / MIB * MIB;
    for (int i = 0; i < 2; i++) {
        (void)add_alloc(graphs[i], most, &ptrs[i]);
        execs[i] = make_exec(graphs[i]);
    }
    for (int i = 0; i < 4; i++) { // the pages of the other one return to the device
        assert_hip_ok(hipGraphLaunch(execs[i % 2], NULL));
        assert_hip(hipGraphLaunch(execs[(i + 1) % 2], NULL), hipErrorOutOfMemory);
        assert_hip_ok(hipFree(ptrs[i % 2]));
        assert_hip_ok(hipGraphLaunch(execs[i % 2], NULL)); // with the pages that it has
        assert_hip_ok(hipFree(ptrs[i % 2]));
    }
    assert_hip_ok(hipMalloc(&ptrs[2], most));
    assert_hip(hipGraphLaunch(execs[0], NULL), hipErrorOutOfMemory);
    assert_hip_ok(hipFree(ptrs[2]));
    assert_hip_ok(hipGraphLaunch(execs[0], NULL));
    assert_hip_ok(hipFree(ptrs[0]));
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipGraphExecDestroy(execs[i]));
        assert_hip_ok(hipGraphDestroy(graphs[i]));
    }
}

// Two nodes need more than the device has. AMD's library reports nothing.
static void a_launch_without_memory_allocates_nothing(void **state) {
    hipGraph_t graph = new_graph();
    size_t left = 0, after = 0;
    void *ptrs[2];
    (void)state;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    for (int i = 0; i < 2; i++) (void)add_alloc(graph, left / 4 * 3, &ptrs[i]);
    hipGraphExec_t exec = make_exec(graph);
    for (int i = 0; i < 2; i++)
        assert_hip(hipGraphLaunch(exec, NULL), hipErrorOutOfMemory); // the second time too
    assert_int_equal(bytes_of(hipGraphMemAttrUsedMemCurrent), 0);
    assert_hip(hipFree(ptrs[0]), hipErrorInvalidValue); // not allocated
    assert_hip_ok(hipMemGetInfo(&after, NULL));
    assert_true(after == left);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_checked),
        cmocka_unit_test(frees_are_checked),
        cmocka_unit_test(parameters_are_returned_as_they_were_given),
        cmocka_unit_test(memory_is_used_between_its_nodes_at_each_launch),
        cmocka_unit_test(memory_that_no_node_frees_is_freed_by_the_program),
        cmocka_unit_test(a_child_uses_its_memory_at_each_launch),
        cmocka_unit_test(a_parent_frees_what_its_child_allocates),
        cmocka_unit_test(memory_of_a_child_is_freed_by_the_program_or_the_next_launch),
        cmocka_unit_test(a_launch_that_fails_frees_the_memory_of_its_children),
        cmocka_unit_test(a_child_may_get_memory_later),
        cmocka_unit_test(an_update_keeps_the_memory_of_a_child),
        cmocka_unit_test(the_device_counts_memory_between_its_nodes),
        cmocka_unit_test(attributes_are_checked),
        cmocka_unit_test(pages_are_taken_at_the_launch),
        cmocka_unit_test(a_launch_without_memory_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
