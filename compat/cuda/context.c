// SPDX-License-Identifier: Apache-2.0
// Initialisation, versions and contexts. See compat/runtime/context/context.h.
#include "compat/runtime/context/context.h"

#include "compat/cuda/face.h"
#include "compat/runtime/device/preference.h"

// ---- initialisation

static tn_rt_error initialize(unsigned flags) {
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
    return tn_cu_initialize();
}

CUresult cuInit(unsigned int flags) { return tn_cu_leave(initialize(flags), __func__); }

// Versions are known without a device.
static tn_rt_error get_version(int *version) {
    TN_RT_TRY(tn_rt_check_pointer(version, "version"));
    *version = tn_cu_version();
    return TN_RT_OK;
}

CUresult cuDriverGetVersion(int *version) { return tn_cu_leave(get_version(version), __func__); }

TN_CUDART_PLAIN(cudaError_t, cudaDriverGetVersion, int *, version) {
    return tn_cudart_leave(get_version(version), __func__);
}

TN_CUDART_PLAIN(cudaError_t, cudaRuntimeGetVersion, int *, version) {
    return tn_cudart_leave(get_version(version), __func__);
}

// ---- contexts

_Static_assert((int)CU_CTX_SCHED_MASK == TN_RT_SCHEDULE_MASK &&
                   (int)CU_CTX_MAP_HOST == TN_RT_MAP_HOST &&
                   (int)CU_CTX_LMEM_RESIZE_TO_MAX == TN_RT_RESIZE_TO_MAX,
               "flags have the same numbers");

static tn_rt_error make_context_4(CUcontext *ctx, CUctxCreateParams *params, unsigned flags,
                                  CUdevice device) {
    TN_RT_REFUSE(params != NULL && params->numExecAffinityParams != 0, TN_RT_UNSUPPORTED_AFFINITY,
                 "a context cannot have a part of a device");
    TN_RT_REFUSE(params != NULL && params->cigParams != NULL, TN_RT_NOT_SUPPORTED,
                 "graphics in a context are not supported");
    return tn_rt_context_new(ctx, flags, device);
}

static tn_rt_error make_context_3(CUcontext *ctx, CUexecAffinityParam *params, int count,
                                  unsigned flags, CUdevice device) {
    CUctxCreateParams given = {.execAffinityParams = params, .numExecAffinityParams = count};
    return make_context_4(ctx, &given, flags, device);
}

TN_CU_BARE(cuCtxCreate_v2, tn_rt_context_new, CUcontext *, context, unsigned int, flags, CUdevice,
           device)
TN_CU_BARE(cuCtxCreate_v3, make_context_3, CUcontext *, context, CUexecAffinityParam *, params, int,
           count, unsigned int, flags, CUdevice, device)
TN_CU_BARE(cuCtxCreate_v4, make_context_4, CUcontext *, context, CUctxCreateParams *, params,
           unsigned int, flags, CUdevice, device)

static tn_rt_error destroy(CUcontext ctx) {
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    return tn_rt_context_end(ctx);
}

TN_CU_BARE(cuCtxDestroy_v2, destroy, CUcontext, context)
TN_CU(cuCtxAttach, tn_rt_context_attach, CUcontext *, context, unsigned int, flags)
TN_CU_BARE(cuCtxDetach, tn_rt_context_detach, CUcontext, context)

// NULL stands for the current context.
static tn_rt_error resolve_context(CUcontext *ctx) {
    if (*ctx != NULL) return TN_RT_OK;
    TN_RT_TRY(tn_rt_context_check());
    return tn_rt_context_current(ctx);
}

static tn_rt_error get_device(CUdevice *device, CUcontext ctx) {
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(resolve_context(&ctx));
    tn_rt_error error = tn_rt_context_device(ctx, device);
    return error == TN_RT_INVALID_CONTEXT ? TN_RT_CONTEXT_DESTROYED : error;
}

static tn_rt_error synchronize_context(CUcontext ctx) {
    int device = -1;
    TN_RT_TRY(get_device(&device, ctx));
    return tn_rt_synchronize_device(tn_rt_device(device));
}

// A handle is never used twice, so it is the number of the context too.
static tn_rt_error get_id(CUcontext ctx, unsigned long long *id) {
    int device = -1;
    TN_RT_TRY(tn_rt_check_pointer(id, "ctxId"));
    TN_RT_TRY(resolve_context(&ctx));
    TN_RT_TRY(get_device(&device, ctx));
    *id = (uintptr_t)ctx;
    return TN_RT_OK;
}

static tn_rt_error get_version_of(CUcontext ctx, unsigned *version) {
    TN_RT_TRY(resolve_context(&ctx));
    return tn_rt_context_version(ctx, version);
}

static tn_rt_error synchronize_current(void) { return tn_rt_synchronize_device(tn_rt_current()); }

CUresult cuCtxSynchronize(void) { return TN_CU_CALL(synchronize_current()); }

TN_CUDART_PLAIN(cudaError_t, cudaDeviceSynchronize, void, ) {
    return TN_CUDART_CALL(synchronize_current());
}

TN_CU_BARE(cuCtxGetDevice_v2, get_device, CUdevice *, device, CUcontext, context)
TN_CU_BARE(cuCtxSynchronize_v2, synchronize_context, CUcontext, context)
TN_CU_BARE(cuCtxGetId, get_id, CUcontext, context, unsigned long long *, id)
TN_CU_BARE(cuCtxGetApiVersion, get_version_of, CUcontext, context, unsigned int *, version)

// ---- the stack of a thread, and the current context

static tn_rt_error push(CUcontext ctx) {
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    return tn_rt_context_push(ctx);
}

// These need a current context, which may have ended.
static tn_rt_error check_current(void) {
    tn_rt_error error = tn_rt_context_check();
    return error == TN_RT_CONTEXT_DESTROYED ? TN_RT_OK : error;
}

static tn_rt_error get_ordinal(CUdevice *device) {
    TN_RT_TRY(check_current());
    return tn_rt_context_ordinal(device);
}

static tn_rt_error get_flags(unsigned *flags) {
    TN_RT_TRY(check_current());
    return tn_rt_context_flags(flags);
}

TN_CU_BARE(cuCtxPushCurrent_v2, push, CUcontext, context)
TN_CU_BARE(cuCtxGetDevice, get_ordinal, CUdevice *, device)
TN_CU_BARE(cuCtxGetFlags, get_flags, unsigned int *, flags)
TN_CU(cuCtxSetFlags, tn_rt_context_set_flags, unsigned int, flags)

// ---- primary contexts, and the reset of a device

static tn_rt_error get_state(CUdevice device, unsigned *flags, int *active) {
    TN_RT_TRY(tn_rt_check_pointer(flags, "flags"));
    TN_RT_TRY(tn_rt_check_pointer(active, "active"));
    return tn_rt_primary_state(device, flags, active);
}

TN_CU_BARE(cuDevicePrimaryCtxReset_v2, tn_rt_primary_reset, CUdevice, device)
TN_CU_BARE(cuDevicePrimaryCtxGetState, get_state, CUdevice, device, unsigned int *, flags, int *,
           active)

// A reset ends failures, for which other calls fail.
static tn_rt_error reset_current(void) {
    TN_RT_TRY(tn_cu_initialize());
    return tn_rt_primary_reset(tn_rt_current()->ordinal);
}

TN_CUDART_PLAIN(cudaError_t, cudaDeviceReset, void, ) {
    return tn_cudart_leave(reset_current(), __func__);
}
