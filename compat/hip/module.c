// SPDX-License-Identifier: Apache-2.0
// Device code, which cannot run here: launches of kernels that hipcc compiled, code objects, and
// queries about kernels are refused.
#include <unistd.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/stream.h"

_Static_assert(sizeof(hipLaunchAttribute) == 72 && sizeof(hipLaunchConfig_t) == 56 &&
                   sizeof(HIP_LAUNCH_CONFIG) == 56,
               "programs compiled for HIP 7 pass these sizes");

// HIP fixes the parameters; most of these functions ignore them.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// ---- launches

static tn_rt_error no_function(const void *function) {
    const char *name = tn_rt_code_kernel(function);
    TN_RT_REFUSE(name != NULL, TN_RT_INVALID_DEVICE_FUNCTION,
                 "kernel %.100s is device code, and no device can run it", name);
    return tn_rt_fail(TN_RT_INVALID_DEVICE_FUNCTION,
                      "%p is not a kernel that can be launched by its address", function);
}

hipError_t hipLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                           void **args, size_t sharedMemBytes, hipStream_t stream) {
    return TN_HIP_CALL(no_function(function_address));
}

hipError_t hipLaunchKernel_spt(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                               void **args, size_t sharedMemBytes, hipStream_t stream) {
    return TN_HIP_CALL(no_function(function_address));
}

hipError_t hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                              void **args, size_t sharedMemBytes, hipStream_t stream,
                              hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
    return TN_HIP_CALL(no_function(function_address));
}

hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX,
                                      void **kernelParams, unsigned int sharedMemBytes,
                                      hipStream_t stream) {
    return TN_HIP_CALL(no_function(f));
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                 unsigned int gridDimZ, unsigned int blockDimX,
                                 unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream,
                                 void **kernelParams, void **extra) {
    return TN_HIP_CALL(no_function(f));
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void **kernelParams, void **extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t flags) {
    return TN_HIP_CALL(no_function(f));
}

// The C++ names of the same, and of its older form, which programs of HIP 5 link. No header of
// Tarn declares them.
#define LAUNCH_IN_CPP(name)                                                                        \
    HIP_API hipError_t name(hipFunction_t f);                                                      \
    hipError_t name(hipFunction_t f) { return TN_HIP_CALL(no_function(f)); }

LAUNCH_IN_CPP(
    _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j)
LAUNCH_IN_CPP(
    _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_)

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX,
                                            unsigned int gridDimY, unsigned int gridDimZ,
                                            unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes,
                                            hipStream_t stream, void **kernelParams) {
    return TN_HIP_CALL(no_function(f));
}

// A cooperative launch ignores the attributes behind that one.
static tn_rt_error check_attributes(const hipLaunchAttribute *attributes, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        TN_RT_TRY(tn_rt_check_pointer(attributes, "the list of attributes"));
        TN_RT_REFUSE(attributes[i].id != hipLaunchAttributeCooperative, TN_RT_INVALID_VALUE,
                     "attribute %d of a launch is not supported", (int)attributes[i].id);
        if (attributes[i].val.cooperative != 0) break;
    }
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLaunchKernelExC, const hipLaunchConfig_t *, config, const void *, fPtr, void **,
                args) {
    if (fPtr == NULL) return no_function(fPtr);
    TN_RT_REFUSE(config == NULL, TN_RT_INVALID_CONFIGURATION, "config is NULL");
    TN_RT_TRY(check_attributes(config->attrs, config->numAttrs));
    return no_function(fPtr);
}

TN_HIP_FUNCTION(hipDrvLaunchKernelEx, const HIP_LAUNCH_CONFIG *, config, hipFunction_t, f, void **,
                kernelParams, void **, extra) {
    TN_RT_REFUSE(f == NULL, TN_RT_INVALID_HANDLE, "f is NULL");
    TN_RT_TRY(tn_rt_check_pointer(config, "config"));
    TN_RT_TRY(tn_rt_stream_check(config->hStream));
    TN_RT_TRY(check_attributes(config->attrs, config->numAttrs));
    return no_function(f);
}

hipError_t hipGetFuncBySymbol(hipFunction_t *functionPtr, const void *symbolPtr) {
    return TN_HIP_CALL(no_function(symbolPtr));
}

// ---- launches in several calls

static tn_rt_error push_configuration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
    const struct tn_rt_configuration configuration = {
        {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, stream};
    return tn_rt_configuration_push(&configuration);
}

hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
    return TN_HIP_CALL(push_configuration(gridDim, blockDim, sharedMem, stream));
}

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                      hipStream_t stream) {
    return TN_HIP_CALL(push_configuration(gridDim, blockDim, sharedMem, stream));
}

