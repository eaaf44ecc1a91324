// SPDX-License-Identifier: Apache-2.0
// Conversions between single precision and half precision, which has 1 bit of sign, 5 of exponent and
// 10 of fraction. They round to the nearest, halves to the even number.
#pragma once

#include <stdint.h>

float tn_face_from_half(uint16_t half);
uint16_t tn_face_to_half(float single);

// Divides by 2^shift and rounds in this way.
uint32_t tn_face_round_shift(uint32_t value, unsigned shift);
