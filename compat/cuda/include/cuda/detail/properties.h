/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/properties.h - the properties of a device. Sizes are bytes, yes and no are 1 and 0.
 * Properties of textures and surfaces, and others that Tarn's device lacks, are 0.
 */
#ifndef CUDA_DETAIL_PROPERTIES_H
#define CUDA_DETAIL_PROPERTIES_H

#include <cuda/detail/types.h>

/* The members at both levels. `only_12` keeps the members that release 13 removed, or drops
 * them. */
#define CUDA_DEVICE_PROPERTIES_(only_12)                                                           \
    char name[256];                                                                                \
    cudaUUID_t uuid;                                                                               \
    char luid[8];                                                                                  \
    unsigned luidDeviceNodeMask;                                                                   \
    size_t totalGlobalMem, sharedMemPerBlock;                                                      \
    int regsPerBlock, warpSize;                                                                    \
    size_t memPitch;                                                                               \
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];                                      \
    only_12(int clockRate;) size_t totalConstMem;                                                  \
    int major, minor;                                                                              \
    size_t textureAlignment, texturePitchAlignment;                                                \
    only_12(int deviceOverlap;) int multiProcessorCount;                                           \
    only_12(int kernelExecTimeoutEnabled;) int integrated, canMapHostMemory;                       \
    only_12(int computeMode;) int maxTexture1D, maxTexture1DMipmap;                                \
    only_12(int maxTexture1DLinear;) int maxTexture2D[2], maxTexture2DMipmap[2],                   \
        maxTexture2DLinear[3], maxTexture2DGather[2];                                              \
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;                                    \
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];               \
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3];                                            \
    int maxSurface1DLayered[2], maxSurface2DLayered[3];                                            \
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];                                            \
    size_t surfaceAlignment;                                                                       \
    int concurrentKernels, ECCEnabled;                                                             \
    int pciBusID, pciDeviceID, pciDomainID;                                                        \
    int tccDriver, asyncEngineCount, unifiedAddressing;                                            \
    only_12(int memoryClockRate;) int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;       \
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported;                                    \
    int globalL1CacheSupported, localL1CacheSupported;                                             \
    size_t sharedMemPerMultiprocessor;                                                             \
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;               \
    int hostNativeAtomicSupported;                                                                 \
    only_12(int singleToDoublePrecisionPerfRatio;) int pageableMemoryAccess,                       \
        concurrentManagedAccess, computePreemptionSupported;                                       \
    int canUseHostPointerForRegisteredMem, cooperativeLaunch;                                      \
    only_12(int cooperativeMultiDeviceLaunch;) size_t sharedMemPerBlockOptin;                      \
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;                    \
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;                                     \
    size_t reservedSharedMemPerBlock;                                                              \
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;            \
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;           \
    unsigned gpuDirectRDMAFlushWritesOptions;                                                      \
    int gpuDirectRDMAWritesOrdering;                                                               \
    unsigned memoryPoolSupportedHandleTypes;                                                       \
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;                       \
    int unifiedFunctionPointers, deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;           \
    unsigned gpuPciDeviceID, gpuPciSubsystemID;                                                    \
    int hostNumaMultinodeIpcSupported;                                                             \
    int reserved[56];

typedef struct cudaDeviceProp {
    CUDA_DEVICE_PROPERTIES_(CUDA_ONLY_12_)
} cudaDeviceProp;

#endif
