/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_vector_types.h - short vectors, char1 to double4, as plain structs with members x, y, z,
 * w, and a function make_T() for each. Sizes and alignments are HIP's: vectors of two and four are
 * aligned to their size, vectors of three to their element.
 */
#ifndef HIP_HIP_VECTOR_TYPES_H
#define HIP_HIP_VECTOR_TYPES_H

#define HIP_VECTOR_OF_(type, name)                                                                 \
    typedef struct name##1 {                                                                       \
        type x;                                                                                    \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct __attribute__((aligned(2 * sizeof(type)))) name##2 {                            \
        type x;                                                                                    \
        type y;                                                                                    \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3 {                                                                       \
        type x;                                                                                    \
        type y;                                                                                    \
        type z;                                                                                    \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct __attribute__((aligned(4 * sizeof(type)))) name##4 {                            \
        type x;                                                                                    \
        type y;                                                                                    \
        type z;                                                                                    \
        type w;                                                                                    \
    }                                                                                              \
    name##4;                                                                                       \
    static inline name##1 make_##name##1(type x) {                                                 \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##2 make_##name##2(type x, type y) {                                         \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##3 make_##name##3(type x, type y, type z) {                                 \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##4 make_##name##4(type x, type y, type z, type w) {                         \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

HIP_VECTOR_OF_(signed char, char)
HIP_VECTOR_OF_(unsigned char, uchar)
HIP_VECTOR_OF_(short, short)
HIP_VECTOR_OF_(unsigned short, ushort)
HIP_VECTOR_OF_(int, int)
HIP_VECTOR_OF_(unsigned int, uint)
HIP_VECTOR_OF_(long, long)
HIP_VECTOR_OF_(unsigned long, ulong)
HIP_VECTOR_OF_(long long, longlong)
HIP_VECTOR_OF_(unsigned long long, ulonglong)
HIP_VECTOR_OF_(float, float)
HIP_VECTOR_OF_(double, double)

#undef HIP_VECTOR_OF_

#endif
