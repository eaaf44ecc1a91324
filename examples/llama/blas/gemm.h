// SPDX-License-Identifier: Apache-2.0
// Products of matrices for hipblas.hip and cublas.cu: a kernel of one thread for each product, which calls the
// system's CBLAS. A launch gives the order of the stream, the device's own access to its memory, and the errors of
// a kernel. Matrices lie column by column.
#pragma once

#include <cblas.h>

#include <vector>

namespace blas {

enum class element { none, f32, f16, bf16 };

// The sizes, types and factors of a product. All products of one launch have the same.
struct shape {
    bool transpose_a, transpose_b;
    int m, n, k; // C has m rows and n columns, and k terms are added up for each number in it
    float alpha, beta;
    element type_a, type_b, type_c;
    int lda, ldb, ldc;
};

inline bool is_valid(const shape &s) {
    int rows_a = s.transpose_a ? s.k : s.m, rows_b = s.transpose_b ? s.n : s.k;
    return s.m >= 0 && s.n >= 0 && s.k >= 0 && s.lda >= rows_a && s.ldb >= rows_b && s.ldc >= s.m &&
           s.lda > 0 && s.ldb > 0 && s.ldc > 0;
}

__device__ inline float load(const void *data, size_t index, element type) {
    if (type == element::f16) return __half2float(static_cast<const __half *>(data)[index]);
    if (type == element::bf16)
        return __bfloat162float(static_cast<const brain_float *>(data)[index]);
    return static_cast<const float *>(data)[index];
}

__device__ inline void store(void *data, size_t index, element type, float value) {
    if (type == element::f16)
        static_cast<__half *>(data)[index] = __float2half(value);
    else
        static_cast<brain_float *>(data)[index] = __float2bfloat16(value);
}

// Returns a matrix of `columns` columns as floats: itself, or a copy in `room`.
__device__ inline const float *as_floats(const void *data, element type, int rows, int columns,
                                         int stride, std::vector<float> &room) {
    if (type == element::f32) return static_cast<const float *>(data);
    room.resize(size_t(stride) * columns);
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < rows; row++) {
            size_t index = size_t(column) * stride + row;
            room[index] = load(data, index, type);
        }
    return room.data();
}

__device__ inline void multiply(const shape &s, const void *a, const void *b, void *c) {
    std::vector<float> room_a, room_b, room_c;
    const float *left =
        as_floats(a, s.type_a, s.transpose_a ? s.k : s.m, s.transpose_a ? s.m : s.k, s.lda, room_a);
    const float *right =
        as_floats(b, s.type_b, s.transpose_b ? s.n : s.k, s.transpose_b ? s.k : s.n, s.ldb, room_b);
    float *product = static_cast<float *>(c);
    if (s.type_c != element::f32) {
        room_c.resize(size_t(s.ldc) * s.n);
        product = room_c.data();
        if (s.beta != 0) (void)as_floats(c, s.type_c, s.m, s.n, s.ldc, room_c);
    }
    cblas_sgemm(CblasColMajor, s.transpose_a ? CblasTrans : CblasNoTrans,
                s.transpose_b ? CblasTrans : CblasNoTrans, s.m, s.n, s.k, s.alpha, left, s.lda,
                right, s.ldb, s.beta, product, s.ldc);
    if (s.type_c == element::f32) return;
    for (int column = 0; column < s.n; column++)
        for (int row = 0; row < s.m; row++) {
            size_t index = size_t(column) * s.ldc + row;
            store(c, index, s.type_c, product[index]);
        }
}

inline size_t size_of(element type) { return type == element::f32 ? 4 : 2; }

// Product number blockIdx.x, of matrices that lie at equal distances; those are in elements.
__global__ void multiply_strided(shape s, const void *a, const void *b, void *c, long long stride_a,
                                 long long stride_b, long long stride_c) {
    long long i = blockIdx.x;
    multiply(s, static_cast<const char *>(a) + i * stride_a * (long long)size_of(s.type_a),
             static_cast<const char *>(b) + i * stride_b * (long long)size_of(s.type_b),
             static_cast<char *>(c) + i * stride_c * (long long)size_of(s.type_c));
}

// The same of matrices whose addresses lie in arrays in device memory.
__global__ void multiply_batched(shape s, const void *const *a, const void *const *b,
                                 void *const *c) {
    multiply(s, a[blockIdx.x], b[blockIdx.x], c[blockIdx.x]);
}

// Solves A X = alpha B, or X A = alpha B, for triangular A; X replaces B.
struct triangle {
    bool right, upper, transpose, unit;
    int m, n;
    float alpha;
    int lda, ldb;
};

__global__ void solve_batched(triangle t, const float *const *a, float *const *b) {
    cblas_strsm(CblasColMajor, t.right ? CblasRight : CblasLeft, t.upper ? CblasUpper : CblasLower,
                t.transpose ? CblasTrans : CblasNoTrans, t.unit ? CblasUnit : CblasNonUnit, t.m,
                t.n, t.alpha, a[blockIdx.x], t.lda, b[blockIdx.x], t.ldb);
}

} // namespace blas
