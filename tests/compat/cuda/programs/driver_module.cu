// SPDX-License-Identifier: Apache-2.0
// A module by the driver API: its functions run with pointers to arguments and with a buffer of them,
// and as a node of a graph. Its variable has memory.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cuda.h>
#include <cuda_runtime.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);         \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)
#define GIVES(error, call)                                                                         \
    do {                                                                                           \
        int got_ = (call);                                                                         \
        if (got_ != (error)) {                                                                     \
            std::fprintf(stderr, "%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #call, got_,     \
                         static_cast<int>(error));                                                 \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)
#define CHECK(call) GIVES(CUDA_SUCCESS, call)

static __global__ void nothing() {}

// Returns the third of four numbers in device memory.
static int third(CUdeviceptr memory) {
    int numbers[4];
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(numbers, memory, sizeof numbers));
    return numbers[2];
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction twice, missing, listed;
    CUdeviceptr memory, variable;
    std::size_t bytes = 0, at = 9;
    unsigned count = 0;
    int numbers[4] = {1, 2, 3, 4}, size = 4, threads = 0, grid = 0;
    const char *name = "";
    std::string path = std::string(std::getenv("MODULES")) + "/twice.co";

    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemAlloc(&memory, sizeof numbers));
    CHECK(cuMemcpyHtoD(memory, numbers, sizeof numbers));

    CHECK(cuModuleLoad(&module, path.c_str()));
    CHECK(cuModuleGetFunction(&twice, module, "twice"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&missing, module, "missing"));
    CHECK(cuModuleGetFunctionCount(&count, module));
    EXPECT(count == 1);
    CHECK(cuModuleEnumerateFunctions(&listed, 1, module));
    EXPECT(listed == twice);
    CHECK(cuFuncGetName(&name, twice));
    EXPECT(std::strcmp(name, "twice") == 0);
    CHECK(cuFuncGetParamInfo(twice, 1, &at, &bytes));
    EXPECT(at == 8 && bytes == 4);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(twice, 2, &at, &bytes));
    CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, twice));
    EXPECT(threads == 1024);
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &threads, twice, nullptr, 0, 128));
    EXPECT(threads == 128 && grid > 0);
    CHECK(cuModuleGetGlobal(&variable, &bytes, module, "offset"));
    EXPECT(bytes == 4);
    CHECK(cuMemcpyDtoH(&count, variable, 4));
    EXPECT(count == 4);

    void *pointers[] = {&memory, &size};
    CHECK(cuLaunchKernel(twice, 1, 1, 1, 4, 1, 1, 0, nullptr, pointers, nullptr));
    EXPECT(third(memory) == 6);
    struct arguments {
        CUdeviceptr numbers;
        int count;
    } buffer = {memory, 4};
    std::size_t length = sizeof buffer; // with the 4 bytes behind the last argument
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &length,
                     CU_LAUNCH_PARAM_END};
    GIVES(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          cuLaunchKernel(twice, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
    length = offsetof(arguments, count) + sizeof buffer.count;
    CHECK(cuLaunchKernel(twice, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
    EXPECT(third(memory) == 12);
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 4;
    config.blockDimY = config.blockDimZ = 1;
    CHECK(cuLaunchKernelEx(&config, twice, pointers, nullptr));
    EXPECT(third(memory) == 24);
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(twice, 0, 1, 1, 4, 1, 1, 0, nullptr, pointers, nullptr));

    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUDA_KERNEL_NODE_PARAMS params = {};
    params.func = twice;
    params.gridDimX = params.gridDimY = params.gridDimZ = 1;
    params.blockDimX = 4;
    params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = pointers;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, nullptr));
    EXPECT(third(memory) == 48);
    int two = 2;
    void *fewer[] = {&memory, &two};
    params.kernelParams = fewer;
    CHECK(cuGraphExecKernelNodeSetParams(exec, node, &params));
    CHECK(cuGraphLaunch(exec, nullptr));
    EXPECT(third(memory) == 48);
    std::memset(&params, 0, sizeof params);
    CHECK(cuGraphKernelNodeGetParams(node, &params));
    EXPECT(params.func == twice && params.blockDimX == 4);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));

    CUlibrary library;
    CUkernel kernel;
    CHECK(cuLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cuLibraryGetKernel(&kernel, library, "twice"));
    CHECK(cuKernelGetFunction(&listed, kernel));
    EXPECT(listed != twice); // a copy of the code
    CUlibrary itsLibrary;
    CUmodule itsModule;
    CHECK(cuKernelGetLibrary(&itsLibrary, kernel));
    EXPECT(itsLibrary == library);
    CHECK(cuFuncGetModule(&itsModule, twice));
    EXPECT(itsModule == module);
    EXPECT(cuFuncGetModule(nullptr, twice) == CUDA_ERROR_INVALID_VALUE);
    cudaFunction_t own;
    EXPECT(cudaGetFuncBySymbol(&own, reinterpret_cast<const void *>(nothing)) == cudaSuccess);
    EXPECT(cuFuncGetModule(&itsModule, own) == CUDA_ERROR_NOT_SUPPORTED); // no module is its own
    CHECK(cuLibraryUnload(library));
    CHECK(cuModuleUnload(module));
    CHECK(cuMemFree(memory));
    std::puts("the module ran");
    std::fflush(stdout);
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module)); // again
    CHECK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
