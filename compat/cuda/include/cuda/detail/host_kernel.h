/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/host_kernel.h - kernels that were compiled for the host; see kernel/launch.h. They
 * are extensions of Tarn, in libcuda.so.1.
 */
#ifndef CUDA_DETAIL_HOST_KERNEL_H
#define CUDA_DETAIL_HOST_KERNEL_H

#include <driver_types.h>

#define KERNEL_API_(name) cuda##name
#define KERNEL_EXPORT_
#include <kernel/launch.h>

CUDA_EXTERN_C_BEGIN

/* Returns the name of the kernel with that address, or NULL. */
const char *cudaExtKernelName(const void *function);

/* Makes a variable known by its address, as memory that devices can use, until the process ends. A
 * known one is left as it is. InvalidValue: NULL, 0 bytes, or a range that is not mapped. */
cudaError_t cudaExtRegisterHostVariable(const void *symbol, size_t bytes);

CUDA_EXTERN_C_END

#endif
