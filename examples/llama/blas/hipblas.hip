// SPDX-License-Identifier: Apache-2.0
// libhipblas.so: see hipblas/hipblas.h.
#include <hipblas/hipblas.h>

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

using brain_float = __hip_bfloat16;

#define BLAS(name)       hipblas##name
#define BLAS_VALUE(name) HIPBLAS_##name
#define BLAS_NO_HANDLE   HIPBLAS_STATUS_HANDLE_IS_NULLPTR
#define BLAS_CONTEXT     hipblas_handle
#define BLAS_ELEMENT     hipblasDatatype_t
#define BLAS_R_32F       HIPBLAS_R_32F
#define BLAS_R_16F       HIPBLAS_R_16F
#define BLAS_R_16B       HIPBLAS_R_16B
#define BLAS_STREAM      hipStream_t
#define BLAS_LAUNCHED    (hipGetLastError() == hipSuccess)

#include "functions.h"
