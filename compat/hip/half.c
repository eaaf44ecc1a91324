// SPDX-License-Identifier: Apache-2.0
// Conversions between half and single precision that code of old compilers calls. A half has 1 bit
// of sign, 5 of exponent and 10 of fraction. The file has no state.
#include <stdint.h>
#include <string.h>

#include <hip/detail/types.h>

HIP_API float __gnu_h2f_ieee(uint16_t half);
HIP_API uint16_t __gnu_f2h_ieee(float single);

float __gnu_h2f_ieee(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 0x1f;
    uint32_t fraction = half & 0x3ff;
    float single;
    if (exponent == 0) { // zero, or a fraction of 2^-14
        single = (float)fraction * 0x1p-24f;
        return sign != 0 ? -single : single;
    }
    uint32_t bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    memcpy(&single, &bits, sizeof single);
    return single;
}

// Shifts `bits` to the right and rounds to the nearest integer, halves to the even one.
static uint32_t shift_half_even(uint32_t bits, unsigned shift) {
    uint32_t kept = bits >> shift;
    uint32_t rest = bits & ((1u << shift) - 1);
    uint32_t middle = 1u << (shift - 1);
    return kept + (rest > middle || (rest == middle && (kept & 1) != 0));
}

uint16_t __gnu_f2h_ieee(float single) {
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) // NaN stays NaN, and becomes quiet
        return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
    uint32_t exponent = magnitude >> 23;
    if (exponent >= 113) { // a normal half; a carry of the rounding leads to the next exponent
        uint32_t half = exponent >= 143 ? 0x7c00 : shift_half_even(magnitude - (112u << 23), 13);
        return (uint16_t)(sign | half);
    }
    if (exponent < 102) // less than half of the least half
        return (uint16_t)sign;
    uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
    return (uint16_t)(sign | shift_half_even(fraction, 126 - exponent));
}
