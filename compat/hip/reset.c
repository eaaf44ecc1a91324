// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset(): a device as it was before the program used it.
#include <hip/detail/context.h>
#include <hip/detail/device.h>

#include "compat/hip/memory.h"
#include "compat/hip/order.h"

// Memory before streams: pools know blocks by the streams that used them. What a sticky failure
// leaves undone is dropped with its stream.
static hipError_t reset(int ordinal) {
    struct tn_hip_device *device = tn_hip_device(ordinal);
    if (device == NULL) {
        return tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", ordinal,
                           tn_hip_face.count);
    }
    TN_HIP_TRY(tn_hip_capture_allows());
    (void)tarn_device_synchronize(device->tarn);
    tn_hip_memory_reset(device);
    tn_hip_order_reset(device);
    return hipSuccess;
}

hipError_t hipDeviceReset(void) {
    return TN_HIP_CALL(reset(tn_hip_current()->hip));
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev) {
    return TN_HIP_CALL(reset(dev));
}
