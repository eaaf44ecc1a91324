// SPDX-License-Identifier: Apache-2.0
// A program of the driver API, in C and in C++, at both levels.
#include <string.h>

#include <cuda.h>
#include <cudaProfiler.h>

#if CUDA_VERSION >= 13000
#define CREATE(context, device) cuCtxCreate(context, NULL, 0, device)
#else
#define CREATE(context, device) cuCtxCreate(context, 0, device)
#endif

static CUresult absent(CUdevice device) {
    CUexecAffinityParam affinity;
    int width = 0;
    affinity.type = CU_EXEC_AFFINITY_TYPE_SM_COUNT;
    affinity.param.smCount.val = 1;
    (void)cuDeviceGetAttribute(&width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, device);
    (void)cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                     CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER);
    return width == 0 ? cuCtxGetExecAffinity(&affinity, affinity.type) : CUDA_SUCCESS;
}

static CUresult pool(CUdevice device, CUstream stream) {
    CUmemPoolProps properties;
    CUmemoryPool made;
    CUdeviceptr address;
    cuuint64_t threshold = UINT64_MAX;
    CUresult result;
    memset(&properties, 0, sizeof properties);
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    result = cuMemPoolCreate(&made, &properties);
    if (result == CUDA_SUCCESS)
        result = cuMemPoolSetAttribute(made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
    if (result == CUDA_SUCCESS) result = cuMemAllocFromPoolAsync(&address, 1, made, stream);
    return result == CUDA_SUCCESS ? cuMemFreeAsync(address, stream) : result;
}

static CUresult map(CUdeviceptr at, size_t size) {
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp properties;
    CUmemAccessDesc right;
    CUresult result;
    memset(&properties, 0, sizeof properties);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
    right.location = properties.location;
    right.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    result = cuMemCreate(&handle, size, &properties, 0);
    if (result == CUDA_SUCCESS) result = cuMemMap(at, size, 0, handle, 0);
    return result == CUDA_SUCCESS ? cuMemSetAccess(at, size, &right, 1) : result;
}

static CUresult graph(CUgraph graph, CUcontext context) {
    CUgraphNode node;
    CUgraphNodeParams params;
    CUDA_MEMSET_NODE_PARAMS fill;
    memset(&params, 0, sizeof params);
    memset(&fill, 0, sizeof fill);
    params.type = CU_GRAPH_NODE_TYPE_MEMSET;
    params.memset.elementSize = 4;
    params.memset.ctx = context;
    (void)params;
    return cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context);
}

int main(void) {
    CUdevice device = CU_DEVICE_INVALID;
    CUcontext context;
    CUdeviceptr address;
    void *function;
    const char *text;
    int value = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 77;
    cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device);
    cuProfilerStart();
    CREATE(&context, device);
    cuMemAlloc(&address, 1);
    cuMemFree(address);
    cuGetProcAddress("cuMemAlloc", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, NULL);
    cuGetErrorName(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, &text);
    return pool(device, CU_STREAM_PER_THREAD) + map(address, 2097152) + graph(NULL, context) +
           absent(device);
}
