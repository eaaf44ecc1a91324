/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/fp8.h - numbers of 8 bits for storage, in C++. A vendor's header brings short vectors and
 * the types of 16 bits, and defines KERNEL_FP8_(name) and KERNEL_FP8_ENUM_(name), which put its
 * prefixes before a name. The types whose name ends with "fnuz" have neither infinities nor a
 * negative zero. The CPU may call these functions too.
 */
#ifndef KERNEL_FP8_H
#define KERNEL_FP8_H

#if defined(__cplusplus) && defined(KERNEL_FP8_)

#include <kernel/half_functions.h>

namespace kernel_impl {

struct e4m3_format : format_of<unsigned char, 3, 7, 0x7e, 0x7f, 0x7f> {};
struct e5m2_format : format_of<unsigned char, 2, 15, 0x7b, 0x7c, 0x7f> {};
struct e4m3_fnuz_format : format_of<unsigned char, 3, 8, 0x7f, 0x80, 0x80> {};
struct e5m2_fnuz_format : format_of<unsigned char, 2, 16, 0x7f, 0x80, 0x80> {};

} // namespace kernel_impl

typedef unsigned char KERNEL_FP8_(fp8_storage_t);
typedef unsigned short KERNEL_FP8_(fp8x2_storage_t);
typedef unsigned int KERNEL_FP8_(fp8x4_storage_t);

/* Numbers beyond the largest one become it with SATFINITE. Otherwise they become an infinity, or no
 * number in a format without infinities. */
enum KERNEL_FP8_(saturation_t) { KERNEL_FP8_ENUM_(NOSAT), KERNEL_FP8_ENUM_(SATFINITE) };
enum KERNEL_FP8_(fp8_interpretation_t) {
    KERNEL_FP8_ENUM_(E4M3),
    KERNEL_FP8_ENUM_(E5M2),
    KERNEL_FP8_ENUM_(E4M3_FNUZ),
    KERNEL_FP8_ENUM_(E5M2_FNUZ)
};

namespace kernel_impl {

template <typename T>
unsigned char encode_fp8(T value, KERNEL_FP8_(saturation_t) saturation,
                         KERNEL_FP8_(fp8_interpretation_t) format) {
    const bool finite = saturation == KERNEL_FP8_ENUM_(SATFINITE);
    switch (format) {
    case KERNEL_FP8_ENUM_(E4M3): return encode<e4m3_format>(value, to_nearest, finite);
    case KERNEL_FP8_ENUM_(E5M2): return encode<e5m2_format>(value, to_nearest, finite);
    case KERNEL_FP8_ENUM_(E4M3_FNUZ): return encode<e4m3_fnuz_format>(value, to_nearest, finite);
    default: return encode<e5m2_fnuz_format>(value, to_nearest, finite);
    }
}
inline float decode_fp8(unsigned bits, KERNEL_FP8_(fp8_interpretation_t) format) {
    switch (format) {
    case KERNEL_FP8_ENUM_(E4M3): return decode<e4m3_format>(bits);
    case KERNEL_FP8_ENUM_(E5M2): return decode<e5m2_format>(bits);
    case KERNEL_FP8_ENUM_(E4M3_FNUZ): return decode<e4m3_fnuz_format>(bits);
    default: return decode<e5m2_fnuz_format>(bits);
    }
}

inline float value_of_raw(raw_number<half_format> raw) { return decode<half_format>(raw.x); }
inline float value_of_raw(raw_number<bfloat16_format> raw) {
    return decode<bfloat16_format>(raw.x);
}

/* The types: one number, two and four, the first in the lowest bits. Constructors saturate. Numbers of
 * 4 bits are packed, and others have a byte each. */
template <typename Format> struct packed {
    enum : int { slot = Format::sign == 8 ? 4 : 8 };
    using two = typename std::conditional<slot == 4, unsigned char, unsigned short>::type;
    using four = typename std::conditional<slot == 4, unsigned short, unsigned>::type;
    static float at(unsigned bits, int index) {
        return decode<Format>(bits >> index * slot & ((1u << slot) - 1));
    }
};

template <typename Format> struct fp8 {
    unsigned char __x;

    fp8() = default;
    template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    explicit fp8(T value) : __x(encode<Format>(floating(value), to_nearest, true)) {}
    template <typename Other> explicit fp8(const number<Other> &value) : fp8(value.value()) {}
    float value() const { return decode<Format>(__x); }
    operator float() const { return value(); }
    template <typename Other> explicit operator number<Other>() const {
        return number<Other>::of(value());
    }
};

template <typename Format> struct fp8x2 {
    typename packed<Format>::two __x;

    fp8x2() = default;
    fp8x2(fp8<Format> low, fp8<Format> high)
        : __x(static_cast<decltype(__x)>(low.__x | high.__x << packed<Format>::slot)) {}
    explicit fp8x2(float2 v) : fp8x2(fp8<Format>(v.x), fp8<Format>(v.y)) {}
    explicit fp8x2(double2 v) : fp8x2(fp8<Format>(v.x), fp8<Format>(v.y)) {}
    template <typename Other>
    explicit fp8x2(const pair<Other> &v) : fp8x2(fp8<Format>(v.x), fp8<Format>(v.y)) {}
    operator float2() const {
        return float2{packed<Format>::at(__x, 0), packed<Format>::at(__x, 1)};
    }
    template <typename Other> explicit operator pair<Other>() const {
        const float2 v = *this;
        return {number<Other>::of(v.x), number<Other>::of(v.y)};
    }
};

template <typename Format> struct fp8x4 {
    typename packed<Format>::four __x;

    fp8x4() = default;
    fp8x4(fp8x2<Format> low, fp8x2<Format> high)
        : __x(static_cast<decltype(__x)>(low.__x | static_cast<unsigned>(high.__x)
                                                       << 2 * packed<Format>::slot)) {}
    explicit fp8x4(float4 v)
        : fp8x4(fp8x2<Format>(float2{v.x, v.y}), fp8x2<Format>(float2{v.z, v.w})) {}
    explicit fp8x4(const double4 &v)
        : fp8x4(fp8x2<Format>(double2{v.x, v.y}), fp8x2<Format>(double2{v.z, v.w})) {}
    template <typename Other>
    fp8x4(const pair<Other> &low, const pair<Other> &high)
        : fp8x4(fp8x2<Format>(low), fp8x2<Format>(high)) {}
    operator float4() const {
        return float4{packed<Format>::at(__x, 0), packed<Format>::at(__x, 1),
                      packed<Format>::at(__x, 2), packed<Format>::at(__x, 3)};
    }
};

} // namespace kernel_impl

