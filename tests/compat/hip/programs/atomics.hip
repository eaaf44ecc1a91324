// SPDX-License-Identifier: Apache-2.0
// A maximum of floats by compare and swap, tickets, and a sum of doubles, by many blocks at once.
#include "check.h"

#include <algorithm>

__device__ float max_of(float *address, float value) {
    unsigned *bits = reinterpret_cast<unsigned *>(address), before = atomicOr(bits, 0u), assumed;
    do {
        assumed = before;
        if (__uint_as_float(assumed) >= value) break;
        before = atomicCAS(bits, assumed, __float_as_uint(value));
    } while (before != assumed);
    return __uint_as_float(before);
}

__global__ void measure(const float *p, float *most, double *sum, unsigned *tickets,
                        unsigned *taken, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    max_of(most, p[i]);
    atomicAdd(sum, static_cast<double>(p[i]));
    unsigned ticket = atomicInc(tickets, 0xffffffffu);
    atomicExch(&taken[ticket], 1u);
    atomicMin(&taken[n], static_cast<unsigned>(i));
    atomicOr(&taken[n + 1], 1u << (i % 32));
}

int main() {
    const int n = 4000;
    std::vector<float> p(n);
    numbers random;
    double sum = 0;
    for (float &x : p) x = float(random() >> 20), sum += x;
    device_array<float> dp(p), most(1);
    device_array<double> dsum(1);
    device_array<unsigned> tickets(1), taken(n + 2);
    most.clear(), dsum.clear(), tickets.clear(), taken.clear();
    measure<<<(n + 63) / 64, 64>>>(dp.get(), most.get(), dsum.get(), tickets.get(), taken.get(), n);
    EXPECT(most.download()[0] == *std::max_element(p.begin(), p.end()));
    EXPECT(dsum.download()[0] == sum);
    EXPECT(tickets.download()[0] == n);
    std::vector<unsigned> all = taken.download();
    for (int i = 0; i < n; i++) EXPECT(all[i] == 1);
    EXPECT(all[n] == 0 && all[n + 1] == ~0u);
}
