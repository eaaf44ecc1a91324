/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/half_functions.h - numbers of 16 bits and pairs of them, in C++, for the headers of vendors
 * that name them: half precision (5 bits of exponent) and bfloat16 (8 bits). An operation is rounded
 * once, to the nearest number, as on a GPU; functions such as hexp() are as exact as those of float.
 * NaN is encoded as 0x7fff. Host code may call these functions too.
 */
#ifndef KERNEL_HALF_FUNCTIONS_H
#define KERNEL_HALF_FUNCTIONS_H

#ifdef __cplusplus

#include <cmath>

#include <kernel/number_formats.h>

namespace kernel_impl {

/* Products of half precision are exact in float, those of bfloat16 in double only. Programs leave out
 * conversions or operators by a macro, because they have their own. */
struct half_format : format_of<unsigned short, 10, 15, 0x7bff, 0x7c00, 0x7fff> {
    using wide = float;
#if defined(__CUDA_NO_HALF_CONVERSIONS__) || defined(__HIP_NO_HALF_CONVERSIONS__)
    using converts = std::false_type;
#else
    using converts = std::true_type;
#endif
#if !defined(__CUDA_NO_HALF_OPERATORS__) && !defined(__HIP_NO_HALF_OPERATORS__)
    template <typename T> using with_operators = T;
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__) && !defined(__HIP_NO_HALF_OPERATORS__)
    template <typename T> using with_pair_operators = T;
#endif
};
struct bfloat16_format : format_of<unsigned short, 7, 127, 0x7f7f, 0x7f80, 0x7fff> {
    using wide = double;
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
    using converts = std::false_type;
#else
    using converts = std::true_type;
#endif
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
    template <typename T> using with_operators = T;
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
    template <typename T> using with_pair_operators = T;
#endif
};

/* ---- the types */

template <typename Format> struct raw_number { typename Format::bits x; };
template <typename Format> struct raw_pair { typename Format::bits x, y; };

template <typename Number, typename Converts> struct conversions {
    operator float() const { return static_cast<const Number *>(this)->value(); }
};
template <typename Number> struct conversions<Number, std::false_type> {};

template <typename Format> struct number : conversions<number<Format>, typename Format::converts> {
    typename Format::bits __x;

    number() = default;
    number(const raw_number<Format> &raw) : __x(raw.x) {}
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value &&
                                                             Format::converts::value>::type>
    number(T value) : __x(encode<Format>(floating(value))) {}
    template <typename Other>
    explicit number(const number<Other> &other) : __x(encode<Format>(other.value())) {}
    operator raw_number<Format>() const { return {__x}; }

    static number of_bits(unsigned bits) {
        return raw_number<Format>{static_cast<typename Format::bits>(bits)};
    }
    template <typename T> static number of(T value, rounding mode = to_nearest) {
        return raw_number<Format>{encode<Format>(floating(value), mode)};
    }
    float value() const { return decode<Format>(__x); }
    typename Format::wide wide() const { return value(); }
    number operator+() const { return *this; }
    number operator-() const { return of_bits(__x ^ Format::sign); }
    number &operator+=(number b) { return *this = of(wide() + b.wide()); }
    number &operator-=(number b) { return *this = of(wide() - b.wide()); }
    number &operator*=(number b) { return *this = of(wide() * b.wide()); }
    number &operator/=(number b) { return *this = of(wide() / b.wide()); }
    number &operator++() { return *this = of(wide() + 1); }
    number &operator--() { return *this = of(wide() - 1); }
    number operator++(int) {
        const number before = *this;
        ++*this;
        return before;
    }
    number operator--(int) {
        const number before = *this;
        --*this;
        return before;
    }
};

template <typename Format> struct alignas(4) pair {
    number<Format> x, y;

    pair() = default;
    pair(const number<Format> &low, const number<Format> &high) : x(low), y(high) {}
    pair(const raw_pair<Format> &raw)
        : x(raw_number<Format>{raw.x}), y(raw_number<Format>{raw.y}) {}
    operator raw_pair<Format>() const { return {x.__x, y.__x}; }

    pair operator+() const { return *this; }
    pair operator-() const { return {-x, -y}; }
#define KERNEL_OF_PAIRS_(name, operation)                                                          \
    KERNEL_CALLED_ static pair name(pair a, pair b) {                                              \
        return {a.x operation b.x, a.y operation b.y};                                             \
    }                                                                                              \
    pair &operator operation(const pair &b) { return *this = name(*this, b); }
    KERNEL_OF_PAIRS_(sum, +=)
    KERNEL_OF_PAIRS_(difference, -=)
    KERNEL_OF_PAIRS_(product, *=)
    KERNEL_OF_PAIRS_(quotient, /=)
#undef KERNEL_OF_PAIRS_
    pair &operator++() { return ++x, ++y, *this; }
    pair &operator--() { return --x, --y, *this; }
};

