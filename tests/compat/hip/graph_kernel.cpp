// SPDX-License-Identifier: Apache-2.0
// Kernel nodes that are added by hand.
#include <hip/hip_runtime.h>

#include <cstring>

#include "support/graph.h"

namespace {

__global__ void scale(char first, double factor, int *numbers) {
    HIP_EXT_KERNEL((scale));
    numbers[threadIdx.x] = static_cast<int>(numbers[threadIdx.x] * factor) + first;
}

__global__ void mark(int *numbers) {
    HIP_EXT_KERNEL((mark));
    numbers[threadIdx.x] = static_cast<int>(blockDim.x);
}

struct holder {
    static __global__ void nothing() { HIP_EXT_KERNEL((holder::nothing)); }
};

__global__ void unknown(int *) {}

template <typename F> void *address(F *kernel) { return reinterpret_cast<void *>(kernel); }

hipKernelNodeParams params_of(void *function, void **arguments, unsigned threads) {
    hipKernelNodeParams params = {};
    params.func = function;
    params.gridDim = dim3(1);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments;
    return params;
}

hipError_t add(hipGraph_t graph, const hipKernelNodeParams &params) {
    hipGraphNode_t node = nullptr;
    return hipGraphAddKernelNode(&node, graph, nullptr, 0, &params);
}

// The order of ROCm 7's checks.
void kernels_are_checked_in_their_order(void **state) {
    int numbers[8] = {};
    int *pointer = numbers;
    void *list[] = {&pointer};
    void *extra[] = {HIP_LAUNCH_PARAM_END};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = nullptr;
    (void)state;
    const hipKernelNodeParams ok = params_of(address(mark), list, 8);
    hipKernelNodeParams p = ok;
    assert_hip(hipGraphAddKernelNode(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
    assert_hip(hipGraphAddKernelNode(nullptr, graph, nullptr, 0, &ok), hipErrorInvalidValue);
    assert_hip(hipGraphAddKernelNode(&node, nullptr, nullptr, 0, &ok), hipErrorInvalidValue);
    p.func = nullptr;
    assert_hip(add(graph, p), hipErrorInvalidValue);
    p = params_of(address(unknown), list, 0);
    assert_hip(add(graph, p), hipErrorInvalidDeviceFunction); // before the extents
    p = ok;
    p.extra = extra;
    p.gridDim.x = 0;
    assert_hip(add(graph, p), hipErrorInvalidValue); // both lists, before the extents
    p.extra = nullptr;
    p.kernelParams = nullptr;
    assert_hip(add(graph, p), hipErrorInvalidConfiguration); // before the missing arguments
    p = ok;
    p.blockDim.y = 0;
    assert_hip(add(graph, p), hipErrorInvalidConfiguration);
    p = ok;
    p.blockDim.x = 1025;
    assert_hip(add(graph, p), hipErrorInvalidConfiguration);
    p = ok;
    p.sharedMemBytes = 1 << 20;
    assert_hip(add(graph, p), hipErrorInvalidValue);
    p.blockDim.x = 1025;
    assert_hip(add(graph, p), hipErrorInvalidValue); // before the number of threads
    p.blockDim.x = 0;
    assert_hip(add(graph, p), hipErrorInvalidConfiguration);
    p = ok;
    p.kernelParams = nullptr;
    assert_hip(add(graph, p), hipErrorInvalidValue);
    assert_int_equal(count_nodes(graph), 0);

    hipGraphNodeParams any = {};
    any.type = hipGraphNodeTypeKernel;
    any.kernel = ok;
    any.kernel.func = nullptr;
    assert_hip(hipGraphAddNode(&node, graph, nullptr, 0, &any), hipErrorInvalidDeviceFunction);
    any.kernel = ok;
    assert_hip_ok(hipGraphAddNode(&node, graph, nullptr, 0, &any));
    assert_int_equal(type_of(node), hipGraphNodeTypeKernel);
    any.kernel.blockDim.x = 4;
    assert_hip_ok(hipGraphNodeSetParams(node, &any));
    run_graph(graph);
    assert_true(numbers[3] == 4 && numbers[4] == 0);
    assert_hip_ok(hipGraphDestroy(graph));
}

void arguments_are_copied_when_the_node_is_added(void **state) {
    int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    char first = 1;
    double factor = 2;
    int *pointer = numbers;
    void *list[] = {&first, &factor, &pointer};
    hipGraph_t graph = new_graph();
    hipGraph_t clone = nullptr;
    hipGraphNode_t node = nullptr;
    (void)state;
    const hipKernelNodeParams params = params_of(address(scale), list, 8);
    assert_hip_ok(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    first = 99;
    factor = 99;
    pointer = nullptr;
    std::memset(list, 0, sizeof list);
    run_graph(graph);
    assert_true(numbers[0] == 1 && numbers[7] == 15);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphClone(&clone, graph));
    assert_hip_ok(hipGraphDestroy(graph));
    run_graph(clone);
    assert_true(numbers[0] == 3 && numbers[7] == 31);
    assert_hip_ok(hipGraphDestroy(clone));
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(numbers[0] == 7 && numbers[7] == 63);
    assert_hip_ok(hipGraphExecDestroy(exec));
}

void parameters_are_returned_and_changed(void **state) {
    int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    char first = 1;
    double factor = 2;
    int *pointer = numbers;
    void *list[] = {&first, &factor, &pointer};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = nullptr;
    (void)state;
    hipKernelNodeParams params = params_of(address(scale), list, 8);
    params.sharedMemBytes = 64;
    hipGraphNode_t empty = add_empty(graph, nullptr, 0);
    assert_hip_ok(hipGraphAddKernelNode(&node, graph, &empty, 1, &params));
    hipKernelNodeParams got = {};
    assert_hip(hipGraphKernelNodeGetParams(node, nullptr), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeGetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got));
    assert_true(got.func == address(scale) && got.blockDim.x == 8 && got.gridDim.z == 1);
    assert_true(got.sharedMemBytes == 64 && got.extra == nullptr);
    assert_int_equal(*static_cast<char *>(got.kernelParams[0]), 1);
    assert_true(*static_cast<double *>(got.kernelParams[1]) > 1.9);
    assert_ptr_equal(*static_cast<int **>(got.kernelParams[2]), numbers);
    factor = 3;
    got.kernelParams[1] = &factor; // beside the node's own
    assert_hip(hipGraphKernelNodeSetParams(node, nullptr), hipErrorInvalidValue);
    assert_hip(hipGraphKernelNodeSetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &got));
    run_graph(graph);
    assert_int_equal(numbers[7], 4);
    params = params_of(address(mark), &list[2], 4); // another kernel
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &params));
    params.blockDim.x = 0;
    assert_hip(hipGraphKernelNodeSetParams(node, &params), hipErrorInvalidConfiguration);
    params.func = nullptr;
    assert_hip(hipGraphKernelNodeSetParams(node, &params), hipErrorInvalidValue);
    run_graph(graph);
    assert_true(numbers[3] == 4 && numbers[4] == 4);
    assert_hip_ok(hipGraphDestroy(graph));
}

