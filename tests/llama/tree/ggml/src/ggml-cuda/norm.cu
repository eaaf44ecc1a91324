// SPDX-License-Identifier: Apache-2.0
// Rows that are divided by the root of their mean square, or by the sum of their exponentials. A block of threads has
// a row; its warps add up in shared memory.
#include "common.cuh"

enum { THREADS = 128 };

template <typename Combine>
static __device__ float over_block(float value, float start, Combine combine) {
    static __shared__ float of_warps[THREADS / WARP];
#pragma unroll
    for (int lane = WARP / 2; lane > 0; lane /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, lane, WARP));
    if (threadIdx.x % WARP == 0) of_warps[threadIdx.x / WARP] = value;
    __syncthreads();
    value = start;
    for (int i = 0; i < THREADS / WARP; i++) value = combine(value, of_warps[i]);
    __syncthreads();
    return value;
}

struct add {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct greater {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

static __global__ void norm_rows(const float *in, float *out, int columns, float epsilon) {
    const float *row = in + (size_t)blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += THREADS) sum += row[i] * row[i];
    float scale = rsqrtf(over_block(sum, 0.0f, add()) / columns + epsilon);
    for (int i = threadIdx.x; i < columns; i += THREADS)
        out[(size_t)blockIdx.x * columns + i] = scale * row[i];
}

static __global__ void soft_max_rows(const float *in, float *out, int columns) {
    extern __shared__ float exponentials[];
    const float *row = in + (size_t)blockIdx.x * columns;
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < columns; i += THREADS) most = fmaxf(most, row[i]);
    most = over_block(most, -INFINITY, greater());
    for (int i = threadIdx.x; i < columns; i += THREADS)
        sum += exponentials[i] = expf(row[i] - most);
    sum = over_block(sum, 0.0f, add());
    for (int i = threadIdx.x; i < columns; i += THREADS)
        out[(size_t)blockIdx.x * columns + i] = exponentials[i] / sum;
}

bool rms_norm(const float *in, float *out, int rows, int columns, float epsilon) {
    size_t count = (size_t)rows * columns;
    device_array<float> x(count), y(count);
    if (!x.copy_in(in, count)) return false;
    CHECK(y.error);
    norm_rows<<<rows, THREADS, 0, get_context().stream>>>(x.data, y.data, columns, epsilon);
    CHECK(cudaGetLastError());
    return y.copy_out(out, count);
}

bool soft_max(const float *in, float *out, int rows, int columns) {
    size_t count = (size_t)rows * columns;
    device_array<float> x(count), y(count);
    if (!x.copy_in(in, count)) return false;
    CHECK(y.error);
    soft_max_rows<<<rows, THREADS, columns * sizeof(float), get_context().stream>>>(x.data, y.data,
                                                                                    columns);
    CHECK(cudaGetLastError());
    return y.copy_out(out, count);
}