#define KERNEL_FP8_TYPES_(name)                                                                    \
    typedef kernel_impl::fp8<kernel_impl::name##_format> KERNEL_FP8_(fp8_##name);                  \
    typedef kernel_impl::fp8x2<kernel_impl::name##_format> KERNEL_FP8_(fp8x2_##name);              \
    typedef kernel_impl::fp8x4<kernel_impl::name##_format> KERNEL_FP8_(fp8x4_##name);
KERNEL_FP8_TYPES_(e4m3)
KERNEL_FP8_TYPES_(e5m2)
KERNEL_FP8_TYPES_(e4m3_fnuz)
KERNEL_FP8_TYPES_(e5m2_fnuz)
#undef KERNEL_FP8_TYPES_

/* ---- conversions of storage */

#define KERNEL_FP8_FROM_(name, one, two, value)                                                    \
    inline KERNEL_FP8_(fp8_storage_t) KERNEL_FP8_(cvt_##name##_to_fp8)(                            \
        one x, KERNEL_FP8_(saturation_t) saturation, KERNEL_FP8_(fp8_interpretation_t) format) {   \
        return kernel_impl::encode_fp8(value(x), saturation, format);                              \
    }                                                                                              \
    inline KERNEL_FP8_(fp8x2_storage_t) KERNEL_FP8_(cvt_##name##2_to_fp8x2)(                       \
        two x, KERNEL_FP8_(saturation_t) saturation, KERNEL_FP8_(fp8_interpretation_t) format) {   \
        return static_cast<KERNEL_FP8_(fp8x2_storage_t)>(                                          \
            kernel_impl::encode_fp8(value(one{x.x}), saturation, format) |                         \
            kernel_impl::encode_fp8(value(one{x.y}), saturation, format) << 8);                    \
    }
KERNEL_FP8_FROM_(float, float, float2, )
KERNEL_FP8_FROM_(double, double, double2, )
KERNEL_FP8_FROM_(halfraw, __half_raw, __half2_raw, kernel_impl::value_of_raw)
KERNEL_FP8_FROM_(bfloat16raw, kernel_impl::raw_number<kernel_impl::bfloat16_format>,
                 kernel_impl::raw_pair<kernel_impl::bfloat16_format>, kernel_impl::value_of_raw)
#undef KERNEL_FP8_FROM_

inline __half_raw KERNEL_FP8_(cvt_fp8_to_halfraw)(KERNEL_FP8_(fp8_storage_t) x,
                                                  KERNEL_FP8_(fp8_interpretation_t) format) {
    return __half::of(kernel_impl::decode_fp8(x, format));
}
inline __half2_raw KERNEL_FP8_(cvt_fp8x2_to_halfraw2)(KERNEL_FP8_(fp8x2_storage_t) x,
                                                      KERNEL_FP8_(fp8_interpretation_t) format) {
    return __half2(__half::of(kernel_impl::decode_fp8(x & 0xff, format)),
                   __half::of(kernel_impl::decode_fp8(x >> 8u, format)));
}

#endif
#endif
