/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/simd_functions.h - arithmetic of the bytes and half words in an int, and loads and stores with
 * hints for caches, in C++, for kernels compiled for the host. The hints have no effect. The CPU may
 * call these functions too. See the vendor's runtime header.
 */
#ifndef KERNEL_SIMD_FUNCTIONS_H
#define KERNEL_SIMD_FUNCTIONS_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <limits>
#include <type_traits>

/* ---- hints */

#define KERNEL_LOAD_(name)                                                                         \
    template <typename T> T name(const T *address) { return *address; }
#define KERNEL_STORE_(name)                                                                        \
    template <typename T> void name(T *address, typename std::common_type<T>::type value) {        \
        *address = value;                                                                          \
    }
KERNEL_LOAD_(__ldg)
KERNEL_LOAD_(__ldca)
KERNEL_LOAD_(__ldcg)
KERNEL_LOAD_(__ldcs)
KERNEL_LOAD_(__ldcv)
KERNEL_LOAD_(__ldlu)
KERNEL_STORE_(__stwb)
KERNEL_STORE_(__stcg)
KERNEL_STORE_(__stcs)
KERNEL_STORE_(__stwt)
#undef KERNEL_LOAD_
#undef KERNEL_STORE_

/* ---- parts of an int */

namespace kernel_impl {

/* Calls each(x, y, at) for the parts of two ints, from the lowest on, which begin at bit `at`. */
template <typename Part, typename Each> void each_part(unsigned a, unsigned b, const Each &each) {
    for (unsigned at = 0; at < 32; at += 8 * sizeof(Part))
        each(static_cast<Part>(a >> at), static_cast<Part>(b >> at), at);
}

template <typename Part> int within(int value) {
    using limits = std::numeric_limits<Part>;
    return value < limits::min() ? limits::min() : value > limits::max() ? limits::max() : value;
}

inline int absolute(int value) { return value < 0 ? -value : value; }

} // namespace kernel_impl

/* __vNAME2() of half words and __vNAME4() of bytes; `x` and `y` are the parts of both arguments, of
 * type `part`. */
#define KERNEL_PART_(name, type, result)                                                           \
    inline unsigned name(unsigned a, unsigned b) {                                                 \
        using part = type;                                                                         \
        unsigned all = 0;                                                                          \
        kernel_impl::each_part<part>(a, b, [&all](int x, int y, unsigned at) {                     \
            all |= (static_cast<unsigned>(result) & ~0u >> (32 - 8 * sizeof(part))) << at;         \
        });                                                                                        \
        return all;                                                                                \
    }
