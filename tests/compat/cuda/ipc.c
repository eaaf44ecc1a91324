// SPDX-License-Identifier: Apache-2.0
// Memory and events of other processes. Each test has two processes, which have made no call of CUDA
// before: one exports, and the other one, its child, opens. A line between them carries handles, and
// single bytes that order their steps.
#include <sys/socket.h>
#include <unistd.h>

#include "support/child.h"
#include "support/cuda.h"

#define SIZE ((size_t)100000)

// ---- two processes

typedef void part(int line);

struct play {
    part *exporter;
    part *opener;
    int ends[2];
};

static void send_bytes(int line, const void *bytes, size_t size) {
    assert_int_equal(send(line, bytes, size, MSG_NOSIGNAL), size);
}

static void receive_bytes(int line, void *bytes, size_t size) {
    assert_int_equal(recv(line, bytes, size, 0), size);
}

static void say(int line) { send_bytes(line, "", 1); }

static void hear(int line) {
    char byte = 1;
    receive_bytes(line, &byte, 1);
}

static void play_opener(void *arg) {
    const struct play *play = arg;
    assert_int_equal(close(play->ends[0]), 0);
    cuda_begin();
    play->opener(play->ends[1]);
    assert_int_equal(close(play->ends[1]), 0);
}

static void play_exporter(void *arg) {
    struct play *play = arg;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, play->ends), 0);
    pid_t child = child_begin(play_opener, play);
    assert_int_equal(close(play->ends[1]), 0);
    cuda_begin();
    play->exporter(play->ends[0]);
    child_end(child);
    assert_int_equal(close(play->ends[0]), 0);
}

static void play(part *exporter, part *opener) {
    struct play both = {exporter, opener, {-1, -1}};
    cuda_in_child(play_exporter, &both, NULL);
}

static void receive_handle(int line, CUipcMemHandle *handle) {
    receive_bytes(line, handle, sizeof *handle);
}

static CUdeviceptr open_memory(CUipcMemHandle handle) {
    CUdeviceptr ptr = 0;
    assert_cu_ok(cuIpcOpenMemHandle(&ptr, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    assert_true(ptr != 0);
    return ptr;
}

// ---- memory

static void export_memory(int line) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0;
    unsigned char byte = 0;
    assert_cu_ok(cuMemAlloc(&ptr, SIZE));
    assert_cu_ok(cuMemsetD8(ptr, 1, SIZE));
    assert_cu_ok(cuIpcGetMemHandle(&handle, ptr));
    send_bytes(line, &handle, sizeof handle);
    hear(line); // the other one has written
    assert_cu_ok(cuMemcpyDtoH(&byte, ptr + SIZE - 1, 1));
    assert_int_equal(byte, 42);
    assert_cu_ok(cuMemFree(ptr));
    say(line);
    hear(line);
}

static void open_twice(int line) {
    CUipcMemHandle handle;
    unsigned char byte = 0;
    unsigned legacy = 7;
    CUdeviceptr again = 0;
    CUdeviceptr base = 0;
    CUcontext ctx = NULL;
    CUcontext owner = NULL;
    size_t size = 0;
    size_t before = cuda_free_bytes();
    receive_handle(line, &handle);
    CUdeviceptr ptr = open_memory(handle);
    assert_cu(cuIpcOpenMemHandle(&again, handle, 0), 1);
    again = open_memory(handle);
    assert_int_equal(again, ptr); // 54
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu_ok(cuMemGetAddressRange(&base, &size, ptr + 7));
    assert_int_equal(base, ptr);
    assert_int_equal(size, SIZE);
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    assert_cu_ok(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, ptr));
    assert_ptr_equal(owner, ctx);
    assert_cu_ok(
        cuPointerGetAttribute(&legacy, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, ptr));
    assert_int_equal(legacy, 0);
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1); // it is not this process's
    assert_cu_ok(cuMemcpyDtoH(&byte, ptr, 1));
    assert_int_equal(byte, 1);
    assert_cu_ok(cuMemsetD8(ptr + SIZE - 1, 42, 1));
    say(line);
    hear(line); // the exporter has freed it, and the bytes stay
    assert_cu_ok(cuMemcpyDtoH(&byte, ptr + SIZE - 1, 1));
    assert_int_equal(byte, 42);
    assert_cu(cuMemFree(ptr), 1);
    assert_cu(cuIpcCloseMemHandle(ptr + 1), 1);
    assert_cu_ok(cuIpcCloseMemHandle(ptr)); // 54
    assert_cu_ok(cuIpcCloseMemHandle(ptr));
    assert_cu(cuIpcCloseMemHandle(ptr), 1);
    assert_cu(cuMemGetAddressRange(&base, &size, ptr), 500);
    say(line);
}

