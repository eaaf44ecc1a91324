// SPDX-License-Identifier: Apache-2.0
// The sources use the names of CUDA.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>

#define CUBLAS_COMPUTE_32F                        HIPBLAS_COMPUTE_32F
#define CUBLAS_GEMM_DEFAULT                       HIPBLAS_GEMM_DEFAULT
#define CUBLAS_OP_N                               HIPBLAS_OP_N
#define CUBLAS_OP_T                               HIPBLAS_OP_T
#define CUBLAS_STATUS_SUCCESS                     HIPBLAS_STATUS_SUCCESS
#define CUDA_R_16BF                               HIPBLAS_R_16B
#define CUDA_R_16F                                HIPBLAS_R_16F
#define CUDA_R_32F                                HIPBLAS_R_32F
#define __nv_bfloat16                             __hip_bfloat16
#define __shfl_xor_sync(mask, value, lane, width) __shfl_xor(value, lane, width)
#define cublasCreate                              hipblasCreate
#define cublasDestroy                             hipblasDestroy
#define cublasGemmBatchedEx                       hipblasGemmBatchedEx
#define cublasGemmEx                              hipblasGemmEx
#define cublasHandle_t                            hipblasHandle_t
#define cublasSetStream                           hipblasSetStream
#define cublasStatus_t                            hipblasStatus_t
#define cudaDataType                              hipblasDatatype_t
#define cudaError_t                               hipError_t
#define cudaFreeAsync                             hipFreeAsync
#define cudaGetErrorString                        hipGetErrorString
#define cudaGetLastError                          hipGetLastError
#define cudaMallocAsync                           hipMallocAsync
#define cudaMemcpyAsync                           hipMemcpyAsync
#define cudaMemcpyDeviceToHost                    hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice                    hipMemcpyHostToDevice
#define cudaStreamCreate                          hipStreamCreate
#define cudaStreamSynchronize                     hipStreamSynchronize
#define cudaStream_t                              hipStream_t
#define cudaSuccess                               hipSuccess
