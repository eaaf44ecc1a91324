/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/math_functions.h - arithmetic of one thread that kernels compiled for the host may
 * call, in C++, beside that of <math.h>. The CPU may call it too. Functions that are fast and less
 * exact on a GPU are as exact as the others here; those for a rounding mode other than the nearest
 * number do not exist. See the vendor's runtime header.
 */
#ifndef KERNEL_MATH_FUNCTIONS_H
#define KERNEL_MATH_FUNCTIONS_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <assert.h>
#include <math.h>

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

inline float fdividef(float x, float y) { return x / y; }

/* ---- functions that C does not have. They are templates, so that those of a newer C library come
 * first. The forms for float compute in double. */

namespace kernel_impl {

constexpr double pi = 3.14159265358979323846, root_of_2 = 1.41421356237309504880;

/* The sine of pi * x, for x from -1 to 1; exact where it is 0. */
inline double sine_of_turn(double x) {
    return std::sin(pi * (std::fabs(x) > 0.5 ? std::copysign(1, x) - x : x));
}

/* The derivative of erf(). */
inline double slope_of_erf(double x) { return 1.12837916709551257390 * std::exp(-x * x); }

/* The terms of a Bessel function: all have one sign. */
inline double bessel_i(double x, double first, double order) {
    double term = first, sum = first;
    for (double k = 1; term > sum * 1e-17 && sum < HUGE_VAL; k++)
        sum += term *= x * x / 4 / (k * (k + order));
    return sum;
}

/* The inverse of erfc(), between 0 and 1: a first guess, and Halley's method. */
inline double inverse_of_erfc(double y) {
    if (y <= 0) return y < 0 ? NAN : HUGE_VAL;
    const double t = std::sqrt(-2 * std::log(y / 2));
    double x = (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) / root_of_2;
    for (int i = 0; i < 3; i++) {
        const double error = std::erfc(x) - y;
        x += error / (slope_of_erf(x) - x * error);
    }
    return x;
}

inline double inverse_of_erf(double x) {
    const double size = std::fabs(x);
    if (!(size < 1)) return size > 1 || std::isnan(x) ? NAN : x * HUGE_VAL;
    double y = size < 0.01 ? size / slope_of_erf(0) : inverse_of_erfc(1 - size);
    for (int i = 0; size < 0.5 && i < 2; i++) y -= (std::erf(y) - size) / slope_of_erf(y);
    return std::copysign(y, x);
}

/* exp(x * x) * erfc(x), for large x by a continued fraction. The square of the high part is exact. */
inline double scaled_erfc(double x) {
    const double high = static_cast<float>(x);
    if (!(x > 20)) return std::exp(high * high) * std::exp((x - high) * (x + high)) * std::erfc(x);
    double rest = 0;
    for (int k = 16; k > 0; k--) rest = k / 2.0 / (x + rest);
    return 1 / ((x + rest) * std::sqrt(pi));
}

} // namespace kernel_impl

#define KERNEL_MATH_1_(name, result)                                                               \
    template <typename = void> double name(double x) { return result; }                            \
    template <typename = void> float name##f(float x) {                                            \
        return static_cast<float>(name(static_cast<double>(x)));                                   \
    }
KERNEL_MATH_1_(sinpi, kernel_impl::sine_of_turn(std::remainder(x, 2)))
KERNEL_MATH_1_(cospi, kernel_impl::sine_of_turn(0.5 - std::fabs(std::remainder(x, 2))))
KERNEL_MATH_1_(rcbrt, 1 / std::cbrt(x))
KERNEL_MATH_1_(erfcinv, std::fabs(1 - x) < 0.5 ? kernel_impl::inverse_of_erf(1 - x)
                        : x > 1                ? -kernel_impl::inverse_of_erfc(2 - x)
                                               : kernel_impl::inverse_of_erfc(x))
KERNEL_MATH_1_(erfinv, kernel_impl::inverse_of_erf(x))
KERNEL_MATH_1_(erfcx, kernel_impl::scaled_erfc(x))
KERNEL_MATH_1_(normcdf, std::erfc(-x / kernel_impl::root_of_2) / 2)
KERNEL_MATH_1_(normcdfinv, -kernel_impl::root_of_2 *erfcinv(2 * x))
KERNEL_MATH_1_(cyl_bessel_i0, kernel_impl::bessel_i(x, 1, 0))
KERNEL_MATH_1_(cyl_bessel_i1, std::copysign(kernel_impl::bessel_i(x, std::fabs(x) / 2, 1), x))
#undef KERNEL_MATH_1_

#define KERNEL_NORMS_(type, f)                                                                     \
    inline void sincospi##f(type x, type *sine, type *cosine) {                                    \
        *sine = sinpi##f(x);                                                                       \
        *cosine = cospi##f(x);                                                                     \
    }                                                                                              \
    inline type norm##f(int count, const type *x) {                                                \
        type sum = 0;                                                                              \
        for (int i = 0; i < count; i++) sum = std::hypot(sum, x[i]);                               \
        return sum;                                                                                \
    }                                                                                              \
    inline type norm3d##f(type x, type y, type z) { return std::hypot(std::hypot(x, y), z); }      \
    inline type norm4d##f(type x, type y, type z, type w) {                                        \
        return std::hypot(std::hypot(x, y), std::hypot(z, w));                                     \
    }                                                                                              \
    inline type rhypot##f(type x, type y) { return 1 / std::hypot(x, y); }                         \
    inline type rnorm##f(int count, const type *x) { return 1 / norm##f(count, x); }               \
    inline type rnorm3d##f(type x, type y, type z) { return 1 / norm3d##f(x, y, z); }              \
    inline type rnorm4d##f(type x, type y, type z, type w) { return 1 / norm4d##f(x, y, z, w); }
KERNEL_NORMS_(double, )
KERNEL_NORMS_(float, f)
#undef KERNEL_NORMS_

/* ---- conversions: to the nearest, towards zero, down and up */

#define KERNEL_CONVERSION_(type, name, from)                                                       \
    inline type __##name##_rn(from x) { return static_cast<type>(std::rint(x)); }                  \
    inline type __##name##_rz(from x) { return static_cast<type>(x); }                             \
    inline type __##name##_rd(from x) { return static_cast<type>(std::floor(x)); }                 \
    inline type __##name##_ru(from x) { return static_cast<type>(std::ceil(x)); }
KERNEL_CONVERSION_(int, float2int, float)
KERNEL_CONVERSION_(unsigned, float2uint, float)
KERNEL_CONVERSION_(long long, float2ll, float)
KERNEL_CONVERSION_(unsigned long long, float2ull, float)
KERNEL_CONVERSION_(int, double2int, double)
KERNEL_CONVERSION_(unsigned, double2uint, double)
KERNEL_CONVERSION_(long long, double2ll, double)
KERNEL_CONVERSION_(unsigned long long, double2ull, double)
#undef KERNEL_CONVERSION_
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
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

/* The same, by 32 at most. */
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift < 32 ? __funnelshift_l(low, high, shift) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift < 32 ? __funnelshift_r(low, high, shift) : high;
}

/* ---- ends of a kernel */

/* Ends the kernel: LaunchFailure. */
[[noreturn]] inline void __trap() { __builtin_trap(); }
inline void __brkpt() { __builtin_trap(); }

/* Compilers of the host that do not know it need no promise. */
#ifndef __clang__
#define __builtin_assume(condition) ((void)sizeof(condition))
#endif

#endif
#endif
