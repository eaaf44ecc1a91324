/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/device.h - initialisation, errors, look-ups, devices, contexts and peers.
 *
 * This header and those beside it declare functions of both APIs. cuda.h includes them for the
 * driver API and cuda_runtime_api.h for the runtime API. CUDA_API_(Name) declares cuName or
 * cudaName.
 *
 * Errors. A call that fails changes nothing and writes no output unless stated otherwise. Besides
 * the errors in its comment, which are named as in the runtime, any function can return NoDevice,
 * InvalidDevice if it takes a device, InvalidResourceHandle if it takes a stream, event or similar,
 * and MemoryAllocation. A driver function returns NOT_INITIALIZED before cuInit() and in a child of
 * fork(), and INVALID_CONTEXT if it needs a current context and the thread has none. A runtime
 * function initialises itself: it makes the primary context of the thread's device current if no
 * context is.
 *
 * The environment is read once, at the first call:
 *   TARN_CUDA_DEVICE      name of a device of the platform ("host:0,memory=4G"), or "none";
 *                         default: TARN_DEVICE, else "host:0"
 *   CUDA_VISIBLE_DEVICES  ordinals, comma separated, in the order in which programs see them;
 *                         the list ends at the first invalid one; empty: no device
 *   TARN_CUDA_LOG         error: each failing call is written to standard error, with the reason
 * A bad value fails the first call with CUDA_ERROR_NOT_INITIALIZED.
 */
#ifdef CUDA_PICK_

/* cuDriverGetVersion, cudaDriverGetVersion: 13000. May be called before everything else. */
CUDA_API_(DriverGetVersion, int *version);

/* cuGetExportTable, cudaGetExportTable: always InvalidValue. Tarn has no private tables. */
CUDA_API_(GetExportTable, const void **table, const CUuuid *id);

/* cuDeviceGetAttribute, cudaDeviceGetAttribute: InvalidValue: an unknown attribute. */
CUDA_API_(DeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device);

/* cuDeviceGetPCIBusId, cuDeviceGetByPCIBusId and cuda...: "0000:01:00.0", which needs 13 bytes. */
CUDA_API_(DeviceGetPCIBusId, char *bus_id, int length, CUdevice device);
CUDA_API_(DeviceGetByPCIBusId, CUdevice *device, const char *bus_id);

/* cuCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache: no effect. */
CUDA_API_(CtxResetPersistingL2Cache, void);

/* cuDeviceCanAccessPeer, cuDeviceGetP2PAttribute and cuda...: whether devices reach each other's
 * memory. InvalidDevice: twice the same device. */
CUDA_API_(DeviceCanAccessPeer, int *can_access, CUdevice device, CUdevice peer);
CUDA_API_(DeviceGetP2PAttribute, int *value, CUdevice_P2PAttribute attribute, CUdevice src_device,
          CUdevice dst_device);

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* Opens the devices. InvalidValue: flags not 0; NoDevice. More calls have no effect. */
CUresult cuInit(unsigned flags);

/* The name ("CUDA_ERROR_INVALID_VALUE") and the text of an error, static strings. InvalidValue: an
 * unknown number, for which the output is NULL. */
CUresult cuGetErrorName(CUresult error, const char **text);
CUresult cuGetErrorString(CUresult error, const char **text);

/* Finds the newest form of a driver function that is not newer than a version; 12000 is release
 * 12.0. A function that is not found is NULL, with a status and no error.
 * InvalidValue: a NULL, except status; unknown flags; a version above the driver's. */
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status);

/* A device of the driver is its ordinal, too. */
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);

/* Writes at most `length` bytes, always with a terminating zero. */
CUresult cuDeviceGetName(char *name, int length, CUdevice device);

/* The 16 bytes that identify a device, its memory in bytes, and others of its properties. */
CUresult CUDA_13_(cuDeviceGetUuid, _v2)(CUuuid *uuid, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels,
                                            CUdevice device);
#if TARN_CUDA_LEVEL == 12
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
#endif

/*
 * The primary context of a device, which the runtime shares. Retain counts a reference and does not
 * make the context current. At 0 references, or by Reset, its memory, streams and events end;
 * virtual memory and pools stay. Calls in it are CONTEXT_IS_DESTROYED until the next Retain or call
 * of the runtime. InvalidContext: a release without a reference. GetState needs both outputs.
 */
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active);

/* Makes a context and pushes it. Destroying it pops it in the calling thread; other threads then
 * get CONTEXT_IS_DESTROYED, from the runtime cudaErrorDeviceUninitialized. `params` may be NULL. */
