// SPDX-License-Identifier: Apache-2.0
// Multicast objects, which only the driver has. See compat/runtime/memory/multicast.h.
#include "compat/runtime/memory/multicast.h"

#include <stddef.h>

#include "compat/cuda/face.h"

_Static_assert(sizeof(CUmulticastObjectProp) == sizeof(struct tn_rt_multicast_prop) &&
                   offsetof(CUmulticastObjectProp, handleTypes) ==
                       offsetof(struct tn_rt_multicast_prop, handle_types),
               "the properties have the same layout");

TN_CU_BARE(cuMulticastCreate, tn_rt_multicast_create, CUmemGenericAllocationHandle *,
           const CUmulticastObjectProp *)
TN_CU_BARE(cuMulticastAddDevice, tn_rt_multicast_add, CUmemGenericAllocationHandle, CUdevice)
TN_CU_BARE(cuMulticastBindMem, tn_rt_multicast_bind, CUmemGenericAllocationHandle, size_t,
           CUmemGenericAllocationHandle, size_t, size_t, unsigned long long)
TN_CU_BARE(cuMulticastBindAddr, tn_rt_multicast_bind_address, CUmemGenericAllocationHandle, size_t,
           CUdeviceptr, size_t, unsigned long long)
TN_CU_BARE(cuMulticastUnbind, tn_rt_multicast_unbind, CUmemGenericAllocationHandle, CUdevice,
           size_t, size_t)
TN_CU_BARE(cuMulticastGetGranularity, tn_rt_multicast_granularity, size_t *,
           const CUmulticastObjectProp *, CUmulticastGranularity_flags)
