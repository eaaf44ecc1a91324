/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/errors.h - the error codes of both APIs and their texts. An error has the same number
 * in both. The driver API has no last error. The runtime keeps the last error of each thread.
 */
#ifndef CUDA_DETAIL_ERRORS_H
#define CUDA_DETAIL_ERRORS_H

/* The errors that both APIs have: X(NAME, Name, value, "text") is CUDA_ERROR_NAME of the driver and
 * cudaErrorName of the runtime. Success, which is no error, is not in it. */
#define CUDA_ERROR_LIST(X)                                                                         \
    X(INVALID_VALUE, InvalidValue, 1, "invalid argument")                                          \
    X(OUT_OF_MEMORY, MemoryAllocation, 2, "out of memory")                                         \
    X(NOT_INITIALIZED, InitializationError, 3, "initialization error")                             \
    X(DEINITIALIZED, CudartUnloading, 4, "driver shutting down")                                   \
    X(STUB_LIBRARY, StubLibrary, 34, "the library is a stub")                                      \
    X(CALL_REQUIRES_NEWER_DRIVER, CallRequiresNewerDriver, 36, "call requires a newer driver")     \
    X(DEVICE_UNAVAILABLE, DevicesUnavailable, 46, "device is unavailable")                         \
    X(NO_DEVICE, NoDevice, 100, "no CUDA-capable device is detected")                              \
    X(INVALID_DEVICE, InvalidDevice, 101, "invalid device ordinal")                                \
    X(INVALID_IMAGE, InvalidKernelImage, 200, "device kernel image is invalid")                    \
    X(INVALID_CONTEXT, DeviceUninitialized, 201, "invalid device context")                         \
    X(MAP_FAILED, MapBufferObjectFailed, 205, "mapping of buffer object failed")                   \
    X(UNMAP_FAILED, UnmapBufferObjectFailed, 206, "unmapping of buffer object failed")             \
    X(ARRAY_IS_MAPPED, ArrayIsMapped, 207, "array is mapped")                                      \
    X(ALREADY_MAPPED, AlreadyMapped, 208, "resource already mapped")                               \
    X(NO_BINARY_FOR_GPU, NoKernelImageForDevice, 209,                                              \
      "no kernel image is available for execution on the device")                                  \
    X(ALREADY_ACQUIRED, AlreadyAcquired, 210, "resource already acquired")                         \
    X(NOT_MAPPED, NotMapped, 211, "resource not mapped")                                           \
    X(NOT_MAPPED_AS_ARRAY, NotMappedAsArray, 212, "resource not mapped as array")                  \
    X(NOT_MAPPED_AS_POINTER, NotMappedAsPointer, 213, "resource not mapped as pointer")            \
    X(ECC_UNCORRECTABLE, ECCUncorrectable, 214, "uncorrectable ECC error encountered")             \
    X(UNSUPPORTED_LIMIT, UnsupportedLimit, 215, "limit is not supported on this architecture")     \
    X(CONTEXT_ALREADY_IN_USE, DeviceAlreadyInUse, 216,                                             \
      "exclusive-thread device already in use by a different thread")                              \
    X(PEER_ACCESS_UNSUPPORTED, PeerAccessUnsupported, 217,                                         \
      "peer access is not supported between these two devices")                                    \
    X(INVALID_PTX, InvalidPtx, 218, "PTX code is invalid")                                         \
    X(NVLINK_UNCORRECTABLE, NvlinkUncorrectable, 220, "uncorrectable NVLink error")                \
    X(UNSUPPORTED_EXEC_AFFINITY, UnsupportedExecAffinity, 224,                                     \
      "the provided execution affinity is not supported")                                          \
    X(CONTAINED, Contained, 226, "contained error was encountered")                                \
    X(INVALID_SOURCE, InvalidSource, 300, "device kernel image is invalid")                        \
    X(FILE_NOT_FOUND, FileNotFound, 301, "file not found")                                         \
    X(SHARED_OBJECT_SYMBOL_NOT_FOUND, SharedObjectSymbolNotFound, 302,                             \
      "shared object symbol not found")                                                            \
    X(SHARED_OBJECT_INIT_FAILED, SharedObjectInitFailed, 303,                                      \
      "shared object initialization failed")                                                       \
    X(OPERATING_SYSTEM, OperatingSystem, 304,                                                      \
      "OS call failed or operation not supported on this OS")                                      \
    X(INVALID_HANDLE, InvalidResourceHandle, 400, "invalid resource handle")                       \
    X(ILLEGAL_STATE, IllegalState, 401, "the operation cannot be performed in the present state")  \
    X(NOT_FOUND, SymbolNotFound, 500, "named symbol not found")                                    \
    X(NOT_READY, NotReady, 600, "device not ready")                                                \
    X(ILLEGAL_ADDRESS, IllegalAddress, 700, "an illegal memory access was encountered")            \
    X(LAUNCH_OUT_OF_RESOURCES, LaunchOutOfResources, 701,                                          \
      "too many resources requested for launch")                                                   \
    X(LAUNCH_TIMEOUT, LaunchTimeout, 702, "the launch timed out and was terminated")               \
    X(PEER_ACCESS_ALREADY_ENABLED, PeerAccessAlreadyEnabled, 704,                                  \
      "peer access is already enabled")                                                            \
    X(PEER_ACCESS_NOT_ENABLED, PeerAccessNotEnabled, 705, "peer access has not been enabled")      \
    X(PRIMARY_CONTEXT_ACTIVE, SetOnActiveProcess, 708,                                             \
      "cannot set while device is active in this process")                                         \
    X(CONTEXT_IS_DESTROYED, ContextIsDestroyed, 709, "context is destroyed")                       \
    X(ASSERT, Assert, 710, "device-side assert triggered")                                         \
    X(TOO_MANY_PEERS, TooManyPeers, 711, "too many peer devices are in use")                       \
    X(HOST_MEMORY_ALREADY_REGISTERED, HostMemoryAlreadyRegistered, 712,                            \
      "part or all of the requested memory range is already mapped")                               \
    X(HOST_MEMORY_NOT_REGISTERED, HostMemoryNotRegistered, 713,                                    \
      "pointer does not correspond to a registered memory region")                                 \
    X(HARDWARE_STACK_ERROR, HardwareStackError, 714, "hardware stack error")                       \
    X(ILLEGAL_INSTRUCTION, IllegalInstruction, 715, "an illegal instruction was encountered")      \
    X(MISALIGNED_ADDRESS, MisalignedAddress, 716, "misaligned address")                            \
    X(INVALID_ADDRESS_SPACE, InvalidAddressSpace, 717, "invalid address space")                    \
    X(INVALID_PC, InvalidPc, 718, "invalid program counter")                                       \
    X(LAUNCH_FAILED, LaunchFailure, 719, "unspecified launch failure")                             \
    X(COOPERATIVE_LAUNCH_TOO_LARGE, CooperativeLaunchTooLarge, 720,                                \
      "too many blocks in cooperative launch")                                                     \
    X(TENSOR_MEMORY_LEAK, TensorMemoryLeak, 721, "tensor memory was not released")                 \
    X(NOT_PERMITTED, NotPermitted, 800, "operation not permitted")                                 \
    X(NOT_SUPPORTED, NotSupported, 801, "operation not supported")                                 \
    X(SYSTEM_NOT_READY, SystemNotReady, 802, "system is not ready")                                \
    X(SYSTEM_DRIVER_MISMATCH, SystemDriverMismatch, 803, "driver and system differ")               \
    X(COMPAT_NOT_SUPPORTED_ON_DEVICE, CompatNotSupportedOnDevice, 804,                             \
      "device has no compatibility mode")                                                          \
    X(STREAM_CAPTURE_UNSUPPORTED, StreamCaptureUnsupported, 900,                                   \
      "operation not permitted when stream is capturing")                                          \
    X(STREAM_CAPTURE_INVALIDATED, StreamCaptureInvalidated, 901,                                   \
      "operation failed due to a previous error during capture")                                   \
    X(STREAM_CAPTURE_MERGE, StreamCaptureMerge, 902,                                               \
      "operation would result in a merge of separate capture sequences")                           \
    X(STREAM_CAPTURE_UNMATCHED, StreamCaptureUnmatched, 903,                                       \
      "capture was not ended in the same stream as it began")                                      \
    X(STREAM_CAPTURE_UNJOINED, StreamCaptureUnjoined, 904, "capturing stream has unjoined work")   \
    X(STREAM_CAPTURE_ISOLATION, StreamCaptureIsolation, 905,                                       \
      "dependency created on uncaptured work in another stream")                                   \
    X(STREAM_CAPTURE_IMPLICIT, StreamCaptureImplicit, 906,                                         \
      "operation would make the legacy stream depend on a capturing blocking stream")              \
    X(CAPTURED_EVENT, CapturedEvent, 907,                                                          \
      "operation not permitted on an event last recorded in a capturing stream")                   \
    X(STREAM_CAPTURE_WRONG_THREAD, StreamCaptureWrongThread, 908,                                  \
      "attempt to terminate a thread-local capture sequence from another thread")                  \
    X(TIMEOUT, Timeout, 909, "wait operation timed out")                                           \
    X(GRAPH_EXEC_UPDATE_FAILURE, GraphExecUpdateFailure, 910, "graph update is not possible")      \
    X(EXTERNAL_DEVICE, ExternalDevice, 911, "external device reported an error")                   \
    X(UNKNOWN, Unknown, 999, "unknown error")

