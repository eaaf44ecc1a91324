/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/kernel.h - launches of kernels.
 *
 * Device code cannot run: launches of code that hipcc compiled fail with an error that names the
 * kernel. Kernels that an ordinary compiler compiled for the host
 * with <hip/hip_runtime.h> run in stream order, on threads of the library: as many blocks at the
 * same time as there are CPUs. They are captured like other work.
 *
 * The limits are those of the device's properties: hipErrorInvalidConfiguration.
 */
#ifndef HIP_DETAIL_KERNEL_H
#define HIP_DETAIL_KERNEL_H

#include <hip/detail/device.h>
#include <hip/detail/stream_attribute.h>

/* The result of hipFuncGetAttributes(). */
typedef struct hipFuncAttributes {
    int binaryVersion;
    int cacheModeCA;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxDynamicSharedSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int preferredShmemCarveout;
    int ptxVersion;
    size_t sharedSizeBytes;
} hipFuncAttributes;

typedef enum hipFuncAttribute {
    hipFuncAttributeMaxDynamicSharedMemorySize = 8,
    hipFuncAttributePreferredSharedMemoryCarveout = 9,
    hipFuncAttributeMax = 10
} hipFuncAttribute;

typedef enum hipJitOption {
    hipJitOptionMaxRegisters = 0,
    hipJitOptionThreadsPerBlock = 1,
    hipJitOptionWallTime = 2,
    hipJitOptionInfoLogBuffer = 3,
    hipJitOptionInfoLogBufferSizeBytes = 4,
    hipJitOptionErrorLogBuffer = 5,
    hipJitOptionErrorLogBufferSizeBytes = 6,
    hipJitOptionOptimizationLevel = 7,
    hipJitOptionTargetFromContext = 8,
    hipJitOptionTarget = 9,
    hipJitOptionFallbackStrategy = 10,
    hipJitOptionGenerateDebugInfo = 11,
    hipJitOptionLogVerbose = 12,
    hipJitOptionGenerateLineInfo = 13,
    hipJitOptionCacheMode = 14,
    hipJitOptionSm3xOpt = 15,
    hipJitOptionFastCompile = 16,
    hipJitOptionNumOptions = 17,
    hipJitOptionIRtoISAOptExt = 10000,
    hipJitOptionIRtoISAOptCountExt = 10001
} hipJitOption;

/* The configuration of a launch: of a kernel by the address of its stub, and of a hipFunction_t. */
typedef struct hipLaunchAttribute_st {
    hipLaunchAttributeID id;
    char pad[8 - sizeof(hipLaunchAttributeID)];
    union {
        hipLaunchAttributeValue val;
        hipLaunchAttributeValue value;
    };
} hipLaunchAttribute;

typedef struct hipLaunchConfig_st {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    hipStream_t stream;
    hipLaunchAttribute *attrs;
    unsigned int numAttrs;
} hipLaunchConfig_t;

typedef struct HIP_LAUNCH_CONFIG_st {
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    hipStream_t hStream;
    hipLaunchAttribute *attrs;
    unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

#define KERNEL_API_(name) hip##name /* the vendor's name of what <kernel/launch.h> uses */
#define KERNEL_EXPORT_    HIP_API
#include <kernel/launch.h>

HIP_EXTERN_C_BEGIN

/* Sets the warp size in the properties of all devices. hipErrorInvalidValue: not 32 or 64. */
HIP_API hipError_t hipExtSetWarpSize(int lanes);

/* ---- launches by an address */

/*
 * Launch a kernel by the address of its function or host stub, or by its hipFunction_t.
 * hipErrorInvalidDeviceFunction: none that was compiled for the host and registered, as by
 * HIP_EXT_KERNEL() in its body; the overloads in <hip/hip_runtime.h> need no registration.
 * hipErrorInvalidValue: arguments are missing, or are given both in `kernelParams` and in `extra`;
 * else as hipExtLaunchHost(). A launch with events records them before and behind the kernel.
 */
HIP_API hipError_t hipLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                                   void **args, size_t sharedMemBytes HIP_DEFAULT(0),
                                   hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipLaunchKernel_spt(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                                       void **args, size_t sharedMemBytes HIP_DEFAULT(0),
                                       hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                                      void **args, size_t sharedMemBytes, hipStream_t stream,
                                      hipEvent_t startEvent, hipEvent_t stopEvent, int flags);
HIP_API hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX,
                                              void **kernelParams, unsigned int sharedMemBytes,
                                              hipStream_t stream);
HIP_API hipError_t hipLaunchCooperativeKernel_spt(const void *f, dim3 gridDim, dim3 blockDim,
                                                  void **kernelParams, uint32_t sharedMemBytes,
                                                  hipStream_t stream);
HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX,
                                         unsigned int gridDimY, unsigned int gridDimZ,
                                         unsigned int blockDimX, unsigned int blockDimY,
                                         unsigned int blockDimZ, unsigned int sharedMemBytes,
                                         hipStream_t stream, void **kernelParams, void **extra);

HIP_API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX,
                                                    unsigned int gridDimY, unsigned int gridDimZ,
                                                    unsigned int blockDimX, unsigned int blockDimY,
                                                    unsigned int blockDimZ,
                                                    unsigned int sharedMemBytes, hipStream_t stream,
                                                    void **kernelParams);

