// SPDX-License-Identifier: Apache-2.0
// Multicast objects, which only the driver has. See compat/runtime/memory/multicast.h.
#include "compat/runtime/memory/multicast.h"

#include <stddef.h>

#include "compat/cuda/face.h"

_Static_assert(sizeof(CUmulticastObjectProp) == sizeof(struct tn_rt_multicast_prop) &&
                   offsetof(CUmulticastObjectProp, handleTypes) ==
                       offsetof(struct tn_rt_multicast_prop, handle_types),
               "the properties have the same layout");

TN_CU_BARE(cuMulticastCreate, tn_rt_multicast_create, CUmemGenericAllocationHandle *, handle,
           const CUmulticastObjectProp *, properties)
TN_CU_BARE(cuMulticastAddDevice, tn_rt_multicast_add, CUmemGenericAllocationHandle, handle,
           CUdevice, device)
TN_CU_BARE(cuMulticastBindMem, tn_rt_multicast_bind, CUmemGenericAllocationHandle, handle, size_t,
           offset, CUmemGenericAllocationHandle, memory, size_t, memory_offset, size_t, size,
           unsigned long long, flags)
TN_CU_BARE(cuMulticastBindAddr, tn_rt_multicast_bind_address, CUmemGenericAllocationHandle, handle,
           size_t, offset, CUdeviceptr, pointer, size_t, size, unsigned long long, flags)
TN_CU_BARE(cuMulticastUnbind, tn_rt_multicast_unbind, CUmemGenericAllocationHandle, handle,
           CUdevice, device, size_t, offset, size_t, size)
TN_CU_BARE(cuMulticastGetGranularity, tn_rt_multicast_granularity, size_t *, granularity,
           const CUmulticastObjectProp *, properties, CUmulticastGranularity_flags, option)
