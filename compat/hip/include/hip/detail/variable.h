/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/variable.h - variables that kernels use, marked __device__, __constant__ or
 * __managed__.
 *
 * Kernels that were compiled for the host use the variable of the host. These functions know it by
 * its address. In C++, the overloads in <hip/hip_runtime.h> take the variable itself and make it
 * known; it is then memory of the host that devices can use. A program in C makes it known with
 * hipExtRegisterHostVariable(). Any thread may call these functions.
 */
#ifndef HIP_DETAIL_VARIABLE_H
#define HIP_DETAIL_VARIABLE_H

#include <hip/detail/copy.h>

/* A variable, as an argument of these functions. */
#define HIP_SYMBOL(variable) variable

HIP_EXTERN_C_BEGIN

/*
 * Makes a variable of `sizeBytes` bytes known, until the process ends. A known one is left as it
 * is. hipErrorInvalidValue: NULL, 0 bytes, or a range that is not mapped; hipErrorOutOfMemory;
 * hipErrorHostMemoryAlreadyRegistered: a part of it is other memory of the program.
 */
HIP_API hipError_t hipExtRegisterHostVariable(const void *symbol, size_t sizeBytes);

/* The address that devices use, and the size. hipErrorInvalidValue: the output NULL;
 * hipErrorInvalidSymbol: unknown. */
HIP_API hipError_t hipGetSymbolAddress(void **devPtr, const void *symbol);
HIP_API hipError_t hipGetSymbolSize(size_t *size, const void *symbol);

/*
 * Copy bytes to or from a variable, from `offset` on. hipErrorInvalidSymbol: unknown;
 * hipErrorInvalidValue: NULL, or a range beyond the variable; hipErrorInvalidMemcpyDirection: a kind
 * of the other direction; else as hipMemcpy() and hipMemcpyAsync().
 */
HIP_API hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t sizeBytes,
                                     size_t offset HIP_DEFAULT(0),
                                     hipMemcpyKind kind HIP_DEFAULT(hipMemcpyHostToDevice));
HIP_API hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t sizeBytes,
                                          size_t offset, hipMemcpyKind kind,
                                          hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t sizeBytes,
                                       size_t offset HIP_DEFAULT(0),
                                       hipMemcpyKind kind HIP_DEFAULT(hipMemcpyDeviceToHost));
HIP_API hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t sizeBytes,
                                            size_t offset, hipMemcpyKind kind,
                                            hipStream_t stream HIP_DEFAULT(NULL));

/* The same on the stream of the thread. */
HIP_API hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t sizeBytes,
                                         size_t offset HIP_DEFAULT(0),
                                         hipMemcpyKind kind HIP_DEFAULT(hipMemcpyHostToDevice));
HIP_API hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t sizeBytes,
                                              size_t offset, hipMemcpyKind kind,
                                              hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t sizeBytes,
                                           size_t offset HIP_DEFAULT(0),
                                           hipMemcpyKind kind HIP_DEFAULT(hipMemcpyDeviceToHost));
HIP_API hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t sizeBytes,
                                                size_t offset, hipMemcpyKind kind,
                                                hipStream_t stream HIP_DEFAULT(NULL));

HIP_EXTERN_C_END
#endif
