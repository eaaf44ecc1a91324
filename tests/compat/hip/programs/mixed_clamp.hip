// SPDX-License-Identifier: Apache-2.0
// Clamps and counts with min() and max() of two types.
#include "check.h"

__global__ void clamp(const float *in, unsigned char *out, unsigned n, int *extent) {
    const unsigned last = min(n, (blockIdx.x + 1) * 100);
    for (unsigned i = blockIdx.x * 100 + threadIdx.x; i < last; i += blockDim.x)
        out[i] = static_cast<unsigned char>(min(max(in[i], 0), 255.0));
    const long long size = max(static_cast<long long>(last) - blockIdx.x * 100ll, 0);
    if (threadIdx.x == 0) extent[blockIdx.x] = static_cast<int>(min(size, 1 << 20));
}

int main() {
    const unsigned n = 250;
    std::vector<float> host(n);
    for (unsigned i = 0; i < n; i++) host[i] = static_cast<float>(i) * 3 - 100;
    device_array<float> in(host);
    device_array<unsigned char> out(n);
    device_array<int> extent(3);
    clamp<<<3, 32>>>(in.get(), out.get(), n, extent.get());
    const std::vector<unsigned char> got = out.download();
    for (unsigned i = 0; i < n; i++)
        EXPECT(got[i] == (host[i] < 0     ? 0
                          : host[i] > 255 ? 255
                                          : static_cast<unsigned char>(host[i])));
    EXPECT(extent.download()[0] == 100 && extent.download()[2] == 50);
}
