// SPDX-License-Identifier: Apache-2.0
// The part of hipBLAS that ggml uses: declarations for hipblas.hip. Names, values and the order of parameters are those of
// AMD's header, https://rocm.docs.amd.com/projects/hipBLAS. All functions run in the order of the handle's stream.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hipblas_handle *hipblasHandle_t;

typedef enum {
    HIPBLAS_STATUS_SUCCESS = 0,
    HIPBLAS_STATUS_NOT_INITIALIZED = 1,
    HIPBLAS_STATUS_ALLOC_FAILED = 2,
    HIPBLAS_STATUS_INVALID_VALUE = 3,
    HIPBLAS_STATUS_MAPPING_ERROR = 4,
    HIPBLAS_STATUS_EXECUTION_FAILED = 5,
    HIPBLAS_STATUS_INTERNAL_ERROR = 6,
    HIPBLAS_STATUS_NOT_SUPPORTED = 7,
    HIPBLAS_STATUS_ARCH_MISMATCH = 8,
    HIPBLAS_STATUS_HANDLE_IS_NULLPTR = 9,
    HIPBLAS_STATUS_INVALID_ENUM = 10,
    HIPBLAS_STATUS_UNKNOWN = 11
} hipblasStatus_t;

typedef enum { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112, HIPBLAS_OP_C = 113 } hipblasOperation_t;
typedef enum { HIPBLAS_FILL_MODE_UPPER = 121, HIPBLAS_FILL_MODE_LOWER = 122 } hipblasFillMode_t;
typedef enum { HIPBLAS_DIAG_NON_UNIT = 131, HIPBLAS_DIAG_UNIT = 132 } hipblasDiagType_t;
typedef enum { HIPBLAS_SIDE_LEFT = 141, HIPBLAS_SIDE_RIGHT = 142 } hipblasSideMode_t;
typedef enum { HIPBLAS_GEMM_DEFAULT = 160 } hipblasGemmAlgo_t;

// Releases before 7 have a type of their own for elements, which also names the precision.
#if HIP_VERSION_MAJOR >= 7
typedef hipDataType hipblasDatatype_t;
typedef enum {
    HIPBLAS_COMPUTE_16F = 0,
    HIPBLAS_COMPUTE_32F = 2,
    HIPBLAS_COMPUTE_32F_FAST_16F = 4
} hipblasComputeType_t;
#define HIPBLAS_R_16F HIP_R_16F
#define HIPBLAS_R_32F HIP_R_32F
#define HIPBLAS_R_16B HIP_R_16BF
#else
typedef enum { HIPBLAS_R_16F = 150, HIPBLAS_R_32F = 151, HIPBLAS_R_16B = 168 } hipblasDatatype_t;
typedef hipblasDatatype_t hipblasComputeType_t;
#define HIPBLAS_COMPUTE_16F HIPBLAS_R_16F
#define HIPBLAS_COMPUTE_32F HIPBLAS_R_32F
#endif

hipblasStatus_t hipblasCreate(hipblasHandle_t *handle);
hipblasStatus_t hipblasDestroy(hipblasHandle_t handle);
hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream);

// C = alpha * op(A) * op(B) + beta * C. alpha and beta lie in host memory and have the type of the computation.
hipblasStatus_t hipblasSgemm(hipblasHandle_t handle, hipblasOperation_t transa,
                             hipblasOperation_t transb, int m, int n, int k, const float *alpha,
                             const float *A, int lda, const float *B, int ldb, const float *beta,
                             float *C, int ldc);
hipblasStatus_t hipblasGemmEx(hipblasHandle_t handle, hipblasOperation_t transa,
                              hipblasOperation_t transb, int m, int n, int k, const void *alpha,
                              const void *A, hipblasDatatype_t aType, int lda, const void *B,
                              hipblasDatatype_t bType, int ldb, const void *beta, void *C,
                              hipblasDatatype_t cType, int ldc, hipblasComputeType_t computeType,
                              hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmBatchedEx(hipblasHandle_t handle, hipblasOperation_t transa,
                                     hipblasOperation_t transb, int m, int n, int k,
                                     const void *alpha, const void *const *A,
                                     hipblasDatatype_t aType, int lda, const void *const *B,
                                     hipblasDatatype_t bType, int ldb, const void *beta,
                                     void *const *C, hipblasDatatype_t cType, int ldc,
                                     int batchCount, hipblasComputeType_t computeType,
                                     hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmStridedBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb, int m, int n,
    int k, const void *alpha, const void *A, hipblasDatatype_t aType, int lda, long long strideA,
    const void *B, hipblasDatatype_t bType, int ldb, long long strideB, const void *beta, void *C,
    hipblasDatatype_t cType, int ldc, long long strideC, int batchCount,
    hipblasComputeType_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasStrsmBatched(hipblasHandle_t handle, hipblasSideMode_t side,
                                    hipblasFillMode_t uplo, hipblasOperation_t transA,
                                    hipblasDiagType_t diag, int m, int n, const float *alpha,
                                    const float *const A[], int lda, float *const B[], int ldb,
                                    int batchCount);

#ifdef __cplusplus
}
#endif
