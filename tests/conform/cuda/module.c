// SPDX-License-Identifier: Apache-2.0
// Modules, libraries and kernels, without code for a device: what is refused, and which mistake is found first.
#include "begin.h"

#define TN_GROUP "module"

static const char no_image[64] = "this is neither PTX nor a binary for a device";

QUESTION(modules_of_no_image, "cuModuleLoadData") {
    CUmodule module = (CUmodule)8;
    ASK(cuModuleLoadData, &module, no_image);
    SAY("unchanged", module == (CUmodule)8);
    ASK(cuModuleLoadDataEx, &module, no_image, 0, NULL, NULL);
    ASK(cuModuleLoadFatBinary, &module, no_image);
    ASK(cuModuleLoadData, &module, NULL);
    ASK(cuModuleLoadData, NULL, no_image);
}

QUESTION(modules_of_no_file, "cuModuleLoad") {
    CUmodule module = NULL;
    ASK(cuModuleLoad, &module, "/nowhere/module.cubin");
    ASK(cuModuleLoad, &module, "/dev/null");
    ASK(cuModuleLoad, &module, NULL);
    ASK(cuModuleLoad, NULL, "/nowhere/module.cubin");
}

QUESTION(libraries_of_no_image, "cuLibraryLoadData, cuLibraryLoadFromFile") {
    CUlibrary library = NULL;
    ASK(cuLibraryLoadData, &library, no_image, NULL, NULL, 0, NULL, NULL, 0);
    ASK(cuLibraryLoadData, &library, NULL, NULL, NULL, 0, NULL, NULL, 0);
    ASK(cuLibraryLoadData, NULL, no_image, NULL, NULL, 0, NULL, NULL, 0);
    ASK(cuLibraryLoadFromFile, &library, "/nowhere/library.cubin", NULL, NULL, 0, NULL, NULL, 0);
}

QUESTION(parts_of_no_module, "cuModuleGetFunction, cuModuleGetGlobal") {
    CUfunction function = NULL;
    CUdeviceptr ptr = 0;
    size_t bytes = 0;
    ASK(cuModuleGetFunction, &function, NULL, "kernel");
    ASK(cuModuleGetFunction, NULL, NULL, NULL);
    ASK(cuModuleGetGlobal, &ptr, &bytes, NULL, "variable");
    ASK(cuModuleUnload, NULL);
    ASK(cuLibraryUnload, NULL);
}

QUESTION(launches_of_nothing, "cuLaunchKernel") {
    CUstream stream = make_stream();
    ASK(cuLaunchKernel, NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
    ASK(cuLaunchKernel, NULL, 0, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
    ASK(cuLaunchCooperativeKernel, NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL);
    MUST(cuStreamDestroy, stream);
}

QUESTION(attributes_of_no_function, "cuFuncGetAttribute") {
    int value = 7;
    ASK(cuFuncGetAttribute, &value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL);
    ASK(cuFuncGetAttribute, NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL);
    ASK(cuFuncSetAttribute, NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024);
    ASK(cuFuncSetCacheConfig, NULL, CU_FUNC_CACHE_PREFER_L1);
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor, &value, NULL, 32, 0);
    SAY("unchanged", value == 7);
}

// ---- kernels and functions

QUESTION(kernels_of_nothing, "cuLibraryGetKernel, cuKernelGetFunction") {
    CUkernel kernel = NULL;
    CUfunction function = NULL;
    CUmodule module = NULL;
    unsigned count = 77;
    int value = 7;
    const char *name = NULL;
    ASK(cuLibraryGetKernel, &kernel, NULL, "kernel");
    ASK(cuLibraryGetKernelCount, &count, NULL);
    ASK(cuLibraryGetModule, &module, NULL);
    ASK(cuKernelGetFunction, &function, NULL);
    ASK(cuKernelGetFunction, NULL, NULL);
    ASK(cuKernelGetAttribute, &value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL, 0);
    ASK(cuKernelGetName, &name, NULL);
    SAY("unchanged", count == 77 && value == 7);
}

QUESTION(functions_of_nothing, "cuFuncGetModule, cuFuncLoad") {
    CUmodule module = NULL;
    CUfunctionLoadingState state = (CUfunctionLoadingState)7;
    unsigned count = 77;
    const char *name = NULL;
    size_t offset = 0, bytes = 0;
    ASK(cuFuncGetModule, &module, NULL);
    ASK(cuFuncGetName, &name, NULL);
    ASK(cuFuncGetParamInfo, NULL, 0, &offset, &bytes);
    ASK(cuFuncIsLoaded, &state, NULL);
    ASK(cuFuncLoad, NULL);
    ASK(cuModuleGetFunctionCount, &count, NULL);
    ASK(cuModuleGetLoadingMode, NULL);
}

QUESTION(launches_by_configuration, "cuLaunchKernelEx") {
    CUlaunchConfig config;
    CUstream stream = make_stream();
    memset(&config, 0, sizeof config);
    ASK(cuLaunchKernelEx, NULL, NULL, NULL, NULL);
    config.hStream = stream;
    ASK(cuLaunchKernelEx, &config, NULL, NULL, NULL);
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.numAttrs = 1;
    ASK(cuLaunchKernelEx, &config, NULL, NULL, NULL);
    MUST(cuStreamDestroy, stream);
}

QUESTION(the_runtime_without_its_kernels, "cudaLaunchKernel: cudaErrorInvalidDeviceFunction") {
    static char no_kernel, no_symbol;
    struct cudaFuncAttributes attributes;
    cudaFunction_t function = NULL;
    void *address = NULL;
    size_t bytes = 0;
    int blocks = 7;
    const dim3 one = {1, 1, 1}, none = {0, 1, 1};
    ASK(cudaLaunchKernel, &no_kernel, one, one, NULL, 0, NULL);
    ASK0(cudaGetLastError);
    ASK(cudaLaunchKernel, &no_kernel, none, one, NULL, 0, NULL);
    ASK(cudaLaunchKernel, NULL, one, one, NULL, 0, NULL);
    ASK(cudaFuncGetAttributes, &attributes, &no_kernel);
    ASK(cudaFuncGetAttributes, &attributes, NULL);
    ASK(cudaFuncSetAttribute, &no_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    ASK(cudaGetFuncBySymbol, &function, &no_kernel);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, &no_kernel, 32, 0);
    ASK(cudaGetSymbolAddress, &address, &no_symbol);
    ASK(cudaGetSymbolSize, &bytes, &no_symbol);
    ASK(cudaGetSymbolSize, &bytes, NULL);
    ASK0(cudaGetLastError);
}
