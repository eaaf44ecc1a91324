// SPDX-License-Identifier: Apache-2.0
// Arrays. An array is an object behind a handle; its members are set when it is made and only read
// afterwards. A mipmapped array is an object too, but programs hold a pointer to the struct that
// HIP publishes. That pointer is never followed: it is compared with those of the live objects. The
// levels of a mipmapped array are arrays, which are freed together with it.
#ifndef TARN_COMPAT_HIP_ARRAY_H
#define TARN_COMPAT_HIP_ARRAY_H

#include "compat/hip/face.h"
#include "compat/runtime/handle.h"

struct tn_hip_array {
    struct tn_face_object object;
    tarn_array tarn; // of a level: that of the mipmapped array
    uint32_t level;
    bool is_level;                // does not own `tarn`
    HIP_ARRAY3D_DESCRIPTOR shape; // of this level
    const struct tn_face_device *device;
};

struct tn_hip_mipmap {
    struct tn_face_object object;
    tarn_array tarn;
    HIP_ARRAY3D_DESCRIPTOR shape; // of level 0
    const struct tn_face_device *device;
    hipMipmappedArray shown; // programs hold a pointer to it; never read here
    uint32_t level_count;
    struct tn_hip_array *levels[];
};

// ---- array.c

// Fills the request to Tarn, except the levels. TN_RT_INVALID_VALUE: invalid extents, format or
// flags; TN_RT_NOT_SUPPORTED: sparse arrays are turned off.
tn_rt_error tn_hip_array_desc(const HIP_ARRAY3D_DESCRIPTOR *shape, tarn_array_desc *desc);

// Creates the array on the device, and reclaims unused memory of the device's pools if necessary.
tn_rt_error tn_hip_array_create(const struct tn_face_device *device, const tarn_array_desc *desc,
                                tarn_array *array);

// Returns the array of a handle and adds a reference. TN_RT_INVALID_HANDLE.
tn_rt_error tn_hip_array_get(hipArray_const_t handle, struct tn_hip_array **array);
void tn_hip_array_put(struct tn_hip_array *array);

// Frees all arrays of the device, after tn_hip_mipmap_reset().
void tn_hip_array_reset(const struct tn_face_device *device);

// Returns the size of an element. TN_RT_INVALID_HANDLE.
tn_rt_error tn_hip_array_element(hipArray_const_t handle, uint64_t *bytes);

// Returns a new object with these members and a handle, or NULL after deciding TN_RT_OUT_OF_MEMORY.
struct tn_hip_array *tn_hip_array_new(const struct tn_hip_array *like);

// ---- array_format.c

// Returns the bytes of an element, or 0 if there is no such element.
unsigned tn_hip_element_bytes(hipArray_Format format, unsigned channels);

// Converts a channel description to a format and a number of channels, and back.
// TN_RT_INVALID_VALUE: no array has such channels.
tn_rt_error tn_hip_channels(const hipChannelFormatDesc *desc, HIP_ARRAY3D_DESCRIPTOR *shape);
hipChannelFormatDesc tn_hip_channels_back(const HIP_ARRAY3D_DESCRIPTOR *shape);

// ---- mipmap.c

// Returns the mipmapped array to which a program holds a pointer, or the one with that `data`
// member, and adds a reference. TN_RT_INVALID_HANDLE.
tn_rt_error tn_hip_mipmap_get(hipMipmappedArray_const_t pointer, struct tn_hip_mipmap **mipmap);
tn_rt_error tn_hip_mipmap_get_data(const void *data, struct tn_hip_mipmap **mipmap);
void tn_hip_mipmap_put(struct tn_hip_mipmap *mipmap);

// Frees all mipmapped arrays of the device.
void tn_hip_mipmap_reset(const struct tn_face_device *device);

#endif
