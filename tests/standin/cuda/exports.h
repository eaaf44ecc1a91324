// SPDX-License-Identifier: Apache-2.0
// The functions that the stand-in exports, from the back-end's list.
#pragma once

#include <stdbool.h>

#define TARN_CUDA_LEVEL 12
#include <cuda.h>

#include "backend/cuda/driver.h"

// Functions that only the tests use.
#define TN_CU_MORE_LIST(X)                                                                         \
    X(cuGetErrorString, cuGetErrorString, 6000)                                                    \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000)                                            \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020)                                                 \
    X(cuCtxGetCurrent, cuCtxGetCurrent, 4000)                                                      \
    X(cuCtxGetDevice, cuCtxGetDevice, 2000)                                                        \
    X(cuMemAllocPitch, cuMemAllocPitch_v2, 3020)                                                   \
    X(cuMemAllocHost, cuMemAllocHost_v2, 3020)                                                     \
    X(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020)                                         \
    X(cuPointerGetAttributes, cuPointerGetAttributes, 7000)                                        \
    X(cuMemGetAccess, cuMemGetAccess, 10020)                                                       \
    X(cuMemRetainAllocationHandle, cuMemRetainAllocationHandle, 11000)                             \
    X(cuMemAllocAsync, cuMemAllocAsync, 11020)                                                     \
    X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020)                                 \
    X(cuStreamBeginCapture, cuStreamBeginCapture_v2, 10010)                                        \
    X(cuStreamEndCapture, cuStreamEndCapture, 10000)                                               \
    X(cuGraphDestroy, cuGraphDestroy, 10000)

// The functions that find the others: the old one and the new one.
#define TN_CU_LOADER_LIST(X)                                                                       \
    X(cuGetProcAddress, cuGetProcAddress, 11030)                                                   \
    X(cuGetProcAddress_v2, cuGetProcAddress_v2, 12000)

// The first forms of functions, which the header calls by the plain names of newer ones.
#undef cuDevicePrimaryCtxRelease
#undef cuGetProcAddress
#undef cuMemAlloc
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);
CUresult cuMemAlloc(unsigned *address, unsigned bytes);

// For tests: the n-th following call that allocates fails with OUT_OF_MEMORY. 0: the next one;
// below 0: none. Returns the remainder of the previous number.
__attribute__((visibility("default"))) long standin_cuda_fail(long n);

// For tests: returns the number of live reservations, handles, mappings, blocks, streams and
// events.
__attribute__((visibility("default"))) unsigned long standin_cuda_alive(void);
