// SPDX-License-Identifier: Apache-2.0
// Conditions that NVIDIA's manual of CUDA 13.0 states: a table with one test for each row. The source is
// the page of the function unless an H100 has answered, whose answer counts. "not named": the manual
// refuses without a code, and the code is that of the nearest function. Each row asks both APIs.
#include "support/cuda.h"

enum { BYTES = 1 << 16, ROW = 16, PITCH = 128 };

// ---- what the questions use

static cudaStream_t stream;
static CUcontext ctx;
static char *memory, *more, *managed, *pinned, *far; // of the device, the host, and the last device
static cudaEvent_t event;
static cudaMemPool_t far_pool;
static int last_device;

static void begin_world(void) {
    cuda_begin();
    last_device = cuda_last_device();
    assert_cuda_ok(cudaStreamCreate(&stream));
    assert_cuda_ok(cudaEventCreate(&event));
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    assert_cuda_ok(cudaMalloc((void **)&memory, BYTES));
    assert_cuda_ok(cudaMalloc((void **)&more, BYTES));
    assert_cuda_ok(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
    assert_cuda_ok(cudaMallocHost((void **)&pinned, BYTES));
    assert_cuda_ok(cudaDeviceGetDefaultMemPool(&far_pool, last_device));
    assert_cuda_ok(cudaSetDevice(last_device));
    assert_cuda_ok(cudaMalloc((void **)&far, BYTES));
    assert_cuda_ok(cudaSetDevice(0));
}

static void end_world(void) {
    assert_cuda_ok(cudaDeviceSynchronize());
    (void)cudaGetLastError();
    assert_cuda_ok(cudaFree(far));
    assert_cuda_ok(cudaFreeHost(pinned));
    assert_cuda_ok(cudaFree(managed));
    assert_cuda_ok(cudaFree(more));
    assert_cuda_ok(cudaFree(memory));
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda_ok(cudaStreamDestroy(stream));
}

static CUdeviceptr at(const void *ptr) { return (CUdeviceptr)(uintptr_t)ptr; }

// ---- hints about managed memory

#define DEVICE       1
#define HOST         2
#define NODE         3
#define CURRENT_NODE 4

static int prefetch(bool driver, int type, int id) {
    const CUmemLocation place = {(CUmemLocationType)type, id};
    return driver ? (int)cuMemPrefetchAsync(at(managed), BYTES, place, 0, stream)
                  : (int)cudaMemPrefetchAsync(managed, BYTES, place, 0, stream);
}

static int advise(bool driver, int advice, int type, int id) {
    const CUmemLocation place = {(CUmemLocationType)type, id};
    return driver ? (int)cuMemAdvise(at(managed), BYTES, (CUmem_advise)advice, place)
                  : (int)cudaMemAdvise(managed, BYTES, (enum cudaMemoryAdvise)advice, place);
}

enum list { PREFETCHES, DISCARDS, BOTH };

// A list of three ranges. `runs` locations begin at the ranges `second` and `third` and at 0.
static int call_list(bool driver, enum list list, size_t runs, size_t second, size_t third,
                     void *on) {
    void *ptrs[] = {managed, managed + 4096, managed + 8192};
    CUdeviceptr numbers[] = {at(managed), at(managed + 4096), at(managed + 8192)};
    size_t sizes[] = {4096, 4096, 4096};
    size_t first[] = {0, second, third};
    CUmemLocation places[] = {{DEVICE, 0}, {HOST, 0}, {DEVICE, 0}};
    if (list == DISCARDS)
        return driver ? (int)cuMemDiscardBatchAsync(numbers, sizes, 3, 0, on)
                      : (int)cudaMemDiscardBatchAsync(ptrs, sizes, 3, 0, on);
    if (list == BOTH)
        return driver ? (int)cuMemDiscardAndPrefetchBatchAsync(numbers, sizes, 3, places, first,
                                                               runs, 0, on)
                      : (int)cudaMemDiscardAndPrefetchBatchAsync(ptrs, sizes, 3, places, first,
                                                                 runs, 0, on);
    return driver ? (int)cuMemPrefetchBatchAsync(numbers, sizes, 3, places, first, runs, 0, on)
                  : (int)cudaMemPrefetchBatchAsync(ptrs, sizes, 3, places, first, runs, 0, on);
}

// ---- lists of copies

static int copy_list(bool driver, void *on) {
    CUdeviceptr dsts[] = {at(memory)}, srcs[] = {at(more)};
    void *to[] = {memory};
    const void *from[] = {more};
    size_t sizes[] = {64}, first[] = {0};
    CUmemcpyAttributes order = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    struct cudaMemcpyAttributes same = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    return driver ? (int)cuMemcpyBatchAsync(dsts, srcs, sizes, 1, &order, first, 1, on)
                  : (int)cudaMemcpyBatchAsync(to, from, sizes, 1, &same, first, 1, on);
}

static int copy_boxes(bool driver, unsigned order, size_t rows, void *on) {
    CUDA_MEMCPY3D_BATCH_OP box = {
        .src = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = at(more)}}},
        .dst = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = at(memory)}}},
        .extent = {ROW, rows, 1},
        .srcAccessOrder = (CUmemcpySrcAccessOrder)order};
    struct cudaMemcpy3DBatchOp same;
    memcpy(&same, &box, sizeof same);
    return driver ? (int)cuMemcpy3DBatchAsync(1, &box, 0, on)
                  : (int)cudaMemcpy3DBatchAsync(1, &same, 0, on);
}

