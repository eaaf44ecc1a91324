// SPDX-License-Identifier: Apache-2.0
// Modules: code that `tarn hipcc --genco` or hiprtc made for this CPU. Launches by functions of
// older releases are refused, because their kernels are device code.
#include <hip/detail/kernel.h>

#define TN_RT_EXTENTS dim3
#include "compat/hip/face.h"
#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/code/module.h"
#include "compat/runtime/stream/stream.h"

// ---- launches

static tn_rt_error no_function(const void *function) {
    return tn_rt_no_kernel(function, "cannot be launched by this function");
}

// The C++ name of hipExtModuleLaunchKernel(), and that of its older form, which programs of HIP 5
// link. No header of Tarn declares them.
#define LAUNCH_IN_CPP(name)                                                                        \
    HIP_API hipError_t name(hipFunction_t f);                                                      \
    hipError_t name(hipFunction_t f) { return TN_HIP_CALL(no_function(f)); }

LAUNCH_IN_CPP(
    _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j)
LAUNCH_IN_CPP(
    _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_)

// ---- launches in several calls

TN_HIP_ROW(hipConfigureCall, tn_rt_push_call, dim3, gridDim, dim3, blockDim, size_t, sharedMem,
           hipStream_t, stream)
TN_HIP_ROW(__hipPushCallConfiguration, tn_rt_push_call, dim3, gridDim, dim3, blockDim, size_t,
           sharedMem, hipStream_t, stream)

TN_HIP_ROW(__hipPopCallConfiguration, tn_rt_pop_call, dim3 *, gridDim, dim3 *, blockDim, size_t *,
           sharedMem, hipStream_t *, stream)

TN_HIP_FUNCTION(hipLaunchByPtr, const void *, func) {
    struct tn_rt_configuration unused;
    TN_RT_TRY(tn_rt_configuration_pop(&unused));
    return no_function(func);
}

// ---- modules

TN_HIP_ROW(hipModuleLoad, TN_FACE_EXPRESSION(tn_rt_module_load(module, TN_RT_MODULE, fname, NULL)),
           hipModule_t *, module, const char *, fname)
TN_HIP_ROW(hipModuleLoadData, tn_rt_module_load_image, hipModule_t *, module, const void *, image)
// The options are for a compiler of other code.
TN_HIP_ROW(hipModuleLoadDataEx, TN_FACE_EXPRESSION(tn_rt_module_load_image(module, image)),
           hipModule_t *, module, const void *, image, unsigned int, numOptions, hipJitOption *,
           options, void **, optionValues)
TN_HIP_ROW(hipModuleLoadFatBinary, tn_rt_module_load_image, hipModule_t *, module, const void *,
           fatbin)
TN_HIP_ROW(hipModuleGetFunction, tn_rt_module_function, hipFunction_t *, function, hipModule_t,
           module, const char *, kname)

// In these functions, a module that is not NULL and none is not found.
static tn_rt_error not_found(const void *module, tn_rt_error error) {
    return error == TN_RT_INVALID_HANDLE && module != NULL ? TN_RT_NOT_FOUND : error;
}

TN_HIP_ROW(hipModuleUnload,
           TN_FACE_EXPRESSION(not_found(module, tn_rt_module_unload(module, TN_RT_MODULE))),
           hipModule_t, module)
TN_HIP_ROW(hipModuleGetFunctionCount,
           TN_FACE_EXPRESSION(not_found(mod, tn_rt_module_count(count, mod, TN_RT_MODULE))),
           unsigned int *, count, hipModule_t, mod)

TN_HIP_ROW(hipModuleGetGlobal,
           TN_FACE_EXPRESSION(tn_rt_module_variable(dptr, bytes, hmod, TN_RT_MODULE, name)),
           hipDeviceptr_t *, dptr, size_t *, bytes, hipModule_t, hmod, const char *, name)
