// SPDX-License-Identifier: Apache-2.0
// Attributes of kernel nodes.
#include "support/graph.h"

static hipError_t run_nothing(const void *closure, const hipExtHostBlock *block, const char **why) {
    (void)closure;
    (void)block;
    (void)why;
    return hipSuccess;
}

// Captures two kernels.
static hipGraph_t capture_kernels(hipGraphNode_t *nodes) {
    const dim3 one = {1, 1, 1};
    hipStream_t stream = hipStreamPerThread;
    hipGraph_t graph = NULL;
    size_t num = 2;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    for (int i = 0; i < 2; i++)
        assert_hip_ok(hipExtLaunchHostKernel(run_nothing, one, one, 0, stream, NULL, 0));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &num));
    assert_int_equal(num, 2);
    return graph;
}

static hipKernelNodeAttrValue value_of(int number) {
    hipKernelNodeAttrValue value;
    memset(&value, 0, sizeof value);
    value.priority = number;
    return value;
}

static void attributes_are_checked(void **state) {
    hipGraphNode_t nodes[2];
    hipGraph_t graph = capture_kernels(nodes);
    hipKernelNodeAttrValue value = value_of(0);
    (void)state;
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    const hipKernelNodeAttrID cooperative = hipKernelNodeAttributeCooperative;
    assert_hip(hipGraphKernelNodeSetAttribute(NULL, cooperative, &value), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeSetAttribute(nodes[0], cooperative, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeSetAttribute(empty, cooperative, &value), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeGetAttribute(NULL, cooperative, &value), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeGetAttribute(nodes[0], cooperative, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeGetAttribute(empty, cooperative, &value), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeCopyAttributes(nodes[0], empty), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeCopyAttributes(NULL, nodes[0]), hipErrorInvalidValue);
    for (int id = 0; id < 12; id++) {
        bool known = id == 1 || id == 2 || id == 8;
        hipError_t want = known ? hipSuccess : hipErrorInvalidValue;
        assert_hip(hipGraphKernelNodeSetAttribute(nodes[0], (hipKernelNodeAttrID)id, &value), want);
        assert_hip(hipGraphKernelNodeGetAttribute(nodes[0], (hipKernelNodeAttrID)id, &value), want);
    }
    for (int priority = -3; priority <= 3; priority++) {
        value = value_of(priority);
        assert_hip(hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributePriority, &value),
                   priority >= -1 && priority <= 1 ? hipSuccess : hipErrorInvalidValue);
    }
    const float ratios[] = {-0.5f, 1.5f, 0.5f, 0.5f};
    for (int i = 0; i < 4; i++) {
        value = value_of(0);
        value.accessPolicyWindow.hitRatio = ratios[i];
        value.accessPolicyWindow.num_bytes = i == 2 ? 4096 : 0;
        value.accessPolicyWindow.missProp =
            i == 3 ? hipAccessPropertyPersisting : hipAccessPropertyNormal;
        assert_hip(hipGraphKernelNodeSetAttribute(nodes[0],
                                                  hipKernelNodeAttributeAccessPolicyWindow, &value),
                   hipErrorInvalidValue);
    }
    assert_hip_ok(hipGraphDestroy(graph));
}

static void attributes_are_returned_and_copied(void **state) {
    hipGraphNode_t nodes[2];
    hipGraph_t graph = capture_kernels(nodes);
    hipGraph_t clone = NULL;
    hipGraphNode_t copy = NULL;
    (void)state;
    hipKernelNodeAttrValue value = value_of(9);
    assert_hip_ok(hipGraphKernelNodeGetAttribute(nodes[0], hipKernelNodeAttributePriority, &value));
    assert_int_equal(value.priority, 0);
    value = value_of(-1);
    assert_hip_ok(hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributePriority, &value));
    value.cooperative = 2; // any value but 0, which is kept
    assert_hip_ok(
        hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributeCooperative, &value));
    value = value_of(0);
    value.accessPolicyWindow.base_ptr = nodes;
    value.accessPolicyWindow.hitRatio = 0.5f;
    assert_hip_ok(
        hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributeAccessPolicyWindow, &value));
    assert_hip_ok(hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]));
    assert_hip_ok(hipGraphClone(&clone, graph));
    assert_hip_ok(hipGraphNodeFindInClone(&copy, nodes[1], clone));
    for (int i = 0; i < 2; i++) {
        hipGraphNode_t node = i == 0 ? nodes[1] : copy;
        memset(&value, 0x55, sizeof value);
        assert_hip_ok(hipGraphKernelNodeGetAttribute(node, hipKernelNodeAttributePriority, &value));
        assert_int_equal(value.priority, -1);
        assert_int_equal(value.pad[4], 0x55); // as many bytes as the attribute has
        assert_hip_ok(
            hipGraphKernelNodeGetAttribute(node, hipKernelNodeAttributeCooperative, &value));
        assert_int_equal(value.cooperative, 2);
        assert_hip_ok(
            hipGraphKernelNodeGetAttribute(node, hipKernelNodeAttributeAccessPolicyWindow, &value));
        assert_ptr_equal(value.accessPolicyWindow.base_ptr, nodes);
        assert_true(value.accessPolicyWindow.hitRatio > 0.4f);
        assert_int_equal(value.pad[32], 0x55);
    }
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(clone));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_checked),
        cmocka_unit_test(attributes_are_returned_and_copied),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
