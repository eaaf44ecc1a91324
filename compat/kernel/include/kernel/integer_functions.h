/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/integer_functions.h - functions of one thread that kernels compiled for the host may
 * call, in C++: bits, high halves of products, the larger and the smaller number, and time. The CPU
 * may call them too. See the vendor's runtime header.
 */
#ifndef KERNEL_INTEGER_FUNCTIONS_H
#define KERNEL_INTEGER_FUNCTIONS_H

#include <kernel/atomic_functions.h>
#include <kernel/number_formats.h>
#include <kernel/simd_functions.h>

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <time.h>

/* ---- bits */

/* The position of the lowest bit that is 1, counted from 1; 0 for 0. */
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffs(unsigned value) { return __builtin_ffs(static_cast<int>(value)); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
inline int __ffsll(unsigned long long value) {
    return __builtin_ffsll(static_cast<long long>(value));
}

/* The number of bits that are 1. */
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }

/* The number of highest bits that are 0. */
inline int __clz(int value) {
    return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
    return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}

/* The bits in reverse order. */
inline unsigned __brev(unsigned value) {
    unsigned reverse = 0;
    for (int i = 0; i < 32; i++, value >>= 1) reverse = reverse << 1 | (value & 1u);
    return reverse;
}
inline unsigned long long __brevll(unsigned long long value) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(value))) << 32 |
           __brev(static_cast<unsigned>(value >> 32));
}

/* The same bits as another type. */
inline int __float_as_int(float value) { return kernel_impl::bits_of<int>(value); }
inline unsigned __float_as_uint(float value) { return kernel_impl::bits_of<unsigned>(value); }
inline float __int_as_float(int value) { return kernel_impl::bits_of<float>(value); }
inline float __uint_as_float(unsigned value) { return kernel_impl::bits_of<float>(value); }
inline long long __double_as_longlong(double value) {
    return kernel_impl::bits_of<long long>(value);
}
inline double __longlong_as_double(long long value) { return kernel_impl::bits_of<double>(value); }
inline int __double2hiint(double value) {
    return static_cast<int>(kernel_impl::bits_of<long long>(value) >> 32);
}
inline int __double2loint(double value) {
    return static_cast<int>(kernel_impl::bits_of<long long>(value));
}
inline double __hiloint2double(int high, int low) {
    return kernel_impl::bits_of<double>(static_cast<unsigned long long>(static_cast<unsigned>(high))
                                            << 32 |
                                        static_cast<unsigned>(low));
}

/* ---- products */

/* The high half of a product. */
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

/* ---- the larger and the smaller of two numbers */

#define KERNEL_LARGER_AND_SMALLER_(type)                                                           \
    inline type max(type a, type b) { return a < b ? b : a; }                                      \
    inline type min(type a, type b) { return b < a ? b : a; }
KERNEL_LARGER_AND_SMALLER_(int)
KERNEL_LARGER_AND_SMALLER_(unsigned)
KERNEL_LARGER_AND_SMALLER_(long)
KERNEL_LARGER_AND_SMALLER_(unsigned long)
KERNEL_LARGER_AND_SMALLER_(long long)
KERNEL_LARGER_AND_SMALLER_(unsigned long long)
#undef KERNEL_LARGER_AND_SMALLER_

/* A number that is no number counts as missing, as for fmax() and fmin(). */
inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
inline float min(float a, float b) { return __builtin_fminf(a, b); }
inline double max(double a, double b) { return __builtin_fmax(a, b); }
inline double min(double a, double b) { return __builtin_fmin(a, b); }

/* Of two types: as the type that both have in an expression. */
#define KERNEL_MIXED_(name)                                                                        \
    template <typename Left, typename Right,                                                       \
              typename = typename std::enable_if<std::is_arithmetic<Left>::value &&                \
                                                 std::is_arithmetic<Right>::value &&               \
                                                 !std::is_same<Left, Right>::value>::type>         \
    auto name(Left a, Right b)->decltype(a + b) {                                                  \
        using common = decltype(a + b);                                                            \
        return name(static_cast<common>(a), static_cast<common>(b));                               \
    }
KERNEL_MIXED_(max)
KERNEL_MIXED_(min)
#undef KERNEL_MIXED_
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }

/* ---- time */

namespace kernel_impl {

/* A thread that waits for a time lets the others of its block wait for theirs. */
inline long long ticks(long long khz) {
    timespec now;
    let_others_run();
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * khz * 1000 + now.tv_nsec * khz / 1000000;
}

} // namespace kernel_impl

/* Time in units of the attribute WallClockRate of HIP, 100 MHz here, and in those of ClockRate. */
inline long long wall_clock64() { return kernel_impl::ticks(100000); }
inline long long clock64() { return kernel_impl::ticks(KERNEL_CLOCK_KHZ_); }

#endif
#endif
