// SPDX-License-Identifier: Apache-2.0
// Conversions between half and single precision that code of old compilers calls.
#include "compat/face/half.h"

#include <hip/detail/types.h>

HIP_API float __gnu_h2f_ieee(uint16_t half);
HIP_API uint16_t __gnu_f2h_ieee(float single);

float __gnu_h2f_ieee(uint16_t half) { return tn_face_from_half(half); }

uint16_t __gnu_f2h_ieee(float single) { return tn_face_to_half(single); }