/* The errors that only the runtime has: X(Name, value, "text"). */
#define CUDA_RUNTIME_ERROR_LIST(X)                                                                 \
    X(InvalidConfiguration, 9, "invalid configuration argument")                                   \
    X(InvalidPitchValue, 12, "invalid pitch argument")                                             \
    X(InvalidSymbol, 13, "invalid device symbol")                                                  \
    X(InvalidHostPointer, 16, "host pointer is invalid")                                           \
    X(InvalidDevicePointer, 17, "invalid device pointer")                                          \
    X(InvalidChannelDescriptor, 20, "invalid channel descriptor")                                  \
    X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                             \
    X(SynchronizationError, 25, "synchronization failed")                                          \
    X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")      \
    X(MissingConfiguration, 52, "__global__ function call is not configured")                      \
    X(PriorLaunchFailure, 53, "unspecified launch failure in prior launch")                        \
    X(InvalidDeviceFunction, 98, "invalid device function")                                        \
    X(StartupFailure, 127, "startup of the runtime failed")

#define CUDA_DRIVER_NAME_(driver, runtime, value, text)  CUDA_ERROR_##driver = value,
#define CUDA_RUNTIME_NAME_(driver, runtime, value, text) cudaError##runtime = value,
#define CUDA_RUNTIME_ONLY_(runtime, value, text)         cudaError##runtime = value,

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_LIST(CUDA_DRIVER_NAME_) CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_KEY_ROTATION = 916
} CUresult;

typedef enum cudaError {
    cudaSuccess = 0,
    CUDA_ERROR_LIST(CUDA_RUNTIME_NAME_) CUDA_RUNTIME_ERROR_LIST(CUDA_RUNTIME_ONLY_)
        cudaErrorApiFailureBase = 10000
} cudaError_t;

#undef CUDA_DRIVER_NAME_
#undef CUDA_RUNTIME_NAME_
#undef CUDA_RUNTIME_ONLY_

#endif
