// SPDX-License-Identifier: Apache-2.0
// Elements of arrays: formats and channels, and conversions between the two forms of description.
#include "compat/hip/array.h"
#include "compat/hip/face.h"

#include <hip/detail/array.h>

#include "compat/hip/properties.h"

// Formats of 8, 16 and 32 bits for each kind of channel; 0 means that there is no such format.
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

// Returns the number of channels that have desc->x bits. Returns 0 if the other channels are not
// all empty, or do not come last.
static unsigned count_channels(const hipChannelFormatDesc *desc) {
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    unsigned count = 0;
    while (count < 4 && bits[count] != 0 && bits[count] == bits[0]) count++;
    for (unsigned i = count; i < 4; i++)
        if (bits[i] != 0) return 0;
    return count;
}

tn_rt_error tn_hip_channels(const hipChannelFormatDesc *desc, struct tn_rt_shape *shape) {
    TN_RT_TRY(tn_rt_check_pointer(desc, "desc"));
    shape->format = format_of(desc->f, desc->x);
    shape->channels = count_channels(desc);
    TN_RT_REFUSE(tn_rt_element_bytes(shape->format, shape->channels) == 0, TN_RT_INVALID_VALUE,
                 "channels of %d, %d, %d and %d bits of kind %d are not an element", desc->x,
                 desc->y, desc->z, desc->w, (int)desc->f);
    return TN_RT_OK;
}

static hipChannelFormatKind channel_kind(unsigned format) {
    for (int kind = 0; kind < 3; kind++) {
        for (int width = 0; width < 3; width++)
            if (formats[kind][width] == (unsigned char)format) return (hipChannelFormatKind)kind;
    }
    return hipChannelFormatKindNone;
}

hipChannelFormatDesc tn_hip_channels_back(const struct tn_rt_shape *shape) {
    int bits = (int)tn_rt_channel_bytes(shape->format) * 8;
    unsigned count = shape->channels;
    hipChannelFormatDesc desc = {bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                 count > 3 ? bits : 0, channel_kind(shape->format)};
    return desc;
}

TN_HIP_FUNCTION(hipDeviceGetTexture1DLinearMaxWidth, size_t *, maxWidthInElements,
                const hipChannelFormatDesc *, fmtDesc, int, device) {
    struct tn_rt_shape shape;
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(maxWidthInElements, "maxWidthInElements"));
    TN_RT_TRY(tn_rt_check_pointer(fmtDesc, "fmtDesc"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(tn_hip_channels(fmtDesc, &shape));
    tn_hip_properties(tn_rt_device(device), &properties);
    *maxWidthInElements =
        (size_t)properties.maxTexture1DLinear / tn_rt_element_bytes(shape.format, shape.channels);
    return TN_RT_OK;
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
    hipChannelFormatDesc desc = {x, y, z, w, f};
    return desc;
}
