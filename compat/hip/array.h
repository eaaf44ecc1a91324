// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays, and HIP's descriptions of channels. A mipmapped array is an object, but
// programs hold a pointer to the struct that HIP publishes. That pointer is never followed: it is
// compared with those of the live objects. The levels of a mipmapped array are arrays, which are
// freed together with it.
#ifndef TARN_COMPAT_HIP_ARRAY_H
#define TARN_COMPAT_HIP_ARRAY_H

#include <hip/detail/types.h>

#include "compat/runtime/array.h"

struct tn_hip_mipmap {
    struct tn_face_object object;
    tarn_array tarn;
    struct tn_rt_shape shape; // of level 0
    const struct tn_face_device *device;
    hipMipmappedArray shown; // programs hold a pointer to it; never read here
    uint32_t level_count;
    struct tn_rt_array *levels[];
};

// ---- array_format.c

// Converts a channel description to a format and a number of channels, and back.
// TN_RT_INVALID_VALUE: no array has such channels.
tn_rt_error tn_hip_channels(const hipChannelFormatDesc *desc, struct tn_rt_shape *shape);
hipChannelFormatDesc tn_hip_channels_back(const struct tn_rt_shape *shape);

// ---- mipmap.c

// Returns the mipmapped array to which a program holds a pointer, or the one with that `data`
// member, and adds a reference. TN_RT_INVALID_HANDLE.
tn_rt_error tn_hip_mipmap_get(hipMipmappedArray_const_t pointer, struct tn_hip_mipmap **mipmap);
tn_rt_error tn_hip_mipmap_get_data(const void *data, struct tn_hip_mipmap **mipmap);
void tn_hip_mipmap_put(struct tn_hip_mipmap *mipmap);

// Frees all mipmapped arrays of the device.
void tn_hip_mipmap_reset(const struct tn_face_device *device);

#endif
