// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 and 8 bits are for programs of the host, too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

int main() {
    half2 pair = __floats2half2_rn(1, 2);
    const __nv_bfloat162 other = __float22bfloat162_rn(__half22float2(pair));
    const __nv_fp8_e4m3 small(__high2float(other));
    return static_cast<float>(small) == __half2float(__high2half(pair)) ? 0 : 1;
}
