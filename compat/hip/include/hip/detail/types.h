/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/types.h - handles, dim3 and linkage, for all other HIP headers.
 *
 * These headers need a plain C11 or C++11 compiler and no device compiler. Sizes are bytes unless
 * stated otherwise. Every function may be called from any thread.
 *
 * Errors. Each function returns hipError_t. A call that fails changes nothing and writes no output
 * unless stated otherwise. Besides the errors in its comment, any function can return
 * hipErrorNoDevice (the process has no device; checked before the arguments), hipErrorInvalidDevice
 * if it takes a device, hipErrorInvalidHandle if it takes a stream, event or similar,
 * hipErrorOutOfMemory, and hipErrorNotInitialized (the device named by the environment cannot be
 * opened). hipGetLastError() describes the last error of a thread.
 *
 * The environment is read once, at the first call:
 *   TARN_HIP_DEVICE   name of a device of the platform ("host:0,memory=4G"), or "none";
 *                     default: TARN_DEVICE, else "host:0"
 *   HIP_VISIBLE_DEVICES (or CUDA_VISIBLE_DEVICES)  ordinals, comma separated, in the order in which
 *                     programs see them; the list ends at the first invalid one; empty: no device
 *   TARN_HIP_COMPAT   6 or 7: the release to follow where HIP 6 and 7 differ, and to report as the
 *                     version; default: 6 in libamdhip64.so.6, 7 in libamdhip64.so.7
 *   TARN_HIP_BARRIERS strict: a kernel fails at a barrier if a thread of the block has returned or
 *                     waits in another line; vendor (default): those that have returned do not count, and
 *                     lines are not compared, as on AMD's GPUs. `tarn check` sets it
 *   TARN_HIP_KERNEL_RACES  1: a checker receives races within kernels that were compiled by
 *                     `tarn hipcc --kernel-races`. `tarn check --kernel-races` sets it
 *   TARN_HIP_SPARSE   1: sparse arrays are supported; 0 (default): hipMemMapArrayAsync() returns
 *                     hipErrorNotSupported, as AMD's does
 *   TARN_HIP_LOG      error: each failing call is written to standard error, with the reason
 * A bad value fails the first call with hipErrorNotInitialized.
 */
#ifndef HIP_DETAIL_TYPES_H
#define HIP_DETAIL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <hip/detail/errors.h>
#include <hip/driver_types.h>
#include <hip/hip_version.h>

#ifdef __cplusplus
#define HIP_EXTERN_C_BEGIN extern "C" {
#define HIP_EXTERN_C_END   }
#define HIP_DEFAULT(value) = value
#else
#define HIP_EXTERN_C_BEGIN
#define HIP_EXTERN_C_END
#define HIP_DEFAULT(value)
#endif

#define HIP_API __attribute__((visibility("default")))

/* A function before one of the library. ASan shows the place of the call of the library only. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIP_WRAPPER_ static __attribute__((noinline))
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HIP_WRAPPER_ static __attribute__((noinline))
#endif
#ifndef HIP_WRAPPER_
#define HIP_WRAPPER_ static inline
#endif

/* A device is its ordinal. */
typedef int hipDevice_t;

/* Handles are opaque numbers: never dereference one. A stale handle is refused. */
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;

typedef void (*hipHostFn_t)(void *userData);

/* The NULL stream of each device under two names, and one stream for each thread and device. */
#define hipStreamLegacy    ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)

/* Extents of a grid or block; in C++ missing members are 1. */
typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
#ifdef __cplusplus
    constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
} dim3;

/* Locations of memory and of access rights, for virtual memory management and memory pools. */
typedef enum hipMemLocationType {
    hipMemLocationTypeInvalid = 0,
    hipMemLocationTypeNone = 0,
    hipMemLocationTypeDevice = 1,         /* id: ordinal */
    hipMemLocationTypeHost = 2,           /* id: ignored */
    hipMemLocationTypeHostNuma = 3,       /* id: node */
    hipMemLocationTypeHostNumaCurrent = 4 /* id: ignored */
} hipMemLocationType;

typedef struct hipMemLocation {
    hipMemLocationType type;
    int id;
} hipMemLocation;

typedef enum hipMemAccessFlags {
    hipMemAccessFlagsProtNone = 0,
    hipMemAccessFlagsProtRead = 1,
    hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;

typedef struct hipMemAccessDesc {
    hipMemLocation location;
    hipMemAccessFlags flags;
} hipMemAccessDesc;

typedef enum hipMemAllocationType {
    hipMemAllocationTypeInvalid = 0x0,
    hipMemAllocationTypePinned = 0x1,
    hipMemAllocationTypeManaged = 0x2,
    hipMemAllocationTypeUncached = 0x40000000,
    hipMemAllocationTypeMax = 0x7FFFFFFF
} hipMemAllocationType;

typedef enum hipMemAllocationHandleType {
    hipMemHandleTypeNone = 0x0,
    hipMemHandleTypePosixFileDescriptor = 0x1,
    hipMemHandleTypeWin32 = 0x2,
    hipMemHandleTypeWin32Kmt = 0x4,
    hipMemHandleTypeFabric = 0x8
} hipMemAllocationHandleType;

#endif
