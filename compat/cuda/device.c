// SPDX-License-Identifier: Apache-2.0
// Devices: how many there are, and what each is. See compat/runtime/device/identity.h, and properties.c for
// the attributes.
#include "compat/cuda/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/device/preference.h"

static tn_rt_error count_devices(int *count) {
    TN_RT_TRY(tn_rt_check_pointer(count, "count"));
    *count = tn_rt_devices.count;
    return TN_RT_OK;
}

TN_CU_BARE(cuDeviceGetCount, count_devices, int *, count)

// The count is 0 on an error. A child of fork() can count the devices, and nothing else.
static tn_rt_error count_any(int *count) {
    tn_rt_error error = tn_cudart_bare_ready() ? TN_RT_OK : tn_cudart_bare_refusal();
    if (count != NULL) *count = tn_cu_device_count;
    return error == TN_RT_OK || tn_cu_device_count > 0 ? tn_rt_check_pointer(count, "count")
                                                       : error;
}

TN_CUDART_PLAIN(cudaError_t, cudaGetDeviceCount, int *, count) {
    return tn_cudart_leave(count_any(count), __func__);
}

TN_CU_BARE(cuDeviceGetUuid_v2, tn_rt_device_uuid, CUuuid *, uuid, CUdevice, device)

// ---- the current device of the runtime API

TN_CUDART_BARE_FUNCTION(cudaSetDevice, int, device) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_context_select(device);
}

TN_CUDART_BARE(cudaGetDevice, tn_rt_context_ordinal, int *, device)

// A thread that has no context yet begins with the first device of the list.
TN_CUDART_BARE_FUNCTION(cudaSetValidDevices, int *, list, int, count) {
    TN_RT_REFUSE(count < 0 || count > tn_rt_devices.count || (list == NULL && count != 0),
                 TN_RT_INVALID_VALUE, "%d devices at %p, there are %d", count, (void *)list,
                 tn_rt_devices.count);
    for (int i = 0; i < count; i++) TN_RT_TRY(tn_rt_check_device(list[i]));
    bool free_to_choose = tn_rt_context_check() != TN_RT_OK;
    if (free_to_choose) tn_rt_set_current(tn_rt_owner(count > 0 ? list[0] : 0, 0));
    return TN_RT_OK;
}

// Unknown flags have no effect.
static tn_rt_error prepare_device(int device, unsigned device_flags, unsigned flags) {
    bool given = (flags & cudaInitDeviceFlagsAreValid) != 0;
    TN_RT_TRY(tn_rt_check_device(device));
    if (given) TN_RT_TRY(tn_rt_set_device_flags(device, device_flags));
    return tn_rt_primary_adopt(device);
}

TN_CUDART_BARE(cudaInitDevice, prepare_device, int, device, unsigned int, device_flags,
               unsigned int, flags)
