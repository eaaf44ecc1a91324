// SPDX-License-Identifier: Apache-2.0
// The functions of the back-end, and its products by the BLAS.
#include "common.cuh"

context &get_context() {
    static context the;
    return the;
}

static cudaDataType type_of(ggml_type type) {
    return type == TYPE_F32 ? CUDA_R_32F : type == TYPE_F16 ? CUDA_R_16F : CUDA_R_16BF;
}

// The BLAS has matrices column by column, and the same type for both factors.
static bool multiply_dense(ggml_type type, const void *weights, const float *in, float *out,
                           int rows, int columns, int k) {
    size_t row = ggml_row_bytes(type, k);
    device_array<char> w(row * columns), x(row * rows);
    device_array<float> y((size_t)rows * columns);
    char *same = new char[row * rows];
    const float one = 1, zero = 0;
    ggml_from_float(type, in, same, rows * k);
    bool copied = w.copy_in(weights, row * columns) && x.copy_in(same, row * rows);
    delete[] same; // memory that is not pinned has been read when the copy returns
    if (!copied) return false;
    CHECK(y.error);
    CHECK(cublasGemmEx(get_context().blas, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, k, &one, w.data,
                       type_of(type), k, x.data, type_of(type), k, &zero, y.data, CUDA_R_32F,
                       columns, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    return y.copy_out(out, (size_t)rows * columns);
}

static bool multiply(ggml_type type, const void *weights, const float *in, float *out, int rows,
                     int columns, int k) {
    switch (type) {
    case TYPE_Q8_0: return multiply_blocks<TYPE_Q8_0>(weights, in, out, rows, columns, k);
    case TYPE_Q4_0: return multiply_blocks<TYPE_Q4_0>(weights, in, out, rows, columns, k);
    default: return multiply_dense(type, weights, in, out, rows, columns, k);
    }
}

static __global__ void to_halves(const float *in, __half *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = __float2half(in[i]);
}

static __global__ void list_addresses(const __half *w, const __half *x, float *y, const void **ws,
                                      const void **xs, void **ys, size_t w_step, size_t x_step,
                                      size_t y_step) {
    int i = threadIdx.x;
    ws[i] = w + i * w_step;
    xs[i] = x + i * x_step;
    ys[i] = y + i * y_step;
}

static bool multiply_each(const void *weights, const float *in, float *out, int rows, int columns,
                          int k, int count) {
    size_t w_step = (size_t)columns * k, x_step = (size_t)rows * k, y_step = (size_t)rows * columns;
    device_array<__half> w(w_step * count), h(x_step * count);
    device_array<float> x(x_step * count), y(y_step * count);
    device_array<const void *> ws(count), xs(count);
    device_array<void *> ys(count);
    const float one = 1, zero = 0;
    cudaStream_t stream = get_context().stream;
    if (!w.copy_in(weights, w_step * count) || !x.copy_in(in, x_step * count)) return false;
    CHECK(h.error);
    CHECK(y.error);
    CHECK(ws.error);
    CHECK(xs.error);
    CHECK(ys.error);
    int numbers = (int)(x_step * count);
    to_halves<<<(numbers + 63) / 64, 64, 0, stream>>>(x.data, h.data, numbers);
    list_addresses<<<1, count, 0, stream>>>(w.data, h.data, y.data, ws.data, xs.data, ys.data,
                                            w_step, x_step, y_step);
    CHECK(cudaGetLastError());
    CHECK(cublasGemmBatchedEx(get_context().blas, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, k, &one,
                              ws.data, CUDA_R_16F, k, xs.data, CUDA_R_16F, k, &zero, ys.data,
                              CUDA_R_32F, columns, count, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    return y.copy_out(out, y_step * count);
}

extern "C" const ggml_backend *ggml_backend_init() {
    static const ggml_backend backend = {
#if defined(GGML_USE_HIP)
        "HIP",
#else
        "CUDA",
#endif
        multiply,
        rms_norm,
        soft_max,
        multiply_each
    };
    context &c = get_context();
    if (!succeeds(cudaStreamCreate(&c.stream), "cudaStreamCreate") ||
        !succeeds(cublasCreate(&c.blas), "cublasCreate") ||
        !succeeds(cublasSetStream(c.blas, c.stream), "cublasSetStream"))
        return nullptr;
    return &backend;
}
