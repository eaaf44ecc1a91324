// SPDX-License-Identifier: Apache-2.0
// See array.h: elements of arrays, and conversions between the two forms of their description.
#include <string.h>

#include "compat/runtime/copy/array.h"

// Formats of 8, 16 and 32 bits for each kind of channel; 0 means that there is no such format.
static const unsigned char formats[3][3] = {
    [TN_RT_CHANNEL_SIGNED] = {TN_RT_FORMAT_S8, TN_RT_FORMAT_S16, TN_RT_FORMAT_S32},
    [TN_RT_CHANNEL_UNSIGNED] = {TN_RT_FORMAT_U8, TN_RT_FORMAT_U16, TN_RT_FORMAT_U32},
    [TN_RT_CHANNEL_FLOAT] = {0, TN_RT_FORMAT_HALF, TN_RT_FORMAT_FLOAT},
};

static unsigned format_of(unsigned kind, int bits) {
    int width = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
    return kind <= TN_RT_CHANNEL_FLOAT && width >= 0 ? formats[kind][width] : 0;
}

// Returns the number of channels that have the bits of the first. Returns 0 if the other channels
// are not all empty, or do not come last.
static unsigned count_channels(const struct tn_rt_channels *c) {
    unsigned count = 0;
    while (count < 4 && c->bits[count] != 0 && c->bits[count] == c->bits[0]) count++;
    for (unsigned i = count; i < 4; i++)
        if (c->bits[i] != 0) return 0;
    return count;
}

tn_rt_error tn_rt_channels_read(const void *desc, struct tn_rt_shape *shape) {
    struct tn_rt_channels own;
    TN_RT_TRY(tn_rt_check_pointer(desc, "desc"));
    memcpy(&own, desc, sizeof own);
    shape->format = format_of(own.kind, own.bits[0]);
    shape->channels = count_channels(&own);
    TN_RT_REFUSE(tn_rt_element_bytes(shape->format, shape->channels) == 0, TN_RT_INVALID_VALUE,
                 "channels of %d, %d, %d and %d bits of kind %u are not an element", own.bits[0],
                 own.bits[1], own.bits[2], own.bits[3], own.kind);
    return TN_RT_OK;
}

static unsigned channel_kind(unsigned format) {
    for (unsigned kind = 0; kind < TN_RT_CHANNEL_NONE; kind++) {
        for (int width = 0; width < 3; width++)
            if (formats[kind][width] == (unsigned char)format) return kind;
    }
    return TN_RT_CHANNEL_NONE;
}

void tn_rt_channels_write(void *desc, const struct tn_rt_shape *shape) {
    int bits = (int)tn_rt_channel_bytes(shape->format) * 8;
    unsigned count = shape->channels;
    const struct tn_rt_channels own = {
        {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0},
        channel_kind(shape->format)};
    memcpy(desc, &own, sizeof own);
}
