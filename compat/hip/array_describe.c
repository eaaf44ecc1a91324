// SPDX-License-Identifier: Apache-2.0
// What arrays are made of: formats and channels, there and back, and the questions about them.
#include "compat/hip/array.h"

#include <hip/detail/array.h>

// ---- elements

static unsigned channel_bytes(hipArray_Format format) {
    switch (format) {
    case HIP_AD_FORMAT_UNSIGNED_INT8:
    case HIP_AD_FORMAT_SIGNED_INT8:
        return 1;
    case HIP_AD_FORMAT_UNSIGNED_INT16:
    case HIP_AD_FORMAT_SIGNED_INT16:
    case HIP_AD_FORMAT_HALF:
        return 2;
    case HIP_AD_FORMAT_UNSIGNED_INT32:
    case HIP_AD_FORMAT_SIGNED_INT32:
    case HIP_AD_FORMAT_FLOAT:
        return 4;
    }
    return 0;
}

unsigned tn_hip_element_bytes(hipArray_Format format, unsigned channels) {
    return channels == 1 || channels == 2 || channels == 4 ? channel_bytes(format) * channels : 0;
}

// Formats of 8, 16 and 32 bits for each kind of channel; 0 is none.
static const unsigned char formats[3][3] = {
    [hipChannelFormatKindSigned] = {HIP_AD_FORMAT_SIGNED_INT8, HIP_AD_FORMAT_SIGNED_INT16,
                                    HIP_AD_FORMAT_SIGNED_INT32},
    [hipChannelFormatKindUnsigned] = {HIP_AD_FORMAT_UNSIGNED_INT8, HIP_AD_FORMAT_UNSIGNED_INT16,
                                      HIP_AD_FORMAT_UNSIGNED_INT32},
    [hipChannelFormatKindFloat] = {0, HIP_AD_FORMAT_HALF, HIP_AD_FORMAT_FLOAT},
};

static hipArray_Format format_of(hipChannelFormatKind kind, int bits) {
    int width = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
    bool known = (unsigned)kind <= hipChannelFormatKindFloat && width >= 0;
    return known ? (hipArray_Format)formats[kind][width] : (hipArray_Format)0;
}

// How many channels have x bits; the others have none and come last. 0: it is otherwise.
static unsigned count_channels(const hipChannelFormatDesc *desc) {
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    unsigned count = 0;
    while (count < 4 && bits[count] != 0 && bits[count] == bits[0]) {
        count++;
    }
    for (unsigned i = count; i < 4; i++) {
        if (bits[i] != 0) {
            return 0;
        }
    }
    return count;
}

hipError_t tn_hip_channels(const hipChannelFormatDesc *desc, HIP_ARRAY3D_DESCRIPTOR *shape) {
    shape->Format = format_of(desc->f, desc->x);
    shape->NumChannels = count_channels(desc);
    if (tn_hip_element_bytes(shape->Format, shape->NumChannels) == 0) {
        return tn_hip_fail(hipErrorInvalidValue,
                           "channels of %d, %d, %d and %d bits of kind %d are no element", desc->x,
                           desc->y, desc->z, desc->w, (int)desc->f);
    }
    return hipSuccess;
}

static hipChannelFormatKind kind_of(hipArray_Format format) {
    for (int kind = 0; kind < 3; kind++) {
        for (int width = 0; width < 3; width++) {
            if (formats[kind][width] == (unsigned char)format) {
                return (hipChannelFormatKind)kind;
            }
        }
    }
    return hipChannelFormatKindNone;
}

hipChannelFormatDesc tn_hip_channels_back(const HIP_ARRAY3D_DESCRIPTOR *shape) {
    int bits = (int)channel_bytes(shape->Format) * 8;
    unsigned count = shape->NumChannels;
    hipChannelFormatDesc desc = {bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                 count > 3 ? bits : 0, kind_of(shape->Format)};
    return desc;
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
    hipChannelFormatDesc desc = {x, y, z, w, f};
    return desc;
}

// ---- questions

// The shape of an array; `out` is where the answer shall go, or one of them.
static hipError_t ask(hipArray_const_t handle, const void *out, HIP_ARRAY3D_DESCRIPTOR *shape) {
    struct tn_hip_array *array = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && out == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the description shall go is NULL");
    }
    if (error == hipSuccess) {
        error = tn_hip_array_get(handle, &array);
    }
    if (error == hipSuccess) {
        *shape = array->shape;
        tn_hip_array_put(array);
    }
    return error;
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned int *flags,
                           hipArray_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    hipError_t error = ask(array, &shape, &shape);
    if (error == hipSuccess && desc != NULL) {
        *desc = tn_hip_channels_back(&shape);
    }
    if (error == hipSuccess && extent != NULL) {
        *extent = make_hipExtent(shape.Width, shape.Height, shape.Depth);
    }
    if (error == hipSuccess && flags != NULL) {
        *flags = shape.Flags;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    hipError_t error = ask(array, desc, &shape);
    if (error == hipSuccess) {
        *desc = tn_hip_channels_back(&shape);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    hipError_t error = ask(array, pArrayDescriptor, &shape);
    if (error == hipSuccess) {
        *pArrayDescriptor = (HIP_ARRAY_DESCRIPTOR){.Width = shape.Width,
                                                   .Height = shape.Height,
                                                   .Format = shape.Format,
                                                   .NumChannels = shape.NumChannels};
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    hipError_t error = ask(array, pArrayDescriptor, &shape);
    if (error == hipSuccess) {
        *pArrayDescriptor = shape;
    }
    return tn_hip_leave(error, __func__);
}