static void memory_is_opened_once_and_closed_as_often(void **state) {
    (void)state;
    play(export_memory, open_twice);
}

// ---- handles of the fabric

#define FABRIC CU_MEM_HANDLE_TYPE_FABRIC

static CUdeviceptr map_handle(CUmemGenericAllocationHandle handle) {
    const CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                  CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr at = 0;
    assert_cu_ok(cuMemAddressReserve(&at, G, 0, 0, 0));
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(cuMemSetAccess(at, G, &desc, 1));
    assert_cu_ok(cuMemRelease(handle));
    return at;
}

static void unmap_handle(CUdeviceptr at) {
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuMemUnmap(at, G));
    assert_cu_ok(cuMemAddressFree(at, G));
}

static void export_on_the_fabric(int line) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = FABRIC,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemGenericAllocationHandle handle = 0;
    CUmemFabricHandle fabric;
    unsigned char byte = 0;
    int fd = -1;
    assert_cu_ok(cuMemCreate(&handle, G, &prop, 0));
    assert_cu(cuMemExportToShareableHandle(&fd, handle, 1, 0), 1);
    assert_cu_ok(cuMemExportToShareableHandle(&fabric, handle, FABRIC, 0));
    CUdeviceptr at = map_handle(handle);
    assert_cu_ok(cuMemsetD8(at, 5, G));
    assert_cu_ok(cuCtxSynchronize());
    send_bytes(line, &fabric, sizeof fabric);
    hear(line); // the other one has written
    assert_cu_ok(cuMemcpyDtoH(&byte, at + G - 1, 1));
    assert_int_equal(byte, 6);
    unmap_handle(at);
}

static void import_from_the_fabric(int line) {
    CUmemGenericAllocationHandle handle = 0;
    CUmemFabricHandle fabric, wrong = {{0}};
    CUmemAllocationProp prop;
    unsigned char byte = 0;
    int supported = 0;
    assert_cu_ok(
        cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0));
    assert_int_equal(supported, 1);
    receive_bytes(line, &fabric, sizeof fabric);
    assert_int_not_equal(cuMemImportFromShareableHandle(&handle, &wrong, FABRIC), 0);
    assert_cu(cuMemImportFromShareableHandle(&handle, NULL, FABRIC), 1);
    assert_cu_ok(cuMemImportFromShareableHandle(&handle, &fabric, FABRIC));
    assert_cu_ok(cuMemGetAllocationPropertiesFromHandle(&prop, handle));
    assert_int_equal(prop.type, CU_MEM_ALLOCATION_TYPE_PINNED);
    CUdeviceptr at = map_handle(handle);
    assert_cu_ok(cuMemcpyDtoH(&byte, at, 1));
    assert_int_equal(byte, 5);
    assert_cu_ok(cuMemsetD8(at, 6, G));
    assert_cu_ok(cuCtxSynchronize());
    say(line);
    unmap_handle(at);
}

static void a_fabric_handle_opens_the_same_memory(void **state) {
    struct play both = {export_on_the_fabric, import_from_the_fabric, {-1, -1}};
    (void)state;
    cuda_in_child(play_exporter, &both, "TARN_CUDA_DEVICE", "host:0,devices=2,memory=1G,fabric=on",
                  NULL);
}

// ---- memory, by the runtime

static void export_by_runtime(int line) {
    cudaIpcMemHandle_t handle;
    void *ptr = NULL;
    assert_cuda_ok(cudaMalloc(&ptr, SIZE));
    assert_cuda_ok(cudaMemset(ptr, 5, SIZE));
    assert_cuda_ok(cudaIpcGetMemHandle(&handle, ptr));
    send_bytes(line, &handle, sizeof handle);
    hear(line);
    assert_cuda_ok(cudaFree(ptr));
}

