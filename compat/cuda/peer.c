// SPDX-License-Identifier: Apache-2.0
// Peers: devices that can use each other's memory. See compat/runtime/device/peer.h.
#include "compat/runtime/device/peer.h"

#include "compat/cuda/face.h"
#include "compat/runtime/context/context.h"

// The flags are checked behind the device.
static tn_rt_error enable(int peer, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device(peer));
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
    TN_RT_REFUSE(peer == tn_rt_current()->ordinal, TN_RT_PEER_UNSUPPORTED,
                 "device %d cannot be its own peer", peer);
    return tn_rt_peer_enable(peer, flags);
}

TN_CUDART(cudaDeviceEnablePeerAccess, enable, int, peer, unsigned int, flags)

static tn_rt_error device_of(CUcontext ctx, int *device) {
    tn_rt_error error = tn_rt_context_device(ctx, device);
    return error == TN_RT_INVALID_CONTEXT && ctx != NULL ? TN_RT_CONTEXT_DESTROYED : error;
}

TN_CU_FUNCTION(cuCtxEnablePeerAccess, CUcontext, ctx, unsigned int, flags) {
    int device = -1;
    TN_RT_TRY(device_of(ctx, &device));
    return enable(device, flags);
}

TN_CU_FUNCTION(cuCtxDisablePeerAccess, CUcontext, ctx) {
    int device = -1;
    TN_RT_TRY(device_of(ctx, &device));
    return tn_rt_peer_disable(device);
}

// ---- attributes of the path between two devices, which are numbered from 1

_Static_assert((int)CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK == TN_RT_PEER_RANK + 1 &&
                   (int)CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED ==
                       TN_RT_PEER_ARRAYS + 1,
               "attributes have the same order");

static tn_rt_error get_attribute(int *value, int attribute, int device, int peer) {
    bool partial = attribute == (int)CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED;
    int number = partial ? TN_RT_PEER_RANK : attribute - 1; // both are 0
    return tn_rt_peer_attribute(value, number, device, peer);
}

TN_CU_BARE(cuDeviceGetP2PAttribute, get_attribute, int *, value, CUdevice_P2PAttribute, attribute,
           CUdevice, src_device, CUdevice, dst_device)
TN_CUDART_BARE(cudaDeviceGetP2PAttribute, get_attribute, int *, value, enum cudaDeviceP2PAttr,
               attribute, int, src_device, int, dst_device)
