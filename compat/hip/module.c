// SPDX-License-Identifier: Apache-2.0
// Device code, which cannot run here: code objects, and launches by functions of older releases, are
// refused.
#include <unistd.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/stream.h"

// HIP fixes the parameters; most of these functions ignore them.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// ---- launches

static tn_rt_error no_function(const void *function) {
    const char *name = tn_rt_code_kernel(function);
    TN_RT_REFUSE(name != NULL, TN_RT_INVALID_DEVICE_FUNCTION,
                 "kernel %.100s is device code, and no device can run it", name);
    return tn_rt_fail(TN_RT_INVALID_DEVICE_FUNCTION, "%p cannot be launched by this function",
                      function);
}

// The C++ name of hipExtModuleLaunchKernel(), and that of its older form, which programs of HIP 5 link. No header of
// Tarn declares them.
#define LAUNCH_IN_CPP(name)                                                                        \
    HIP_API hipError_t name(hipFunction_t f);                                                      \
    hipError_t name(hipFunction_t f) { return TN_HIP_CALL(no_function(f)); }

LAUNCH_IN_CPP(
    _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j)
LAUNCH_IN_CPP(
    _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_)

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
