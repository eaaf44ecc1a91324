// SPDX-License-Identifier: Apache-2.0
// Nodes by the descriptions of the driver.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>

#include "support/graph.h"

static hipCtx_t context_of(void) {
    hipCtx_t context = NULL;
    assert_hip_ok(hipInit(0));
    assert_hip_ok(hipDevicePrimaryCtxRetain(&context, 0));
    return context;
}

static HIP_MEMCPY3D copy_of(void *dst, void *src) {
    HIP_MEMCPY3D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = src;
    copy.srcPitch = 32;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = dst;
    copy.dstPitch = 64;
    copy.dstXInBytes = 4;
    copy.WidthInBytes = 8;
    copy.Height = 2;
    copy.Depth = 1;
    return copy;
}

static void copies_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    char *d = (char *)new_zeros(256);
    char b[64];
    hipCtx_t context = context_of();
    (void)state;
    HIP_MEMCPY3D copy = copy_of(d, b);
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, NULL, context),
               hipErrorInvalidValue);
    assert_hip(hipDrvGraphAddMemcpyNode(NULL, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    copy.srcPitch = 4; // too small: not an error of the pitch here
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    copy = copy_of(d, b);
    copy.srcLOD = 1;
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    int max = 0;
    assert_hip_ok(hipDeviceGetAttribute(&max, hipDeviceAttributeMaxPitch, 0));
    copy = copy_of(d, b);
    copy.Height = 1;
    copy.dstPitch = (size_t)max;
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    copy.dstPitch = 64;
    copy.srcPitch = (size_t)max;
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    copy = copy_of(NULL, b);
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    copy = copy_of(d, b);
    copy.dstMemoryType = hipMemoryTypeArray; // and no array
    assert_hip(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context),
               hipErrorInvalidValue);
    assert_null(node);
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

static void a_copy_is_added_returned_and_changed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    HIP_MEMCPY3D got;
    hipMemcpy3DParms box;
    char *d = (char *)new_zeros(256);
    char b[64];
    (void)state;
    memset(b, 5, sizeof b);
    HIP_MEMCPY3D copy = copy_of(d, b);
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    assert_hip_ok(hipDrvGraphAddMemcpyNode(&node, graph, &empty, 1, &copy, context_of()));
    assert_int_equal(type_of(node), hipGraphNodeTypeMemcpy);
    assert_hip(hipDrvGraphMemcpyNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvGraphMemcpyNodeGetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipDrvGraphMemcpyNodeGetParams(node, &got));
    assert_true(got.srcMemoryType == hipMemoryTypeHost && got.srcHost == b && got.srcPitch == 32);
    assert_true(got.dstMemoryType == hipMemoryTypeDevice && got.dstDevice == d);
    assert_true(got.dstPitch == 64 && got.dstXInBytes == 4 && got.WidthInBytes == 8);
    assert_true(got.Height == 2 && got.Depth == 1 && got.srcArray == NULL);
    assert_hip_ok(hipGraphMemcpyNodeGetParams(node, &box)); // in the other form, too
    assert_true(box.dstPos.x == 4 && box.dstPtr.ptr == d && box.extent.height == 2);
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 0);
    assert_int_equal(word_at(d, 68), 0x05050505);
    got.dstXInBytes = 16;
    assert_hip(hipDrvGraphMemcpyNodeSetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvGraphMemcpyNodeSetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipDrvGraphMemcpyNodeSetParams(node, &got));
    run_graph(graph);
    assert_int_equal(word_at(d, 80), 0x05050505);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

static void arrays_are_described_in_both_forms(void **state) {
    const hipChannelFormatDesc words = {32, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipArray_t array = NULL;
    HIP_MEMCPY3D got;
    hipMemcpy3DParms box;
    unsigned b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned back[2] = {0, 0};
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &words, 8, 4, 0));
    HIP_MEMCPY3D copy = copy_of(NULL, b);
    copy.dstMemoryType = hipMemoryTypeArray;
    copy.dstArray = array;
    copy.dstPitch = 0;
    copy.srcPitch = 16;
    assert_hip_ok(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context_of()));
    assert_hip_ok(hipGraphMemcpyNodeGetParams(node, &box));
    assert_true(box.dstArray == array && box.dstPos.x == 1 && box.extent.width == 2); // elements
    assert_hip_ok(hipDrvGraphMemcpyNodeGetParams(node, &got));
    assert_true(got.dstMemoryType == hipMemoryTypeArray && got.dstArray == array);
    assert_true(got.dstXInBytes == 4 && got.WidthInBytes == 8); // bytes
    run_graph(graph);
    assert_hip_ok(hipMemcpy2DFromArray(back, 8, array, 4, 1, 8, 1, hipMemcpyDeviceToHost));
    assert_true(back[0] == 5 && back[1] == 6); // the second row
    assert_hip_ok(hipGraphMemcpyNodeSetParams(node, &box));
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFreeArray(array));
}

static void a_captured_copy_of_an_array_has_parameters(void **state) {
    const hipChannelFormatDesc words = {32, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipStream_t stream = hipStreamPerThread;
    hipGraph_t graph = NULL;
    hipGraphNode_t node = NULL;
    hipArray_t array = NULL;
    hipMemcpy3DParms box;
    size_t count = 1;
    unsigned b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned back = 0;
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &words, 8, 4, 0));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemcpy2DToArrayAsync(array, 4, 1, b, 16, 8, 2, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, &node, &count));
    assert_hip_ok(hipGraphMemcpyNodeGetParams(node, &box));
    assert_true(box.dstArray == array && box.dstPos.x == 1 && box.dstPos.y == 1);
    assert_true(box.srcPtr.ptr == b && box.srcPtr.pitch == 16 && box.kind == hipMemcpyHostToDevice);
    assert_true(box.extent.width == 2 && box.extent.height == 2 && box.extent.depth == 1);
    assert_hip_ok(hipGraphMemcpyNodeSetParams(node, &box));
    run_graph(graph);
    assert_hip_ok(hipMemcpy2DFromArray(&back, 4, array, 4, 2, 4, 1, hipMemcpyDeviceToHost));
    assert_int_equal(back, 5);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFreeArray(array));
}

