/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/context.h - contexts: another way to select the current device. Deprecated in HIP.
 *
 * Each device has a primary context, and programs can make more. A context owns nothing: streams,
 * events and memory belong to the device. Each thread has a stack of contexts, whose top is the
 * current one. If the stack is empty, the primary context of the device last selected by
 * hipSetDevice() is current. hipSetDevice() replaces the top by the primary context of its device.
 * The device of the current context is the current device.
 *
 * An invalid context handle is hipErrorInvalidContext.
 */
#ifndef HIP_DETAIL_CONTEXT_H
#define HIP_DETAIL_CONTEXT_H

#include <hip/detail/device.h>

HIP_EXTERN_C_BEGIN

/*
 * Makes a context of the device and pushes it. `flags` are those of hipSetDeviceFlags(); they are
 * stored and have no other effect. hipErrorInvalidValue: ctx NULL, or flags; hipErrorInvalidDevice;
 * hipErrorOutOfMemory: also if 64 contexts are on the stack.
 */
HIP_API hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/* Destroys a context and pops it if it is the calling thread's current one. On the stacks of other
 * threads it still selects its device. hipErrorInvalidContext: also a primary context. */
HIP_API hipError_t hipCtxDestroy(hipCtx_t ctx);

/* Pushes a context; pops the current one and returns it (ctx may be NULL). hipErrorInvalidContext:
 * also an empty stack; hipErrorOutOfMemory: 64 contexts are on the stack. */
HIP_API hipError_t hipCtxPushCurrent(hipCtx_t ctx);
HIP_API hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/* Replaces the current context; NULL pops it. */
HIP_API hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/* The current context, which always exists, and its device. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipCtxGetCurrent(hipCtx_t *ctx);
HIP_API hipError_t hipCtxGetDevice(hipDevice_t *device);

/* The flags of the current context; for a primary one hipGetDeviceFlags(). hipErrorInvalidValue:
 * NULL. */
HIP_API hipError_t hipCtxGetFlags(unsigned int *flags);

/* Returns 4, as HIP does; ctx NULL means the current one. hipErrorInvalidValue: apiVersion NULL. */
HIP_API hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion);

/* The same as hipDeviceSynchronize() and the device functions for preferences and peers. */
HIP_API hipError_t hipCtxSynchronize(void);
HIP_API hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig);
HIP_API hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig);
HIP_API hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig);
HIP_API hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);
HIP_API hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags);
HIP_API hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx);

/*
 * Retains a device's primary context and returns it; releases it. The count has no effect on the
 * context. hipErrorInvalidValue: NULL; hipErrorInvalidDevice; hipErrorInvalidContext: released more
 * often than retained.
 */
HIP_API hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev);
HIP_API hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);

/* Returns the flags of that device, and 1 if its primary context is retained or current on the
 * calling thread, else 0. Either may be NULL. hipErrorInvalidDevice. */
HIP_API hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active);

/* hipSetDeviceFlags() for that device. hipErrorInvalidValue; hipErrorInvalidDevice. */
HIP_API hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

HIP_EXTERN_C_END
#endif