TN_HIP_FUNCTION(__hipPopCallConfiguration, dim3 *, gridDim, dim3 *, blockDim, size_t *, sharedMem,
                hipStream_t *, stream) {
    struct tn_rt_configuration own;
    TN_RT_REFUSE(gridDim == NULL || blockDim == NULL || sharedMem == NULL || stream == NULL,
                 TN_RT_INVALID_VALUE, "an output is NULL");
    TN_RT_TRY(tn_rt_configuration_pop(&own));
    *gridDim = (dim3){own.grid.x, own.grid.y, own.grid.z};
    *blockDim = (dim3){own.block.x, own.block.y, own.block.z};
    *sharedMem = own.shared;
    *stream = (hipStream_t)own.stream;
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLaunchByPtr, const void *, func) {
    struct tn_rt_configuration unused;
    TN_RT_TRY(tn_rt_configuration_pop(&unused));
    return no_function(func);
}

// ---- queries about kernels

static tn_rt_error refuse_query(const void *output, const char *name, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(output, name));
    return no_function(function);
}

hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func) {
    return TN_HIP_CALL(refuse_query(attr, "attr", func));
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib, hipFunction_t hfunc) {
    return TN_HIP_CALL(refuse_query(value, "value", hfunc));
}

hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value) {
    return TN_HIP_CALL(no_function(func));
}

hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config) {
    return TN_HIP_CALL(no_function(func));
}

hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config) {
    return TN_HIP_CALL(no_function(func));
}

static tn_rt_error refuse_blocks(const int *blocks, const void *function) {
    return refuse_query(blocks, "numBlocks", function);
}

static tn_rt_error refuse_size(const int *grid, const int *block, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(grid, "gridSize"));
    return refuse_query(block, "blockSize", function);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f,
                                                        int blockSize, size_t dynSharedMemPerBlk) {
    return TN_HIP_CALL(refuse_blocks(numBlocks, f));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *f,
                                                                 int blockSize,
                                                                 size_t dynSharedMemPerBlk,
                                                                 unsigned int flags) {
    return TN_HIP_CALL(refuse_blocks(numBlocks, f));
}

hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *f,
                                             size_t dynSharedMemPerBlk, int blockSizeLimit) {
    return TN_HIP_CALL(refuse_size(gridSize, blockSize, f));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, hipFunction_t f,
                                                              int blockSize,
                                                              size_t dynSharedMemPerBlk) {
    return TN_HIP_CALL(refuse_blocks(numBlocks, f));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
    return TN_HIP_CALL(refuse_blocks(numBlocks, f));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit) {
    return TN_HIP_CALL(refuse_size(gridSize, blockSize, f));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,
                                                            hipFunction_t f,
                                                            size_t dynSharedMemPerBlk,
                                                            int blockSizeLimit,
                                                            unsigned int flags) {
    return TN_HIP_CALL(refuse_size(gridSize, blockSize, f));
}

TN_HIP_FUNCTION(hipOccupancyAvailableDynamicSMemPerBlock, size_t *, dynamicSmemSize, const void *,
                f, int, numBlocks, int, blockSize) {
    TN_RT_TRY(tn_rt_check_pointer(dynamicSmemSize, "dynamicSmemSize"));
    TN_RT_REFUSE(numBlocks <= 0 || blockSize <= 0, TN_RT_INVALID_VALUE, "%d blocks of %d threads",
                 numBlocks, blockSize);
    return no_function(f);
}

const char *hipKernelNameRef(const hipFunction_t f) { return NULL; }

const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream) {
    return tn_rt_code_kernel(hostFunction);
}

// ---- code objects

static tn_rt_error refuse_code(const void *output, const void *code, const char *path) {
    TN_RT_REFUSE(output == NULL || code == NULL, TN_RT_INVALID_VALUE, "%s is NULL",
                 output == NULL ? "module" : "the code");
    TN_RT_REFUSE(path != NULL && access(path, R_OK) != 0, TN_RT_FILE_NOT_FOUND,
                 "%.200s cannot be read", path);
    return tn_rt_fail(TN_RT_NO_BINARY, "no device can run device code");
}

hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
    return TN_HIP_CALL(refuse_code(module, fname, fname));
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    return TN_HIP_CALL(refuse_code(module, image, NULL));
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions,
                               hipJitOption *options, void **optionValues) {
    return TN_HIP_CALL(refuse_code(module, image, NULL));
}

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin) {
    return TN_HIP_CALL(refuse_code(module, fatbin, NULL));
}

static tn_rt_error refuse_module(hipModule_t module) {
    return tn_rt_fail(TN_RT_INVALID_HANDLE, "%p is not a module", (void *)module);
}

hipError_t hipModuleUnload(hipModule_t module) { return TN_HIP_CALL(refuse_module(module)); }

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *kname) {
    return TN_HIP_CALL(refuse_module(module));
}

static tn_rt_error refuse_count(hipModule_t module) {
    return module == NULL ? refuse_module(module)
                          : tn_rt_fail(TN_RT_NOT_FOUND, "%p is not a module", (void *)module);
}

hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t mod) {
    return TN_HIP_CALL(refuse_count(mod));
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod,
                              const char *name) {
    return TN_HIP_CALL(refuse_module(hmod));
}
