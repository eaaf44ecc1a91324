// SPDX-License-Identifier: Apache-2.0
// Quantises blocks of 16 numbers to 8 bits with one scale for each block, and reads them again.
#include <hip/hip_fp8.h>

#include "check.h"

__global__ void pack(const float *in, float *scales, __hip_fp8_storage_t *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most = std::fabs(in[i]);
    for (int offset = 8; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor(most, offset, 16));
    const float scale = most > 0 ? most / 448 : 1;
    if (i % 16 == 0) scales[i / 16] = scale;
    out[i] = __hip_cvt_float_to_fp8(in[i] / scale, __HIP_SATFINITE, __HIP_E4M3);
}

__global__ void unpack(const __hip_fp8x4_e4m3 *in, const float *scales, float4 *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 v(in[i]);
    const float scale = scales[i / 4];
    out[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}

int main() {
    const int n = 256;
    std::vector<float> host(n);
    numbers random;
    for (int i = 0; i < n; i++) host[i] = (random.unit() - 0.5f) * (1 << i / 16);
    device_array<float> in(host), scales(n / 16);
    device_array<__hip_fp8_storage_t> packed(n);
    device_array<float4> out(n / 4);
    pack<<<n / 64, 64>>>(in.get(), scales.get(), packed.get());
    unpack<<<1, n / 4>>>(reinterpret_cast<const __hip_fp8x4_e4m3 *>(packed.get()), scales.get(),
                         out.get());
    const std::vector<float4> got = out.download();
    for (int i = 0; i < n; i++) {
        const float4 v = got[i / 4];
        const float parts[] = {v.x, v.y, v.z, v.w};
        EXPECT(std::fabs(parts[i % 4] - host[i]) <=
               std::fabs(host[i]) / 16 + (1 << i / 16) * 1e-3f);
    }
}
