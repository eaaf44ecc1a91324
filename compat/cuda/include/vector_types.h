/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector_types.h - short vectors, char1 to double4, as plain structs with members x, y, z, w, a
 * function make_T() for each, and dim3. Vectors of two and four are aligned to their size, but to
 * 16 at most; vectors of three to their element. The names that end with _16a and _32a state the
 * alignment of large ones.
 */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#define CUDA_VECTOR_1_(type, name)                                                                 \
    typedef struct name {                                                                          \
        type x;                                                                                    \
    } name;                                                                                        \
    static inline name make_##name(type x) {                                                       \
        name v = {x};                                                                              \
        return v;                                                                                  \
    }
#define CUDA_VECTOR_2_(type, name)                                                                 \
    typedef struct __attribute__((aligned(2 * sizeof(type)))) name {                               \
        type x, y;                                                                                 \
    } name;                                                                                        \
    static inline name make_##name(type x, type y) {                                               \
        name v = {x, y};                                                                           \
        return v;                                                                                  \
    }
#define CUDA_VECTOR_3_(type, name)                                                                 \
    typedef struct name {                                                                          \
        type x, y, z;                                                                              \
    } name;                                                                                        \
    static inline name make_##name(type x, type y, type z) {                                       \
        name v = {x, y, z};                                                                        \
        return v;                                                                                  \
    }
#define CUDA_VECTOR_4_(type, name, alignment)                                                      \
    typedef struct __attribute__((aligned(alignment))) name {                                      \
        type x, y, z, w;                                                                           \
    } name;                                                                                        \
    static inline name make_##name(type x, type y, type z, type w) {                               \
        name v = {x, y, z, w};                                                                     \
        return v;                                                                                  \
    }
#define CUDA_VECTORS_(type, name, alignment)                                                       \
    CUDA_VECTOR_1_(type, name##1)                                                                  \
    CUDA_VECTOR_2_(type, name##2)                                                                  \
    CUDA_VECTOR_3_(type, name##3)                                                                  \
    CUDA_VECTOR_4_(type, name##4, alignment)
#define CUDA_LARGE_VECTORS_(type, name)                                                            \
    CUDA_VECTORS_(type, name, 16)                                                                  \
    CUDA_VECTOR_4_(type, name##4_16a, 16)                                                          \
    CUDA_VECTOR_4_(type, name##4_32a, 32)

CUDA_VECTORS_(signed char, char, 4)
CUDA_VECTORS_(unsigned char, uchar, 4)
CUDA_VECTORS_(short, short, 8)
CUDA_VECTORS_(unsigned short, ushort, 8)
CUDA_VECTORS_(int, int, 16)
CUDA_VECTORS_(unsigned, uint, 16)
CUDA_VECTORS_(float, float, 16)
CUDA_LARGE_VECTORS_(long, long)
CUDA_LARGE_VECTORS_(unsigned long, ulong)
CUDA_LARGE_VECTORS_(long long, longlong)
CUDA_LARGE_VECTORS_(unsigned long long, ulonglong)
CUDA_LARGE_VECTORS_(double, double)

#undef CUDA_VECTOR_1_
#undef CUDA_VECTOR_2_
#undef CUDA_VECTOR_3_
#undef CUDA_VECTOR_4_
#undef CUDA_VECTORS_
#undef CUDA_LARGE_VECTORS_

/* Extents of a grid or block; in C++ missing members are 1. */
typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#endif
