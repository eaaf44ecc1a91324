/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/launch.h - kernels that an ordinary compiler compiled for the host: extensions of Tarn.
 * The headers of every vendor share it. They define KERNEL_API_(name), which puts the vendor's
 * prefix before a name, KERNEL_EXPORT_, dim3, and the types of errors and streams. Errors are named
 * without the prefix here.
 */
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#ifdef KERNEL_API_

#ifdef __cplusplus
extern "C" {
#endif

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
typedef struct KERNEL_API_(ExtHostBlock) {
    dim3 gridDim;
    dim3 blockDim;
    dim3 blockIdx;
    void *shared; /* the block's dynamic shared memory, aligned to 64, unset; the same for all */
    size_t sharedBytes;
    unsigned first;
    const void *loop;
    const dim3 *thread;
    int cooperative;                                   /* as in the launch */
    const struct KERNEL_API_(ExtHostBlock) * *running; /* see above */
    unsigned long long blocks; /* that this CPU thread has to run, with this one */
    int met;
} KERNEL_API_(ExtHostBlock);

/*
 * Runs all threads of a block. `closure` is a copy of the bytes passed to the launch, aligned to
 * 64. An error that it returns becomes the stream's failure: later blocks do not run, and
 * synchronisation returns the error. *why may be set to a static string. It must not wait for
 * streams and must not throw. Blocks run in parallel.
 */
typedef KERNEL_API_(Error_t) (*KERNEL_API_(ExtHostKernel_t))(
    const void *closure, const KERNEL_API_(ExtHostBlock) * block, const char **why);

/* A launch of a kernel that was compiled for the host. */
typedef struct KERNEL_API_(ExtHostLaunch) {
    KERNEL_API_(ExtHostKernel_t) kernel;
    const char *name; /* for error texts, NULL: none; it must stay valid */
    dim3 gridDim;
    dim3 blockDim;
    size_t sharedBytes;
    KERNEL_API_(Stream_t) stream;
    int cooperative; /* 1: all blocks run at the same time and may wait for each other */
    const void *closure;
    size_t closureBytes; /* up to 32896, which the call copies */
    /* For the parameters of a graph's node that a capture makes. NULL: it has none. */
    const void *function; /* the address, or the handle, of the kernel */
    unsigned argumentCount;
    void (*list)(const void *closure, void **arguments); /* writes where the closure has them */
} KERNEL_API_(ExtHostLaunch);

/*
 * Launches it. InvalidValue: launch or kernel NULL, closure NULL with bytes, or more bytes,
 * or list NULL with arguments; InvalidConfiguration: an extent that is 0 or above the
 * device's limit, or too much shared memory; CooperativeLaunchTooLarge: cooperative, with
 * more blocks than the device has units; InvalidHandle; the stream's failure. The second
 * function has no name and is not cooperative.
 */
KERNEL_EXPORT_ KERNEL_API_(Error_t)
    KERNEL_API_(ExtLaunchHost)(const KERNEL_API_(ExtHostLaunch) * launch);
KERNEL_EXPORT_ KERNEL_API_(Error_t)
    KERNEL_API_(ExtLaunchHostKernel)(KERNEL_API_(ExtHostKernel_t) kernel, dim3 gridDim,
                                     dim3 blockDim, size_t sharedBytes,
                                     KERNEL_API_(Stream_t) stream, const void *closure,
                                     size_t closureBytes);

/* The call of a function for which threads meet, in the source of a kernel. */
typedef struct KERNEL_API_(ExtHostPlace) {
    const char *function;
    const char *file;
    int line;
    unsigned thread; /* the number of the calling thread */
} KERNEL_API_(ExtHostPlace);

/* A lane of a warp exchanges values with the other lanes of its warp by this struct. */
typedef struct KERNEL_API_(ExtHostLanes) {
    unsigned long long mask;    /* the lanes that must meet; 0: those that come. Receives who met */
    unsigned long long value;   /* receives that of lane `from`, if it met */
    unsigned long long votes;   /* receives the lanes whose value was not 0 */
    unsigned long long *values; /* NULL, or receives the values of 64 lanes */
    unsigned from;
    unsigned lanes; /* of a warp: 32 or 64 */
} KERNEL_API_(ExtHostLanes);

/*
 * Functions for a thread of such a kernel, which the functions of the vendor's header call. They
 * return when the other threads have come; the coordinates of the thread must then be set again. If
 * some threads cannot come, because they have returned or wait in another line, the kernel ends
 * with LaunchFailure. The first waits for all threads of the block, with `grid` for all
 * blocks of a cooperative launch, and returns the number of threads whose vote is not 0. The second
 * waits for lanes of the warp: those of the mask, or all that neither have returned nor wait
 * elsewhere. The third lets other threads run, if there are any. The last ends the kernel with an
 * error and a text.
 */
KERNEL_EXPORT_ unsigned KERNEL_API_(ExtHostBlockWait)(const KERNEL_API_(ExtHostBlock) * block,
                                                      const KERNEL_API_(ExtHostPlace) * place,
                                                      int vote, int grid);
KERNEL_EXPORT_ void KERNEL_API_(ExtHostWarpWait)(const KERNEL_API_(ExtHostBlock) * block,
                                                 const KERNEL_API_(ExtHostPlace) * place,
                                                 KERNEL_API_(ExtHostLanes) * lanes);
KERNEL_EXPORT_ void KERNEL_API_(ExtHostYield)(const KERNEL_API_(ExtHostBlock) * block,
                                              unsigned thread);
KERNEL_EXPORT_ void KERNEL_API_(ExtHostFail)(const KERNEL_API_(ExtHostBlock) * block,
                                             KERNEL_API_(Error_t) error, const char *why);

/* Report accesses of a kernel, and a fence between them, for programs that were compiled with
 * --kernel-races. `frame` is __builtin_frame_address(0) of a function that was called for the
 * access. Outside a kernel they have no effect. */
enum {
    KERNEL_API_(ExtAccessRead) = 0,
    KERNEL_API_(ExtAccessWrite) = 1,
    KERNEL_API_(ExtAccessAtomic) = 2, /* a bit beside them */
    KERNEL_API_(ExtAccessAligned) = 4 /* likewise: at a multiple of the size, or of 8 */
};
KERNEL_EXPORT_ void KERNEL_API_(ExtHostAccess)(const volatile void *address, size_t bytes,
                                               unsigned kind, const void *frame);
KERNEL_EXPORT_ void KERNEL_API_(ExtHostFence)(void);

/* A kernel that can be launched by its address; the program owns it. Its address is also the
 * handle of the kernel. */
typedef struct KERNEL_API_(ExtHostParameter) {
    unsigned bytes;
    unsigned alignment;
} KERNEL_API_(ExtHostParameter);

typedef struct KERNEL_API_(ExtHostKernelInfo) {
    struct KERNEL_API_(ExtHostKernelInfo) * next; /* the library's */
    const void *function; /* the address by which the program names the kernel */
    const char *name;
    KERNEL_API_(ExtHostKernel_t) kernel;
    size_t closureBytes;                                 /* up to 32896 */
    void (*pack)(void *closure, void *const *arguments); /* makes a closure, aligned to 64 */
    void (*list)(const void *closure, void **arguments); /* writes where the closure has them */
    const KERNEL_API_(ExtHostParameter) * parameters;
    unsigned parameterCount; /* up to 1024 */
    unsigned maxThreads;     /* of a block; 0: no limit but that of the device */
} KERNEL_API_(ExtHostKernelInfo);

/* HIP_EXT_KERNEL() of the vendor's header calls them when the program or a shared object of it is
 * loaded and unloaded. They open no device. */
KERNEL_EXPORT_ void KERNEL_API_(ExtRegisterHostKernel)(KERNEL_API_(ExtHostKernelInfo) * kernel);
KERNEL_EXPORT_ void KERNEL_API_(ExtUnregisterHostKernel)(KERNEL_API_(ExtHostKernelInfo) * kernel);

/*
 * How many blocks of such a kernel a compute unit runs at once: 1, or 0 if a block has more threads
 * or dynamic shared memory than the device allows. Then, the largest block up to `limit` threads
 * (0: no limit), and as many blocks as the device has units. They are for the templates named
 * occupancy in C++. InvalidDeviceFunction: kernel NULL;
 * InvalidValue: an output NULL, a size that is not positive, limit negative.
 */
KERNEL_EXPORT_ KERNEL_API_(Error_t)
    KERNEL_API_(ExtOccupancyHostKernel)(int *numBlocks, const void *kernel, int blockSize,
                                        size_t sharedBytes);
KERNEL_EXPORT_ KERNEL_API_(Error_t)
    KERNEL_API_(ExtOccupancyHostGrid)(int *gridSize, int *blockSize, const void *kernel,
                                      size_t sharedBytes, int limit);

#ifdef __cplusplus
}
#endif

#endif
#endif
