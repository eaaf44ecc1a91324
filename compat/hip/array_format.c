// SPDX-License-Identifier: Apache-2.0
// Elements of arrays. See compat/runtime/copy/array.h.
#include <hip/detail/array.h>

#include "compat/hip/face.h"
#include "compat/hip/properties.h"
#include "compat/runtime/copy/array.h"

_Static_assert(sizeof(hipChannelFormatDesc) == sizeof(struct tn_rt_channels) &&
                   (int)hipChannelFormatKindNone == TN_RT_CHANNEL_NONE,
               "channels have the same layout and numbers");

TN_HIP_FUNCTION(hipDeviceGetTexture1DLinearMaxWidth, size_t *, maxWidthInElements,
                const hipChannelFormatDesc *, fmtDesc, int, device) {
    struct tn_rt_shape shape;
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(maxWidthInElements, "maxWidthInElements"));
    TN_RT_TRY(tn_rt_check_pointer(fmtDesc, "fmtDesc"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(tn_rt_channels_read(fmtDesc, &shape));
    tn_hip_properties(tn_rt_device(device), &properties);
    *maxWidthInElements =
        (size_t)properties.maxTexture1DLinear / tn_rt_element_bytes(shape.format, shape.channels);
    return TN_RT_OK;
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
    hipChannelFormatDesc desc = {x, y, z, w, f};
    return desc;
}
