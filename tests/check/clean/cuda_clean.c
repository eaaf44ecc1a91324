// SPDX-License-Identifier: Apache-2.0
// A correct program of both APIs: pools with events between streams, virtual memory, a graph with memory,
// managed memory, and an error that is handled.
#include "check/support/cuda.h"

static void use_pool(void) {
    cudaStream_t first = make_stream();
    cudaStream_t second = make_stream();
    cudaEvent_t filled = NULL;
    cudaEvent_t copied = NULL;
    char host[64];
    must(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    must(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    for (int i = 0; i < 3; i++) {
        char *block = alloc_on(first, 4096);
        must(cudaMemsetAsync(block, i, 4096, first));
        must(cudaEventRecord(filled, first));
        must(cudaStreamWaitEvent(second, filled, 0));
        must(cudaMemcpyAsync(host, block, sizeof host, cudaMemcpyDeviceToHost, second));
        must(cudaEventRecord(copied, second));
        must(cudaStreamWaitEvent(first, copied, 0));
        must(cudaFreeAsync(block, first));
    }
    must(cudaStreamSynchronize(second));
    must(cudaEventDestroy(filled));
    must(cudaEventDestroy(copied));
    must(cudaStreamDestroy(first));
    must(cudaStreamDestroy(second));
}

static void use_mapping(void) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    must_drive(cuMemAddressReserve(&at, 2 * PAGE, 0, 0, 0));
    must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
    must_drive(cuMemMap(at, PAGE, 0, handle, 0));
    must_drive(cuMemRelease(handle));
    must_drive(cuMemSetAccess(at, PAGE, &access, 1));
    must_drive(cuMemsetD8(at, 1, PAGE));
    must_drive(cuCtxSynchronize());
    must_drive(cuMemUnmap(at, PAGE));
    must_drive(cuMemAddressFree(at, 2 * PAGE));
}

static void use_graph(void) {
    cudaStream_t stream = make_stream();
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    char *block = alloc_on(stream, 4096);
    must(cudaMemsetAsync(block, 1, 4096, stream));
    must(cudaFreeAsync(block, stream));
    must(cudaStreamEndCapture(stream, &graph));
    must(cudaGraphInstantiate(&exec, graph, 0));
    must(cudaGraphLaunch(exec, stream));
    must(cudaGraphLaunch(exec, stream));
    must(cudaStreamSynchronize(stream));
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
    must(cudaStreamDestroy(stream));
}

static void use_managed(void) {
    int *numbers = NULL;
    void *all = NULL;
    must(cudaMallocManaged((void **)&numbers, 4096, cudaMemAttachGlobal));
    must(cudaMemset(numbers, 0, 4096));
    must(cudaDeviceSynchronize());
    numbers[1] = 1;
    must(cudaFree(numbers));
    if (cudaMalloc(&all, (size_t)1 << 50) == cudaErrorMemoryAllocation) (void)cudaGetLastError();
    must(cudaGetLastError());
}

int main(void) {
    must(cudaFree(NULL));
    use_pool();
    use_mapping();
    use_graph();
    use_managed();
    return 0;
}
