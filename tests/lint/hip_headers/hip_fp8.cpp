// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_fp8.h>

int main() {
    const __hip_fp8x4_e5m2_fnuz four(float4{1, 2, 3, 4});
    const float4 values(four);
    const __hip_fp8_storage_t one = __hip_cvt_float_to_fp8(values.y, __HIP_SATFINITE, __HIP_E4M3);
    return __half(__hip_cvt_fp8_to_halfraw(one, __HIP_E4M3)) == __half(2) ? 0 : 1;
}
