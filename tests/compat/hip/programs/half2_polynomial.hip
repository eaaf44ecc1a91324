// SPDX-License-Identifier: Apache-2.0
// Two polynomials at once in half2, with comparisons, a saturation, and an atomic sum.
#include <hip/hip_fp16.h>

#include "check.h"

__global__ void evaluate(const half2 *x, half2 *y, unsigned *above, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const half2 two = __float2half2_rn(2), one = __floats2half2_rn(1, 1);
    half2 value = __hfma2(two, x[i], -one);
    value = __hfma2(value, x[i], __hmul2(one, __half2half2(0.5f)));
    y[i] = value;
    const half2 is_above = __hgt2(value, one);
    atomicAdd(above, static_cast<unsigned>(__low2float(is_above) + __high2float(is_above)));
}

__global__ void clamp_all(half *x, int n) {
    const int i = threadIdx.x;
    if (i < n && __hge(x[i], __float2half(0))) x[i] = __hadd_sat(x[i], hsqrt(x[i]));
}

int main() {
    const int n = 100;
    std::vector<half2> host(n);
    for (int i = 0; i < n; i++) host[i] = __floats2half2_rn(i / 64.0f, -i / 32.0f);
    device_array<half2> x(host), y(n);
    device_array<unsigned> above(1);
    above.clear();
    evaluate<<<2, 64>>>(x.get(), y.get(), above.get(), n);
    const std::vector<half2> got = y.download();
    unsigned count = 0;
    for (int i = 0; i < n; i++)
        for (float at : {i / 64.0f, -i / 32.0f}) {
            const float wanted = (2 * at - 1) * at + 0.5f;
            const float value = at > 0 || i == 0 ? __low2float(got[i]) : __high2float(got[i]);
            EXPECT(std::fabs(value - wanted) <= std::fabs(wanted) / 256 + 0.002f);
        }
    for (const half2 &v : got) count += (__low2float(v) > 1) + (__high2float(v) > 1);
    EXPECT(above.download()[0] == count);
    device_array<half> plain(std::vector<half>{half(0.25f), half(0.0625f), half(-2.0f)});
    clamp_all<<<1, 4>>>(plain.get(), 3);
    const std::vector<half> clamped = plain.download();
    EXPECT(float(clamped[0]) == 0.75f && float(clamped[1]) == 0.3125f && float(clamped[2]) == -2);
}