// As ROCm 6.3 answered about order. In ROCm 7 an update accepts another kernel.
void executables_take_other_arguments_and_kernels(void **state) {
    int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    char first = 1;
    double factor = 2;
    int *pointer = numbers;
    void *list[] = {&first, &factor, &pointer};
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = nullptr;
    hipGraphNode_t foreign = nullptr;
    (void)state;
    hipKernelNodeParams params = params_of(address(scale), list, 8);
    assert_hip_ok(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    hipGraphNode_t empty = add_empty(graph, &node, 1);
    hipKernelNodeParams marks = params_of(address(mark), &list[2], 4);
    assert_hip_ok(hipGraphAddKernelNode(&foreign, other, nullptr, 0, &marks));
    (void)add_empty(other, &foreign, 1);
    hipGraphExec_t exec = make_exec(graph);
    factor = 3;
    assert_hip_ok(hipGraphExecKernelNodeSetParams(exec, node, &params));
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(numbers[7], 4);
    params.blockDim.x = 0;
    assert_hip(hipGraphExecKernelNodeSetParams(exec, node, &params), hipErrorInvalidConfiguration);
    assert_hip(hipGraphExecKernelNodeSetParams(exec, foreign, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecKernelNodeSetParams(exec, empty, &marks), hipErrorInvalidValue);
    assert_hip(hipGraphExecKernelNodeSetParams(nullptr, node, &marks), hipErrorInvalidValue);
    params = params_of(address(unknown), list, 8);
    assert_hip(hipGraphExecKernelNodeSetParams(exec, node, &params), hipErrorInvalidDeviceFunction);
    params.func = nullptr;
    assert_hip(hipGraphExecKernelNodeSetParams(exec, node, &params), hipErrorInvalidValue);
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    hipGraphNode_t bad = nullptr;
    assert_hip_ok(hipGraphExecUpdate(exec, other, &bad, &result));
    assert_int_equal(result, hipGraphExecUpdateSuccess);
    assert_hip_ok(hipGraphNodeSetEnabled(exec, node, 0));
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(numbers[3], 4); // as before
    assert_hip_ok(hipGraphNodeSetEnabled(exec, node, 1));
    numbers[3] = 0;
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(numbers[3], 4);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipGraphDestroy(graph));
}

struct arguments {
    char first;
    double factor;
    int *numbers;
};

void a_buffer_of_arguments_and_a_function_name_a_kernel(void **state) {
    int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    arguments own = {2, 5, numbers};
    size_t size = sizeof own;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &own, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    hipFunction_t function = nullptr;
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[2] = {};
    (void)state;
    assert_hip_ok(hipGetFuncBySymbol(&function, address(scale)));
    hipKernelNodeParams params = params_of(function, nullptr, 8);
    params.extra = extra;
    assert_hip_ok(hipGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &params));
    params = params_of(address(holder::nothing), nullptr, 1);
    assert_hip_ok(hipGraphAddKernelNode(&nodes[1], graph, nodes, 1, &params));
    hipKernelNodeParams got = {};
    assert_hip_ok(hipGraphKernelNodeGetParams(nodes[0], &got));
    assert_ptr_equal(got.func, function);
    assert_int_equal(*static_cast<char *>(got.kernelParams[0]), 2);
    assert_hip_ok(hipGraphKernelNodeGetParams(nodes[1], &got));
    assert_null(got.kernelParams);
    run_graph(graph);
    assert_int_equal(numbers[0], 7);
    size = 8;
    params = params_of(function, nullptr, 8);
    params.extra = extra;
    assert_hip(hipGraphKernelNodeSetParams(nodes[0], &params), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
}

// The only node of a capture of `launch`, whose graph *graph receives.
template <typename Launch> hipGraphNode_t capture_one(hipGraph_t *graph, const Launch &launch) {
    hipGraphNode_t node = nullptr;
    size_t count = 1;
    assert_hip_ok(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeRelaxed));
    launch();
    assert_hip_ok(hipStreamEndCapture(hipStreamPerThread, graph));
    assert_hip_ok(hipGraphGetNodes(*graph, &node, &count));
    assert_int_equal(count, 1);
    return node;
}

