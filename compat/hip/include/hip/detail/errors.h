/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/errors.h - the error codes, their texts, and a thread's last error.
 */
#ifndef HIP_DETAIL_ERRORS_H
#define HIP_DETAIL_ERRORS_H

/*
 * The closed set of errors: X(name, value, "text"). The enum, hipGetErrorName() and
 * hipGetErrorString() come from this list.
 */
#define HIP_ERROR_LIST(X)                                                                          \
    X(hipSuccess, 0, "no error")                                                                   \
    X(hipErrorInvalidValue, 1, "invalid argument")                                                 \
    X(hipErrorOutOfMemory, 2, "out of memory")                                                     \
    X(hipErrorNotInitialized, 3, "initialization error")                                           \
    X(hipErrorDeinitialized, 4, "driver shutting down")                                            \
    X(hipErrorProfilerDisabled, 5, "profiler disabled")                                            \
    X(hipErrorProfilerNotInitialized, 6, "profiler not initialized")                               \
    X(hipErrorProfilerAlreadyStarted, 7, "profiler already started")                               \
    X(hipErrorProfilerAlreadyStopped, 8, "profiler already stopped")                               \
    X(hipErrorInvalidConfiguration, 9, "invalid configuration argument")                           \
    X(hipErrorInvalidPitchValue, 12, "invalid pitch argument")                                     \
    X(hipErrorInvalidSymbol, 13, "invalid device symbol")                                          \
    X(hipErrorInvalidDevicePointer, 17, "invalid device pointer")                                  \
    X(hipErrorInvalidMemcpyDirection, 21, "invalid copy direction")                                \
    X(hipErrorInsufficientDriver, 35, "driver version is insufficient for runtime version")        \
    X(hipErrorMissingConfiguration, 52, "no launch was configured")                                \
    X(hipErrorPriorLaunchFailure, 53, "a launch before this one failed")                           \
    X(hipErrorInvalidDeviceFunction, 98, "invalid device function")                                \
    X(hipErrorNoDevice, 100, "no device is available")                                             \
    X(hipErrorInvalidDevice, 101, "invalid device ordinal")                                        \
    X(hipErrorInvalidImage, 200, "invalid device kernel image")                                    \
    X(hipErrorInvalidContext, 201, "invalid device context")                                       \
    X(hipErrorContextAlreadyCurrent, 202, "context is already current")                            \
    X(hipErrorMapFailed, 205, "mapping of a buffer object failed")                                 \
    X(hipErrorUnmapFailed, 206, "unmapping of a buffer object failed")                             \
    X(hipErrorArrayIsMapped, 207, "array is mapped")                                               \
    X(hipErrorAlreadyMapped, 208, "resource is mapped already")                                    \
    X(hipErrorNoBinaryForGpu, 209, "no kernel image for this device")                              \
    X(hipErrorAlreadyAcquired, 210, "resource is acquired already")                                \
    X(hipErrorNotMapped, 211, "resource is not mapped")                                            \
    X(hipErrorNotMappedAsArray, 212, "resource is not mapped as an array")                         \
    X(hipErrorNotMappedAsPointer, 213, "resource is not mapped as a pointer")                      \
    X(hipErrorECCNotCorrectable, 214, "uncorrectable memory error")                                \
    X(hipErrorUnsupportedLimit, 215, "limit is not supported")                                     \
    X(hipErrorContextAlreadyInUse, 216, "context is in use by another thread")                     \
    X(hipErrorPeerAccessUnsupported, 217, "no peer access between these devices")                  \
    X(hipErrorInvalidKernelFile, 218, "invalid kernel file")                                       \
    X(hipErrorInvalidGraphicsContext, 219, "invalid graphics context")                             \
    X(hipErrorInvalidSource, 300, "source is invalid")                                             \
    X(hipErrorFileNotFound, 301, "file not found")                                                 \
    X(hipErrorSharedObjectSymbolNotFound, 302, "symbol not found in shared object")                \
    X(hipErrorSharedObjectInitFailed, 303, "shared object failed to initialize")                   \
    X(hipErrorOperatingSystem, 304, "the operating system refused")                                \
    X(hipErrorInvalidHandle, 400, "invalid resource handle")                                       \
    X(hipErrorIllegalState, 401, "operation not allowed in this state")                            \
    X(hipErrorNotFound, 500, "named symbol or address not found")                                  \
    X(hipErrorNotReady, 600, "device not ready")                                                   \
    X(hipErrorIllegalAddress, 700, "an illegal memory access was encountered")                     \
    X(hipErrorLaunchOutOfResources, 701, "too many resources requested for launch")                \
    X(hipErrorLaunchTimeOut, 702, "the launch timed out")                                          \
    X(hipErrorPeerAccessAlreadyEnabled, 704, "peer access is enabled already")                     \
    X(hipErrorPeerAccessNotEnabled, 705, "peer access is not enabled")                             \
    X(hipErrorSetOnActiveProcess, 708, "cannot be set while the process is active")                \
    X(hipErrorContextIsDestroyed, 709, "context is destroyed")                                     \
    X(hipErrorAssert, 710, "device-side assertion")                                                \
    X(hipErrorHostMemoryAlreadyRegistered, 712, "host memory is registered already")               \
    X(hipErrorHostMemoryNotRegistered, 713, "host memory is not registered")                       \
    X(hipErrorLaunchFailure, 719, "unspecified launch failure")                                    \
    X(hipErrorCooperativeLaunchTooLarge, 720, "too many blocks in a cooperative launch")           \
    X(hipErrorNotSupported, 801, "operation not supported")                                        \
    X(hipErrorStreamCaptureUnsupported, 900, "operation not permitted while a stream captures")    \
    X(hipErrorStreamCaptureInvalidated, 901, "the capture was invalidated by an earlier error")    \
    X(hipErrorStreamCaptureMerge, 902, "two captures would be merged")                             \
    X(hipErrorStreamCaptureUnmatched, 903, "the capture did not begin in this stream")             \
    X(hipErrorStreamCaptureUnjoined, 904, "a stream of the capture was not joined")                \
    X(hipErrorStreamCaptureIsolation, 905, "a dependency would leave the capture")                 \
    X(hipErrorStreamCaptureImplicit, 906, "dependency on the capturing NULL stream")               \
    X(hipErrorCapturedEvent, 907, "event was last recorded in a capturing stream")                 \
    X(hipErrorStreamCaptureWrongThread, 908, "the capture began on another thread")                \
    X(hipErrorGraphExecUpdateFailure, 910, "the graph update violates its constraints")            \
    X(hipErrorInvalidChannelDescriptor, 911, "invalid channel descriptor")                         \
    X(hipErrorInvalidTexture, 912, "invalid texture")                                              \
    X(hipErrorUnknown, 999, "unknown error")                                                       \
    X(hipErrorRuntimeMemory, 1052, "runtime memory call returned error")                           \
    X(hipErrorRuntimeOther, 1053, "runtime call other than memory returned error")                 \
    X(hipErrorTbd, 1054, "error not described")

