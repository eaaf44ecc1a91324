// SPDX-License-Identifier: Apache-2.0
// See mean.h.
#include "mean.h"

template <int Threads> __global__ void add_up(const float *numbers, float *sum, int count) {
    __shared__ float sums[Threads];
    float own = 0;
    for (int i = blockIdx.x * Threads + threadIdx.x; i < count; i += gridDim.x * Threads)
        own += numbers[i];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int half = Threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < unsigned(half)) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, sums[0]);
}

float mean(const float *numbers, int count, hipStream_t stream) {
    float *sum, result = NAN;
    if (hipMallocAsync((void **)&sum, sizeof *sum, stream) != hipSuccess) return result;
    if (hipMemsetAsync(sum, 0, sizeof *sum, stream) == hipSuccess) {
        add_up<128><<<8, 128, 0, stream>>>(numbers, sum, count);
        if (hipGetLastError() != hipSuccess ||
            hipMemcpyAsync(&result, sum, sizeof result, hipMemcpyDeviceToHost, stream) !=
                hipSuccess ||
            hipStreamSynchronize(stream) != hipSuccess)
            result = NAN;
    }
    (void)hipFreeAsync(sum, stream);
    return result / count;
}