void a_captured_launch_by_a_name_has_parameters(void **state) {
    int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    hipGraph_t graph = nullptr;
    hipGraph_t clone = nullptr;
    hipKernelNodeParams got = {};
    double factor = 5;
    (void)state;
    hipGraphNode_t node = capture_one(&graph, [&numbers] {
        hipLaunchKernelGGL(scale, dim3(1), dim3(8), 32, hipStreamPerThread, 1, 2, numbers);
    });
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got));
    assert_true(got.func == address(scale) && got.gridDim.x == 1 && got.blockDim.x == 8);
    assert_true(got.sharedMemBytes == 32 && got.extra == nullptr);
    assert_int_equal(*static_cast<char *>(got.kernelParams[0]), 1);
    assert_true(*static_cast<double *>(got.kernelParams[1]) > 1.9); // converted by the launch
    assert_ptr_equal(*static_cast<int **>(got.kernelParams[2]), numbers);
    assert_hip_ok(hipGraphClone(&clone, graph));
    hipGraphExec_t exec = make_exec(graph);
    got.kernelParams[1] = &factor;
    assert_hip_ok(hipGraphExecKernelNodeSetParams(exec, node, &got));
    assert_hip_ok(hipGraphLaunch(exec, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(numbers[7], 6);
    got.blockDim.x = 4;
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &got));
    run_graph(graph);
    assert_true(numbers[3] == 31 && numbers[4] == 6);
    assert_hip_ok(hipGraphDestroy(graph));
    size_t count = 1;
    assert_hip_ok(hipGraphGetNodes(clone, &node, &count));
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got)); // of its own
    assert_true(*static_cast<double *>(got.kernelParams[1]) < 2.1 && got.blockDim.x == 8);
    run_graph(clone);
    assert_true(numbers[3] == 63 && numbers[4] == 13);
    assert_hip_ok(hipGraphDestroy(clone));
    assert_hip_ok(hipGraphExecDestroy(exec));
}

