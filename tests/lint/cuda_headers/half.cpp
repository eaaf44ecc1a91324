// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 to 4 bits are for programs of the host, too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

int main() {
    half2 pair = __floats2half2_rn(1, 2);
    const __nv_bfloat162 other = __float22bfloat162_rn(__half22float2(pair));
    const __nv_fp8_e4m3 small(__high2float(other));
    const __nv_fp4_storage_t four =
        __nv_cvt_float_to_fp4(static_cast<float>(small), __NV_E2M1, cudaRoundNearest);
    const __nv_fp6_e3m2 six(__half2float(__nv_cvt_fp4_to_halfraw(four, __NV_E2M1)));
    return static_cast<float>(six) == __half2float(__high2half(pair)) ? 0 : 1;
}
