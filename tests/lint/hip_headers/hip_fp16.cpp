// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_fp16.h>

int main() {
    half2 pair = __floats2half2_rn(1, 2);
    const __half_raw raw = __float2half(0.5f);
    const float2 both = __half22float2(pair += __half2half2(raw));
    return __hgt(pair.x, __half(1)) ? static_cast<int>(both.y) : 0;
}