template <typename T> __global__ void multiply(T *numbers, T by) { numbers[threadIdx.x] *= by; }

// The launch does not know the address of such a kernel, so a handle names it.
void a_captured_launch_of_a_template_has_parameters(void **state) {
    int numbers[4] = {1, 2, 3, 4};
    int *pointer = numbers;
    int by = 7;
    hipGraph_t graph = nullptr;
    hipGraphNode_t added = nullptr;
    hipKernelNodeParams got = {};
    (void)state;
    hipGraphNode_t node = capture_one(&graph, [&numbers] {
        hipLaunchKernelGGL(multiply, dim3(1), dim3(4), 0, hipStreamPerThread, numbers, 3);
    });
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got));
    assert_non_null(got.func);
    assert_ptr_equal(*static_cast<int **>(got.kernelParams[0]), numbers);
    assert_int_equal(*static_cast<int *>(got.kernelParams[1]), 3);
    got.kernelParams[1] = &by;
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &got));
    void *list[] = {&pointer, &by};
    const hipKernelNodeParams params = params_of(got.func, list, 2);
    assert_hip_ok(hipGraphAddKernelNode(&added, graph, &node, 1, &params));
    run_graph(graph);
    assert_true(numbers[0] == 49 && numbers[1] == 98 && numbers[2] == 21 && numbers[3] == 28);
    assert_hip_ok(hipGraphDestroy(graph));
}

// One that the program launches by its name only, and one in C, without a description.
void a_kernel_without_an_address_cannot_be_set(void **state) {
    int numbers[8] = {};
    int *pointer = numbers;
    void *list[] = {&pointer};
    hipGraph_t graph = nullptr;
    hipGraph_t other = nullptr;
    hipKernelNodeParams got = {};
    (void)state;
    hipGraphNode_t node = capture_one(&graph, [&pointer] {
        hipLaunchKernelGGL(unknown, dim3(1), dim3(2), 0, hipStreamPerThread, pointer);
    });
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got));
    assert_ptr_equal(got.func, address(unknown));
    assert_ptr_equal(*static_cast<int **>(got.kernelParams[0]), numbers);
    assert_hip(hipGraphKernelNodeSetParams(node, &got), hipErrorInvalidDeviceFunction);
    const hipKernelNodeParams params = params_of(address(mark), list, 6);
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &params));
    run_graph(graph);
    assert_true(numbers[5] == 6 && numbers[6] == 0);
    node = capture_one(&other, [] {
        const hipExtHostKernel_t run = [](const void *, const hipExtHostBlock *, const char **) {
            return hipSuccess;
        };
        assert_hip_ok(
            hipExtLaunchHostKernel(run, dim3(1), dim3(1), 0, hipStreamPerThread, nullptr, 0));
    });
    assert_hip(hipGraphKernelNodeGetParams(node, &got), hipErrorNotSupported);
    run_graph(other);
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipGraphDestroy(graph));
}