/* Operators are templates, so that those of a program come first. */
#define KERNEL_ARITHMETIC_(operation)                                                              \
    template <typename Format>                                                                     \
    typename Format::template with_operators<number<Format>> operator operation(                   \
        number<Format> a, number<Format> b) {                                                      \
        return number<Format>::of(a.wide() operation b.wide());                                    \
    }                                                                                              \
    template <typename Format>                                                                     \
    typename Format::template with_pair_operators<pair<Format>> operator operation(                \
        pair<Format> a, pair<Format> b) {                                                          \
        return a operation## = b;                                                                  \
    }
#define KERNEL_COMPARISON_(operation)                                                              \
    template <typename Format>                                                                     \
    typename Format::template with_operators<bool> operator operation(number<Format> a,            \
                                                                      number<Format> b) {          \
        return a.value() operation b.value();                                                      \
    }                                                                                              \
    template <typename Format>                                                                     \
    typename Format::template with_pair_operators<bool> operator operation(pair<Format> a,         \
                                                                           pair<Format> b) {       \
        return a.x.value() operation b.x.value() && a.y.value() operation b.y.value();             \
    }
KERNEL_ARITHMETIC_(+)
KERNEL_ARITHMETIC_(-)
KERNEL_ARITHMETIC_(*)
KERNEL_ARITHMETIC_(/)
KERNEL_COMPARISON_(==)
KERNEL_COMPARISON_(!=)
KERNEL_COMPARISON_(<)
KERNEL_COMPARISON_(>)
KERNEL_COMPARISON_(<=)
KERNEL_COMPARISON_(>=)
#undef KERNEL_ARITHMETIC_
#undef KERNEL_COMPARISON_

/* A parameter that takes what converts to T. */
template <typename T> using taking = typename std::common_type<T>::type;

template <typename T> T within_one(T x) { return x > 0 ? (x < 1 ? x : T{1}) : T{0}; }
template <typename T> T larger(T x, T y) {
    return std::isnan(x) || y > x || (y == x && std::signbit(x)) ? y : x;
}
template <typename T> T smaller(T x, T y) {
    return std::isnan(x) || y < x || (y == x && std::signbit(y)) ? y : x;
}
template <typename T> T with_nan(T x, T y, T result) {
    return std::isunordered(x, y) ? std::numeric_limits<T>::quiet_NaN() : result;
}

/* x * y + z. What double cannot hold stays visible in its lowest bit, so that a second rounding is as
 * one. */
inline double multiply_add(double x, double y, double z) {
    const double product = x * y, sum = product + z, part = sum - product;
    const double error = (product - (sum - part)) + (z - part);
    const auto bits = bits_of<std::uint64_t>(sum);
    if (error == 0 || !std::isfinite(error) || (bits & 1) != 0) return sum;
    return bits_of<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

} // namespace kernel_impl

/* ---- functions of numbers, and of each number of pairs: `x`, `y` and `z` are their values */

#define KERNEL_OF_ONE_(name, pair_name, result)                                                    \
    template <typename F> KERNEL_CALLED_ kernel_impl::number<F> name(kernel_impl::number<F> a) {   \
        const auto x = a.wide();                                                                   \
        return kernel_impl::number<F>::of(result);                                                 \
    }                                                                                              \
    template <typename F> kernel_impl::pair<F> pair_name(kernel_impl::pair<F> a) {                 \
        return {name(a.x), name(a.y)};                                                             \
    }
#define KERNEL_OF_TWO_(name, pair_name, result)                                                    \
    template <typename F>                                                                          \
    kernel_impl::number<F> name(kernel_impl::number<F> a,                                          \
                                kernel_impl::taking<kernel_impl::number<F>> b) {                   \
        const auto x = a.wide(), y = b.wide();                                                     \
        return kernel_impl::number<F>::of(result);                                                 \
    }                                                                                              \
    template <typename F>                                                                          \
    KERNEL_CALLED_ kernel_impl::pair<F> pair_name(kernel_impl::pair<F> a,                          \
                                                  kernel_impl::taking<kernel_impl::pair<F>> b) {   \
        return {name(a.x, b.x), name(a.y, b.y)};                                                   \
    }
