// SPDX-License-Identifier: Apache-2.0
// Modules: code that `tarn hipcc --genco` or hiprtc made for this CPU. Launches by functions of older releases
// are refused, because their kernels are device code.
#include <stdlib.h>

#include <hip/detail/kernel.h>

#include "compat/face/scope.h"
#include "compat/hip/code.h"
#include "compat/hip/face.h"
#include "compat/hip/handle.h"
#include "compat/runtime/host_kernel.h"
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

// ---- modules

struct module {
    struct tn_face_object object;
    struct tn_hip_code code;
};

static void destroy_module(struct tn_face_object *object) {
    struct module *module = (struct module *)object;
    tn_hip_code_close(&module->code);
    free(module);
}

// Loads the file, or the image in memory if `path` is NULL.
static tn_rt_error load_module(hipModule_t *out, const char *path, const void *image) {
    TN_RT_TRY(tn_rt_check_pointer(out, "module"));
    TN_RT_REFUSE(path == NULL && image == NULL, TN_RT_INVALID_VALUE, "the code is NULL");
    struct module *module = (struct module *)calloc(1, sizeof *module);
    TN_RT_REFUSE(module == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a module");
    tn_rt_error error = path != NULL ? tn_hip_code_load(path, &module->code)
                                     : tn_hip_code_open(image, &module->code);
    if (error == TN_RT_OK && tn_face_handle_new(&module->object, TN_HIP_MODULE, destroy_module)) {
        *out = (hipModule_t)module->object.handle;
        return TN_RT_OK;
    }
    if (error == TN_RT_OK) {
        tn_hip_code_close(&module->code);
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a module");
    }
    free(module);
    return error;
}

hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
    return TN_HIP_CALL(load_module(module, fname, NULL));
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    return TN_HIP_CALL(load_module(module, NULL, image));
}

// The options are for a compiler of other code.
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions,
                               hipJitOption *options, void **optionValues) {
    return TN_HIP_CALL(load_module(module, NULL, image));
}

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin) {
    return TN_HIP_CALL(load_module(module, NULL, fatbin));
}

static tn_rt_error refuse_module(hipModule_t module, tn_rt_error error) {
    return tn_rt_fail(error, "%p is not a module", (void *)module);
}

static struct module *get_module(hipModule_t module) {
    return (struct module *)tn_face_handle_get((uintptr_t)module, TN_HIP_MODULE);
}

TN_HIP_FUNCTION(hipModuleUnload, hipModule_t, module) {
    return tn_face_handle_end((uintptr_t)module, TN_HIP_MODULE)
               ? TN_RT_OK
               : refuse_module(module, module == NULL ? TN_RT_INVALID_HANDLE : TN_RT_NOT_FOUND);
}

TN_HIP_FUNCTION(hipModuleGetFunction, hipFunction_t *, function, hipModule_t, module, const char *,
                kname) {
    TN_RT_TRY(tn_rt_check_pointer(function, "function"));
    TN_RT_TRY(tn_rt_check_pointer(kname, "kname"));
    struct module TN_FACE_HELD *own = get_module(module);
    if (own == NULL) return refuse_module(module, TN_RT_INVALID_HANDLE);
    return tn_hip_code_function(&own->code, kname, function);
}

TN_HIP_FUNCTION(hipModuleGetFunctionCount, unsigned int *, count, hipModule_t, mod) {
    TN_RT_REFUSE(mod == NULL, TN_RT_INVALID_HANDLE, "mod is NULL");
    struct module TN_FACE_HELD *own = get_module(mod);
    if (own == NULL) return refuse_module(mod, TN_RT_NOT_FOUND);
    TN_RT_TRY(tn_rt_check_pointer(count, "count"));
    *count = tn_rt_host_kernel_count(own->code.base);
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipModuleGetGlobal, hipDeviceptr_t *, dptr, size_t *, bytes, hipModule_t, hmod,
                const char *, name) {
    struct module TN_FACE_HELD *own = get_module(hmod);
    if (own == NULL) return refuse_module(hmod, TN_RT_INVALID_HANDLE);
    TN_RT_TRY(tn_rt_check_pointer(name, "name"));
    return tn_hip_code_variable(&own->code, name, dptr, bytes);
}
