// SPDX-License-Identifier: Apache-2.0
// See half.h. The file has no state.
#include "compat/face/half.h"

#include <string.h>

uint32_t tn_face_round_shift(uint32_t value, unsigned shift) {
    uint32_t half = (uint32_t)1 << (shift - 1);
    return (value + half - 1 + (value >> shift & 1)) >> shift;
}

float tn_face_from_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t rest = half & 0x7fff;
    float single = (float)rest * 0x1p-24f;
    if (rest < 0x0400) return sign != 0 ? -single : single;   // 0 and subnormal numbers
    uint32_t bias = rest >= 0x7c00 ? 0x70000000 : 0x38000000; // infinity and NaN keep all ones
    uint32_t bits = sign | ((rest << 13) + bias);
    memcpy(&single, &bits, sizeof single);
    return single;
}

uint16_t tn_face_to_half(float single) {
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) // NaN stays NaN, and becomes quiet
        return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x3ff));
    if (rest >= 0x477ff000) return sign | 0x7c00; // 65520 rounds to infinity
    if (rest >= 0x38800000)                       // a carry leads to the next exponent
        return sign | (uint16_t)tn_face_round_shift(rest - 0x38000000, 13);
    if (rest < 0x33000000) return sign; // less than half of the least half
    return sign | (uint16_t)tn_face_round_shift((rest & 0x7fffff) | 0x800000, 126 - (rest >> 23));
}