// The library of each release takes its own layout.
static void a_fill_has_the_layout_of_the_release(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemsetParams got;
    char *d = (char *)new_zeros(64);
    HIP_MEMSET_NODE_PARAMS fill = {d, 32, 7, 4, 2, 2};
    (void)state;
    assert_hip(hipDrvGraphAddMemsetNode(&node, graph, NULL, 0, NULL, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipDrvGraphAddMemsetNode(&node, graph, NULL, 0, &fill, NULL));
    assert_hip_ok(hipGraphMemsetNodeGetParams(node, &got));
    assert_true(got.dst == d && got.elementSize == 4 && got.value == 7 && got.width == 2 &&
                got.height == 2 && got.pitch == 32);
    run_graph(graph);
    assert_int_equal(word_at(d, 36), 7);
    fill.elementSize = 3;
    assert_hip(hipDrvGraphAddMemsetNode(&node, graph, NULL, 0, &fill, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

// The context may be NULL.
static void executables_change_by_these_descriptions(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t copy_node = NULL, fill_node = NULL;
    char *d = (char *)new_zeros(256);
    unsigned b[32];
    (void)state;
    for (unsigned i = 0; i < 32; i++) b[i] = i + 1;
    HIP_MEMCPY3D copy = copy_of(d, b);
    HIP_MEMSET_NODE_PARAMS fill = {d + 128, 32, 7, 4, 2, 2};
    assert_hip_ok(hipDrvGraphAddMemcpyNode(&copy_node, graph, NULL, 0, &copy, context_of()));
    assert_hip_ok(hipDrvGraphAddMemsetNode(&fill_node, graph, NULL, 0, &fill, NULL));
    hipGraphExec_t exec = make_exec(graph);
    copy.srcHost = b + 8;
    fill.value = 9;
    assert_hip_ok(hipDrvGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, NULL));
    assert_hip_ok(hipDrvGraphExecMemsetNodeSetParams(exec, fill_node, &fill, NULL));
    copy.srcPitch = 4;
    fill.elementSize = 3;
    assert_hip(hipDrvGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, NULL),
               hipErrorInvalidValue);
    assert_hip(hipDrvGraphExecMemsetNodeSetParams(exec, fill_node, &fill, NULL),
               hipErrorInvalidValue);
    fill.elementSize = 4;
    assert_hip(hipDrvGraphExecMemsetNodeSetParams(exec, copy_node, &fill, NULL),
               hipErrorInvalidValue);
    assert_hip(hipDrvGraphExecMemsetNodeSetParams(NULL, fill_node, &fill, NULL),
               hipErrorInvalidValue);
    assert_hip(hipDrvGraphExecMemcpyNodeSetParams(exec, copy_node, NULL, NULL),
               hipErrorInvalidValue);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(word_at(d, 4), 9); // b[8]
    assert_int_equal(word_at(d, 128 + 36), 9);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

// Opens the library of release 7, which lies beside that of this program.
static void *open_release_7(void) {
    char path[4096];
    Dl_info own;
    assert_true(dladdr(*(void *const *)&(__typeof__(hipInit) *){hipInit}, &own) != 0);
    (void)snprintf(path, sizeof path, "%.*s/libamdhip64.so.7",
                   (int)(strrchr(own.dli_fname, '/') - own.dli_fname), own.dli_fname);
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (opened == NULL) fail_msg("%s", dlerror());
    return opened;
}

static void use_release_7(void *arg) {
    hipError_t (*create)(hipGraph_t *, unsigned);
    hipError_t (*allocate)(void **, size_t);
    hipError_t (*add)(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
                      const hipMemsetParams *, hipCtx_t);
    hipGraph_t graph = NULL;
    hipGraphNode_t node = NULL;
    void *d = NULL;
    void *library = open_release_7();
    (void)arg;
    *(void **)&create = dlsym(library, "hipGraphCreate");
    *(void **)&allocate = dlsym(library, "hipMalloc");
    *(void **)&add = dlsym(library, "hipDrvGraphAddMemsetNode");
    assert_int_equal(create(&graph, 0), hipSuccess);
    assert_int_equal(allocate(&d, 64), hipSuccess);
    hipMemsetParams fill = {d, 4, 2, 32, 7, 2};
    assert_int_equal(add(&node, graph, NULL, 0, &fill, NULL), hipSuccess);
    fill.elementSize = 3;
    assert_int_equal(add(&node, graph, NULL, 0, &fill, NULL), hipErrorInvalidValue);
}

static void the_library_of_release_7_takes_the_other_layout(void **state) {
    (void)state;
    hip_in_child(use_release_7, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_of_release_7_takes_the_other_layout), // forks: first
        cmocka_unit_test(copies_are_checked),
        cmocka_unit_test(a_copy_is_added_returned_and_changed),
        cmocka_unit_test(arrays_are_described_in_both_forms),
        cmocka_unit_test(a_captured_copy_of_an_array_has_parameters),
        cmocka_unit_test(a_fill_has_the_layout_of_the_release),
        cmocka_unit_test(executables_change_by_these_descriptions),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