// ---- fills in graphs

struct fill {
    char **dst; // NULL: `memory`
    size_t width, height, pitch;
    unsigned element;
};

static CUDA_MEMSET_NODE_PARAMS driver_fill(struct fill f) {
    return (CUDA_MEMSET_NODE_PARAMS){.dst = at(f.dst != NULL ? *f.dst : memory),
                                     .pitch = f.pitch,
                                     .value = 7,
                                     .elementSize = f.element,
                                     .width = f.width,
                                     .height = f.height};
}

static struct cudaMemsetParams runtime_fill(struct fill f) {
    const CUDA_MEMSET_NODE_PARAMS params = driver_fill(f);
    struct cudaMemsetParams same;
    memcpy(&same, &params, sizeof same);
    return same;
}

static int add_fill(bool driver, struct fill f) {
    const CUDA_MEMSET_NODE_PARAMS params = driver_fill(f);
    const struct cudaMemsetParams same = runtime_fill(f);
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node = NULL;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    int got = driver ? (int)cuGraphAddMemsetNode(&node, graph, NULL, 0, &params, ctx)
                     : (int)cudaGraphAddMemsetNode(&node, graph, NULL, 0, &same);
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// Only the driver fills rows of elements of several bytes.
static int capture_fill(size_t offset, size_t pitch) {
    cudaGraph_t graph = NULL;
    assert_cuda_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    int got = (int)cuMemsetD2D32Async(at(memory + offset), pitch, 7, ROW, 4, stream);
    assert_cuda_ok(cudaStreamEndCapture(stream, &graph));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

enum way { SET, UPDATE };

// Adds one fill, makes it executable, and changes it there to another one.
static int change_fill(bool driver, enum way way, struct fill before, struct fill after) {
    const CUDA_MEMSET_NODE_PARAMS params = driver_fill(after);
    const struct cudaMemsetParams first = runtime_fill(before), same = runtime_fill(after);
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    cudaGraphExecUpdateResultInfo result;
    CUgraphExecUpdateResultInfo info;
    int got = 0;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    assert_cuda_ok(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &first));
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    if (way == UPDATE) {
        assert_cuda_ok(cudaGraphMemsetNodeSetParams(node, &same));
        got = driver ? (int)cuGraphExecUpdate(exec, graph, &info)
                     : (int)cudaGraphExecUpdate(exec, graph, &result);
    } else {
        got = driver ? (int)cuGraphExecMemsetNodeSetParams(exec, node, &params, ctx)
                     : (int)cudaGraphExecMemsetNodeSetParams(exec, node, &same);
    }
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// The memory of the first fill ends before the change.
static int change_fill_of_ended_memory(bool driver) {
    char *ended = NULL;
    struct cudaMemsetParams params = runtime_fill((struct fill){NULL, ROW, 1, 0, 4});
    const CUDA_MEMSET_NODE_PARAMS same = driver_fill((struct fill){NULL, ROW, 1, 0, 4});
    const struct cudaMemsetParams next = params;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    assert_cuda_ok(cudaMalloc((void **)&ended, BYTES));
    params.dst = ended;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    assert_cuda_ok(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    assert_cuda_ok(cudaFree(ended));
    int got = driver ? (int)cuGraphExecMemsetNodeSetParams(exec, node, &same, ctx)
                     : (int)cudaGraphExecMemsetNodeSetParams(exec, node, &next);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

#define FLAT                                                                                       \
    { NULL, ROW, 1, 0, 4 }
#define FLAT_AT(dst)                                                                               \
    { &(dst), ROW, 1, 0, 4 }
#define BOX                                                                                        \
    { NULL, ROW, 4, PITCH, 4 }
#define FILL(...) ((struct fill)__VA_ARGS__)

// ---- copies in graphs

struct copy {
    char **dst; // NULL: `memory`
    size_t width, height;
};

static struct cudaMemcpy3DParms runtime_copy(struct copy c) {
    struct cudaMemcpy3DParms params;
    memset(&params, 0, sizeof params);
    params.srcPtr = (struct cudaPitchedPtr){more, PITCH, PITCH, 4};
    params.dstPtr = (struct cudaPitchedPtr){c.dst != NULL ? *c.dst : memory, PITCH, PITCH, 4};
    params.extent = (struct cudaExtent){c.width, c.height, 1};
    params.kind = cudaMemcpyDefault;
    return params;
}

static CUDA_MEMCPY3D driver_copy(struct copy c) {
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = at(more),
                           .srcPitch = PITCH,
                           .srcHeight = 4,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = at(c.dst != NULL ? *c.dst : memory),
                           .dstPitch = PITCH,
                           .dstHeight = 4,
                           .WidthInBytes = c.width,
                           .Height = c.height,
                           .Depth = 1};
}

static int change_copy(bool driver, struct copy before, struct copy after) {
    const struct cudaMemcpy3DParms first = runtime_copy(before), second = runtime_copy(after);
    const CUDA_MEMCPY3D one = driver_copy(before), two = driver_copy(after);
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    if (driver)
        assert_cu_ok(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &one, ctx));
    else
        assert_cuda_ok(cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &first));
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    int got = driver ? (int)cuGraphExecMemcpyNodeSetParams(exec, node, &two, ctx)
                     : (int)cudaGraphExecMemcpyNodeSetParams(exec, node, &second);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

#define COPY(...) ((struct copy)__VA_ARGS__)

// ---- child graphs

// A graph that allocates memory and frees it, or that has one node without work.
static cudaGraph_t new_child(bool allocates) {
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node = NULL, end = NULL;
    struct cudaMemAllocNodeParams params;
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 4096;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    if (!allocates) {
        assert_cuda_ok(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
        return graph;
    }
    assert_cuda_ok(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
    assert_cuda_ok(cudaGraphAddMemFreeNode(&end, graph, &node, 1, params.dptr));
    return graph;
}

static int add_any(bool driver, cudaGraph_t graph, cudaGraphNode_t *node,
                   const cudaGraphNodeParams *params) {
    CUgraphNodeParams same;
    cudaGraphNodeParams own = *params;
    memset(&same, 0, sizeof same);
    memcpy(&same, params, sizeof same < sizeof *params ? sizeof same : sizeof *params);
    return driver ? (int)cuGraphAddNode(node, graph, NULL, NULL, 0, &same)
                  : (int)cudaGraphAddNode(node, graph, NULL, NULL, 0, &own);
}

static cudaGraphNodeParams child_params(cudaGraph_t child, int ownership) {
    cudaGraphNodeParams params;
    memset(&params, 0, sizeof params);
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = child;
    params.graph.ownership = (enum cudaGraphChildGraphNodeOwnership)ownership;
    return params;
}

enum { CLONE = 0, MOVE = 1 };

static int add_child(bool driver, bool allocates, int ownership) {
    cudaGraph_t child = new_child(allocates), graph = new_child(false);
    const cudaGraphNodeParams params = child_params(child, ownership);
    cudaGraphNode_t node = NULL;
    int got = add_any(driver, graph, &node, &params);
    if (got != 0 || ownership == CLONE) assert_cuda_ok(cudaGraphDestroy(child));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

static int add_child_by_its_function(bool driver, bool allocates) {
    cudaGraph_t child = new_child(allocates), graph = new_child(false);
    cudaGraphNode_t node = NULL;
    int got = driver ? (int)cuGraphAddChildGraphNode(&node, graph, NULL, 0, child)
                     : (int)cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child);
    assert_cuda_ok(cudaGraphDestroy(child));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

enum use { NOTHING, DESTROY, INSTANTIATE, CHILD, MOVED_AGAIN, UPDATES, ALLOCATE, PARENT };

static int use_graph(bool driver, enum use use, cudaGraph_t graph, cudaGraph_t parent) {
    cudaGraphNodeParams params = child_params(graph, MOVE);
    struct cudaMemAllocNodeParams memory_node;
    CUDA_MEM_ALLOC_NODE_PARAMS same;
    cudaGraphExecUpdateResultInfo result;
    CUgraphExecUpdateResultInfo info;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    int got = 0;
    switch (use) {
    case NOTHING: break;
    case DESTROY: return driver ? (int)cuGraphDestroy(graph) : (int)cudaGraphDestroy(graph);
    case INSTANTIATE:
        return driver ? (int)cuGraphInstantiateWithFlags(&exec, graph, 0)
                      : (int)cudaGraphInstantiate(&exec, graph, 0);
    case CHILD:
        return driver ? (int)cuGraphAddChildGraphNode(&node, parent, NULL, 0, graph)
                      : (int)cudaGraphAddChildGraphNode(&node, parent, NULL, 0, graph);
    case MOVED_AGAIN: return add_any(driver, parent, &node, &params);
    case PARENT: params = child_params(parent, MOVE); return add_any(driver, graph, &node, &params);
    case UPDATES:
        assert_cuda_ok(cudaGraphInstantiate(&exec, parent, 0));
        got = driver ? (int)cuGraphExecUpdate(exec, graph, &info)
                     : (int)cudaGraphExecUpdate(exec, graph, &result);
        assert_cuda_ok(cudaGraphExecDestroy(exec));
        return got;
    case ALLOCATE:
        memset(&memory_node, 0, sizeof memory_node);
        memory_node.poolProps.allocType = cudaMemAllocationTypePinned;
        memory_node.poolProps.location.type = cudaMemLocationTypeDevice;
        memory_node.bytesize = 4096;
        memcpy(&same, &memory_node, sizeof same);
        return driver ? (int)cuGraphAddMemAllocNode(&node, graph, NULL, 0, &same)
                      : (int)cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &memory_node);
    }
    return got;
}

// Uses a graph that a node took.
static int use_moved(bool driver, enum use use) {
    cudaGraph_t child = new_child(false), graph = new_child(false), inside = NULL;
    const cudaGraphNodeParams params = child_params(child, MOVE);
    cudaGraphNode_t node = NULL;
    assert_int_equal(add_any(driver, graph, &node, &params), 0);
    assert_cuda_ok(cudaGraphChildGraphNodeGetGraph(node, &inside));
    assert_ptr_equal(inside, child);
    int got = use_graph(driver, use, child, graph);
    assert_cuda_ok(cudaGraphDestroy(graph));
    assert_cuda(cudaGraphDestroy(child), 1); // it ended with the parent
    return got;
}

// Runs a graph whose node took a graph with memory.
static int run_moved(bool driver) {
    cudaGraph_t child = new_child(true), graph = new_child(false);
    const cudaGraphNodeParams params = child_params(child, MOVE);
    cudaGraphNode_t node = NULL;
    cudaGraphExec_t exec = NULL;
    assert_int_equal(add_any(driver, graph, &node, &params), 0);
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    int got = driver ? (int)cuGraphLaunch(exec, stream) : (int)cudaGraphLaunch(exec, stream);
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// Allocates in the graph that a node copied.
static int allocate_in_copy(bool driver) {
    cudaGraph_t child = new_child(false), graph = new_child(false), inside = NULL;
    cudaGraphNode_t node = NULL;
    assert_cuda_ok(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_cuda_ok(cudaGraphChildGraphNodeGetGraph(node, &inside));
    int got = use_graph(driver, ALLOCATE, inside, NULL);
    assert_cuda_ok(cudaGraphDestroy(child));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// Captures an allocation into the graph that a node copied.
static int capture_in_copy(bool driver) {
    cudaGraph_t child = new_child(false), graph = new_child(false), inside = NULL, end = NULL;
    cudaGraphNode_t node = NULL;
    CUdeviceptr number = 0;
    void *ptr = NULL;
    assert_cuda_ok(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_cuda_ok(cudaGraphChildGraphNodeGetGraph(node, &inside));
    assert_cuda_ok(
        cudaStreamBeginCaptureToGraph(stream, inside, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    int got =
        driver ? (int)cuMemAllocAsync(&number, 64, stream) : (int)cudaMallocAsync(&ptr, 64, stream);
    assert_cuda_ok(cudaStreamEndCapture(stream, &end));
    assert_cuda_ok(cudaGraphDestroy(child));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

static int set_child(bool driver, int ownership) {
    cudaGraph_t child = new_child(false), graph = new_child(false);
    cudaGraphNodeParams params = child_params(child, ownership);
    CUgraphNodeParams same;
    cudaGraphNode_t node = NULL;
    assert_cuda_ok(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    memset(&same, 0, sizeof same);
    memcpy(&same, &params, sizeof same < sizeof params ? sizeof same : sizeof params);
    int got = driver ? (int)cuGraphNodeSetParams(node, &same)
                     : (int)cudaGraphNodeSetParams(node, &params);
    assert_cuda_ok(cudaGraphDestroy(child));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// Instantiates a graph with memory twice, and ends the first one before if that is asked.
static int instantiate_twice(bool driver, bool ended) {
    cudaGraph_t graph = new_child(true);
    cudaGraphExec_t first = NULL, second = NULL;
    assert_cuda_ok(cudaGraphInstantiate(&first, graph, 0));
    if (ended) assert_cuda_ok(cudaGraphExecDestroy(first));
    int got = driver ? (int)cuGraphInstantiateWithFlags(&second, graph, 0)
                     : (int)cudaGraphInstantiate(&second, graph, 0);
    if (!ended) assert_cuda_ok(cudaGraphExecDestroy(first));
    if (got == 0) assert_cuda_ok(cudaGraphExecDestroy(second));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// Adds a node without parameters, whose struct has one byte that is not zero.
static int add_empty(bool driver, size_t byte) {
    cudaGraph_t graph = new_child(false);
    cudaGraphNodeParams params;
    cudaGraphNode_t node = NULL;
    memset(&params, 0, sizeof params);
    params.type = cudaGraphNodeTypeEmpty;
    if (byte != 0) ((char *)&params)[byte] = 1;
    int got = add_any(driver, graph, &node, &params);
    assert_cuda_ok(cudaGraphDestroy(graph));
    return got;
}

// ---- devices and events

static int choose_pool(bool driver, bool by_place) {
    CUmemLocation place = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    if (last_device == 0) return 1; // there is no other device
    if (by_place)
        return driver ? (int)cuMemSetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED, far_pool)
                      : (int)cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, far_pool);
    return driver ? (int)cuDeviceSetMemPool(0, far_pool) : (int)cudaDeviceSetMemPool(0, far_pool);
}

// ---- the table

#define ROW_LIST(ASK)                                                                              \
    /* cudaMemPrefetchAsync, cudaMemPrefetchBatchAsync, cudaMemDiscardBatchAsync, cudaMemAdvise */ \
    ASK(a_prefetch_to_the_host_ignores_the_id, 0, prefetch(driver, HOST, 77))                      \
    ASK(a_prefetch_to_the_current_node_ignores_the_id, 0, prefetch(driver, CURRENT_NODE, 77))      \
    ASK(a_prefetch_to_a_node, 0, prefetch(driver, NODE, 0))                                        \
    ASK(a_prefetch_to_a_node_that_does_not_exist, 1, prefetch(driver, NODE, 500)) /* not named */  \
    ASK(a_prefetch_to_a_negative_node, 1, prefetch(driver, NODE, -1))             /* not named */  \
    ASK(a_prefetch_to_a_device_that_does_not_exist, 101, prefetch(driver, DEVICE, 99)) /* H100 */  \
    ASK(a_list_of_prefetches, 0, call_list(driver, PREFETCHES, 3, 1, 2, stream))                   \
    ASK(locations_that_begin_at_the_same_range, 1, call_list(driver, PREFETCHES, 2, 0, 0, stream)) \
    ASK(locations_that_are_not_in_order, 1, call_list(driver, PREFETCHES, 3, 2, 1, stream))        \
    ASK(a_location_that_begins_behind_the_list, 1, call_list(driver, PREFETCHES, 2, 9, 0, stream)) \
    ASK(more_locations_than_ranges, 1, call_list(driver, PREFETCHES, 4, 1, 2, stream))             \
    ASK(locations_out_of_order_after_a_discard, 1, call_list(driver, BOTH, 3, 2, 1, stream))       \
    ASK(a_list_of_prefetches_on_null, 1, call_list(driver, PREFETCHES, 1, 0, 0, NULL))             \
    ASK(a_list_of_prefetches_on_the_legacy_stream, 1,                                              \
        call_list(driver, PREFETCHES, 1, 0, 0, CU_STREAM_LEGACY))                                  \
    ASK(a_list_of_prefetches_on_the_stream_of_the_thread, 0,                                       \
        call_list(driver, PREFETCHES, 1, 0, 0, CU_STREAM_PER_THREAD))                              \
    ASK(a_list_of_discards_on_null, 1, call_list(driver, DISCARDS, 0, 0, 0, NULL))                 \
    ASK(a_list_of_both_on_null, 1, call_list(driver, BOTH, 1, 0, 0, NULL))                         \
    ASK(memory_accessed_by_the_host, 0, advise(driver, 5, HOST, 9))                                \
    ASK(memory_accessed_by_a_node, 1, advise(driver, 5, NODE, 0))                                  \
    ASK(memory_accessed_by_the_current_node, 1, advise(driver, 5, CURRENT_NODE, 0))                \
    ASK(memory_accessed_by_a_node_no_longer, 1, advise(driver, 6, NODE, 0))                        \
    ASK(memory_preferred_on_a_node, 0, advise(driver, 3, NODE, 0))                                 \
    ASK(memory_preferred_on_a_node_that_does_not_exist, 1, advise(driver, 3, NODE, 500))           \
    ASK(advice_about_reading_ignores_the_location, 0, advise(driver, 1, 0, 99))                    \
    ASK(an_end_of_preference_ignores_the_location, 0, advise(driver, 4, 77, 0))                    \
    /* cudaMemcpyBatchAsync, cudaMemcpy3DBatchAsync */                                             \
    ASK(a_list_of_copies, 0, copy_list(driver, stream))                                            \
    ASK(a_list_of_copies_on_null, 1, copy_list(driver, NULL))                                      \
    ASK(a_list_of_boxes, 0, copy_boxes(driver, 1, 2, stream))                                      \
    ASK(a_list_of_boxes_on_null, 1, copy_boxes(driver, 1, 2, NULL))                                \
    ASK(a_list_of_boxes_on_the_legacy_stream, 1, copy_boxes(driver, 1, 2, CU_STREAM_LEGACY))       \
    ASK(a_box_without_an_order, 1, copy_boxes(driver, 0, 2, stream))                               \
    ASK(a_box_of_an_unknown_order, 1, copy_boxes(driver, 4, 2, stream))                            \
    ASK(a_box_without_rows, 1, copy_boxes(driver, 1, 0, stream))                                   \
    /* cudaGraphAddMemsetNode, cudaGraphExecMemsetNodeSetParams, cudaGraphExecUpdate */            \
    ASK(rows_that_are_no_multiple_of_the_element, 1,                                               \
        add_fill(driver, FILL({NULL, ROW, 4, 66, 4})))                                             \
    ASK(a_captured_fill, 0, capture_fill(0, PITCH))                                                \
    ASK(a_captured_fill_of_such_rows, 1, capture_fill(0, 66))                                      \
    ASK(a_captured_fill_of_a_part_of_an_element, 1, capture_fill(1, PITCH))                        \
    ASK(one_row_has_no_pitch, 0, add_fill(driver, FILL({NULL, ROW, 1, 66, 4})))                    \
    ASK(a_box_keeps_its_width, 1,                                                                  \
        change_fill(driver, SET, FILL(BOX), FILL({NULL, 8, 4, PITCH, 4})))                         \
    ASK(a_box_keeps_its_height, 1,                                                                 \
        change_fill(driver, SET, FILL(BOX), FILL({NULL, ROW, 1, PITCH, 4})))                       \
    ASK(a_box_keeps_its_pitch, 1,                                                                  \
        change_fill(driver, SET, FILL(BOX), FILL({NULL, ROW, 4, 2 * PITCH, 4})))                   \
    ASK(a_box_keeps_its_elements, 1,                                                               \
        change_fill(driver, SET, FILL(BOX), FILL({NULL, 4 * ROW, 4, PITCH, 1})))                   \
    ASK(a_box_changes_its_address, 0,                                                              \
        change_fill(driver, SET, FILL(BOX), FILL({&more, ROW, 4, PITCH, 4})))                      \
    ASK(a_row_changes_its_width, 0,                                                                \
        change_fill(driver, SET, FILL(FLAT), FILL({NULL, 8, 1, 0, 4})))                            \
    ASK(a_row_keeps_its_height, 1, change_fill(driver, SET, FILL(FLAT), FILL(BOX)))                \
    ASK(a_row_of_no_elements, 1, change_fill(driver, SET, FILL(FLAT), FILL({NULL, 0, 1, 0, 4})))   \
    ASK(a_fill_moves_to_pinned_memory, 1,                                                          \
        change_fill(driver, SET, FILL(FLAT), FILL(FLAT_AT(pinned))))                               \
    ASK(a_fill_moves_to_managed_memory, 1,                                                         \
        change_fill(driver, SET, FILL(FLAT), FILL(FLAT_AT(managed))))                              \
    ASK(a_fill_moves_to_another_device, last_device != 0 ? 1 : 0,                                  \
        change_fill(driver, SET, FILL(FLAT), FILL(FLAT_AT(far))))                                  \
    ASK(a_fill_leaves_memory_that_has_ended, 0, change_fill_of_ended_memory(driver))               \
    ASK(an_update_of_the_height, 910,                                                              \
        change_fill(driver, UPDATE, FILL(BOX), FILL({NULL, ROW, 1, PITCH, 4})))                    \
    ASK(an_update_of_the_pitch, 910,                                                               \
        change_fill(driver, UPDATE, FILL(BOX), FILL({NULL, ROW, 4, 2 * PITCH, 4})))                \
    ASK(an_update_of_the_address, 0,                                                               \
        change_fill(driver, UPDATE, FILL(BOX), FILL({&more, ROW, 4, PITCH, 4})))                   \
    ASK(an_update_of_a_row, 0, change_fill(driver, UPDATE, FILL(FLAT), FILL({NULL, 8, 1, 0, 4})))  \
    ASK(an_update_to_managed_memory, 910,                                                          \
        change_fill(driver, UPDATE, FILL(FLAT), FILL(FLAT_AT(managed))))                           \
    /* cudaGraphExecMemcpyNodeSetParams: both copies have one dimension */                         \
    ASK(a_copy_changes_its_width, 0,                                                               \
        change_copy(driver, COPY({NULL, 64, 1}), COPY({NULL, 32, 1})))                             \
    ASK(a_copy_of_rows_keeps_its_width, 1,                                                         \
        change_copy(driver, COPY({NULL, 64, 4}), COPY({NULL, 32, 4})))                             \
    ASK(a_copy_of_rows_stays_one, 1,                                                               \
        change_copy(driver, COPY({NULL, 64, 4}), COPY({NULL, 64, 1})))                             \
    ASK(a_copy_becomes_none_of_rows, 1,                                                            \
        change_copy(driver, COPY({NULL, 64, 1}), COPY({NULL, 64, 4})))                             \
    ASK(a_copy_moves_to_pinned_memory, 1,                                                          \
        change_copy(driver, COPY({NULL, 64, 1}), COPY({&pinned, 64, 1})))                          \
    ASK(a_copy_moves_to_another_device, last_device != 0 ? 1 : 0,                                  \
        change_copy(driver, COPY({NULL, 64, 1}), COPY({&far, 64, 1})))                             \
    /* cudaGraphAddNode, cudaGraphAddChildGraphNode, cudaGraphChildGraphNodeOwnership */           \
    ASK(a_child_with_memory, 801, add_child_by_its_function(driver, true)) /* not named */         \
    ASK(a_child_without_memory, 0, add_child_by_its_function(driver, false))                       \
    ASK(a_copied_child_with_memory, 801, add_child(driver, true, CLONE)) /* not named */           \
    ASK(a_moved_child_with_memory, 0, add_child(driver, true, MOVE))                               \
    ASK(an_ownership_of_77, 1, add_child(driver, false, 77))                                       \
    ASK(an_ownership_of_minus_1, 1, add_child(driver, false, -1))                                  \
    ASK(a_node_that_is_set_to_move_a_graph, 1, set_child(driver, MOVE)) /* not named */            \
    ASK(a_node_that_is_set_to_copy_a_graph, 0, set_child(driver, CLONE))                           \
    ASK(a_moved_graph_ends_with_its_parent, 0, use_moved(driver, NOTHING))                         \
    ASK(a_moved_graph_is_not_destroyed, 1, use_moved(driver, DESTROY))                             \
    ASK(a_moved_graph_is_not_instantiated, 1, use_moved(driver, INSTANTIATE))                      \
    ASK(a_moved_graph_is_no_child_of_another, 1, use_moved(driver, CHILD))                         \
    ASK(a_moved_graph_is_not_moved_again, 1, use_moved(driver, MOVED_AGAIN))                       \
    ASK(a_moved_graph_takes_not_its_parent, 1, use_moved(driver, PARENT))                          \
    ASK(a_moved_graph_updates_none, 1, use_moved(driver, UPDATES))                                 \
    ASK(a_moved_graph_takes_no_more_memory, 801, use_moved(driver, ALLOCATE)) /* not named */      \
    ASK(a_copied_graph_takes_no_memory, 801, allocate_in_copy(driver))        /* not named */      \
    ASK(a_copied_graph_captures_no_memory, 801, capture_in_copy(driver))      /* not named */      \
    ASK(a_moved_graph_with_memory_runs, 0, run_moved(driver))                                      \
    ASK(a_graph_with_memory_has_one_executable, 801, instantiate_twice(driver, false)) /* H100 */  \
    ASK(a_graph_with_memory_has_the_next_executable, 0, instantiate_twice(driver, true))           \
    ASK(a_node_without_work, 0, add_empty(driver, 0))                                              \
    ASK(a_node_whose_padding_is_not_zero, 1, add_empty(driver, 5))                                 \
    ASK(a_node_whose_unused_bytes_are_not_zero, 1, add_empty(driver, 100))                         \
    ASK(a_node_whose_last_bytes_are_not_zero, 1,                                                   \
        add_empty(driver, sizeof(cudaGraphNodeParams) - 1))                                        \
    /* cudaDeviceSetMemPool, cudaMemSetMemPool: the pool is local to the device */                 \
    ASK(a_pool_of_another_device, 1, choose_pool(driver, false))                                   \
    ASK(a_pool_of_another_location, 1, choose_pool(driver, true))                                  \
    /* The manual names 1 or nothing, and an H100 answers otherwise. */                            \
    ASK(an_external_wait_outside_of_a_capture, 401,                                                \
        driver ? (int)cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL)                     \
               : (int)cudaStreamWaitEvent(stream, event, cudaEventWaitExternal))                   \
    ASK(an_external_record_outside_of_a_capture, 401,                                              \
        driver ? (int)cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL)              \
               : (int)cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal))            \
    ASK(unknown_flags_of_cudaInitDevice, 0, (int)cudaInitDevice(0, 0, 99))

#define FUNCTION(name, want, call)                                                                 \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        begin_world();                                                                             \
        for (int driver = 0; driver < 2; driver++) {                                               \
            int got = (call);                                                                      \
            if (got != (want)) print_error("%s API: %s\n", driver ? "driver" : "runtime", #call);  \
            assert_int_equal(got, want);                                                           \
        }                                                                                          \
        end_world();                                                                               \
    }
#define TEST(name, want, call) cmocka_unit_test(name),

ROW_LIST(FUNCTION)

int main(void) {
    const struct CMUnitTest tests[] = {ROW_LIST(TEST)};
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
