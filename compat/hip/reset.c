// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset(): returns a device to the state before its first use.
#include <hip/detail/context.h>
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/array.h"
#include "compat/runtime/memory.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/preference.h"
#include "compat/runtime/stream.h"

// Events stay, as with AMD. Memory is freed before the streams end, because pools know blocks by
// the streams that used them. Work that a failed stream has not run is dropped with the stream.
static tn_rt_error reset_device(int ordinal) {
    TN_RT_TRY(tn_rt_check_device(ordinal));
    struct tn_face_device *device = tn_rt_device(ordinal);
    (void)tarn_device_synchronize(device->tarn, TARN_FOREVER);
    tn_rt_memory_reset(device);
    tn_rt_array_reset(device);
    tn_rt_pool_reset(device);
    tn_rt_capture_end_all(device);
    (void)tarn_device_synchronize(device->tarn, TARN_FOREVER);
    tn_rt_streams_reset(device);
    tn_rt_preferences_reset(ordinal);
    return TN_RT_OK;
}

hipError_t hipDeviceReset(void) { return TN_HIP_CALL(reset_device(tn_rt_current()->ordinal)); }

hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev) { return TN_HIP_CALL(reset_device(dev)); }
