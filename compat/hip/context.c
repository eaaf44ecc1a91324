// SPDX-License-Identifier: Apache-2.0
// HIP's functions about contexts, which it keeps from CUDA's driver API. See
// compat/runtime/context/context.h.
#include <hip/detail/context.h>
#include <hip/detail/device.h>
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/device/peer.h"
#include "compat/runtime/device/preference.h"

TN_HIP_ROW(hipCtxCreate, tn_rt_context_new, hipCtx_t *, ctx, unsigned int, flags, hipDevice_t,
           device)
TN_HIP_ROW(hipCtxDestroy, tn_rt_context_end, hipCtx_t, ctx)
TN_HIP_ROW(hipCtxPushCurrent, tn_rt_context_push, hipCtx_t, ctx)
TN_HIP_ROW(hipCtxGetDevice, tn_rt_context_ordinal, hipDevice_t *, device)
TN_HIP_ROW(hipCtxGetFlags, tn_rt_context_flags, unsigned int *, flags)
TN_HIP_ROW(hipCtxGetApiVersion, tn_rt_context_version, hipCtx_t, ctx, int *, apiVersion)

// ---- functions of the device under other names

hipError_t hipCtxSynchronize(void) { return hipDeviceSynchronize(); }

TN_HIP_UNCAPTURED_SETTING_ROW(hipCtxSetCacheConfig, tn_rt_cache_set, hipFuncCache_t, cacheConfig)
TN_HIP_ROW(hipCtxGetCacheConfig, tn_rt_cache_get, hipFuncCache_t *, cacheConfig)
TN_HIP_UNCAPTURED_SETTING_ROW(hipCtxSetSharedMemConfig, tn_rt_banks_set, hipSharedMemConfig, config)
TN_HIP_ROW(hipCtxGetSharedMemConfig, tn_rt_banks_get, hipSharedMemConfig *, pConfig)

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

// ---- reset

hipError_t hipDeviceReset(void) { return TN_HIP_CALL(tn_rt_reset(tn_rt_current()->ordinal)); }

TN_HIP_ROW(hipDevicePrimaryCtxGetState, tn_rt_primary_state, hipDevice_t, dev, unsigned int *,
           flags, int *, active)
TN_HIP_ROW(hipDevicePrimaryCtxReset, tn_rt_reset, hipDevice_t, dev)
