// SPDX-License-Identifier: Apache-2.0
// The sieve of Eratosthenes: a launch for each prime, a thread for each multiple.
#include "check.h"

__global__ void strike(unsigned char *is_composite, int prime, int n) {
    long i = (long(blockIdx.x) * blockDim.x + threadIdx.x + prime) * prime;
    if (i < n) is_composite[i] = 1;
}

__global__ void count(const unsigned char *is_composite, int *primes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
    int found = __syncthreads_count(i < n && !is_composite[i]);
    if (threadIdx.x == 0) atomicAdd(primes, found);
}

int main() {
    const int n = 10000, threads = 100;
    device_array<unsigned char> is_composite(n);
    device_array<int> primes(1);
    is_composite.clear(), primes.clear();
    for (int p = 2; p * p < n; p++) {
        unsigned char struck;
        HIP_CHECK(hipMemcpy(&struck, is_composite.get() + p, 1, hipMemcpyDeviceToHost));
        if (!struck) strike<<<(n / p - p) / threads + 1, threads>>>(is_composite.get(), p, n);
    }
    count<<<n / threads, threads>>>(is_composite.get(), primes.get(), n);
    EXPECT(primes.download()[0] == 1229);
}
