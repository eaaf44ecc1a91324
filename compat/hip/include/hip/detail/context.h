/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/context.h - contexts: another way to say which device is current. Deprecated in HIP.
 *
 * Each device has a primary context; more can be made. A context owns nothing: streams, events and
 * memory belong to the device. Each thread has a stack of contexts, whose top is its current one;
 * under an empty stack lies the primary context of the device that hipSetDevice() chose last.
 * hipSetDevice() puts the primary context of its device in the place of the top. The device of the
 * current context is the current device.
 *
 * Where a context is asked for, a handle that is none, or is destroyed, is hipErrorInvalidContext.
 */
#ifndef HIP_DETAIL_CONTEXT_H
#define HIP_DETAIL_CONTEXT_H

#include <hip/detail/device.h>

HIP_EXTERN_C_BEGIN

/*
 * Makes a context of the device and pushes it. `flags` are those of hipSetDeviceFlags(), and only
 * remembered. hipErrorInvalidValue: ctx NULL, or flags; hipErrorInvalidDevice;
 * hipErrorOutOfMemory: also when 64 contexts are on the stack.
 */
HIP_API hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/* Destroys a context; if it is the calling thread's current one, it is popped. On stacks of other
 * threads it stays, as a name for its device. hipErrorInvalidContext: also a primary one. */
HIP_API hipError_t hipCtxDestroy(hipCtx_t ctx);

/* Pushes a context; pops the current one and tells it (ctx may be NULL). hipErrorInvalidContext:
 * also an empty stack; hipErrorOutOfMemory: 64 contexts are on the stack. */
HIP_API hipError_t hipCtxPushCurrent(hipCtx_t ctx);
HIP_API hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/* Puts a context in the place of the current one; NULL pops that. */
HIP_API hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/* The current context, and its device. Never none. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipCtxGetCurrent(hipCtx_t *ctx);
HIP_API hipError_t hipCtxGetDevice(hipDevice_t *device);

/* What the current context was made with; of a primary one hipGetDeviceFlags().
 * hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipCtxGetFlags(unsigned int *flags);

/* 4, as HIP has it; ctx NULL is the current one. hipErrorInvalidValue: apiVersion NULL. */
HIP_API hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion);

/* As hipDeviceSynchronize(), and as the functions of the device for preferences and peers. */
HIP_API hipError_t hipCtxSynchronize(void);
HIP_API hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig);
HIP_API hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig);
HIP_API hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig);
HIP_API hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);
HIP_API hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags);
HIP_API hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx);

/*
 * Counts a use of a device's primary context and tells it, always the same; gives one back. The
 * context does not depend on it. hipErrorInvalidValue: NULL; hipErrorInvalidDevice;
 * hipErrorInvalidContext: given back more often than counted.
 */
HIP_API hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev);
HIP_API hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);

/* hipGetDeviceFlags() of that device, and 1 when its primary context is counted or current on the
 * calling thread, else 0. Either may be NULL. hipErrorInvalidDevice. */
HIP_API hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active);

/* hipSetDeviceFlags() for that device. hipErrorInvalidValue; hipErrorInvalidDevice. */
HIP_API hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

HIP_EXTERN_C_END
#endif
