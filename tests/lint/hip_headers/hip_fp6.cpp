// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_fp6.h>

int main() {
    const __hip_fp6x2_e3m2 two(float2{16, -28});
    const __hip_fp6_storage_t one = __hip_cvt_float_to_fp6(float2(two).y, __HIP_E2M3, hipRoundZero);
    return __half(__hip_cvt_fp6_to_halfraw(one, __HIP_E2M3)) == __half(-7.5f) ? 0 : 1;
}
