// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's driver API that Tarn uses. The face's headers declare them, so that the
// build needs nothing from NVIDIA. The loader and the tests' stand-in library use the same lists.
#pragma once

// X(name, symbol, version): cuGetProcAddress(name, version) returns the function that has this symbol,
// in that version of CUDA or later. Symbols end with `_v2` where the driver has one: the plain names
// are of CUDA 1 to 3, with 32-bit addresses.
#define TN_CU_BASE_LIST(X)                                                                         \
    X(cuInit, cuInit, 2000)                                                                        \
    X(cuDriverGetVersion, cuDriverGetVersion, 2020)                                                \
    X(cuGetErrorName, cuGetErrorName, 6000)                                                        \
    X(cuDeviceGetCount, cuDeviceGetCount, 2000)                                                    \
    X(cuDeviceGet, cuDeviceGet, 2000)                                                              \
    X(cuDeviceGetName, cuDeviceGetName, 2000)                                                      \
    X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000)                                          \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000)                                    \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000)                              \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000)                                                 \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000)                                                   \
    X(cuCtxSynchronize, cuCtxSynchronize, 2000)                                                    \
    X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000)                                          \
    X(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000)                                        \
    X(cuStreamCreate, cuStreamCreate, 2000)                                                        \
    X(cuStreamDestroy, cuStreamDestroy_v2, 4000)                                                   \
    X(cuStreamSynchronize, cuStreamSynchronize, 2000)                                              \
    X(cuStreamQuery, cuStreamQuery, 2000)                                                          \
    X(cuStreamIsCapturing, cuStreamIsCapturing, 10000)                                             \
    X(cuStreamWaitEvent, cuStreamWaitEvent, 3020)                                                  \
    X(cuLaunchHostFunc, cuLaunchHostFunc, 10000)                                                   \
    X(cuEventCreate, cuEventCreate, 2000)                                                          \
    X(cuEventDestroy, cuEventDestroy_v2, 4000)                                                     \
    X(cuEventRecord, cuEventRecord, 2000)                                                          \
    X(cuEventQuery, cuEventQuery, 2000)                                                            \
    X(cuEventSynchronize, cuEventSynchronize, 2000)                                                \
    X(cuEventElapsedTime, cuEventElapsedTime, 2000)                                                \
    X(cuMemcpyAsync, cuMemcpyAsync, 4000)                                                          \
    X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020)                                                   \
    X(cuMemsetD8Async, cuMemsetD8Async, 3020)                                                      \
    X(cuMemsetD16Async, cuMemsetD16Async, 3020)                                                    \
    X(cuMemsetD32Async, cuMemsetD32Async, 3020)                                                    \
    X(cuMemsetD2D8Async, cuMemsetD2D8Async, 3020)                                                  \
    X(cuMemsetD2D16Async, cuMemsetD2D16Async, 3020)                                                \
    X(cuMemsetD2D32Async, cuMemsetD2D32Async, 3020)                                                \
    X(cuMemGetInfo, cuMemGetInfo_v2, 3020)                                                         \
    X(cuMemAlloc, cuMemAlloc_v2, 3020)                                                             \
    X(cuMemFree, cuMemFree_v2, 3020)                                                               \
    X(cuPointerGetAttribute, cuPointerGetAttribute, 4000)                                          \
    X(cuMemHostAlloc, cuMemHostAlloc, 2020)                                                        \
    X(cuMemFreeHost, cuMemFreeHost, 2000)                                                          \
    X(cuMemHostRegister, cuMemHostRegister_v2, 6050)                                               \
    X(cuMemHostUnregister, cuMemHostUnregister, 4000)

// Virtual memory: used if all of them exist.
#define TN_CU_VMM_LIST(X)                                                                          \
    X(cuMemAddressReserve, cuMemAddressReserve, 10020)                                             \
    X(cuMemAddressFree, cuMemAddressFree, 10020)                                                   \
    X(cuMemCreate, cuMemCreate, 10020)                                                             \
    X(cuMemRelease, cuMemRelease, 10020)                                                           \
    X(cuMemMap, cuMemMap, 10020)                                                                   \
    X(cuMemUnmap, cuMemUnmap, 10020)                                                               \
    X(cuMemSetAccess, cuMemSetAccess, 10020)                                                       \
    X(cuMemExportToShareableHandle, cuMemExportToShareableHandle, 10020)                           \
    X(cuMemImportFromShareableHandle, cuMemImportFromShareableHandle, 10020)                       \
    X(cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, 10020)                         \
    X(cuMemGetAllocationPropertiesFromHandle, cuMemGetAllocationPropertiesFromHandle, 10020)

// Stream-ordered memory: used if all of them exist.
#define TN_CU_POOL_LIST(X)                                                                         \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020)                                     \
    X(cuMemFreeAsync, cuMemFreeAsync, 11020)                                                       \
    X(cuMemPoolCreate, cuMemPoolCreate, 11020)                                                     \
    X(cuMemPoolDestroy, cuMemPoolDestroy, 11020)                                                   \
    X(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020)                                                     \
    X(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020)                                         \
    X(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020)
