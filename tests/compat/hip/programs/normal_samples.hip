// SPDX-License-Identifier: Apache-2.0
// Draws numbers with a normal distribution, by the inverse of its distribution function.
#include "check.h"

struct generator {
    unsigned long long state;
    __device__ double next() {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return ((state >> 12) + 0.5) / 4503599627370496.0;
    }
};

__global__ void draw(double *samples, int each) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    generator random{88172645463325252ull + 977ull * i};
    for (int k = 0; k < each; k++) random.next();
    for (int k = 0; k < each; k++) samples[i * each + k] = normcdfinv(random.next());
}

__global__ void share_below(const double *samples, int n, double bound, unsigned *below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int votes = __syncthreads_count(i < n && samples[i] < bound);
    if (threadIdx.x == 0) atomicAdd(below, static_cast<unsigned>(votes));
}

int main() {
    const int threads = 128, each = 32, n = threads * each;
    device_array<double> samples(n);
    device_array<unsigned> below(1);
    draw<<<2, threads / 2>>>(samples.get(), each);
    for (double bound : {-1.0, 0.0, 1.5}) {
        below.clear();
        share_below<<<(n + 255) / 256, 256>>>(samples.get(), n, bound, below.get());
        EXPECT(std::fabs(below.download()[0] / static_cast<double>(n) - normcdf(bound)) < 0.03);
    }
    double sum = 0;
    for (double x : samples.download()) sum += x * x / n;
    EXPECT(std::fabs(sum - 1) < 0.08);
}
