/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector_types.h - short vectors, char1 to double4, as plain structs with members x, y, z, w, a
 * function make_T() for each, and dim3. Vectors of two and four are aligned to their size, but to
 * 16 at most; vectors of three to their element. The names that end with _16a and _32a state the
 * alignment of large ones.
 */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#include <kernel/vectors.h>

#define CUDA_VECTORS_(type, name)                                                                  \
    KERNEL_VECTORS_(type, name, sizeof(type) < 4 ? 4 * sizeof(type) : 16)
#define CUDA_LARGE_VECTORS_(type, name)                                                            \
    KERNEL_VECTOR_4_(type, name##4_16a, 16)                                                        \
    KERNEL_VECTOR_4_(type, name##4_32a, 32)

KERNEL_EACH_VECTOR_(CUDA_VECTORS_)
CUDA_LARGE_VECTORS_(long, long)
CUDA_LARGE_VECTORS_(unsigned long, ulong)
CUDA_LARGE_VECTORS_(long long, longlong)
CUDA_LARGE_VECTORS_(unsigned long long, ulonglong)
CUDA_LARGE_VECTORS_(double, double)

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
