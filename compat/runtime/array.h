// SPDX-License-Identifier: Apache-2.0
// Arrays. An array is an object behind a handle; its members are set when it is made and only read
// afterwards. Any thread may call these functions.
#ifndef TARN_COMPAT_RUNTIME_ARRAY_H
#define TARN_COMPAT_RUNTIME_ARRAY_H

#include <tarn/array.h>

#include "compat/runtime/device.h"
#include "compat/runtime/handle.h"

// The format of a channel: signed and unsigned numbers, and floating point.
enum {
    TN_RT_FORMAT_U8 = 1,
    TN_RT_FORMAT_U16,
    TN_RT_FORMAT_U32,
    TN_RT_FORMAT_S8 = 8,
    TN_RT_FORMAT_S16,
    TN_RT_FORMAT_S32,
    TN_RT_FORMAT_HALF = 16,
    TN_RT_FORMAT_FLOAT = 32
};

// Flags. With LAYERED or CUBE the depth counts layers.
enum {
    TN_RT_ARRAY_LAYERED = 1,
    TN_RT_ARRAY_SURFACE = 2,
    TN_RT_ARRAY_CUBE = 4,
    TN_RT_ARRAY_GATHER = 8,
    TN_RT_ARRAY_SPARSE = 64,
    TN_RT_ARRAY_DEFERRED = 128
};

// The layout is that of CUDA's and HIP's descriptors of arrays.
struct tn_rt_shape {
    size_t width;
    size_t height;
    size_t depth;
    unsigned format;
    unsigned channels;
    unsigned flags;
};

struct tn_rt_array {
    struct tn_face_object object;
    tarn_array tarn; // of a level: that of the mipmapped array
    uint32_t level;
    bool is_level;            // does not own `tarn`
    struct tn_rt_shape shape; // of this level
    const struct tn_face_device *device;
};

// Returns the bytes of a channel and of an element, or 0 if there is none of that kind.
unsigned tn_rt_channel_bytes(unsigned format);
unsigned tn_rt_element_bytes(unsigned format, unsigned channels);

// Fills the request to Tarn, except the levels. TN_RT_INVALID_VALUE: invalid extents, format or
// flags; TN_RT_NOT_SUPPORTED: sparse arrays are turned off.
tn_rt_error tn_rt_array_desc(const struct tn_rt_shape *shape, tarn_array_desc *desc);

// Creates the array on the device, and reclaims unused memory of the device's pools if necessary.
tn_rt_error tn_rt_array_create(const struct tn_face_device *device, const tarn_array_desc *desc,
                               tarn_array *array);

// Returns the array of a handle and adds a reference. TN_RT_INVALID_HANDLE.
tn_rt_error tn_rt_array_get(const void *handle, struct tn_rt_array **array);
void tn_rt_array_put(struct tn_rt_array *array);

// Returns a new object with these members and a handle, or NULL after deciding TN_RT_OUT_OF_MEMORY.
struct tn_rt_array *tn_rt_array_new(const struct tn_rt_array *like);

// Makes an array of the current device; ends it. CONTEXT_DESTROYED: not an array; INVALID_VALUE: a
// level of another one.
tn_rt_error tn_rt_array_make(const struct tn_rt_shape *shape, uintptr_t *handle);
tn_rt_error tn_rt_array_free(void *handle);

// Return the shape, and the size of an element. TN_RT_INVALID_HANDLE.
tn_rt_error tn_rt_array_shape(const void *handle, struct tn_rt_shape *shape);
tn_rt_error tn_rt_array_element(const void *handle, uint64_t *bytes);

// Frees all arrays of the device; levels after their mipmapped arrays.
void tn_rt_array_reset(const struct tn_face_device *device);

#endif