static void open_by_runtime(int line) {
    cudaIpcMemHandle_t handle;
    unsigned char byte = 0;
    void *ptr = NULL;
    receive_bytes(line, &handle, sizeof handle);
    assert_cuda(cudaIpcOpenMemHandle(&ptr, handle, 2), 1);
    assert_cuda(cudaIpcOpenMemHandle(NULL, handle, 1), 1);
    assert_cuda_ok(cudaIpcOpenMemHandle(&ptr, handle, cudaIpcMemLazyEnablePeerAccess));
    assert_cuda_ok(cudaMemcpy(&byte, ptr, 1, cudaMemcpyDeviceToHost));
    assert_int_equal(byte, 5);
    assert_cuda(cudaFree(ptr), 1);
    assert_cuda_ok(cudaIpcCloseMemHandle(ptr));
    assert_cuda(cudaIpcCloseMemHandle(ptr), 1);
    memset(&handle, 0x5a, sizeof handle);
    assert_cuda(cudaIpcOpenMemHandle(&ptr, handle, cudaIpcMemLazyEnablePeerAccess), 1);
    say(line);
}

static void the_runtime_opens_memory_too(void **state) {
    (void)state;
    play(export_by_runtime, open_by_runtime);
}

static void open_in_context(int line) {
    CUipcMemHandle handle;
    CUcontext ctx = NULL;
    CUdeviceptr base = 0;
    receive_handle(line, &handle);
    assert_cu_ok(cuCtxCreate(&ctx, NULL, 0, 0));
    CUdeviceptr ptr = open_memory(handle);
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_cu(cuMemGetAddressRange(&base, NULL, ptr), 500);
    assert_cu(cuIpcCloseMemHandle(ptr), 1);
    say(line);
}

static void opened_memory_ends_with_its_context(void **state) {
    (void)state;
    play(export_by_runtime, open_in_context);
}

// ---- one process

static void only_plain_memory_has_a_handle(void **state) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    CUmemGenericAllocationHandle phys = 0;
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0;
    void *pinned = NULL;
    (void)state;
    assert_cu_ok(cuMemAlloc(&ptr, SIZE));
    assert_cu_ok(cuIpcGetMemHandle(&handle, ptr));     // 53
    assert_cu_ok(cuIpcGetMemHandle(&handle, ptr + 1)); // of the whole memory
    assert_cu(cuIpcGetMemHandle(NULL, ptr), 1);
    assert_cu(cuIpcGetMemHandle(&handle, 0), 1);
    assert_cu_ok(cuMemFree(ptr));
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1);
    assert_cu_ok(cuMemAllocAsync(&ptr, SIZE, NULL));
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1);
    assert_cu_ok(cuMemFree(ptr));
    assert_cu_ok(cuMemAllocManaged(&ptr, SIZE, CU_MEM_ATTACH_GLOBAL));
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1);
    assert_cu_ok(cuMemFree(ptr));
    assert_cu_ok(cuMemHostAlloc(&pinned, SIZE, 0));
    assert_cu(cuIpcGetMemHandle(&handle, (CUdeviceptr)(uintptr_t)pinned), 1);
    assert_cu_ok(cuMemFreeHost(pinned));
    assert_cu_ok(cuMemCreate(&phys, G, &prop, 0));
    assert_cu_ok(cuMemAddressReserve(&ptr, G, 0, 0, 0));
    assert_cu_ok(cuMemMap(ptr, G, 0, phys, 0));
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1); // 53
    assert_cu_ok(cuMemUnmap(ptr, G));
    assert_cu_ok(cuMemAddressFree(ptr, G));
    assert_cu_ok(cuMemRelease(phys));
}

static void memory_of_a_graph_has_no_handle(void **state) {
    CUipcMemHandle handle;
    CUgraphExec exec = NULL;
    CUgraph graph = NULL;
    CUstream stream = NULL;
    CUdeviceptr ptr = 0;
    unsigned legacy = 7;
    (void)state;
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_cu_ok(cuMemAllocAsync(&ptr, SIZE, stream));
    assert_cu_ok(cuStreamEndCapture(stream, &graph));
    assert_cu_ok(cuGraphInstantiate(&exec, graph, 0));
    assert_cu_ok(cuGraphLaunch(exec, stream));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_cu(cuIpcGetMemHandle(&handle, ptr), 1);
    assert_cu_ok(
        cuPointerGetAttribute(&legacy, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, ptr));
    assert_int_equal(legacy, 0);
    assert_cu_ok(cuMemFree(ptr));
    assert_cu_ok(cuGraphExecDestroy(exec));
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cu_ok(cuStreamDestroy(stream));
}

