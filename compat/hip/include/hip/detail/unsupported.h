/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/unsupported.h - types and functions of features that Tarn's device lacks: textures, external
 * memory and semaphores, graphics, kernels on several devices. The functions return
 * hipErrorNotSupported. Constants of other headers that nothing of Tarn reads are here, too.
 */
#ifndef HIP_DETAIL_UNSUPPORTED_H
#define HIP_DETAIL_UNSUPPORTED_H

#include <hip/detail/types.h>
#include <hip/texture_types.h>

/* ---- constants */

enum {
    HIP_SUCCESS = 0,
    HIP_ERROR_INVALID_VALUE,
    HIP_ERROR_NOT_INITIALIZED,
    HIP_ERROR_LAUNCH_OUT_OF_RESOURCES
};
typedef enum hipComputeMode {
    hipComputeModeDefault = 0,
    hipComputeModeExclusive = 1,
    hipComputeModeProhibited = 2,
    hipComputeModeExclusiveProcess = 3
} hipComputeMode;
typedef enum hipFlushGPUDirectRDMAWritesOptions {
    hipFlushGPUDirectRDMAWritesOptionHost = 1,
    hipFlushGPUDirectRDMAWritesOptionMemOps = 2
} hipFlushGPUDirectRDMAWritesOptions;
typedef enum hipGPUDirectRDMAWritesOrdering {
    hipGPUDirectRDMAWritesOrderingNone = 0,
    hipGPUDirectRDMAWritesOrderingOwner = 100,
    hipGPUDirectRDMAWritesOrderingAllDevices = 200
} hipGPUDirectRDMAWritesOrdering;
typedef enum hipGraphicsRegisterFlags {
    hipGraphicsRegisterFlagsNone = 0,
    hipGraphicsRegisterFlagsReadOnly = 1,
    hipGraphicsRegisterFlagsWriteDiscard = 2,
    hipGraphicsRegisterFlagsSurfaceLoadStore = 4,
    hipGraphicsRegisterFlagsTextureGather = 8
} hipGraphicsRegisterFlags;
typedef enum hipGraphDependencyType {
    hipGraphDependencyTypeDefault = 0,
    hipGraphDependencyTypeProgrammatic = 1
} hipGraphDependencyType;

#define hipOccupancyDefault                       0x0
#define hipOccupancyDisableCachingOverride        0x1
#define hipCooperativeLaunchMultiDeviceNoPreSync  0x1
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x2
#define hipExtAnyOrderLaunch                      0x1
#define hipExternalMemoryDedicated                0x1
#define hipGraphKernelNodePortDefault             0
#define hipGraphKernelNodePortProgrammatic        1
#define hipGraphKernelNodePortLaunchCompletion    2
#define hipExtHostAllocNumaUser                   0x20000000
#define hipExtHostAllocCoherent                   0x40000000
#define hipExtHostAllocNonCoherent                0x80000000

/* ---- kernels on several devices */

typedef struct hipLaunchParams_t {
    void *func;
    dim3 gridDim;
    dim3 blockDim;
    void **args;
    size_t sharedMem;
    hipStream_t stream;
} hipLaunchParams;
typedef struct hipFunctionLaunchParams_t {
    hipFunction_t function;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    hipStream_t hStream;
    void **kernelParams;
} hipFunctionLaunchParams;

/* ---- external memory and semaphores */

typedef void *hipExternalMemory_t;
typedef void *hipExternalSemaphore_t;

typedef enum hipExternalMemoryHandleType_enum {
    hipExternalMemoryHandleTypeOpaqueFd = 1,
    hipExternalMemoryHandleTypeOpaqueWin32 = 2,
    hipExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
    hipExternalMemoryHandleTypeD3D12Heap = 4,
    hipExternalMemoryHandleTypeD3D12Resource = 5,
    hipExternalMemoryHandleTypeD3D11Resource = 6,
    hipExternalMemoryHandleTypeD3D11ResourceKmt = 7,
    hipExternalMemoryHandleTypeNvSciBuf = 8
} hipExternalMemoryHandleType;
typedef enum hipExternalSemaphoreHandleType_enum {
    hipExternalSemaphoreHandleTypeOpaqueFd = 1,
    hipExternalSemaphoreHandleTypeOpaqueWin32 = 2,
    hipExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
    hipExternalSemaphoreHandleTypeD3D12Fence = 4,
    hipExternalSemaphoreHandleTypeD3D11Fence = 5,
    hipExternalSemaphoreHandleTypeNvSciSync = 6,
    hipExternalSemaphoreHandleTypeKeyedMutex = 7,
    hipExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
    hipExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
    hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
} hipExternalSemaphoreHandleType;

