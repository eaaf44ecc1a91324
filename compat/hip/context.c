// SPDX-License-Identifier: Apache-2.0
// HIP's functions about contexts, which it keeps from CUDA's driver API. See
// compat/runtime/context.h.
#include <hip/detail/context.h>
#include <hip/detail/device.h>
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/runtime/context.h"
#include "compat/runtime/peer.h"

hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device) {
    return TN_HIP_CALL(tn_rt_context_new(ctx, flags, device));
}

hipError_t hipCtxDestroy(hipCtx_t ctx) { return TN_HIP_CALL(tn_rt_context_end(ctx)); }

hipError_t hipCtxPushCurrent(hipCtx_t ctx) { return TN_HIP_CALL(tn_rt_context_push(ctx)); }

hipError_t hipCtxPopCurrent(hipCtx_t *ctx) { return TN_HIP_CALL(tn_rt_context_pop(ctx)); }

hipError_t hipCtxSetCurrent(hipCtx_t ctx) { return TN_HIP_CALL(tn_rt_context_set(ctx)); }

hipError_t hipCtxGetCurrent(hipCtx_t *ctx) { return TN_HIP_CALL(tn_rt_context_current(ctx)); }

hipError_t hipCtxGetDevice(hipDevice_t *device) {
    return TN_HIP_CALL(tn_rt_context_ordinal(device));
}

hipError_t hipCtxGetFlags(unsigned int *flags) { return TN_HIP_CALL(tn_rt_context_flags(flags)); }

hipError_t hipGetDeviceFlags(unsigned int *flags) {
    return TN_HIP_CALL(tn_rt_context_flags(flags));
}

hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion) {
    return TN_HIP_CALL(tn_rt_context_version(ctx, apiVersion));
}

// ---- functions of the device under other names

hipError_t hipCtxSynchronize(void) { return hipDeviceSynchronize(); }

hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig) {
    return hipDeviceGetCacheConfig(cacheConfig);
}

hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig) {
    return hipDeviceSetCacheConfig(cacheConfig);
}

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    return hipDeviceGetSharedMemConfig(pConfig);
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
    return hipDeviceSetSharedMemConfig(config);
}

TN_HIP_FUNCTION(hipCtxEnablePeerAccess, hipCtx_t, peerCtx, unsigned int, flags) {
    int device = -1;
    TN_RT_TRY(tn_rt_context_device(peerCtx, &device));
    return tn_rt_peer_enable(device, flags);
}

TN_HIP_FUNCTION(hipCtxDisablePeerAccess, hipCtx_t, peerCtx) {
    int device = -1;
    TN_RT_TRY(tn_rt_context_device(peerCtx, &device));
    return tn_rt_peer_disable(device);
}

// ---- primary contexts

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev) {
    return TN_HIP_CALL(tn_rt_primary_retain(pctx, dev));
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev) {
    return TN_HIP_CALL(tn_rt_primary_release(dev));
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active) {
    return TN_HIP_CALL(tn_rt_primary_state(dev, flags, active));
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_primary_set_flags(dev, flags));
}

// ---- reset

hipError_t hipDeviceReset(void) { return TN_HIP_CALL(tn_rt_reset(tn_rt_current()->ordinal)); }

hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev) { return TN_HIP_CALL(tn_rt_reset(dev)); }
