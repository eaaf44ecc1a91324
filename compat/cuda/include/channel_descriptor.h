/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channel_descriptor.h - in C++, the channels of an array's element by its type:
 * cudaCreateChannelDesc<float4>(). For C there is cudaCreateChannelDesc() with numbers.
 */
#ifndef CHANNEL_DESCRIPTOR_H
#define CHANNEL_DESCRIPTOR_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus

/* All other types have no channels. */
template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define CUDA_CHANNELS_(type, count, kind)                                                          \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                       \
        const int bits = 8 * static_cast<int>(sizeof(type)) / count;                               \
        return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0,             \
                                     count > 2 ? bits : 0, kind);                                  \
    }
#define CUDA_CHANNELS_OF_(element, name, kind)                                                     \
    CUDA_CHANNELS_(element, 1, kind)                                                               \
    CUDA_CHANNELS_(name##1, 1, kind)                                                               \
    CUDA_CHANNELS_(name##2, 2, kind)                                                               \
    CUDA_CHANNELS_(name##4, 4, kind)

CUDA_CHANNELS_(char, 1, cudaChannelFormatKindSigned)
CUDA_CHANNELS_OF_(signed char, char, cudaChannelFormatKindSigned)
CUDA_CHANNELS_OF_(unsigned char, uchar, cudaChannelFormatKindUnsigned)
CUDA_CHANNELS_OF_(short, short, cudaChannelFormatKindSigned)
CUDA_CHANNELS_OF_(unsigned short, ushort, cudaChannelFormatKindUnsigned)
CUDA_CHANNELS_OF_(int, int, cudaChannelFormatKindSigned)
CUDA_CHANNELS_OF_(unsigned, uint, cudaChannelFormatKindUnsigned)
CUDA_CHANNELS_OF_(float, float, cudaChannelFormatKindFloat)

#undef CUDA_CHANNELS_OF_
#undef CUDA_CHANNELS_

#endif
#endif
