/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/channel_descriptor.h - in C++, the channels of an array's element by its type:
 * hipCreateChannelDesc<float4>(). For C there is hipCreateChannelDesc() with numbers.
 */
#ifndef HIP_CHANNEL_DESCRIPTOR_H
#define HIP_CHANNEL_DESCRIPTOR_H

#include <hip/driver_types.h>
#include <hip/hip_vector_types.h>

#ifdef __cplusplus

namespace hip_impl {

constexpr hipChannelFormatDesc channels(int count, int bits, hipChannelFormatKind kind) {
    return hipChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                count > 3 ? bits : 0, kind};
}

} // namespace hip_impl

/* All other types have no channels. */
template <typename T> inline hipChannelFormatDesc hipCreateChannelDesc() {
    return hip_impl::channels(1, 0, hipChannelFormatKindNone);
}

#define HIP_CHANNELS_(type, count, element, kind)                                                  \
    template <> inline hipChannelFormatDesc hipCreateChannelDesc<type>() {                         \
        return hip_impl::channels(count, 8 * static_cast<int>(sizeof(element)), kind);             \
    }
#define HIP_CHANNELS_OF_VECTORS_(name, element, kind)                                              \
    HIP_CHANNELS_(element, 1, element, kind)                                                       \
    HIP_CHANNELS_(name##1, 1, element, kind)                                                       \
    HIP_CHANNELS_(name##2, 2, element, kind)                                                       \
    HIP_CHANNELS_(name##4, 4, element, kind)

HIP_CHANNELS_(char, 1, char, hipChannelFormatKindSigned)
HIP_CHANNELS_OF_VECTORS_(char, signed char, hipChannelFormatKindSigned)
HIP_CHANNELS_OF_VECTORS_(uchar, unsigned char, hipChannelFormatKindUnsigned)
HIP_CHANNELS_OF_VECTORS_(short, short, hipChannelFormatKindSigned)
HIP_CHANNELS_OF_VECTORS_(ushort, unsigned short, hipChannelFormatKindUnsigned)
HIP_CHANNELS_OF_VECTORS_(int, int, hipChannelFormatKindSigned)
HIP_CHANNELS_OF_VECTORS_(uint, unsigned int, hipChannelFormatKindUnsigned)
HIP_CHANNELS_OF_VECTORS_(float, float, hipChannelFormatKindFloat)

#undef HIP_CHANNELS_OF_VECTORS_
#undef HIP_CHANNELS_

#endif
#endif
