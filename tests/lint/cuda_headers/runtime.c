// SPDX-License-Identifier: Apache-2.0
// A program of the runtime API, in C and in C++, at both levels.
#include <string.h>

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <vector_functions.h>

#if CUDART_VERSION >= 13000
static cudaError_t prefetch(void *address, struct cudaMemLocation at) {
    return cudaMemPrefetchAsync(address, 1, at, 0, cudaStreamPerThread);
}
#else
static cudaError_t prefetch(void *address, struct cudaMemLocation at) {
    return cudaMemPrefetchAsync(address, 1, at.id, cudaStreamPerThread);
}
#endif

static cudaError_t box(struct cudaExtent extent) {
    struct cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.extent = extent;
    copy.kind = cudaMemcpyDefault;
    copy.srcPtr = make_cudaPitchedPtr(NULL, 1, 1, 1);
    copy.srcPos = make_cudaPos(0, 0, 0);
    return cudaMemcpy3D(&copy);
}

static cudaError_t capture(cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamIsCapturing(stream, &status);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    return cudaGraphLaunch(exec, stream);
}

static unsigned fill(void) {
    struct cudaMemsetParamsV2 fill;
    memset(&fill, 0, sizeof fill);
    fill.elementSize = 4;
    return fill.elementSize;
}

int main(void) {
    struct cudaDeviceProp properties;
    struct cudaPointerAttributes attributes;
    struct cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    float4 vector = make_float4(1, 2, 3, 4);
    void *address = NULL;
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) return 77;
    cudaProfilerStart();
    cudaMalloc(&address, sizeof vector);
    cudaMemcpy(address, &vector, sizeof vector, kind);
    cudaPointerGetAttributes(&attributes, address);
    return attributes.type != cudaMemoryTypeDevice || properties.warpSize == 0 ||
           prefetch(address, location) != cudaSuccess || capture(0) != cudaSuccess ||
           box(make_cudaExtent(1, 1, 1)) != cudaSuccess || fill() != 4 ||
           cudaFree(address) != cudaSuccess;
}