CUresult CUDA_13_(cuCtxCreate, _v4)(CUcontext *context, CUctxCreateParams *params, unsigned flags,
                                    CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
#if TARN_CUDA_LEVEL == 12
CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device);
#endif

/* The stack of contexts of a thread, which starts empty. SetCurrent replaces its top; NULL pops it.
 * InvalidContext: a pop from an empty stack. */
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);

/* The current context, or a given one. CONTEXT_IS_DESTROYED: not a context.
 * Synchronize waits for all work of the context. */
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxSynchronize(void);
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context);
CUresult cuCtxSynchronize_v2(CUcontext context);

/* Flags, identity and version of a context, and events for all of its work. */
CUresult cuCtxGetFlags(unsigned *flags);
CUresult cuCtxSetFlags(unsigned flags);
CUresult cuCtxGetId(CUcontext context, unsigned long long *id);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version);
CUresult cuCtxRecordEvent(CUcontext context, CUevent event);
CUresult cuCtxWaitEvent(CUcontext context, CUevent event);
CUresult cuCtxAttach(CUcontext *context, unsigned flags);
CUresult cuCtxDetach(CUcontext context);
/* Not supported: affinities of contexts, and writes of other devices on the bus. */
#define CUDA_ABSENT_(name, ...) CUresult name(__VA_ARGS__)
CUDA_ABSENT_(cuCtxGetExecAffinity, CUexecAffinityParam *affinity, CUexecAffinityType type);
CUDA_ABSENT_(cuDeviceGetExecAffinitySupport, int *supported, CUexecAffinityType type,
             CUdevice device);
CUDA_ABSENT_(cuFlushGPUDirectRDMAWrites, CUflushGPUDirectRDMAWritesTarget target,
             CUflushGPUDirectRDMAWritesScope scope);
#undef CUDA_ABSENT_

/* The numbers of the lowest (0) and highest priority of streams; either may be NULL. Limits and
 * preferences are stored and returned, and have no other effect. */
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache *config);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);

/*
 * Opens the memory of another device to the current one, in one direction.
 * PeerAccessAlreadyEnabled, PeerAccessNotEnabled; PeerAccessUnsupported: also the current device
 * itself; InvalidValue: flags not 0.
 */
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

#else
/* ---- functions of the runtime alone */

/* The release of the libcudart that the program uses: 12090 or 13000. */
cudaError_t cudaRuntimeGetVersion(int *version);

/* The calling thread's last error, of functions of the runtime. The first function resets it. A
 * call that succeeds does not change it, nor does cudaErrorNotReady. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

/* The name ("cudaErrorInvalidValue") and the text of an error, static strings. For an unknown
 * number both are "unrecognized error code". */
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* Finds a function of the driver as cuGetProcAddress() does; the first function takes the
 * version of the runtime. */
CUDA_PTSZ_(cudaGetDriverEntryPoint, const char *symbol, void **function, unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status CUDA_DEFAULT_(__null));
CUDA_PTSZ_(cudaGetDriverEntryPointByVersion, const char *symbol, void **function, unsigned version,
           unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status CUDA_DEFAULT_(__null));

/* *count is 0 if there is no device; then the error is NoDevice. */
cudaError_t cudaGetDeviceCount(int *count);

/* Properties that Tarn's device lacks are 0. */
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);

/* The device whose properties match best. */
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties);

/* The elements of such a channel that a row may have. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width,
                                                 const cudaChannelFormatDesc *descriptor,
                                                 int device);

/* The device that the calling thread uses, 0 at first. SetDevice also makes its primary context
 * current, InitDevice only makes it exist. SetValidDevices lists the devices to try. */
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaSetValidDevices(int *devices, int length);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *flags);

/* Waits for all work of the device. Returns the failure of the first stream that has failed. */
cudaError_t cudaDeviceSynchronize(void);

/* Ends the memory, streams and events of the device, and its failures. Virtual memory and the
 * memory of pools stay. */
cudaError_t cudaDeviceReset(void);

/* The numbers of the lowest (0) and highest priority of streams; either may be NULL. Limits and
 * preferences are stored and returned, and have no other effect. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);

/*
 * Opens the memory of another device to the current one, in one direction.
 * PeerAccessAlreadyEnabled, PeerAccessNotEnabled; PeerAccessUnsupported: also the current device
 * itself; InvalidValue: flags not 0.
 */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);

#endif
#endif