/* The list `extra` names a buffer with the arguments, which is laid out like a struct of them. */
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE    ((void *)0x02)
#define HIP_LAUNCH_PARAM_END            ((void *)0x03)

/* The same with the number of all threads instead of blocks, and events around the kernel.
 * hipErrorInvalidValue also: the blocks do not divide the threads. */
HIP_API hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                            uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                            uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                            uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                            hipStream_t hStream, void **kernelParams, void **extra,
                                            hipEvent_t startEvent HIP_DEFAULT(NULL),
                                            hipEvent_t stopEvent HIP_DEFAULT(NULL),
                                            uint32_t flags HIP_DEFAULT(0));

/*
 * Launches with a configuration. Release 7. By a stub: hipErrorInvalidConfiguration: config NULL;
 * by a function: hipErrorInvalidHandle: f NULL; hipErrorInvalidValue: config NULL;
 * hipErrorContextIsDestroyed: unknown stream. Both: hipErrorInvalidValue: an attribute other than
 * hipLaunchAttributeCooperative; else as the other launches. `extra` has no effect.
 */
HIP_API hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *fPtr,
                                      void **args);
HIP_API hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t f,
                                        void **kernelParams, void **extra);

/* The function of a kernel's host stub. hipErrorInvalidDeviceFunction: none, or the output NULL. */
HIP_API hipError_t hipGetFuncBySymbol(hipFunction_t *functionPtr, const void *symbolPtr);

/*
 * The older way, in three calls. The first stores a configuration for the calling thread, which the
 * last uses: hipErrorMissingConfiguration without one, else hipErrorInvalidDeviceFunction.
 * hipErrorOutOfMemory: 16 configurations are stored.
 */
HIP_API hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem HIP_DEFAULT(0),
                                    hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipLaunchByPtr(const void *func);

/* The same for compilers. hipErrorMissingConfiguration; hipErrorInvalidValue: NULL. */
HIP_API hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                              size_t sharedMem HIP_DEFAULT(0),
                                              hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                             hipStream_t *stream);

/*
 * Queries about registered kernels. They use no registers, and their static shared memory is not
 * known: 0. The settings have no effect, because each kernel may have all dynamic shared memory.
 * hipErrorInvalidValue: an output NULL, an unknown attribute, a size above the device's limit;
 * hipErrorInvalidDeviceFunction.
 */
HIP_API hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func);
HIP_API hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib,
                                       hipFunction_t hfunc);
HIP_API hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value);
HIP_API hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config);
HIP_API hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config);

/* The occupancy of registered kernels, as hipExtOccupancyHostKernel() and the other. */
HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f,
                                                                int blockSize,
                                                                size_t dynSharedMemPerBlk);
HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *f, int blockSize, size_t dynSharedMemPerBlk,
    unsigned int flags HIP_DEFAULT(0));
HIP_API hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *f,
                                                     size_t dynSharedMemPerBlk, int blockSizeLimit);
HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                                      hipFunction_t f,
                                                                      int blockSize,
                                                                      size_t dynSharedMemPerBlk);
HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags);
HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                           hipFunction_t f,
                                                           size_t dynSharedMemPerBlk,
                                                           int blockSizeLimit);
HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,
                                                                    hipFunction_t f,
                                                                    size_t dynSharedMemPerBlk,
                                                                    int blockSizeLimit,
                                                                    unsigned int flags);

/* Release 7. The dynamic shared memory that a block may have if `numBlocks` share a unit: 0 for more
 * than one. hipErrorInvalidValue: the output NULL, a number that is not positive, too many threads;
 * hipErrorInvalidDeviceFunction. */
HIP_API hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *f,
                                                            int numBlocks, int blockSize);

/* The name of a registered kernel, or of one that hipcc registered, or NULL. They work without a
 * device. */
HIP_API const char *hipKernelNameRef(const hipFunction_t f);
HIP_API const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream);

/*
 * Load a module that `tarn hipcc --genco` or hiprtc made: from a file, or from memory, which is
 * copied. Each load has variables of its own. The options have no effect. hipErrorInvalidValue:
 * NULL; hipErrorFileNotFound: the file cannot be read; hipErrorNoBinaryForGpu: it is no code for
 * this CPU, such as code for a GPU.
 */
HIP_API hipError_t hipModuleLoad(hipModule_t *module, const char *fname);
HIP_API hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
HIP_API hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image,
                                       unsigned int numOptions, hipJitOption *options,
                                       void **optionValues);
HIP_API hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin);

/* Unloads a module after all work of the devices. Its functions end with it.
 * hipErrorInvalidHandle: NULL; hipErrorNotFound: unknown module. */
HIP_API hipError_t hipModuleUnload(hipModule_t module);

/* Find a kernel, by its name for the linker or as compilers print it, and a variable, either of whose
 * outputs may be NULL. hipErrorInvalidHandle: unknown module; hipErrorInvalidValue: another NULL;
 * hipErrorNotFound. */
HIP_API hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                        const char *kname);
HIP_API hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod,
                                      const char *name);

/* Release 7. The number of kernels. hipErrorInvalidHandle: mod NULL; hipErrorNotFound: unknown
 * module; hipErrorInvalidValue: count NULL. */
HIP_API hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t mod);

HIP_EXTERN_C_END
#endif
