// SPDX-License-Identifier: Apache-2.0
// Arrays. An array is an object behind a handle; its members are set when it is made and only read
// afterwards. Any thread may call these functions.
#pragma once

#include <tarn/array.h>

#include <stdalign.h>

#include "compat/runtime/base/handle.h"
#include "compat/runtime/device/device.h"

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

// The other form of the description of an element, in the layout that CUDA and HIP share.
enum { TN_RT_CHANNEL_SIGNED, TN_RT_CHANNEL_UNSIGNED, TN_RT_CHANNEL_FLOAT, TN_RT_CHANNEL_NONE };
struct tn_rt_channels {
    int bits[4];
    unsigned kind;
};

// array_format.c. Converts a struct tn_rt_channels to a format and a number of channels, and back.
// Fails with INVALID_VALUE if no array has such channels.
tn_rt_error tn_rt_channels_read(const void *desc, struct tn_rt_shape *shape);
void tn_rt_channels_write(void *desc, const struct tn_rt_shape *shape);

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

// Fills the request to Tarn, except the levels. Fails with INVALID_VALUE if the extents, the format
// or the flags are invalid, and with NOT_SUPPORTED if sparse arrays are turned off.
tn_rt_error tn_rt_array_desc(const struct tn_rt_shape *shape, tarn_array_desc *desc);

// Creates the array on the device, and reclaims unused memory of the device's pools if necessary.
tn_rt_error tn_rt_array_create(const struct tn_face_device *device, const tarn_array_desc *desc,
                               tarn_array *array);

// Returns the array of a handle and adds a reference. Fails with INVALID_HANDLE if the handle is of
// none.
tn_rt_error tn_rt_array_get(const void *handle, struct tn_rt_array **array);
void tn_rt_array_put(struct tn_rt_array *array);

// Returns a new object with these members and a handle, and adds a reference, or returns NULL after
// deciding TN_RT_OUT_OF_MEMORY.
struct tn_rt_array *tn_rt_array_new(const struct tn_rt_array *like);

// The first function makes an array of the current device by a struct tn_rt_shape. The second one
// ends an array. It fails with CONTEXT_DESTROYED if the handle is not an array, and with
// INVALID_VALUE if it is a level of another one.
tn_rt_error tn_rt_array_make(void *handle, const void *shape);
tn_rt_error tn_rt_array_free(void *handle);

// Write the shape to `out`, and return the size of an element. Both fail with INVALID_HANDLE if the
// handle is not of an array.
tn_rt_error tn_rt_array_shape(void *out, const void *handle);
tn_rt_error tn_rt_array_element(const void *handle, uint64_t *bytes);

// ---- mipmap.c: mipmapped arrays, whose levels are arrays that are freed together with them

#define TN_RT_SHOWN 64

struct tn_rt_mipmap {
    struct tn_face_object object;
    tarn_array tarn;
    struct tn_rt_shape shape; // of level 0
    const struct tn_face_device *device;
    // The face's description. Programs hold its address, which is compared with those of the live
    // objects and never followed.
    alignas(8) unsigned char shown[TN_RT_SHOWN];
    uint32_t level_count;
    struct tn_rt_array *levels[];
};

// Makes a mipmapped array of the current device, with one level if `levels` is 0, and adds a
// reference. The caller fills in `shown`. Fails with INVALID_VALUE for a cubemap that is neither
// sparse nor deferred.
tn_rt_error tn_rt_mipmap_new(const struct tn_rt_shape *shape, unsigned levels,
                             struct tn_rt_mipmap **mipmap);

// Ends the mipmapped array that is shown at `pointer`. Fails with CONTEXT_DESTROYED if there is
// none.
tn_rt_error tn_rt_mipmap_free(const void *pointer);

// Writes the handle of a level's array. Fails with INVALID_HANDLE if there is no such mipmapped
// array, and with INVALID_VALUE if it has no such level.
tn_rt_error tn_rt_mipmap_level(void *array, const void *pointer, unsigned level);

// Returns the mipmapped array that is shown at `pointer`, or the one with that handle, and adds a
// reference. Fails with INVALID_HANDLE if there is none.
tn_rt_error tn_rt_mipmap_find(const void *pointer, struct tn_rt_mipmap **mipmap);
tn_rt_error tn_rt_mipmap_get(const void *handle, struct tn_rt_mipmap **mipmap);

// ---- sparse.c: the layout of sparse and deferred arrays, and the memory under them

// The tiles of a sparse array, and the memory that a deferred one needs, in the layouts that CUDA
// and HIP share.
struct tn_rt_sparse {
    unsigned tile[3];
    unsigned tail_level; // of a mipmapped array: the first level in the tail
    unsigned long long tail_bytes;
    unsigned flags; // 1: all layers share one tail
    unsigned reserved[4];
};
struct tn_rt_needs {
    size_t bytes;
    size_t alignment;
    unsigned reserved[4];
};

// Write a struct of these to `out`. A mipmapped array is given by the pointer to what is shown.
// Both fail with INVALID_VALUE for a level of an array. The second function also fails with it for
// an array of another device, or one that is not deferred.
tn_rt_error tn_rt_array_sparse(void *out, const void *array, bool is_mipmap);
tn_rt_error tn_rt_array_needs(void *out, const void *array, bool is_mipmap, int ordinal);

// A part of an array and the memory to map under it. An entry of a program's list is a type, the
// array in the bytes that the policy names (array_entry_bytes), and this, in the layout that CUDA
// and HIP share.
struct tn_rt_array_part {
    unsigned part; // tarn_array_part
    union {
        struct {
            unsigned level;
            unsigned layer;
            unsigned offset[3];
            unsigned extent[3];
        } tiles;
        struct {
            unsigned layer;
            unsigned long long offset;
            unsigned long long bytes;
        } tail;
    };
    unsigned op; // tarn_array_op
    unsigned handle_type;
    const void *memory;
    unsigned long long offset;
    unsigned device_mask; // one bit for each ordinal
    unsigned flags;
    unsigned reserved[2];
};

// Maps and unmaps the parts of a list in the order of a stream.
tn_rt_error tn_rt_array_map(const void *list, unsigned count, void *stream);
