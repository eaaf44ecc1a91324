/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/vectors.h - short vectors as plain structs with members x, y, z, w, and a function make_T()
 * for each. Vectors of two are aligned to their size, vectors of three to their element. See the
 * vendor's header.
 */
#ifndef KERNEL_VECTORS_H
#define KERNEL_VECTORS_H

#define KERNEL_VECTOR_1_(type, name)                                                               \
    typedef struct name {                                                                          \
        type x;                                                                                    \
    } name;                                                                                        \
    static inline name make_##name(type x) {                                                       \
        name v = {x};                                                                              \
        return v;                                                                                  \
    }
#define KERNEL_VECTOR_2_(type, name)                                                               \
    typedef struct __attribute__((aligned(2 * sizeof(type)))) name {                               \
        type x, y;                                                                                 \
    } name;                                                                                        \
    static inline name make_##name(type x, type y) {                                               \
        name v = {x, y};                                                                           \
        return v;                                                                                  \
    }
#define KERNEL_VECTOR_3_(type, name)                                                               \
    typedef struct name {                                                                          \
        type x, y, z;                                                                              \
    } name;                                                                                        \
    static inline name make_##name(type x, type y, type z) {                                       \
        name v = {x, y, z};                                                                        \
        return v;                                                                                  \
    }
#define KERNEL_VECTOR_4_(type, name, alignment)                                                    \
    typedef struct __attribute__((aligned(alignment))) name {                                      \
        type x, y, z, w;                                                                           \
    } name;                                                                                        \
    static inline name make_##name(type x, type y, type z, type w) {                               \
        name v = {x, y, z, w};                                                                     \
        return v;                                                                                  \
    }
#define KERNEL_VECTORS_(type, name, alignment)                                                     \
    KERNEL_VECTOR_1_(type, name##1)                                                                \
    KERNEL_VECTOR_2_(type, name##2)                                                                \
    KERNEL_VECTOR_3_(type, name##3)                                                                \
    KERNEL_VECTOR_4_(type, name##4, alignment)

/* The vectors of each type, char1 to double4: their type, and their name without the number. */
#define KERNEL_EACH_VECTOR_(X)                                                                     \
    X(signed char, char)                                                                           \
    X(unsigned char, uchar)                                                                        \
    X(short, short)                                                                                \
    X(unsigned short, ushort)                                                                      \
    X(int, int)                                                                                    \
    X(unsigned int, uint)                                                                          \
    X(long, long)                                                                                  \
    X(unsigned long, ulong)                                                                        \
    X(long long, longlong)                                                                         \
    X(unsigned long long, ulonglong)                                                               \
    X(float, float)                                                                                \
    X(double, double)

#endif
