// SPDX-License-Identifier: Apache-2.0
// The functions of hipBLAS and of cuBLAS, which differ in their names only: BLAS(GemmEx) is hipblasGemmEx or cublasGemmEx. The
// file that includes this one defines the names.
#pragma once

#include "gemm.h"

#include <new>

struct BLAS_CONTEXT {
    BLAS_STREAM stream;
};

static blas::element element_of(BLAS_ELEMENT type) {
    return type == BLAS_R_32F   ? blas::element::f32
           : type == BLAS_R_16F ? blas::element::f16
           : type == BLAS_R_16B ? blas::element::bf16
                                : blas::element::none;
}

// A factor of a computation in 16 bits has 16 bits, too.
static float factor(const void *number, BLAS(ComputeType_t) type) {
    return type == BLAS_VALUE(COMPUTE_16F) ? __half2float(*static_cast<const __half *>(number))
                                           : *static_cast<const float *>(number);
}

static BLAS(Status_t) check(BLAS(Handle_t) handle, const blas::shape &shape, int count) {
    if (handle == nullptr) return BLAS_NO_HANDLE;
    if (shape.type_a == blas::element::none || shape.type_b == blas::element::none ||
        shape.type_c == blas::element::none)
        return BLAS_VALUE(STATUS_NOT_SUPPORTED);
    return blas::is_valid(shape) && count >= 0 ? BLAS_VALUE(STATUS_SUCCESS)
                                               : BLAS_VALUE(STATUS_INVALID_VALUE);
}

static BLAS(Status_t) launched() {
    return BLAS_LAUNCHED ? BLAS_VALUE(STATUS_SUCCESS) : BLAS_VALUE(STATUS_EXECUTION_FAILED);
}

BLAS(Status_t) BLAS(Create)(BLAS(Handle_t) * handle) {
    if (handle == nullptr) return BLAS_NO_HANDLE;
    *handle = new (std::nothrow) BLAS_CONTEXT{};
    return *handle != nullptr ? BLAS_VALUE(STATUS_SUCCESS) : BLAS_VALUE(STATUS_ALLOC_FAILED);
}

BLAS(Status_t) BLAS(Destroy)(BLAS(Handle_t) handle) {
    if (handle == nullptr) return BLAS_NO_HANDLE;
    delete handle;
    return BLAS_VALUE(STATUS_SUCCESS);
}

BLAS(Status_t) BLAS(SetStream)(BLAS(Handle_t) handle, BLAS_STREAM stream) {
    if (handle == nullptr) return BLAS_NO_HANDLE;
    handle->stream = stream;
    return BLAS_VALUE(STATUS_SUCCESS);
}

BLAS(Status_t)
BLAS(GemmStridedBatchedEx)
(BLAS(Handle_t) handle, BLAS(Operation_t) transa, BLAS(Operation_t) transb, int m, int n, int k,
 const void *alpha, const void *A, BLAS_ELEMENT aType, int lda, long long strideA, const void *B,
 BLAS_ELEMENT bType, int ldb, long long strideB, const void *beta, void *C, BLAS_ELEMENT cType,
 int ldc, long long strideC, int batchCount, BLAS(ComputeType_t) computeType, BLAS(GemmAlgo_t)) {
    if (alpha == nullptr || beta == nullptr) return BLAS_VALUE(STATUS_INVALID_VALUE);
    const blas::shape shape = {transa != BLAS_VALUE(OP_N),
                               transb != BLAS_VALUE(OP_N),
                               m,
                               n,
                               k,
                               factor(alpha, computeType),
                               factor(beta, computeType),
                               element_of(aType),
                               element_of(bType),
                               element_of(cType),
                               lda,
                               ldb,
                               ldc};
    BLAS(Status_t) status = check(handle, shape, batchCount);
    if (status != BLAS_VALUE(STATUS_SUCCESS) || m == 0 || n == 0 || batchCount == 0) return status;
    blas::multiply_strided<<<batchCount, 1, 0, handle->stream>>>(shape, A, B, C, strideA, strideB,
                                                                 strideC);
    return launched();
}

