/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/math_functions.h - arithmetic of one thread that kernels compiled for the host may
 * call, in C++, beside that of <cmath>. The CPU may call it too. Functions that are fast and less
 * exact on a GPU are as exact as the others here; those for a rounding mode other than the nearest
 * number do not exist. See the vendor's runtime header.
 */
#ifndef KERNEL_MATH_FUNCTIONS_H
#define KERNEL_MATH_FUNCTIONS_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <cmath>

/* ---- floating point */

#define KERNEL_FAST_(name, function)                                                               \
    inline float name(float x) { return function(x); }
KERNEL_FAST_(__sinf, std::sin)
KERNEL_FAST_(__cosf, std::cos)
KERNEL_FAST_(__tanf, std::tan)
KERNEL_FAST_(__expf, std::exp)
KERNEL_FAST_(__logf, std::log)
KERNEL_FAST_(__log2f, std::log2)
KERNEL_FAST_(__log10f, std::log10)
KERNEL_FAST_(__fsqrt_rn, std::sqrt)
KERNEL_FAST_(__frcp_rn, 1.0f /)
KERNEL_FAST_(rsqrtf, 1.0f / std::sqrt)
KERNEL_FAST_(__frsqrt_rn, 1.0f / std::sqrt)
#undef KERNEL_FAST_

inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __exp10f(float x) { return std::pow(10.0f, x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline void __sincosf(float x, float *sine, float *cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
}

/* Between 0 and 1; 0 for what is no number. */
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

#define KERNEL_OPERATION_(type, letter, name, operation)                                           \
    inline type __##letter##name##_rn(type x, type y) { return x operation y; }
KERNEL_OPERATION_(float, f, add, +)
KERNEL_OPERATION_(float, f, sub, -)
KERNEL_OPERATION_(float, f, mul, *)
KERNEL_OPERATION_(float, f, div, /)
KERNEL_OPERATION_(double, d, add, +)
KERNEL_OPERATION_(double, d, sub, -)
KERNEL_OPERATION_(double, d, mul, *)
KERNEL_OPERATION_(double, d, div, /)
#undef KERNEL_OPERATION_
inline float __fdividef(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline double __drcp_rn(double x) { return 1.0 / x; }

/* ---- conversions: to the nearest, towards zero, down and up */

#define KERNEL_CONVERSION_(type, name, from)                                                       \
    inline type __##name##_rn(from x) { return static_cast<type>(std::rint(x)); }                  \
    inline type __##name##_rz(from x) { return static_cast<type>(x); }                             \
    inline type __##name##_rd(from x) { return static_cast<type>(std::floor(x)); }                 \
    inline type __##name##_ru(from x) { return static_cast<type>(std::ceil(x)); }
KERNEL_CONVERSION_(int, float2int, float)
KERNEL_CONVERSION_(unsigned, float2uint, float)
KERNEL_CONVERSION_(long long, float2ll, float)
KERNEL_CONVERSION_(int, double2int, double)
KERNEL_CONVERSION_(unsigned, double2uint, double)
KERNEL_CONVERSION_(long long, double2ll, double)
#undef KERNEL_CONVERSION_
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

/* ---- integers */

/* The product of the low 24 bits, with their sign. */
inline unsigned kernel_low_24_(int x) {
    return ((static_cast<unsigned>(x) & 0xffffff) ^ 0x800000) - 0x800000;
}
inline int __mul24(int x, int y) { return static_cast<int>(kernel_low_24_(x) * kernel_low_24_(y)); }
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }

/* The high half of a product of 64 bits. */
__extension__ typedef __int128 kernel_wide_;
inline long long __mul64hi(long long x, long long y) {
    return static_cast<long long>(static_cast<kernel_wide_>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ typedef unsigned __int128 wide;
    return static_cast<unsigned long long>(static_cast<wide>(x) * y >> 64);
}

/* Half of the sum, rounded down; the same rounded up; and the sum of a difference. */
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
inline unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned __sad(int x, int y, unsigned z) {
    const long long difference = static_cast<long long>(x) - y;
    return z + static_cast<unsigned>(difference < 0 ? -difference : difference);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }

/* Four of eight bytes, by the low three bits of each half byte of the selector. */
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

/* 32 bits of high:low, shifted left or right by 0 to 31. */
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}

/* ---- ends of a kernel */

/* Ends the kernel: LaunchFailure. */
[[noreturn]] inline void __trap() { __builtin_trap(); }

#endif
#endif
