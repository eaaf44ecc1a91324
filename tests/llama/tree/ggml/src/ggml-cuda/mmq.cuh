// SPDX-License-Identifier: Apache-2.0
// Products with weights in blocks of integers. The other factor is put into blocks of 8 bits first.
#pragma once

#include "common.cuh"

static __device__ int load_int(const void *bytes, int i) { // from an address that is even
    const uint16_t *halves = (const uint16_t *)bytes + 2 * i;
    return halves[0] | halves[1] << 16;
}

static __global__ void quantize_q8_0(const float *in, block_q8_0 *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < count ? in[i] : 0, most = fabsf(value);
#pragma unroll
    for (int lane = QK / 2; lane > 0; lane /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, lane, WARP));
    if (i >= count) return;
    float scale = most / 127;
    out[i / QK].quants[i % QK] = scale != 0 ? (int8_t)roundf(value / scale) : 0;
    if (i % QK == 0) out[i / QK].scale = __half_as_ushort(__float2half(scale));
}

template <ggml_type type> struct traits;
template <> struct traits<TYPE_Q8_0> {
    using block = block_q8_0;
    static __device__ int quants(const block &b, int i) { return load_int(b.quants, i); }
};
template <> struct traits<TYPE_Q4_0> {
    using block = block_q4_0;
    static __device__ int quants(const block &b, int i) {
        int packed = load_int(b.quants, i % 4);
        return (i < 4 ? packed : packed >> 4) & 0x0f0f0f0f;
    }
};

// A warp for each number of the result.
template <ggml_type type>
static __global__
__launch_bounds__(4 * WARP) void multiply_quants(const void *weights, const block_q8_0 *in,
                                                 float *out, int rows, int columns, int blocks) {
    using block = typename traits<type>::block;
    int column = blockIdx.x * 4 + threadIdx.y, row = blockIdx.y;
    float sum = 0;
    if (column < columns)
        for (int b = threadIdx.x; b < blocks; b += WARP) {
            const block &w = ((const block *)weights)[(size_t)column * blocks + b];
            const block_q8_0 &x = in[(size_t)row * blocks + b];
            int dot = 0, all = 0;
#pragma unroll
            for (int i = 0; i < QK / 4; i++) {
                int bytes = load_int(x.quants, i);
                dot = dot_of_bytes(traits<type>::quants(w, i), bytes, dot);
                all = dot_of_bytes(0x01010101, bytes, all);
            }
            if (type == TYPE_Q4_0) dot -= 8 * all;
            sum += __half2float(__ushort_as_half(w.scale)) *
                   __half2float(__ushort_as_half(x.scale)) * dot;
        }
    sum = warp_sum(sum);
    if (threadIdx.x == 0 && column < columns) out[(size_t)row * columns + column] = sum;
}

template <ggml_type type>
bool multiply_blocks(const void *weights, const float *in, float *out, int rows, int columns,
                     int k) {
    size_t bytes = ggml_row_bytes(type, k) * (size_t)columns, numbers = (size_t)rows * k;
    device_array<char> w(bytes);
    device_array<float> x(numbers), y((size_t)rows * columns);
    device_array<block_q8_0> q(numbers / QK);
    if (!w.copy_in(weights, bytes) || !x.copy_in(in, numbers)) return false;
    CHECK(q.error);
    CHECK(y.error);
    cudaStream_t stream = get_context().stream;
    quantize_q8_0<<<(int)((numbers + 255) / 256), 256, 0, stream>>>(x.data, q.data, (int)numbers);
    CHECK(cudaGetLastError());
    multiply_quants<type><<<dim3((columns + 3) / 4, rows), dim3(WARP, 4), 0, stream>>>(
        w.data, q.data, y.data, rows, columns, k / QK);
    CHECK(cudaGetLastError());
    return y.copy_out(out, (size_t)rows * columns);
}