typedef struct hipExternalMemoryHandleDesc_st {
    hipExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} hipExternalMemoryHandleDesc;
typedef struct hipExternalMemoryBufferDesc_st {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} hipExternalMemoryBufferDesc;
typedef struct hipExternalMemoryMipmappedArrayDesc_st {
    unsigned long long offset;
    hipChannelFormatDesc formatDesc;
    hipExtent extent;
    unsigned int flags;
    unsigned int numLevels;
} hipExternalMemoryMipmappedArrayDesc;
typedef struct hipExternalSemaphoreHandleDesc_st {
    hipExternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *NvSciSyncObj;
    } handle;
    unsigned int flags;
    unsigned int reserved[16];
} hipExternalSemaphoreHandleDesc;
typedef struct hipExternalSemaphoreSignalParams_st {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned int reserved[12];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
} hipExternalSemaphoreSignalParams;
typedef struct hipExternalSemaphoreWaitParams_st {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned int timeoutMs;
        } keyedMutex;
        unsigned int reserved[10];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
} hipExternalSemaphoreWaitParams;
typedef struct hipExternalSemaphoreSignalNodeParams {
    hipExternalSemaphore_t *extSemArray;
    const hipExternalSemaphoreSignalParams *paramsArray;
    unsigned int numExtSems;
} hipExternalSemaphoreSignalNodeParams;
typedef struct hipExternalSemaphoreWaitNodeParams {
    hipExternalSemaphore_t *extSemArray;
    const hipExternalSemaphoreWaitParams *paramsArray;
    unsigned int numExtSems;
} hipExternalSemaphoreWaitNodeParams;

/* ---- functions, which return hipErrorNotSupported */

#define HIP_ABSENT_(name, ...) HIP_API hipError_t name(__VA_ARGS__)