#define KERNEL_SIGNED_(name, result)                                                               \
    KERNEL_PART_(__v##name##2, short, result)                                                      \
    KERNEL_PART_(__v##name##4, signed char, result)
#define KERNEL_UNSIGNED_(name, result)                                                             \
    KERNEL_PART_(__v##name##2, unsigned short, result)                                             \
    KERNEL_PART_(__v##name##4, unsigned char, result)
/* A function of one argument. */
#define KERNEL_SINGLE_(name, result)                                                               \
    KERNEL_SIGNED_(name##_, ((void)y, result))                                                     \
    inline unsigned __v##name##2(unsigned a) { return __v##name##_2(a, a); }                       \
    inline unsigned __v##name##4(unsigned a) { return __v##name##_4(a, a); }
/* A comparison: a mask of the parts for which it holds, or 1 in them. */
#define KERNEL_COMPARE_(kind, name, operation)                                                     \
    KERNEL_##kind##_(cmp##name, x operation y ? -1 : 0)                                            \
        KERNEL_##kind##_(set##name, x operation y ? 1 : 0)

KERNEL_UNSIGNED_(add, x + y)
KERNEL_UNSIGNED_(addus, kernel_impl::within<part>(x + y))
KERNEL_SIGNED_(addss, kernel_impl::within<part>(x + y))
KERNEL_UNSIGNED_(sub, x - y)
KERNEL_UNSIGNED_(subus, kernel_impl::within<part>(x - y))
KERNEL_SIGNED_(subss, kernel_impl::within<part>(x - y))
KERNEL_SIGNED_(absdiffs, kernel_impl::absolute(x - y))
KERNEL_UNSIGNED_(absdiffu, kernel_impl::absolute(x - y))
KERNEL_SIGNED_(avgs, (x + y + (x + y >= 0)) >> 1)
KERNEL_UNSIGNED_(avgu, (x + y + 1) >> 1)
KERNEL_UNSIGNED_(haddu, (x + y) >> 1)
KERNEL_SIGNED_(maxs, x < y ? y : x)
KERNEL_UNSIGNED_(maxu, x < y ? y : x)
KERNEL_SIGNED_(mins, y < x ? y : x)
KERNEL_UNSIGNED_(minu, y < x ? y : x)
KERNEL_SINGLE_(abs, kernel_impl::absolute(x))
KERNEL_SINGLE_(absss, kernel_impl::within<part>(kernel_impl::absolute(x)))
KERNEL_SINGLE_(neg, -x)
KERNEL_SINGLE_(negss, kernel_impl::within<part>(-x))
KERNEL_COMPARE_(UNSIGNED, eq, ==)
KERNEL_COMPARE_(UNSIGNED, ne, !=)
KERNEL_COMPARE_(SIGNED, ges, >=)
KERNEL_COMPARE_(UNSIGNED, geu, >=)
KERNEL_COMPARE_(SIGNED, gts, >)
KERNEL_COMPARE_(UNSIGNED, gtu, >)
KERNEL_COMPARE_(SIGNED, les, <=)
KERNEL_COMPARE_(UNSIGNED, leu, <=)
KERNEL_COMPARE_(SIGNED, lts, <)
KERNEL_COMPARE_(UNSIGNED, ltu, <)
#undef KERNEL_PART_
#undef KERNEL_SIGNED_
#undef KERNEL_UNSIGNED_
#undef KERNEL_SINGLE_
#undef KERNEL_COMPARE_

/* Sums over the parts, added to `c`: of absolute differences, and of products. The products of
 * __dp2a_lo() are those of the two half words of `a` and the two low bytes of `b`. */
#define KERNEL_SUM_(name, type, c_type, step)                                                      \
    inline c_type name(c_type a, c_type b, c_type c) {                                             \
        kernel_impl::each_part<type>(static_cast<unsigned>(a), static_cast<unsigned>(b),           \
                                     [&c, b](int x, int y, unsigned at) {                          \
                                         (void)b, (void)y, (void)at;                               \
                                         c += static_cast<c_type>(step);                           \
                                     });                                                           \
        return c;                                                                                  \
    }
#define KERNEL_DIFFERENCES_(name, type)                                                            \
    KERNEL_SUM_(name##_, type, unsigned, kernel_impl::absolute(x - y))                             \
    inline unsigned name(unsigned a, unsigned b) { return name##_(a, b, 0); }
KERNEL_DIFFERENCES_(__vsads2, short)
KERNEL_DIFFERENCES_(__vsadu2, unsigned short)
KERNEL_DIFFERENCES_(__vsads4, signed char)
KERNEL_DIFFERENCES_(__vsadu4, unsigned char)
KERNEL_SUM_(__dp4a, signed char, int, x *y)
KERNEL_SUM_(__dp4a, unsigned char, unsigned, x *y)
KERNEL_SUM_(__dp2a_lo, short, int, x *static_cast<signed char>(b >> at / 2))
KERNEL_SUM_(__dp2a_lo, unsigned short, unsigned,
            static_cast<unsigned>(x) * static_cast<unsigned char>(b >> at / 2))
KERNEL_SUM_(__dp2a_hi, short, int, x *static_cast<signed char>(b >> (16 + at / 2)))
KERNEL_SUM_(__dp2a_hi, unsigned short, unsigned,
            static_cast<unsigned>(x) * static_cast<unsigned char>(b >> (16 + at / 2)))
#undef KERNEL_SUM_
#undef KERNEL_DIFFERENCES_

inline int __dp4a(char4 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

#endif
#endif