void a_captured_launch_by_an_address_has_parameters(void **state) {
    int numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    arguments own = {1, 2, numbers};
    size_t size = sizeof own;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &own, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    hipFunction_t function = nullptr;
    hipGraph_t graph = nullptr;
    hipGraphNode_t node = nullptr;
    size_t count = 1;
    hipKernelNodeParams got = {};
    double factor = 5;
    (void)state;
    assert_hip_ok(hipGetFuncBySymbol(&function, address(scale)));
    assert_hip_ok(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeRelaxed));
    assert_hip_ok(
        hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 1, 32, hipStreamPerThread, nullptr, extra));
    assert_hip_ok(hipStreamEndCapture(hipStreamPerThread, &graph));
    std::memset(&own, 0, sizeof own);
    assert_hip_ok(hipGraphGetNodes(graph, &node, &count));
    assert_hip_ok(hipGraphKernelNodeGetParams(node, &got));
    assert_true(got.func == function && got.blockDim.x == 8 && got.sharedMemBytes == 32);
    assert_ptr_equal(*static_cast<int **>(got.kernelParams[2]), numbers);
    run_graph(graph);
    assert_int_equal(numbers[7], 3);
    got.kernelParams[1] = &factor;
    assert_hip_ok(hipGraphKernelNodeSetParams(node, &got));
    run_graph(graph);
    assert_int_equal(numbers[7], 16);
    assert_hip_ok(hipGraphDestroy(graph));
}

void a_captured_launch_records_its_events_at_each_launch(void **state) {
    const hipGraphNodeType kinds[] = {hipGraphNodeTypeEventRecord, hipGraphNodeTypeKernel,
                                      hipGraphNodeTypeEventRecord};
    hipStream_t stream = hipStreamPerThread;
    hipEvent_t events[2] = {};
    hipGraph_t graph = nullptr;
    hipGraphNode_t nodes[3] = {};
    size_t count = 3;
    float ms = -1;
    (void)state;
    for (hipEvent_t &event : events) assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipExtLaunchKernel(address(holder::nothing), dim3(1), dim3(1), nullptr, 0, stream,
                                     events[0], events[1], 0));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) assert_int_equal(type_of(nodes[i]), kinds[i]);
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorInvalidHandle);
    run_graph(graph);
    assert_hip_ok(hipEventElapsedTime(&ms, events[0], events[1]));
    assert_true(ms >= 0);
    assert_hip_ok(hipGraphDestroy(graph));
    for (hipEvent_t event : events) assert_hip_ok(hipEventDestroy(event));
}

void blocks_of_a_cooperative_kernel_must_run_at_once(void **state) {
    hipKernelNodeAttrValue value = {};
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[2] = {};
    (void)state;
    hipKernelNodeParams params = params_of(address(holder::nothing), nullptr, 1);
    assert_hip_ok(hipGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &params));
    params.gridDim.x = 60000; // more than there are processors
    assert_hip_ok(hipGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &params));
    value.cooperative = 1;
    const hipKernelNodeAttrID id = hipKernelNodeAttributeCooperative;
    assert_hip_ok(hipGraphKernelNodeSetAttribute(nodes[0], id, &value));
    assert_hip(hipGraphKernelNodeSetAttribute(nodes[1], id, &value),
               hipErrorCooperativeLaunchTooLarge);
    assert_hip(hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]),
               hipErrorCooperativeLaunchTooLarge);
    assert_hip_ok(hipGraphKernelNodeGetAttribute(nodes[1], id, &value));
    assert_int_equal(value.cooperative, 0);
    params.gridDim.x = 1;
    assert_hip_ok(hipGraphKernelNodeSetParams(nodes[0], &params)); // keeps the attributes
    assert_hip_ok(hipGraphKernelNodeGetAttribute(nodes[0], id, &value));
    assert_int_equal(value.cooperative, 1);
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_checked_in_their_order),
        cmocka_unit_test(arguments_are_copied_when_the_node_is_added),
        cmocka_unit_test(parameters_are_returned_and_changed),
        cmocka_unit_test(executables_take_other_arguments_and_kernels),
        cmocka_unit_test(a_buffer_of_arguments_and_a_function_name_a_kernel),
        cmocka_unit_test(a_captured_launch_by_a_name_has_parameters),
        cmocka_unit_test(a_captured_launch_of_a_template_has_parameters),
        cmocka_unit_test(a_kernel_without_an_address_cannot_be_set),
        cmocka_unit_test(a_captured_launch_by_an_address_has_parameters),
        cmocka_unit_test(a_captured_launch_records_its_events_at_each_launch),
        cmocka_unit_test(blocks_of_a_cooperative_kernel_must_run_at_once),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
