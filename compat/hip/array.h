// SPDX-License-Identifier: Apache-2.0
// Arrays from the inside. An array is an object behind a handle and belongs to the program until it
// frees it; all its members are set when it is made and only read after that. A mipmapped array is
// an object too, but programs hold a pointer to the part of it that HIP shows, and never need it to
// be followed: it is compared with those of the live objects. Its levels are arrays that go with
// it.
#ifndef TARN_COMPAT_HIP_ARRAY_H
#define TARN_COMPAT_HIP_ARRAY_H

#include "compat/hip/face.h"
#include "compat/hip/handle.h"

struct tn_hip_array {
    struct tn_face_object object;
    tarn_array tarn; // of a level: the whole's
    uint32_t level;
    bool is_level;                // does not own `tarn`
    HIP_ARRAY3D_DESCRIPTOR shape; // of this level
    const struct tn_hip_device *device;
};

struct tn_hip_mipmap {
    struct tn_face_object object;
    tarn_array tarn;
    HIP_ARRAY3D_DESCRIPTOR shape; // of level 0
    const struct tn_hip_device *device;
    hipMipmappedArray shown; // what programs hold a pointer to; never read here
    uint32_t level_count;
    struct tn_hip_array *levels[];
};

// ---- array.c

// What Tarn is asked for, but for the levels. hipErrorInvalidValue: extents, format or flags that
// make no array; hipErrorNotSupported: sparse arrays are off.
hipError_t tn_hip_array_desc(const HIP_ARRAY3D_DESCRIPTOR *shape, tarn_array_desc *desc);

// Creates it on the device, which gives what lies free in its pools for it.
hipError_t tn_hip_array_create(const struct tn_hip_device *device, const tarn_array_desc *desc,
                               tarn_array *array);

// The array of a handle, with one more reference to put. hipErrorInvalidHandle.
hipError_t tn_hip_array_get(hipArray_const_t handle, struct tn_hip_array **array);
void tn_hip_array_put(struct tn_hip_array *array);

// Frees all arrays of the device, mipmapped ones too.
void tn_hip_array_reset(const struct tn_hip_device *device);

// The bytes of its elements. hipErrorInvalidHandle.
hipError_t tn_hip_array_element(hipArray_const_t handle, uint64_t *bytes);

// A new object with these members, and its handle. NULL: hipErrorOutOfMemory, with a text.
struct tn_hip_array *tn_hip_array_new(const struct tn_hip_array *like);

// ---- array_describe.c

// Bytes of an element; 0: no element.
unsigned tn_hip_element_bytes(hipArray_Format format, unsigned channels);

// What a channel description says, as format and number of channels. hipErrorInvalidValue: NULL, or
// channels that no array has.
hipError_t tn_hip_channels(const hipChannelFormatDesc *desc, HIP_ARRAY3D_DESCRIPTOR *shape);
hipChannelFormatDesc tn_hip_channels_back(const HIP_ARRAY3D_DESCRIPTOR *shape);

// ---- mipmap.c

// The mipmapped array that a program holds a pointer to, or the one whose `data` it has, with one
// more reference to put. hipErrorInvalidHandle.
hipError_t tn_hip_mipmap_get(hipMipmappedArray_const_t pointer, struct tn_hip_mipmap **mipmap);
hipError_t tn_hip_mipmap_get_data(const void *data, struct tn_hip_mipmap **mipmap);
void tn_hip_mipmap_put(struct tn_hip_mipmap *mipmap);

// Frees all mipmapped arrays of the device.
void tn_hip_mipmap_reset(const struct tn_hip_device *device);

#endif
