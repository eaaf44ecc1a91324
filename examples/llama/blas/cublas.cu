// SPDX-License-Identifier: Apache-2.0
// libcublas.so: see cublas_v2.h.
#include <cublas_v2.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

using brain_float = __nv_bfloat16;

#define BLAS(name)       cublas##name
#define BLAS_VALUE(name) CUBLAS_##name
#define BLAS_NO_HANDLE   CUBLAS_STATUS_NOT_INITIALIZED
#define BLAS_CONTEXT     cublasContext
#define BLAS_ELEMENT     cudaDataType
#define BLAS_R_32F       CUDA_R_32F
#define BLAS_R_16F       CUDA_R_16F
#define BLAS_R_16B       CUDA_R_16BF
#define BLAS_STREAM      cudaStream_t
#define BLAS_LAUNCHED    (cudaGetLastError() == cudaSuccess)

#include "functions.h"

// The precision of a product is that of its arguments.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
    return handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
