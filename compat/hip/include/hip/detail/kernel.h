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

HIP_EXTERN_C_BEGIN

/* ---- kernels compiled for the host: extensions of Tarn */

/*
 * The position of a block, for the function that runs it. Threads have numbers, x first. The
 * function begins with thread `first`. If threads wait for each other, it must also return after a
 * thread when `loop` has changed since the call began, because another call of it, on another
 * stack, runs the threads behind that one. It may set `thread` to where it keeps the coordinates of
 * the thread that runs, for error texts, and `running` to where it keeps the address of the block,
 * which becomes NULL when the CPU thread runs no more blocks.
 * While `met` is 0 and `blocks` is not 1, no thread of the block waited, and the function may go on
 * to the next block: it decrements `blocks` and increments `blockIdx`, x first.
 */
typedef struct hipExtHostBlock {
    dim3 gridDim;
    dim3 blockDim;
    dim3 blockIdx;
    void *shared; /* the block's dynamic shared memory, aligned to 64, unset; the same for all */
    size_t sharedBytes;
    unsigned first;
    const void *loop;
    const dim3 *thread;
    int cooperative;                        /* as in the launch */
    const struct hipExtHostBlock **running; /* see above */
    unsigned long long blocks;              /* that this CPU thread has to run, with this one */
    int met;
} hipExtHostBlock;

/*
 * Runs all threads of a block. `closure` is a copy of the bytes passed to the launch, aligned to
 * 64. An error that it returns becomes the stream's failure: later blocks do not run, and
 * synchronisation returns the error. *why may be set to a static string. It must not wait for
 * streams and must not throw. Blocks run in parallel.
 */
typedef hipError_t (*hipExtHostKernel_t)(const void *closure, const hipExtHostBlock *block,
                                         const char **why);

/* A launch of a kernel that was compiled for the host. */
typedef struct hipExtHostLaunch {
    hipExtHostKernel_t kernel;
    const char *name; /* for error texts, NULL: none; it must stay valid */
    dim3 gridDim;
    dim3 blockDim;
    size_t sharedBytes;
    hipStream_t stream;
    int cooperative; /* 1: all blocks run at the same time and may wait for each other */
    const void *closure;
    size_t closureBytes; /* up to 4096, which the call copies */
    /* For the parameters of a graph's node that a capture makes. NULL: it has none. */
    const void *function; /* the address, or the hipFunction_t, of the kernel */
    unsigned argumentCount;
    void (*list)(const void *closure, void **arguments); /* writes where the closure has them */
} hipExtHostLaunch;

/*
 * Launches it. hipErrorInvalidValue: launch or kernel NULL, closure NULL with bytes, or more bytes,
 * or list NULL with arguments; hipErrorInvalidConfiguration: an extent that is 0 or above the
 * device's limit, or too much shared memory; hipErrorCooperativeLaunchTooLarge: cooperative, with
 * more blocks than the device has units; hipErrorInvalidHandle; the stream's failure. The second
 * function has no name and is not cooperative.
 */
HIP_API hipError_t hipExtLaunchHost(const hipExtHostLaunch *launch);
HIP_API hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                          size_t sharedBytes, hipStream_t stream,
                                          const void *closure, size_t closureBytes);

/* The call of a function for which threads meet, in the source of a kernel. */
typedef struct hipExtHostPlace {
    const char *function;
    const char *file;
    int line;
    unsigned thread; /* the number of the calling thread */
} hipExtHostPlace;

/* What a lane of a warp gives to the others of it, and receives. */
typedef struct hipExtHostLanes {
    unsigned long long mask;    /* the lanes that must meet; 0: those that come. Receives who met */
    unsigned long long value;   /* receives that of lane `from`, if it met */
    unsigned long long votes;   /* receives the lanes whose value was not 0 */
    unsigned long long *values; /* NULL, or receives the values of 64 lanes */
    unsigned from;
    unsigned lanes; /* of a warp: 32 or 64 */
} hipExtHostLanes;