typedef enum hipError_t {
#define HIP_ERROR_ENUM(name, value, text) name = value,
    HIP_ERROR_LIST(HIP_ERROR_ENUM)
#undef HIP_ERROR_ENUM
    /* other names of the same numbers */
    hipErrorMemoryAllocation = 2,
    hipErrorInitializationError = 3,
    hipErrorMapBufferObjectFailed = 205,
    hipErrorInvalidResourceHandle = 400
} hipError_t;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns the calling thread's last error and resets it. As in HIP 7, a successful call does not
 * change it, and hipSuccess and hipErrorNotReady are never recorded.
 */
__attribute__((visibility("default"))) hipError_t hipGetLastError(void);

/* The same function. HIP has two separate errors for them. */
__attribute__((visibility("default"))) hipError_t hipExtGetLastError(void);

/* Returns the calling thread's last error without resetting it. */
__attribute__((visibility("default"))) hipError_t hipPeekAtLastError(void);

/* Returns the name ("hipErrorInvalidValue") or the text of an error, a static string. For an
 * unknown number: "hipErrorUnknown" and its text. */
__attribute__((visibility("default"))) const char *hipGetErrorName(hipError_t error);
__attribute__((visibility("default"))) const char *hipGetErrorString(hipError_t error);

/* The same, returned through `text`. hipErrorInvalidValue: text NULL, or a number that is not
 * an error (*text is NULL then, as in HIP). */
__attribute__((visibility("default"))) hipError_t hipDrvGetErrorName(hipError_t error,
                                                                     const char **text);
__attribute__((visibility("default"))) hipError_t hipDrvGetErrorString(hipError_t error,
                                                                       const char **text);

/*
 * An extension of Tarn: returns one line with the reason of the calling thread's last failure and
 * the offending values; "" if no call has failed, never NULL. It is valid until the thread's next
 * failing call.
 */
__attribute__((visibility("default"))) const char *hipExtGetLastErrorText(void);

#ifdef __cplusplus
}
#endif
#endif
