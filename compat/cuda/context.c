// SPDX-License-Identifier: Apache-2.0
// Initialisation, versions, contexts and the current device. See compat/runtime/context.h.
#include "compat/runtime/context.h"

#include "compat/cuda/face.h"
#include "compat/runtime/peer.h"
#include "compat/runtime/preference.h"

// ---- initialisation

static tn_rt_error initialize(unsigned flags) {
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
    return tn_cu_initialize();
}

CUresult cuInit(unsigned int flags) { return tn_cu_leave(initialize(flags), __func__); }

// Versions are known without a device.
static tn_rt_error get_version(int *version) {
    TN_RT_TRY(tn_rt_check_pointer(version, "version"));
    *version = tn_cu_policy()->version;
    return TN_RT_OK;
}

CUresult cuDriverGetVersion(int *version) { return tn_cu_leave(get_version(version), __func__); }

TN_CUDART_PLAIN(cudaError_t, cudaDriverGetVersion, int *, version) {
    return tn_cudart_leave(get_version(version), TN_CUDART_CALLER);
}

TN_CUDART_PLAIN(cudaError_t, cudaRuntimeGetVersion, int *, version) {
    return tn_cudart_leave(get_version(version), TN_CUDART_CALLER);
}

// ---- the stack of a thread

TN_CU_BARE(cuCtxGetCurrent, tn_rt_context_current, CUcontext *)
TN_CU_BARE(cuCtxSetCurrent, tn_rt_context_set, CUcontext)
TN_CU_BARE(cuCtxPushCurrent, tn_rt_context_push, CUcontext)
TN_CU_BARE(cuCtxPopCurrent, tn_rt_context_pop, CUcontext *)
TN_CU(cuCtxGetDevice, tn_rt_context_ordinal, CUdevice *)
TN_CU(cuCtxGetFlags, tn_rt_context_flags, unsigned int *)
TN_CU_BARE(cuCtxDestroy, tn_rt_context_end, CUcontext)

// ---- primary contexts

TN_CU_BARE(cuDevicePrimaryCtxRetain, tn_rt_primary_retain, CUcontext *, CUdevice)
TN_CU_BARE(cuDevicePrimaryCtxRelease, tn_rt_primary_release, CUdevice)
TN_CU_BARE(cuDevicePrimaryCtxGetState, tn_rt_primary_state, CUdevice, unsigned int *, int *)
TN_CU_BARE(cuDevicePrimaryCtxSetFlags, tn_rt_primary_set_flags, CUdevice, unsigned int)

// ---- the current device of the runtime API

TN_CUDART_FUNCTION(cudaSetDevice, int, device) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_context_select(device);
}

TN_CUDART(cudaGetDevice, tn_rt_context_ordinal, int *)