BLAS(Status_t)
BLAS(GemmBatchedEx)
(BLAS(Handle_t) handle, BLAS(Operation_t) transa, BLAS(Operation_t) transb, int m, int n, int k,
 const void *alpha, const void *const *A, BLAS_ELEMENT aType, int lda, const void *const *B,
 BLAS_ELEMENT bType, int ldb, const void *beta, void *const *C, BLAS_ELEMENT cType, int ldc,
 int batchCount, BLAS(ComputeType_t) computeType, BLAS(GemmAlgo_t)) {
    if (alpha == nullptr || beta == nullptr) return BLAS_VALUE(STATUS_INVALID_VALUE);
    const blas::shape shape = {transa != BLAS_VALUE(OP_N),
                               transb != BLAS_VALUE(OP_N),
                               m,
                               n,
                               k,
                               factor(alpha, computeType),
                               factor(beta, computeType),
                               element_of(aType),
                               element_of(bType),
                               element_of(cType),
                               lda,
                               ldb,
                               ldc};
    BLAS(Status_t) status = check(handle, shape, batchCount);
    if (status != BLAS_VALUE(STATUS_SUCCESS) || m == 0 || n == 0 || batchCount == 0) return status;
    blas::multiply_batched<<<batchCount, 1, 0, handle->stream>>>(shape, A, B, C);
    return launched();
}

BLAS(Status_t)
BLAS(GemmEx)
(BLAS(Handle_t) handle, BLAS(Operation_t) transa, BLAS(Operation_t) transb, int m, int n, int k,
 const void *alpha, const void *A, BLAS_ELEMENT aType, int lda, const void *B, BLAS_ELEMENT bType,
 int ldb, const void *beta, void *C, BLAS_ELEMENT cType, int ldc, BLAS(ComputeType_t) computeType,
 BLAS(GemmAlgo_t) algo) {
    return BLAS(GemmStridedBatchedEx)(handle, transa, transb, m, n, k, alpha, A, aType, lda, 0, B,
                                      bType, ldb, 0, beta, C, cType, ldc, 0, 1, computeType, algo);
}

BLAS(Status_t)
BLAS(Sgemm)
(BLAS(Handle_t) handle, BLAS(Operation_t) transa, BLAS(Operation_t) transb, int m, int n, int k,
 const float *alpha, const float *A, int lda, const float *B, int ldb, const float *beta, float *C,
 int ldc) {
    return BLAS(GemmEx)(handle, transa, transb, m, n, k, alpha, A, BLAS_R_32F, lda, B, BLAS_R_32F,
                        ldb, beta, C, BLAS_R_32F, ldc, BLAS_VALUE(COMPUTE_32F),
                        BLAS_VALUE(GEMM_DEFAULT));
}

BLAS(Status_t)
BLAS(StrsmBatched)
(BLAS(Handle_t) handle, BLAS(SideMode_t) side, BLAS(FillMode_t) uplo, BLAS(Operation_t) transA,
 BLAS(DiagType_t) diag, int m, int n, const float *alpha, const float *const A[], int lda,
 float *const B[], int ldb, int batchCount) {
    if (handle == nullptr) return BLAS_NO_HANDLE;
    int order = side == BLAS_VALUE(SIDE_LEFT) ? m : n;
    if (alpha == nullptr || m < 0 || n < 0 || batchCount < 0 || lda < order || ldb < m)
        return BLAS_VALUE(STATUS_INVALID_VALUE);
    if (m == 0 || n == 0 || batchCount == 0) return BLAS_VALUE(STATUS_SUCCESS);
    const blas::triangle triangle = {side == BLAS_VALUE(SIDE_RIGHT),
                                     uplo == BLAS_VALUE(FILL_MODE_UPPER),
                                     transA != BLAS_VALUE(OP_N),
                                     diag == BLAS_VALUE(DIAG_UNIT),
                                     m,
                                     n,
                                     *alpha,
                                     lda,
                                     ldb};
    blas::solve_batched<<<batchCount, 1, 0, handle->stream>>>(triangle, A, B);
    return launched();
}
