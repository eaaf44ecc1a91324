// SPDX-License-Identifier: Apache-2.0
// The first calls of a process: before cuInit(), without a context, and the contexts that the
// runtime makes itself.
#include "begin.h"

#define TN_GROUP "init"

FIRST_QUESTION(driver_before_init, "cuInit: other functions return 3 before it") {
    CUdevice device = 7;
    CUcontext ctx = NULL;
    char name[64];
    size_t bytes = 0;
    int active = 0;
    unsigned flags = 0;
    ASK(cuDeviceGetCount, &device);
    ASK(cuDeviceGet, &device, 0);
    ASK(cuDeviceGetName, name, 64, 0);
    ASK(cuDeviceTotalMem, &bytes, 0);
    ASK(cuCtxGetCurrent, &ctx);
    ASK(cuDevicePrimaryCtxRetain, &ctx, 0);
    ASK(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("device", device);
}

FIRST_QUESTION(memory_before_init, "cuInit: other functions return 3 before it") {
    CUdeviceptr ptr = 7;
    size_t bytes = 0;
    CUstream stream = NULL;
    ASK(cuMemAlloc, &ptr, 16);
    ASK(cuMemFree, 0);
    ASK(cuMemGetInfo, &bytes, &bytes);
    ASK(cuStreamCreate, &stream, 0);
    ASK(cuMemAddressReserve, &ptr, G, 0, 0, 0);
    ASK0(cuCtxSynchronize);
}

FIRST_QUESTION(checks_before_init, "order of checks: initialisation before arguments") {
    ASK(cuMemAlloc, NULL, 0);
    ASK(cuDeviceGetCount, NULL);
    ASK(cuDeviceGet, NULL, -1);
    ASK(cuPointerGetAttribute, NULL, (CUpointer_attribute)0, 0);
}

FIRST_QUESTION(version_before_init, "cuDriverGetVersion") {
    int version = 0;
    ASK(cuDriverGetVersion, &version);
    SAY("known", version > 0);
    ASK(cuDriverGetVersion, NULL);
}

FIRST_QUESTION(error_texts_before_init, "cuGetErrorName") {
    const char *text = NULL;
    ASK(cuGetErrorName, CUDA_ERROR_OUT_OF_MEMORY, &text);
    SAY_TEXT("text", text);
}

FIRST_QUESTION(lookup_before_init, "cuGetProcAddress") {
    void *function = NULL;
    ASK(cuGetProcAddress, "cuMemAlloc", &function, 12000, 0, NULL);
    SAY("found", function != NULL);
}

FIRST_QUESTION(init_with_flags, "cuInit: Flags must be 0") {
    int count = 0;
    ASK(cuInit, 1);
    ASK(cuDeviceGetCount, &count);
    ASK(cuInit, 0);
    ASK(cuInit, 0);
    ASK(cuInit, 1);
    ASK(cuDeviceGetCount, &count);
}

FIRST_QUESTION(no_context_after_init, "cuCtxGetCurrent: NULL without a context") {
    CUcontext ctx = (CUcontext)&ctx;
    MUST(cuInit, 0);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(memory_without_a_context, "CUDA_ERROR_INVALID_CONTEXT") {
    CUdeviceptr ptr = 7;
    size_t bytes = 0;
    void *host = NULL;
    MUST(cuInit, 0);
    ASK(cuMemAlloc, &ptr, 4096);
    ASK(cuMemGetInfo, &bytes, &bytes);
    ASK(cuMemHostAlloc, &host, 4096, 0);
    ASK(cuMemAllocManaged, &ptr, 4096, CU_MEM_ATTACH_GLOBAL);
    ASK(cuMemFree, 0);
    ASK(cuMemAlloc, NULL, 0);
}

FIRST_QUESTION(work_without_a_context, "CUDA_ERROR_INVALID_CONTEXT") {
    CUstream stream = NULL;
    CUevent event = NULL;
    CUgraph graph = NULL;
    MUST(cuInit, 0);
    ASK(cuStreamCreate, &stream, 0);
    ASK(cuEventCreate, &event, 0);
    ASK0(cuCtxSynchronize);
    ASK(cuGraphCreate, &graph, 0);
    ASK(cuStreamQuery, NULL);
}

FIRST_QUESTION(contexts_without_a_context, "CUDA_ERROR_INVALID_CONTEXT") {
    CUdevice device = 7;
    CUcontext ctx = NULL;
    unsigned flags = 0;
    size_t bytes = 0;
    MUST(cuInit, 0);
    ASK(cuCtxGetDevice, &device);
    ASK(cuCtxPopCurrent, &ctx);
    ASK(cuCtxGetFlags, &flags);
    ASK(cuCtxGetLimit, &bytes, CU_LIMIT_STACK_SIZE);
    ASK(cuCtxSetCurrent, NULL);
    ASK(cuCtxGetApiVersion, NULL, &flags);
}

FIRST_QUESTION(virtual_memory_without_a_context, "cuMemCreate needs no context") {
    CUmemAllocationProp prop = props_of(0);
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    CUcontext ctx = NULL;
    MUST(cuInit, 0);
    ASK(cuMemAddressReserve, &at, G, 0, 0, 0);
    ASK(cuMemCreate, &handle, G, &prop, 0);
    ASK(cuMemMap, at, G, 0, handle, 0);
    ASK(cuMemSetAccess, at, G, &desc, 1);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
    ASK(cuMemUnmap, at, G);
    ASK(cuMemAddressFree, at, G);
    ASK(cuMemRelease, handle);
}

FIRST_QUESTION(pools_without_a_context, "cuDeviceGetDefaultMemPool") {
    CUmemoryPool pool = NULL;
    CUdeviceptr ptr = 0;
    MUST(cuInit, 0);
    ASK(cuDeviceGetDefaultMemPool, &pool, 0);
    ASK(cuMemAllocAsync, &ptr, 4096, NULL);
    ASK(cuMemAllocFromPoolAsync, &ptr, 4096, pool, NULL);
}

FIRST_QUESTION(pointers_without_a_context, "cuPointerGetAttribute") {
    unsigned type = 7;
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *outputs[] = {&type};
    MUST(cuInit, 0);
    ASK(cuPointerGetAttribute, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, number(&type));
    ASK(cuPointerGetAttributes, 1, list, outputs, number(&type));
    SAY("type", type);
}

FIRST_QUESTION(release_of_an_unretained_context, "cuDevicePrimaryCtxRelease") {
    unsigned flags = 7;
    int active = 7;
    MUST(cuInit, 0);
    ASK(cuDevicePrimaryCtxRelease, 0);
    ASK(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("flags", flags);
    SAY("active", active);
}

FIRST_QUESTION(retain_is_counted, "cuDevicePrimaryCtxRetain") {
    CUcontext one = NULL, two = NULL, now = NULL;
    unsigned flags = 0;
    int active = 0;
    MUST(cuInit, 0);
    ASK(cuDevicePrimaryCtxRetain, &one, 0);
    ASK(cuDevicePrimaryCtxRetain, &two, 0);
    SAY("same", one == two);
    MUST(cuCtxGetCurrent, &now);
    SAY("current", now != NULL);
    ASK(cuDevicePrimaryCtxRelease, 0);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
    ASK(cuDevicePrimaryCtxRelease, 0);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
    ASK(cuDevicePrimaryCtxRelease, 0);
}

FIRST_QUESTION(a_released_context_is_dead, "cuDevicePrimaryCtxRelease") {
    CUcontext ctx = NULL, now = NULL;
    CUdeviceptr ptr = 0;
    size_t bytes = 0;
    MUST(cuInit, 0);
    MUST(cuDevicePrimaryCtxRetain, &ctx, 0);
    MUST(cuCtxSetCurrent, ctx);
    MUST(cuDevicePrimaryCtxRelease, 0);
    ASK(cuMemAlloc, &ptr, 16);
    ASK(cuMemGetInfo, &bytes, &bytes);
    ASK(cuCtxGetCurrent, &now);
    SAY("same", now == ctx);
    ASK(cuDevicePrimaryCtxRetain, &now, 0);
    SAY("same", now == ctx);
    ASK(cuMemAlloc, &ptr, 16);
}

FIRST_QUESTION(memory_ends_with_a_released_context, "cuDevicePrimaryCtxRelease") {
    CUcontext ctx = NULL;
    MUST(cuInit, 0);
    MUST(cuDevicePrimaryCtxRetain, &ctx, 0);
    MUST(cuCtxSetCurrent, ctx);
    CUdeviceptr ptr = make_memory(MIB);
    MUST(cuDevicePrimaryCtxRelease, 0);
    MUST(cuDevicePrimaryCtxRetain, &ctx, 0);
    MUST(cuCtxSetCurrent, ctx);
    ASK(cuMemFree, ptr);
}

FIRST_QUESTION(runtime_queries_make_no_context, "cudaGetDevice") {
    CUcontext ctx = (CUcontext)&ctx;
    int device = 7, count = 0;
    ASK(cudaGetDeviceCount, &count);
    ASK(cudaGetDevice, &device);
    SAY("device", device);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(set_device_makes_a_context, "cudaSetDevice since 12.0") {
    CUcontext ctx = NULL, primary = NULL;
    ASK(cudaSetDevice, 0);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
    ASK(cuDevicePrimaryCtxRetain, &primary, 0);
    SAY("primary", primary == ctx);
}

FIRST_QUESTION(free_makes_a_context, "cudaFree(0) initialises the runtime") {
    CUcontext ctx = NULL;
    unsigned flags = 0;
    int active = 0;
    ASK(cudaFree, NULL);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
    ASK(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
}

FIRST_QUESTION(a_failing_call_makes_a_context, "cudaMalloc initialises the runtime") {
    CUcontext ctx = NULL;
    ASK(cudaMalloc, NULL, 16);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(malloc_of_zero_makes_a_context, "cudaMalloc initialises the runtime") {
    CUcontext ctx = NULL;
    void *ptr = NULL;
    ASK(cudaMalloc, &ptr, 0);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(attributes_make_no_context, "cudaDeviceGetAttribute") {
    CUcontext ctx = NULL;
    int value = 0;
    ASK(cudaDeviceGetAttribute, &value, cudaDevAttrWarpSize, 0);
    SAY("warp", value);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(pointer_query_as_first_call, "cudaPointerGetAttributes") {
    struct cudaPointerAttributes view;
    CUcontext ctx = NULL;
    memset(&view, 0xee, sizeof view);
    ASK(cudaPointerGetAttributes, &view, &view);
    SAY("type", view.type);
    SAY("device", view.device);
    ASK(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(last_error_as_first_call, "cudaGetLastError") {
    ASK0(cudaGetLastError);
    ASK0(cudaPeekAtLastError);
}

FIRST_QUESTION(the_runtime_takes_a_context_of_the_driver, "programming guide: interoperability") {
    CUcontext ctx = NULL, owner = NULL;
    void *ptr = NULL;
    MUST(cuInit, 0);
    ASK(cuCtxCreate, &ctx, NULL, 0, 0);
    ASK(cudaMalloc, &ptr, MIB);
    ASK(cuPointerGetAttribute, &owner, CU_POINTER_ATTRIBUTE_CONTEXT, number(ptr));
    SAY("same", owner == ctx);
    ASK(cudaFree, ptr);
}

FIRST_QUESTION(the_runtime_keeps_a_reference,
               "cuDevicePrimaryCtxRelease: not that of the runtime") {
    CUcontext ctx = NULL;
    unsigned flags = 0;
    int active = 0;
    MUST(cudaSetDevice, 0);
    MUST(cuDevicePrimaryCtxRetain, &ctx, 0);
    ASK(cuDevicePrimaryCtxRelease, 0);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
    ASK(cuDevicePrimaryCtxRelease, 0);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
}

FIRST_QUESTION(init_device_makes_no_context_current, "cudaInitDevice") {
    CUcontext ctx = NULL;
    unsigned flags = 0;
    int active = 0;
    ASK(cudaInitDevice, 0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid);
    MUST(cuCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("flags", flags);
    SAY("active", active);
    ASK(cudaInitDevice, 0, 0, 2);
    ASK(cudaInitDevice, 99, 0, 0);
}

FIRST_QUESTION(device_flags_before_a_context, "cudaSetDeviceFlags") {
    unsigned flags = 7, now = 7;
    int active = 7;
    ASK(cudaSetDeviceFlags, cudaDeviceScheduleBlockingSync);
    MUST(cuDevicePrimaryCtxGetState, 0, &now, &active);
    SAY("active", active);
    SAY("primary", now);
    ASK(cudaGetDeviceFlags, &flags);
    SAY("flags", flags);
}

FIRST_QUESTION(valid_devices, "cudaSetValidDevices") {
    int list[] = {0}, bad[] = {0, 99}, device = 7;
    ASK(cudaSetValidDevices, bad, 2);
    ASK(cudaSetValidDevices, NULL, 1);
    ASK(cudaSetValidDevices, list, 0);
    ASK(cudaSetValidDevices, list, 1);
    ASK(cudaGetDevice, &device);
    SAY("device", device);
}