#define KERNEL_OF_THREE_(name, pair_name, result)                                                  \
    template <typename F>                                                                          \
    KERNEL_CALLED_ kernel_impl::number<F> name(kernel_impl::number<F> a,                           \
                                               kernel_impl::taking<kernel_impl::number<F>> b,      \
                                               kernel_impl::taking<kernel_impl::number<F>> c) {    \
        const double x = a.wide(), y = b.wide(), z = c.wide();                                     \
        return kernel_impl::number<F>::of(result);                                                 \
    }                                                                                              \
    template <typename F>                                                                          \
    kernel_impl::pair<F> pair_name(kernel_impl::pair<F> a,                                         \
                                   kernel_impl::taking<kernel_impl::pair<F>> b,                    \
                                   kernel_impl::taking<kernel_impl::pair<F>> c) {                  \
        return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                                         \
    }

#define KERNEL_ROUNDED_(name, result)                                                              \
    KERNEL_OF_TWO_(__h##name, __h##name##2, result)                                                \
    KERNEL_OF_TWO_(__h##name##_rn, __h##name##2_rn, result)                                        \
    KERNEL_OF_TWO_(__h##name##_sat, __h##name##2_sat, kernel_impl::within_one(result))
KERNEL_ROUNDED_(add, x + y)
KERNEL_ROUNDED_(sub, x - y)
KERNEL_ROUNDED_(mul, x *y)
KERNEL_OF_TWO_(__hdiv, __h2div, x / y)
KERNEL_OF_TWO_(hdiv, h2div, x / y)
KERNEL_OF_TWO_(__hmax, __hmax2, kernel_impl::larger(x, y))
KERNEL_OF_TWO_(__hmin, __hmin2, kernel_impl::smaller(x, y))
KERNEL_OF_TWO_(__hmax_nan, __hmax2_nan, kernel_impl::with_nan(x, y, kernel_impl::larger(x, y)))
KERNEL_OF_TWO_(__hmin_nan, __hmin2_nan, kernel_impl::with_nan(x, y, kernel_impl::smaller(x, y)))
KERNEL_OF_THREE_(__hfma, __hfma2, kernel_impl::multiply_add(x, y, z))
KERNEL_OF_THREE_(__hfma_sat, __hfma2_sat,
                 kernel_impl::within_one(kernel_impl::multiply_add(x, y, z)))
KERNEL_OF_THREE_(__hfma_relu, __hfma2_relu,
                 kernel_impl::with_nan(kernel_impl::multiply_add(x, y, z), 0.0,
                                       kernel_impl::larger(kernel_impl::multiply_add(x, y, z),
                                                           0.0)))
KERNEL_OF_ONE_(hsqrt, h2sqrt, std::sqrt(x))
KERNEL_OF_ONE_(hrsqrt, h2rsqrt, 1 / std::sqrt(static_cast<double>(x)))
KERNEL_OF_ONE_(hrcp, h2rcp, 1 / x)
KERNEL_OF_ONE_(hexp, h2exp, std::exp(x))
KERNEL_OF_ONE_(hexp2, h2exp2, std::exp2(x))
KERNEL_OF_ONE_(hexp10, h2exp10, std::pow(10.0, x))
KERNEL_OF_ONE_(hlog, h2log, std::log(x))
KERNEL_OF_ONE_(hlog2, h2log2, std::log2(x))
KERNEL_OF_ONE_(hlog10, h2log10, std::log10(x))
KERNEL_OF_ONE_(hsin, h2sin, std::sin(x))
KERNEL_OF_ONE_(hcos, h2cos, std::cos(x))
KERNEL_OF_ONE_(htanh, h2tanh, std::tanh(x))
KERNEL_OF_ONE_(htanh_approx, h2tanh_approx, std::tanh(x))
KERNEL_OF_ONE_(hceil, h2ceil, std::ceil(x))
KERNEL_OF_ONE_(hfloor, h2floor, std::floor(x))
KERNEL_OF_ONE_(htrunc, h2trunc, std::trunc(x))
KERNEL_OF_ONE_(hrint, h2rint, std::rint(x))
#undef KERNEL_OF_ONE_
#undef KERNEL_OF_TWO_
#undef KERNEL_OF_THREE_
#undef KERNEL_ROUNDED_

template <typename F> kernel_impl::number<F> __hneg(kernel_impl::number<F> a) { return -a; }
template <typename F> kernel_impl::pair<F> __hneg2(kernel_impl::pair<F> a) { return -a; }
template <typename F> kernel_impl::number<F> __habs(kernel_impl::number<F> a) {
    return kernel_impl::number<F>::of_bits(a.__x & (F::sign - 1));
}
template <typename F> kernel_impl::pair<F> __habs2(kernel_impl::pair<F> a) {
    return {__habs(a.x), __habs(a.y)};
}
template <typename F> bool __hisnan(kernel_impl::number<F> a) { return std::isnan(a.value()); }
/* 1 or -1 by the sign of an infinity, otherwise 0. */
template <typename F> int __hisinf(kernel_impl::number<F> a) {
    return a.__x == F::infinity ? 1 : a.__x == (F::infinity | F::sign) ? -1 : 0;
}
template <typename F> kernel_impl::pair<F> __hisnan2(kernel_impl::pair<F> a) {
    using number = kernel_impl::number<F>;
    return {number::of(__hisnan(a.x)), number::of(__hisnan(a.y))};
}
/* The product of two complex numbers, and a sum. */
template <typename F>
kernel_impl::pair<F> __hcmadd(kernel_impl::pair<F> a, kernel_impl::pair<F> b,
                              kernel_impl::pair<F> c) {
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

/* ---- comparisons. They are false if a number is none; those whose name ends with "u" are true. For
 * pairs: 1 or 0, a mask, or with "b" whether both hold. */

#define KERNEL_COMPARE_(name, pair_name, both_name, mask_name, result)                             \
    template <typename F>                                                                          \
    bool name(kernel_impl::number<F> a, kernel_impl::taking<kernel_impl::number<F>> b) {           \
        const float x = a.value(), y = b.value();                                                  \
        return result;                                                                             \
    }                                                                                              \
    template <typename F>                                                                          \
    bool both_name(kernel_impl::pair<F> a, kernel_impl::taking<kernel_impl::pair<F>> b) {          \
        return name(a.x, b.x) && name(a.y, b.y);                                                   \
    }                                                                                              \
    template <typename F>                                                                          \
    kernel_impl::pair<F> pair_name(kernel_impl::pair<F> a,                                         \
                                   kernel_impl::taking<kernel_impl::pair<F>> b) {                  \
        using number = kernel_impl::number<F>;                                                     \
        return {number::of(name(a.x, b.x)), number::of(name(a.y, b.y))};                           \
    }                                                                                              \
    template <typename F>                                                                          \
    unsigned mask_name(kernel_impl::pair<F> a, kernel_impl::taking<kernel_impl::pair<F>> b) {      \
        return (name(a.x, b.x) ? 0xffffu : 0) | (name(a.y, b.y) ? 0xffff0000u : 0);                \
    }
#define KERNEL_COMPARES_(name, operation)                                                          \
    KERNEL_COMPARE_(__h##name, __h##name##2, __hb##name##2, __h##name##2_mask,                     \
                    !std::isunordered(x, y) && x operation y)                                      \
    KERNEL_COMPARE_(__h##name##u, __h##name##u2, __hb##name##u2, __h##name##u2_mask,               \
                    std::isunordered(x, y) || x operation y)
KERNEL_COMPARES_(eq, ==)
KERNEL_COMPARES_(ne, !=)
KERNEL_COMPARES_(le, <=)
KERNEL_COMPARES_(ge, >=)
KERNEL_COMPARES_(lt, <)
KERNEL_COMPARES_(gt, >)
#undef KERNEL_COMPARE_
#undef KERNEL_COMPARES_

/* ---- parts of pairs, whose functions have the same name for each type */

template <typename F> float __low2float(kernel_impl::pair<F> a) { return a.x.value(); }
template <typename F> float __high2float(kernel_impl::pair<F> a) { return a.y.value(); }
template <typename F> kernel_impl::pair<F> __lowhigh2highlow(kernel_impl::pair<F> a) {
    return {a.y, a.x};
}

/* ---- functions whose names contain that of the type: KERNEL_NUMBER_FUNCTIONS_(type, pair, name).
 * They need float2. */

#define KERNEL_ROUND_(result, name, parameter, direction, mode)                                    \
    inline result name##_##direction(parameter a) { return result::of(a, kernel_impl::mode); }
#define KERNEL_ROUNDINGS_(result, name, parameter)                                                 \
    KERNEL_ROUND_(result, name, parameter, rn, to_nearest)                                         \
    KERNEL_ROUND_(result, name, parameter, rz, to_zero)                                            \
    KERNEL_ROUND_(result, name, parameter, rd, down)                                               \
    KERNEL_ROUND_(result, name, parameter, ru, up)
#define KERNEL_INTEGER_(type, name, whole, short_name)                                             \
    KERNEL_ROUNDINGS_(type, __##short_name##2##name, whole)                                        \
    inline whole __##name##2##short_name##_rn(type a) {                                            \
        return kernel_impl::integer<whole>(std::rint(a.value()));                                  \
    }                                                                                              \
    inline whole __##name##2##short_name##_rz(type a) {                                            \
        return kernel_impl::integer<whole>(std::trunc(a.value()));                                 \
    }                                                                                              \
    inline whole __##name##2##short_name##_rd(type a) {                                            \
        return kernel_impl::integer<whole>(std::floor(a.value()));                                 \
    }                                                                                              \
    inline whole __##name##2##short_name##_ru(type a) {                                            \
        return kernel_impl::integer<whole>(std::ceil(a.value()));                                  \
    }
#define KERNEL_NUMBER_FUNCTIONS_(type, pair, name)                                                 \
    KERNEL_ROUNDINGS_(type, __float2##name, float)                                                 \
    KERNEL_INTEGER_(type, name, int, int)                                                          \
    KERNEL_INTEGER_(type, name, unsigned, uint)                                                    \
    KERNEL_INTEGER_(type, name, short, short)                                                      \
    KERNEL_INTEGER_(type, name, unsigned short, ushort)                                            \
    KERNEL_INTEGER_(type, name, long long, ll)                                                     \
    KERNEL_INTEGER_(type, name, unsigned long long, ull)                                           \
    inline signed char __##name##2char_rz(type a) {                                                \
        return kernel_impl::integer<signed char>(std::trunc(a.value()));                           \
    }                                                                                              \
    inline unsigned char __##name##2uchar_rz(type a) {                                             \
        return kernel_impl::integer<unsigned char>(std::trunc(a.value()));                         \
    }                                                                                              \
    inline type __float2##name(float a) { return type::of(a); }                                    \
    inline type __double2##name(double a) { return type::of(a); }                                  \
    inline float __##name##2float(type a) { return a.value(); }                                    \
    inline short __##name##_as_short(type a) { return static_cast<short>(a.__x); }                 \
    inline unsigned short __##name##_as_ushort(type a) { return a.__x; }                           \
    inline type __short_as_##name(short a) {                                                       \
        return type::of_bits(static_cast<unsigned short>(a));                                      \
    }                                                                                              \
    inline type __ushort_as_##name(unsigned short a) { return type::of_bits(a); }                  \
    inline pair make_##name##2(type low, type high) { return {low, high}; }                        \
    inline pair __halves2##name##2(type low, type high) { return {low, high}; }                    \
    inline pair __##name##2##name##2(type a) { return {a, a}; }                                    \
    inline type __low2##name(pair a) { return a.x; }                                               \
    inline type __high2##name(pair a) { return a.y; }                                              \
    inline pair __low2##name##2(pair a) { return {a.x, a.x}; }                                     \
    inline pair __high2##name##2(pair a) { return {a.y, a.y}; }                                    \
    inline pair __lows2##name##2(pair a, pair b) { return {a.x, b.x}; }                            \
    inline pair __highs2##name##2(pair a, pair b) { return {a.y, b.y}; }                           \
    inline pair __float2##name##2_rn(float a) { return {type::of(a), type::of(a)}; }               \
    inline pair __floats2##name##2_rn(float low, float high) {                                     \
        return {type::of(low), type::of(high)};                                                    \
    }                                                                                              \
    inline pair __float22##name##2_rn(float2 a) { return {type::of(a.x), type::of(a.y)}; }         \
    inline float2 __##name##22float2(pair a) { return float2{a.x.value(), a.y.value()}; }

#endif
#endif
