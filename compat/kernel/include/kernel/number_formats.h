/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/number_formats.h - numbers of 16 to 4 bits, in C++: how they are encoded, and conversions
 * from and to float and double. The CPU may call these functions too. kernel/half_functions.h,
 * kernel/fp8.h and kernel/fp4.h have the types.
 */
#ifndef KERNEL_NUMBER_FORMATS_H
#define KERNEL_NUMBER_FORMATS_H

#ifdef __cplusplus

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

/* Functions that are not inlined, because kernels call them hundreds of times. */
#define KERNEL_CALLED_ __attribute__((noinline))

namespace kernel_impl {

template <typename To, typename From> To bits_of(From value) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    std::memcpy(&to, &value, sizeof to);
    return to;
}

/* A number has a sign, an exponent with a bias, and a fraction. `Largest` is the encoding of the
 * largest finite number. Formats without infinities have Infinity == Nan. Formats without a negative
 * zero have Nan == sign. */
template <typename Bits, int Fraction, int Bias, unsigned Largest, unsigned Infinity, unsigned Nan,
          int Width = 8 * sizeof(Bits)>
struct format_of {
    using bits = Bits;
    enum : int { fraction = Fraction, bias = Bias };
    enum : unsigned { largest = Largest, infinity = Infinity, nan = Nan, sign = 1u << (Width - 1) };
};

enum rounding { to_nearest, to_zero, down, up };

template <typename From>
using word_of = typename std::conditional<sizeof(From) == 4, std::uint32_t, std::uint64_t>::type;

/* For any number; encode() and decode() below are the short way for most numbers. */
template <typename Format, typename From>
KERNEL_CALLED_ typename Format::bits encode_any(From value, rounding mode, bool saturate) {
    using word = word_of<From>;
    using limits = std::numeric_limits<From>;
    const int digits = limits::digits - 1;
    const word all = bits_of<word>(value);
    const word one = 1;
    const bool is_negative = all >> (8 * sizeof(word) - 1) != 0;
    const word magnitude = all & ~(word{is_negative} << (8 * sizeof(word) - 1));
    const word infinite = word{2 * limits::max_exponent - 1} << digits;
    if (magnitude > infinite) return static_cast<typename Format::bits>(+Format::nan);

    word fraction = magnitude & ((one << digits) - 1);
    int exponent = static_cast<int>(magnitude >> digits);
    if (exponent == 0)
        exponent = 1;
    else
        fraction |= one << digits;
    exponent += Format::bias - (limits::max_exponent - 1);
    int dropped = digits - Format::fraction;
    if (exponent < 1) {
        dropped = dropped + 1 - exponent < digits + 2 ? dropped + 1 - exponent : digits + 2;
        exponent = 1;
    }
    const word kept = fraction >> dropped;
    const word rest = fraction & ((one << dropped) - 1);
    const word half = one << (dropped - 1);
    const bool is_away = mode == to_nearest ? rest > half || (rest == half && (kept & 1) != 0)
                         : mode == to_zero  ? false
                                            : rest != 0 && is_negative == (mode == down);
    unsigned encoded = (static_cast<unsigned>(exponent - 1) << Format::fraction) +
                       static_cast<unsigned>(kept) + is_away;
    if (encoded > Format::largest) {
        const bool stays_finite =
            mode == to_zero || (mode != to_nearest && is_negative != (mode == down));
        encoded = saturate || (stays_finite && magnitude != infinite) ? +Format::largest
                                                                      : +Format::infinity;
    }
    const bool has_sign = is_negative && (encoded != 0 || +Format::nan != +Format::sign);
    return static_cast<typename Format::bits>(encoded | (has_sign ? +Format::sign : 0u));
}

template <typename Format> KERNEL_CALLED_ float decode_any(unsigned bits) {
    const unsigned magnitude = bits & (Format::sign - 1);
    const unsigned sign = (bits & Format::sign) != 0 ? 1u << 31 : 0;
    if (magnitude > Format::largest || (+Format::nan == +Format::sign && bits == Format::nan)) {
        const bool is_infinite = magnitude == Format::infinity && +Format::infinity != +Format::nan;
        return bits_of<float>(is_infinite ? sign | 0x7f800000u : 0x7fffffffu);
    }
    const unsigned power = static_cast<unsigned>(128 - Format::bias - Format::fraction) << 23;
    const float value = static_cast<float>(magnitude) * bits_of<float>(power);
    return bits_of<float>(bits_of<unsigned>(value) | sign);
}

/* A number beyond the largest one becomes an infinity, or with `saturate` the largest one. */
template <typename Format, typename From>
typename Format::bits encode(From value, rounding mode = to_nearest, bool saturate = false) {
    using word = word_of<From>;
    using limits = std::numeric_limits<From>;
    const int digits = limits::digits - 1;
    const int dropped = digits - Format::fraction;
    const word moved = word{limits::max_exponent - 1 - Format::bias} << digits;
    const word one = word{1} << digits; /* the smallest number with a leading 1 */
    const word all = bits_of<word>(value);
    const word sign = all >> (8 * sizeof(word) - 1);
    const word magnitude = (all & ~(word{1} << (8 * sizeof(word) - 1))) - moved;
    if (mode != to_nearest || magnitude - one > (word{Format::largest} << dropped) - one)
        return encode_any<Format>(value, mode, saturate);
    const word half = (word{1} << (dropped - 1)) - 1;
    const word rounded = (magnitude + half + (magnitude >> dropped & 1)) >> dropped;
    return static_cast<typename Format::bits>(rounded | (sign != 0 ? +Format::sign : 0u));
}

template <typename Format> float decode(unsigned bits) {
    const unsigned magnitude = bits & (Format::sign - 1);
    const unsigned sign = (bits & Format::sign) != 0 ? 1u << 31 : 0;
    const unsigned one = 1u << Format::fraction;
    const bool is_short = Format::bias != 127; /* bfloat16 has the exponent of float */
    if (is_short && magnitude - one > Format::largest - one) return decode_any<Format>(bits);
    const unsigned moved = magnitude << (23 - Format::fraction);
    return bits_of<float>(sign | (moved + (static_cast<unsigned>(127 - Format::bias) << 23)));
}

/* Makes floating point numbers of all numbers. Integers that double cannot hold keep a lowest bit that
 * is 1, so that a second rounding is as one. */
inline float floating(float value) { return value; }
inline double floating(double value) { return value; }
inline double floating(long double value) { return static_cast<double>(value); }
template <typename T>
typename std::enable_if<std::is_integral<T>::value, double>::type floating(T value) {
    const bool is_negative = value < T{0};
    const auto wide = static_cast<unsigned long long>(value);
    unsigned long long magnitude = is_negative ? 0 - wide : wide;
    if (magnitude >> 53 != 0) magnitude = (magnitude | ((magnitude & 0x7ff) + 0x7ff)) & ~0x7ffull;
    return is_negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

/* Makes an integer of a floating point number without a fraction: the nearest one that exists. What is
 * no number becomes 0, or 1 << 63 of 64 bits. */
template <typename T> T integer(float value) {
    using limits = std::numeric_limits<T>;
    const float end = static_cast<float>(limits::max() / 2 + 1) * 2; /* exact */
    if (std::isnan(value)) return sizeof(T) < 8 ? T{0} : static_cast<T>(1ull << 63);
    if (value >= end) return limits::max();
    return value < static_cast<float>(limits::min()) ? limits::min() : static_cast<T>(value);
}

} // namespace kernel_impl

#endif
#endif
