// SPDX-License-Identifier: Apache-2.0
// What the files of the back-end share.
#pragma once

#if defined(GGML_USE_HIP)
#include "vendors/hip.h"
#else
#include "vendors/cuda.h"
#endif

#include "ggml.h"

#include <cstdio>

#define WARP 32

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if (!succeeds((call), #call)) return false;                                                \
    } while (0)

inline bool succeeds(cudaError_t error, const char *call) {
    if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    return error == cudaSuccess;
}

inline bool succeeds(cublasStatus_t status, const char *call) {
    if (status != CUBLAS_STATUS_SUCCESS) std::fprintf(stderr, "%s: status %d\n", call, (int)status);
    return status == CUBLAS_STATUS_SUCCESS;
}

// The stream of the back-end, and its BLAS.
struct context {
    cudaStream_t stream = nullptr;
    cublasHandle_t blas = nullptr;
};
context &get_context();

// Device memory for as long as it lives.
template <typename T> struct device_array {
    T *data = nullptr;
    cudaError_t error;
    explicit device_array(size_t count) {
        error = cudaMallocAsync((void **)&data, count * sizeof(T), get_context().stream);
    }
    ~device_array() {
        if (data != nullptr) (void)cudaFreeAsync(data, get_context().stream);
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    bool copy_in(const void *host, size_t count) {
        CHECK(error);
        CHECK(cudaMemcpyAsync(data, host, count * sizeof(T), cudaMemcpyHostToDevice,
                              get_context().stream));
        return true;
    }
    bool copy_out(void *host, size_t count) {
        CHECK(error);
        CHECK(cudaMemcpyAsync(host, data, count * sizeof(T), cudaMemcpyDeviceToHost,
                              get_context().stream));
        CHECK(cudaStreamSynchronize(get_context().stream));
        return true;
    }
};

template <int width = WARP> __device__ inline float warp_sum(float value) {
#pragma unroll
    for (int lane = width / 2; lane > 0; lane /= 2)
        value += __shfl_xor_sync(0xffffffff, value, lane, width);
    return value;
}

// Four products of bytes, added to a sum.
__device__ inline int dot_of_bytes(int a, int b, int sum) {
#if defined(GGML_USE_HIP) && defined(__gfx1030__)
    return __builtin_amdgcn_sdot4(a, b, sum, false);
#elif !defined(GGML_USE_HIP) && __CUDA_ARCH__ >= 610
    return __dp4a(a, b, sum);
#else
    const int8_t *x = (const int8_t *)&a, *y = (const int8_t *)&b;
    for (int i = 0; i < 4; i++) sum += x[i] * y[i];
    return sum;
#endif
}

// mmq.cuh: by blocks of integers; norm.cu, soft_max.cu.
template <ggml_type type>
bool multiply_blocks(const void *weights, const float *in, float *out, int rows, int columns,
                     int k);
bool rms_norm(const float *in, float *out, int rows, int columns, float epsilon);
bool soft_max(const float *in, float *out, int rows, int columns);