static void a_process_cannot_open_its_own_memory(void **state) {
    CUipcMemHandle first;
    CUipcMemHandle second;
    CUdeviceptr ptr = 0;
    CUdeviceptr opened = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&ptr, SIZE));
    assert_cu_ok(cuIpcGetMemHandle(&first, ptr));
    assert_cu(cuIpcOpenMemHandle(&opened, first, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), 201);
    assert_cu(cuIpcCloseMemHandle(ptr), 1);
    assert_cu_ok(cuMemFree(ptr));
    assert_cu_ok(cuMemAlloc(&ptr, SIZE)); // 55
    assert_cu_ok(cuIpcGetMemHandle(&second, ptr));
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_cu_ok(cuMemFree(ptr));
    assert_int_equal(opened, 0);
}

// ---- events

static void export_event(int line) {
    CUipcEventHandle handle;
    CUstream stream = NULL;
    CUevent event = NULL;
    assert_cu_ok(cuStreamCreate(&stream, 0));
    assert_cu_ok(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    assert_cu_ok(cuEventRecord(event, stream));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_cu_ok(cuIpcGetEventHandle(&handle, event));
    send_bytes(line, &handle, sizeof handle);
    hear(line); // the other one has recorded
    assert_cu_ok(cuEventSynchronize(event));
    assert_cu_ok(cuEventDestroy(event));
    assert_cu_ok(cuStreamDestroy(stream));
}

static void open_event(int line) {
    cudaIpcEventHandle_t handle;
    CUipcEventHandle of_driver;
    cudaEvent_t event = NULL;
    CUevent again = NULL;
    float ms = 0;
    receive_bytes(line, &handle, sizeof handle);
    assert_cuda_ok(cudaIpcOpenEventHandle(&event, handle));
    memcpy(&of_driver, &handle, sizeof of_driver);
    assert_cu_ok(cuIpcOpenEventHandle(&again, of_driver));
    assert_cuda_ok(cudaEventSynchronize(event));
    assert_cuda_ok(cudaEventQuery(event));
    assert_cuda(cudaEventElapsedTime(&ms, event, event), 400);
    assert_cuda_ok(cudaStreamWaitEvent(NULL, event, 0));
    assert_cuda_ok(cudaEventRecord(event, NULL));
    assert_cuda_ok(cudaDeviceSynchronize());
    assert_cu_ok(cuEventQuery(again));
    assert_cu_ok(cuEventDestroy(again));
    assert_cuda_ok(cudaEventDestroy(event));
    memset(&of_driver, 0x5a, sizeof of_driver);
    assert_cu(cuIpcOpenEventHandle(&again, of_driver), 205);
    assert_cu(cuIpcOpenEventHandle(NULL, of_driver), 1);
    say(line);
}

static void events_order_work_of_two_processes(void **state) {
    (void)state;
    play(export_event, open_event);
}

static void only_events_between_processes_have_a_handle(void **state) {
    cudaIpcEventHandle_t handle;
    cudaEvent_t event = NULL;
    cudaEvent_t opened = NULL;
    (void)state;
    assert_cuda_ok(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    assert_cuda(cudaIpcGetEventHandle(&handle, event), 400); // 56
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda(cudaEventCreateWithFlags(&event, cudaEventInterprocess), 1); // 56
    assert_cuda_ok(
        cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    assert_cuda_ok(cudaIpcGetEventHandle(&handle, event));
    assert_cuda(cudaIpcGetEventHandle(NULL, event), 1);
    assert_cuda(cudaIpcGetEventHandle(&handle, NULL), 1);
    assert_cuda(cudaIpcOpenEventHandle(&opened, handle), 201);
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda(cudaIpcGetEventHandle(&handle, event), 400);
    (void)cudaGetLastError();
}

static int use_device_0(void **state) {
    (void)state;
    cuda_begin();
    return 0;
}

#define test(name) cmocka_unit_test_setup(name, use_device_0)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_opened_once_and_closed_as_often),
        cmocka_unit_test(a_fabric_handle_opens_the_same_memory),
        cmocka_unit_test(the_runtime_opens_memory_too),
        cmocka_unit_test(opened_memory_ends_with_its_context),
        cmocka_unit_test(events_order_work_of_two_processes),
        test(only_plain_memory_has_a_handle),
        test(memory_of_a_graph_has_no_handle),
        test(a_process_cannot_open_its_own_memory),
        test(only_events_between_processes_have_a_handle),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
