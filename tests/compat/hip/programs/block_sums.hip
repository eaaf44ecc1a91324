// SPDX-License-Identifier: Apache-2.0
// The usual reduction of a block, a template with static shared memory in a device function.
#include <limits>

#include "check.h"

template <typename T> struct plus_of {
    __device__ T operator()(T a, T b) const { return a + b; }
    static __device__ T identity() { return 0; }
};
template <typename T> struct max_of {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
    static __device__ T identity() { return std::numeric_limits<T>::lowest(); }
};

template <typename T, typename Op> __device__ T reduce_warp(T value, Op op) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value = op(value, __shfl_down(value, offset));
    return value;
}

template <typename T, typename Op> __device__ T reduce_block(T value, Op op) {
    static __shared__ T shared[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = reduce_warp(value, op);
    __syncthreads();
    if (lane == 0) shared[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? shared[lane] : Op::identity();
    return warp == 0 ? reduce_warp(value, op) : value;
}

template <typename T> __global__ void reduce_both(const T *in, T *sums, T *most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = reduce_block(in[i], plus_of<T>());
    const T largest = reduce_block(in[i], max_of<T>());
    if (threadIdx.x == 0) sums[blockIdx.x] = sum, most[blockIdx.x] = largest;
}

template <typename T> void check_type() {
    const int blocks = 3, threads = 256;
    std::vector<T> host(blocks * threads);
    for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<T>(i * 37 % 101) - 50;
    device_array<T> in(host), sums(blocks), most(blocks);
    reduce_both<<<blocks, threads>>>(in.get(), sums.get(), most.get());
    const std::vector<T> s = sums.download(), m = most.download();
    for (int b = 0; b < blocks; b++) {
        T sum = 0, largest = host[b * threads];
        for (int i = 0; i < threads; i++) {
            sum += host[b * threads + i];
            largest = std::max(largest, host[b * threads + i]);
        }
        EXPECT(s[b] == sum && m[b] == largest);
    }
}

int main() {
    check_type<int>();
    check_type<float>();
    check_type<double>();
    check_type<long long>();
}
