// SPDX-License-Identifier: Apache-2.0
// 32 instances of a kernel with pairs of half precision, shared memory, barriers and shuffles, whose loops are
// unrolled, as in back-ends for inference. docs/performance.md has how long compilers take for it.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

template <int depth, int columns, int warps, bool masked, typename T>
__launch_bounds__(32 * warps) __global__
    void attend(const half2 *queries, const half2 *keys, const T *values, float *out, int count) {
    __shared__ half2 tile[32][depth / 2 + 1];
    __shared__ float sums[warps];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    half2 query[columns], weighted[columns];
    float sum[columns], most[columns];
#pragma unroll
    for (int j = 0; j < columns; j++) {
        query[j] = queries[j * depth / 2 + lane];
        weighted[j] = __floats2half2_rn(0, 0);
        sum[j] = 0;
        most[j] = -65504;
    }
    for (int k = 0; k < count; k += 32) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += warps)
#pragma unroll
            for (int d = 0; d < depth / 2; d += 32)
                tile[i + warp][d + lane] =
                    __hmul2(keys[(k + i + warp) * (depth / 2) + d + lane], __float2half2_rn(0.5f));
        __syncthreads();
#pragma unroll
        for (int j = 0; j < columns; j++) {
            half2 product = __floats2half2_rn(0, 0);
#pragma unroll
            for (int d = 0; d < depth / 2; d += 8) product += tile[lane][d] * query[j];
            float score = __low2float(product) + __high2float(product);
            if (masked) score += __half2float(__float2half(score));
#pragma unroll
            for (int offset = 16; offset > 0; offset /= 2)
                score = fmaxf(score, __shfl_xor(score, offset, 32));
            most[j] = fmaxf(most[j], score);
            const half weight = hexp(__float2half(score - most[j]));
            weighted[j] =
                __hfma2(__half2half2(weight),
                        __floats2half2_rn(values[k + lane], values[k + lane + 1]), weighted[j]);
            sum[j] += expf(score - most[j]);
        }
    }
#pragma unroll
    for (int j = 0; j < columns; j++) {
        if (lane == 0) sums[warp] = sum[j] + __low2float(weighted[j]);
        __syncthreads();
        if (threadIdx.x == 0) out[j] = sums[0];
    }
}

template <int columns, int warps, bool masked, typename T> void launch(const void *in, float *out) {
    const half2 *pairs = static_cast<const half2 *>(in);
    attend<64, columns, warps, masked>
        <<<1, 32 * warps>>>(pairs, pairs, static_cast<const T *>(in), out, 64);
}
template <int columns, int warps> void launch_each(const void *in, float *out) {
    launch<columns, warps, false, half>(in, out);
    launch<columns, warps, false, float>(in, out);
    launch<columns, warps, true, half>(in, out);
    launch<columns, warps, true, float>(in, out);
}
void launch_all(const void *in, float *out) {
    launch_each<1, 1>(in, out);
    launch_each<1, 2>(in, out);
    launch_each<1, 4>(in, out);
    launch_each<1, 8>(in, out);
    launch_each<2, 1>(in, out);
    launch_each<2, 2>(in, out);
    launch_each<2, 4>(in, out);
    launch_each<2, 8>(in, out);
}