/*
 * Functions for a thread of such a kernel, which the functions of <hip/hip_runtime.h> call. They
 * return when the other threads have come; the coordinates of the thread must then be set again. If
 * some threads cannot come, because they have returned or wait in another line, the kernel ends
 * with hipErrorLaunchFailure. The first waits for all threads of the block, with `grid` for all
 * blocks of a cooperative launch, and returns the number of threads whose vote is not 0. The second
 * waits for lanes of the warp: those of the mask, or all that neither have returned nor wait
 * elsewhere. The third lets other threads run, if there are any. The last ends the kernel with an
 * error and a text.
 */
HIP_API unsigned hipExtHostBlockWait(const hipExtHostBlock *block, const hipExtHostPlace *place,
                                     int vote, int grid);
HIP_API void hipExtHostWarpWait(const hipExtHostBlock *block, const hipExtHostPlace *place,
                                hipExtHostLanes *lanes);
HIP_API void hipExtHostYield(const hipExtHostBlock *block, unsigned thread);
HIP_API void hipExtHostFail(const hipExtHostBlock *block, hipError_t error, const char *why);

/* Report accesses of a kernel, and a fence between them, for programs that were compiled by `tarn
 * hipcc --kernel-races`. `frame` is __builtin_frame_address(0) of a function that was called for the
 * access. Outside a kernel they have no effect. */
enum {
    hipExtAccessRead = 0,
    hipExtAccessWrite = 1,
    hipExtAccessAtomic = 2 /* a bit beside them */
};
HIP_API void hipExtHostAccess(const volatile void *address, size_t bytes, unsigned kind,
                              const void *frame);
HIP_API void hipExtHostFence(void);

/* A kernel that can be launched by its address; the program owns it. Its address is also the
 * hipFunction_t of the kernel. */
typedef struct hipExtHostParameter {
    unsigned bytes;
    unsigned alignment;
} hipExtHostParameter;

typedef struct hipExtHostKernelInfo {
    struct hipExtHostKernelInfo *next; /* the library's */
    const void *function;              /* the address by which the program names the kernel */
    const char *name;
    hipExtHostKernel_t kernel;
    size_t closureBytes;                                 /* up to 4096 */
    void (*pack)(void *closure, void *const *arguments); /* makes a closure, aligned to 64 */
    void (*list)(const void *closure, void **arguments); /* writes where the closure has them */
    const hipExtHostParameter *parameters;
    unsigned parameterCount; /* up to 1024 */
} hipExtHostKernelInfo;

/* HIP_EXT_KERNEL() of <hip/hip_runtime.h> calls them when the program or a shared object of it is
 * loaded and unloaded. They open no device. */
HIP_API void hipExtRegisterHostKernel(hipExtHostKernelInfo *kernel);
HIP_API void hipExtUnregisterHostKernel(hipExtHostKernelInfo *kernel);

/* Sets the warp size in the properties of all devices. hipErrorInvalidValue: not 32 or 64. */
HIP_API hipError_t hipExtSetWarpSize(int lanes);

/*
 * How many blocks of such a kernel a compute unit runs at once: 1, or 0 if a block has more threads
 * or dynamic shared memory than the device allows. Then, the largest block up to `limit` threads (0:
 * no limit), and as many blocks as the device has units. They are for the templates named
 * hipOccupancy... in C++. hipErrorInvalidDeviceFunction: kernel 0, which stands for a NULL;
 * hipErrorInvalidValue: an output NULL, a size that is not positive, limit negative.
 */
HIP_API hipError_t hipExtOccupancyHostKernel(int *numBlocks, int kernel, int blockSize,
                                             size_t sharedBytes);
HIP_API hipError_t hipExtOccupancyHostGrid(int *gridSize, int *blockSize, int kernel,
                                           size_t sharedBytes, int limit);

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
