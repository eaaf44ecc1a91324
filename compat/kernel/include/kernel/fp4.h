/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/fp4.h - numbers of 4 and 6 bits for storage, in C++. A vendor's header brings kernel/fp8.h,
 * and defines KERNEL_ROUNDING_, the vendor's type of rounding modes. The formats have neither infinities
 * nor an encoding for what is no number, which becomes the largest number. The CPU may call these
 * functions too.
 */
#ifndef KERNEL_FP4_H
#define KERNEL_FP4_H

#if defined(__cplusplus) && defined(KERNEL_ROUNDING_)

#include <kernel/fp8.h>

namespace kernel_impl {

struct e2m1_format : format_of<unsigned char, 1, 1, 7, 7, 7, 4> {};
struct e2m3_format : format_of<unsigned char, 3, 1, 0x1f, 0x1f, 0x1f, 6> {};
struct e3m2_format : format_of<unsigned char, 2, 3, 0x1f, 0x1f, 0x1f, 6> {};

} // namespace kernel_impl

typedef unsigned char KERNEL_FP8_(fp4_storage_t);
typedef unsigned char KERNEL_FP8_(fp4x2_storage_t);
typedef unsigned short KERNEL_FP8_(fp4x4_storage_t);
typedef unsigned char KERNEL_FP8_(fp6_storage_t);
typedef unsigned short KERNEL_FP8_(fp6x2_storage_t);
typedef unsigned int KERNEL_FP8_(fp6x4_storage_t);

enum KERNEL_FP8_(fp4_interpretation_t) { KERNEL_FP8_ENUM_(E2M1) };
enum KERNEL_FP8_(fp6_interpretation_t) { KERNEL_FP8_ENUM_(E2M3), KERNEL_FP8_ENUM_(E3M2) };

#define KERNEL_FP4_TYPES_(bits, format)                                                            \
    typedef kernel_impl::fp8<kernel_impl::format##_format> KERNEL_FP8_(fp##bits##_##format);       \
    typedef kernel_impl::fp8x2<kernel_impl::format##_format> KERNEL_FP8_(fp##bits##x2_##format);   \
    typedef kernel_impl::fp8x4<kernel_impl::format##_format> KERNEL_FP8_(fp##bits##x4_##format);
KERNEL_FP4_TYPES_(4, e2m1)
KERNEL_FP4_TYPES_(6, e2m3)
KERNEL_FP4_TYPES_(6, e3m2)
#undef KERNEL_FP4_TYPES_

/* ---- conversions of storage. Numbers beyond the largest one become it. */

namespace kernel_impl {

template <typename Format, typename T> unsigned char encode_small(T value, KERNEL_ROUNDING_ mode) {
    static const rounding modes[] = {to_nearest, to_zero, up, down}; /* the vendors' order */
    return encode<Format>(value, modes[static_cast<unsigned>(mode) % 4], true);
}
template <typename T>
unsigned char encode_as(T value, KERNEL_FP8_(fp4_interpretation_t), KERNEL_ROUNDING_ mode) {
    return encode_small<e2m1_format>(value, mode);
}
template <typename T>
unsigned char encode_as(T value, KERNEL_FP8_(fp6_interpretation_t) format, KERNEL_ROUNDING_ mode) {
    return format == KERNEL_FP8_ENUM_(E2M3) ? encode_small<e2m3_format>(value, mode)
                                            : encode_small<e3m2_format>(value, mode);
}
inline __half decode_as(unsigned bits, KERNEL_FP8_(fp4_interpretation_t)) {
    return __half::of(decode<e2m1_format>(bits));
}
inline __half decode_as(unsigned bits, KERNEL_FP8_(fp6_interpretation_t) format) {
    return __half::of(format == KERNEL_FP8_ENUM_(E2M3) ? decode<e2m3_format>(bits)
                                                       : decode<e3m2_format>(bits));
}

} // namespace kernel_impl

#define KERNEL_FP4_FROM_(bits, slot, name, one, two, value)                                        \
    inline KERNEL_FP8_(fp##bits##_storage_t) KERNEL_FP8_(cvt_##name##_to_fp##bits)(                \
        one x, KERNEL_FP8_(fp##bits##_interpretation_t) format, KERNEL_ROUNDING_ mode) {           \
        return kernel_impl::encode_as(value(x), format, mode);                                     \
    }                                                                                              \
    inline KERNEL_FP8_(fp##bits##x2_storage_t) KERNEL_FP8_(cvt_##name##2_to_fp##bits##x2)(         \
        two x, KERNEL_FP8_(fp##bits##_interpretation_t) format, KERNEL_ROUNDING_ mode) {           \
        return static_cast<KERNEL_FP8_(fp##bits##x2_storage_t)>(                                   \
            kernel_impl::encode_as(value(one{x.x}), format, mode) |                                \
            kernel_impl::encode_as(value(one{x.y}), format, mode) << slot);                        \
    }
#define KERNEL_FP4_CONVERSIONS_(bits, slot)                                                        \
    KERNEL_FP4_FROM_(bits, slot, float, float, float2, )                                           \
    KERNEL_FP4_FROM_(bits, slot, double, double, double2, )                                        \
    KERNEL_FP4_FROM_(bits, slot, halfraw, __half_raw, __half2_raw, kernel_impl::value_of_raw)      \
    KERNEL_FP4_FROM_(                                                                              \
        bits, slot, bfloat16raw, kernel_impl::raw_number<kernel_impl::bfloat16_format>,            \
        kernel_impl::raw_pair<kernel_impl::bfloat16_format>, kernel_impl::value_of_raw)            \
    inline __half_raw KERNEL_FP8_(cvt_fp##bits##_to_halfraw)(                                      \
        KERNEL_FP8_(fp##bits##_storage_t) x, KERNEL_FP8_(fp##bits##_interpretation_t) format) {    \
        return kernel_impl::decode_as(x, format);                                                  \
    }                                                                                              \
    inline __half2_raw KERNEL_FP8_(cvt_fp##bits##x2_to_halfraw2)(                                  \
        KERNEL_FP8_(fp##bits##x2_storage_t) x, KERNEL_FP8_(fp##bits##_interpretation_t) format) {  \
        return __half2(kernel_impl::decode_as(x & ((1u << slot) - 1), format),                     \
                       kernel_impl::decode_as(static_cast<unsigned>(x) >> slot, format));          \
    }
KERNEL_FP4_CONVERSIONS_(4, 4)
KERNEL_FP4_CONVERSIONS_(6, 8)
#undef KERNEL_FP4_CONVERSIONS_
#undef KERNEL_FP4_FROM_

#endif
#endif
