// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_fp4.h>

int main() {
    const __hip_fp4x4_e2m1 four(float4{1, 2, 3, 4});
    const float4 values(four);
    const __hip_fp4_storage_t one = __hip_cvt_float_to_fp4(values.y, __HIP_E2M1, hipRoundNearest);
    return __half(__hip_cvt_fp4_to_halfraw(one, __HIP_E2M1)) == __half(2) ? 0 : 1;
}
