/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/kernel.h - launching kernels.
 *
 * There is no device that runs device code: what hipcc compiled for one, and every hipFunction_t,
 * is refused by name. Kernels that were compiled for the host run: <hip/hip_runtime.h> makes an
 * ordinary compiler do that. They run block by block and thread by thread, in stream order, on a
 * thread of the library, and are captured like other work.
 *
 * Limits are those of the device's properties: hipErrorInvalidConfiguration.
 */
#ifndef HIP_DETAIL_KERNEL_H
#define HIP_DETAIL_KERNEL_H

#include <hip/detail/device.h>

/* What hipFuncGetAttributes() would tell. */
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
    hipJitOptionNumOptions = 17
} hipJitOption;

HIP_EXTERN_C_BEGIN

/* ---- kernels compiled for the host; Tarn's own */

/* Where a kernel is, for the function that runs one block of it. */
typedef struct hipExtHostBlock {
    dim3 gridDim;
    dim3 blockDim;
    dim3 blockIdx;
    void *shared; /* the block's dynamic shared memory, aligned to 64, unset; the same for all */
    size_t sharedBytes;
} hipExtHostBlock;

/*
 * Runs all threads of a block. `closure` is a copy of what the launch was given, aligned to 64.
 * What it returns, if not hipSuccess, becomes the stream's failure: no further block runs, and
 * synchronisation answers it. `*why` may be set to a string that lives on. Must not wait for
 * streams, nor let an exception out.
 */
typedef hipError_t (*hipExtHostKernel_t)(const void *closure, const hipExtHostBlock *block,
                                         const char **why);

/*
 * Launches a kernel that was compiled for the host. `closure` are up to 4096 bytes, copied by this
 * call. hipErrorInvalidValue: kernel NULL, closure NULL with bytes, or more bytes;
 * hipErrorInvalidConfiguration: an extent is 0 or over the device's limit, or too much shared
 * memory; hipErrorInvalidHandle; what the stream failed with.
 */
HIP_API hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                          size_t sharedBytes, hipStream_t stream,
                                          const void *closure, size_t closureBytes);

/* ---- device code: refused */

/*
 * Launch of a kernel by the address of its host stub. hipErrorInvalidDeviceFunction, always: a
 * function compiled for the host cannot be called without knowing its parameters; C++ finds the
 * overload that knows them in <hip/hip_runtime.h>.
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
HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX,
                                         unsigned int gridDimY, unsigned int gridDimZ,
                                         unsigned int blockDimX, unsigned int blockDimY,
                                         unsigned int blockDimZ, unsigned int sharedMemBytes,
                                         hipStream_t stream, void **kernelParams, void **extra);

/*
 * The older way, in three calls. The first keeps a configuration for the calling thread, which the
 * last takes: hipErrorMissingConfiguration without one, else hipErrorInvalidDeviceFunction.
 * hipErrorOutOfMemory: 16 are kept already.
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

/* About kernels: hipErrorInvalidValue, an output NULL; else hipErrorInvalidDeviceFunction. */
HIP_API hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func);
HIP_API hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib,
                                       hipFunction_t hfunc);
HIP_API hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value);
HIP_API hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config);
HIP_API hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config);

/* The name of a kernel. By the address of its host stub: as hipcc announced it, else NULL; of a
 * hipFunction_t, of which there is none, NULL. Work without a device. */
HIP_API const char *hipKernelNameRef(const hipFunction_t f);
HIP_API const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream);

/*
 * Code objects. hipErrorInvalidValue: NULL; hipErrorFileNotFound: the file cannot be read; else
 * hipErrorNoBinaryForGpu: there is no device that could run one.
 */
HIP_API hipError_t hipModuleLoad(hipModule_t *module, const char *fname);
HIP_API hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
HIP_API hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image,
                                       unsigned int numOptions, hipJitOption *options,
                                       void **optionValues);

/* What takes a module: hipErrorInvalidHandle, since none was ever loaded. */
HIP_API hipError_t hipModuleUnload(hipModule_t module);
HIP_API hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                        const char *kname);
HIP_API hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod,
                                      const char *name);

HIP_EXTERN_C_END
#endif