#ifdef __cplusplus
extern "C" {
#endif

HIP_ABSENT_(hipExtGetLinkTypeAndHopCount, int device1, int device2, uint32_t *linktype,
            uint32_t *hopcount);
HIP_ABSENT_(hipSetValidDevices, int *device_arr, int len);
HIP_ABSENT_(hipSetupArgument, const void *arg, size_t size, size_t offset);

HIP_ABSENT_(hipLaunchCooperativeKernelMultiDevice, hipLaunchParams *launchParamsList,
            int numDevices, unsigned int flags);
HIP_ABSENT_(hipExtLaunchMultiKernelMultiDevice, hipLaunchParams *launchParamsList, int numDevices,
            unsigned int flags);
HIP_ABSENT_(hipModuleLaunchCooperativeKernelMultiDevice, hipFunctionLaunchParams *launchParamsList,
            unsigned int numDevices, unsigned int flags);

HIP_ABSENT_(hipImportExternalMemory, hipExternalMemory_t *extMem_out,
            const hipExternalMemoryHandleDesc *memHandleDesc);
HIP_ABSENT_(hipExternalMemoryGetMappedBuffer, void **devPtr, hipExternalMemory_t extMem,
            const hipExternalMemoryBufferDesc *bufferDesc);
HIP_ABSENT_(hipDestroyExternalMemory, hipExternalMemory_t extMem);
HIP_ABSENT_(hipImportExternalSemaphore, hipExternalSemaphore_t *extSem_out,
            const hipExternalSemaphoreHandleDesc *semHandleDesc);
HIP_ABSENT_(hipSignalExternalSemaphoresAsync, const hipExternalSemaphore_t *extSemArray,
            const hipExternalSemaphoreSignalParams *paramsArray, unsigned int numExtSems,
            hipStream_t stream);
HIP_ABSENT_(hipWaitExternalSemaphoresAsync, const hipExternalSemaphore_t *extSemArray,
            const hipExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
            hipStream_t stream);
HIP_ABSENT_(hipDestroyExternalSemaphore, hipExternalSemaphore_t extSem);
HIP_ABSENT_(hipGraphAddExternalSemaphoresWaitNode, hipGraphNode_t *pGraphNode, hipGraph_t graph,
            const hipGraphNode_t *pDependencies, size_t numDependencies,
            const hipExternalSemaphoreWaitNodeParams *nodeParams);
HIP_ABSENT_(hipGraphAddExternalSemaphoresSignalNode, hipGraphNode_t *pGraphNode, hipGraph_t graph,
            const hipGraphNode_t *pDependencies, size_t numDependencies,
            const hipExternalSemaphoreSignalNodeParams *nodeParams);

HIP_ABSENT_(hipCreateTextureObject, hipTextureObject_t *pTexObject, const hipResourceDesc *pResDesc,
            const hipTextureDesc *pTexDesc, const struct hipResourceViewDesc *pResViewDesc);
HIP_ABSENT_(hipDestroyTextureObject, hipTextureObject_t textureObject);
HIP_ABSENT_(hipGetTextureObjectResourceDesc, hipResourceDesc *pResDesc,
            hipTextureObject_t textureObject);
HIP_ABSENT_(hipGetTextureObjectResourceViewDesc, struct hipResourceViewDesc *pResViewDesc,
            hipTextureObject_t textureObject);
HIP_ABSENT_(hipGetTextureObjectTextureDesc, hipTextureDesc *pTexDesc,
            hipTextureObject_t textureObject);

HIP_ABSENT_(hipModuleGetTexRef, textureReference **texRef, hipModule_t hmod, const char *name);
HIP_ABSENT_(hipGetTextureReference, const textureReference **texRef, const void *symbol);
HIP_ABSENT_(hipGetTextureAlignmentOffset, size_t *offset, const textureReference *texRef);
HIP_ABSENT_(hipBindTexture, size_t *offset, const textureReference *texRef, const void *devPtr,
            const hipChannelFormatDesc *desc, size_t size);
HIP_ABSENT_(hipBindTexture2D, size_t *offset, const textureReference *texRef, const void *devPtr,
            const hipChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
HIP_ABSENT_(hipBindTextureToArray, const textureReference *texRef, hipArray_const_t array,
            const hipChannelFormatDesc *desc);
HIP_ABSENT_(hipBindTextureToMipmappedArray, const textureReference *texRef,
            hipMipmappedArray_const_t mipmappedArray, const hipChannelFormatDesc *desc);
HIP_ABSENT_(hipUnbindTexture, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetAddress, hipDeviceptr_t *dptr, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetArray, hipArray_t *array, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetBorderColor, float *color, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetFilterMode, enum hipTextureFilterMode *mode,
            const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetFlags, unsigned int *flags, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetMaxAnisotropy, int *max, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetMipmapFilterMode, enum hipTextureFilterMode *mode,
            const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetMipmapLevelBias, float *bias, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetMipMappedArray, hipMipmappedArray_t *array, const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetAddressMode, enum hipTextureAddressMode *mode,
            const textureReference *texRef, int dim);
HIP_ABSENT_(hipTexRefGetFormat, hipArray_Format *format, int *channels,
            const textureReference *texRef);
HIP_ABSENT_(hipTexRefGetMipmapLevelClamp, float *min, float *max, const textureReference *texRef);
HIP_ABSENT_(hipTexRefSetAddress, size_t *offset, textureReference *texRef, hipDeviceptr_t dptr,
            size_t bytes);
HIP_ABSENT_(hipTexRefSetAddress2D, textureReference *texRef, const HIP_ARRAY_DESCRIPTOR *desc,
            hipDeviceptr_t dptr, size_t pitch);
HIP_ABSENT_(hipTexRefSetAddressMode, textureReference *texRef, int dim,
            enum hipTextureAddressMode mode);
HIP_ABSENT_(hipTexRefSetArray, textureReference *texRef, hipArray_const_t array,
            unsigned int flags);
HIP_ABSENT_(hipTexRefSetBorderColor, textureReference *texRef, float *color);
HIP_ABSENT_(hipTexRefSetFilterMode, textureReference *texRef, enum hipTextureFilterMode mode);
HIP_ABSENT_(hipTexRefSetFlags, textureReference *texRef, unsigned int flags);
HIP_ABSENT_(hipTexRefSetFormat, textureReference *texRef, hipArray_Format format, int channels);
HIP_ABSENT_(hipTexRefSetMaxAnisotropy, textureReference *texRef, unsigned int max);
HIP_ABSENT_(hipTexRefSetMipmapFilterMode, textureReference *texRef, enum hipTextureFilterMode mode);
HIP_ABSENT_(hipTexRefSetMipmapLevelBias, textureReference *texRef, float bias);
HIP_ABSENT_(hipTexRefSetMipmapLevelClamp, textureReference *texRef, float min, float max);
HIP_ABSENT_(hipTexRefSetMipmappedArray, textureReference *texRef, struct hipMipmappedArray *array,
            unsigned int flags);

#ifdef __cplusplus
}
#endif

#undef HIP_ABSENT_

#endif
