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
    X(PROFILER_DISABLED, ProfilerDisabled, 5,                                                      \
      "profiler disabled while using external profiling tool")                                     \
    X(PROFILER_NOT_INITIALIZED, ProfilerNotInitialized, 6,                                         \
      "profiler not initialized: call cudaProfilerInitialize()")                                   \
    X(PROFILER_ALREADY_STARTED, ProfilerAlreadyStarted, 7, "profiler already started")             \
    X(PROFILER_ALREADY_STOPPED, ProfilerAlreadyStopped, 8, "profiler already stopped")             \
    X(STUB_LIBRARY, StubLibrary, 34, "CUDA driver is a stub library")                              \
    X(CALL_REQUIRES_NEWER_DRIVER, CallRequiresNewerDriver, 36,                                     \
      "API call is not supported in the installed CUDA driver")                                    \
    X(DEVICE_UNAVAILABLE, DevicesUnavailable, 46,                                                  \
      "CUDA-capable device(s) is/are busy or unavailable")                                         \
    X(NO_DEVICE, NoDevice, 100, "no CUDA-capable device is detected")                              \
    X(INVALID_DEVICE, InvalidDevice, 101, "invalid device ordinal")                                \
    X(DEVICE_NOT_LICENSED, DeviceNotLicensed, 102, "device doesn't have valid Grid license")       \
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
    X(INVALID_PTX, InvalidPtx, 218, "a PTX JIT compilation failed")                                \
    X(INVALID_GRAPHICS_CONTEXT, InvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")  \
    X(NVLINK_UNCORRECTABLE, NvlinkUncorrectable, 220,                                              \
      "uncorrectable NVLink error detected during the execution")                                  \
    X(JIT_COMPILER_NOT_FOUND, JitCompilerNotFound, 221, "PTX JIT compiler library not found")      \
    X(UNSUPPORTED_PTX_VERSION, UnsupportedPtxVersion, 222,                                         \
      "the provided PTX was compiled with an unsupported toolchain.")                              \
    X(JIT_COMPILATION_DISABLED, JitCompilationDisabled, 223, "PTX JIT compilation was disabled")   \
    X(UNSUPPORTED_EXEC_AFFINITY, UnsupportedExecAffinity, 224,                                     \
      "the provided execution affinity is not supported")                                          \
    X(UNSUPPORTED_DEVSIDE_SYNC, UnsupportedDevSideSync, 225,                                       \
      "the provided PTX contains unsupported call to cudaDeviceSynchronize")                       \
    X(CONTAINED, Contained, 226,                                                                   \
      "Invalid access of peer GPU memory over nvlink or a hardware error")                         \
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
    X(LOSSY_QUERY, LossyQuery, 402, "attempted introspection would be semantically lossy")         \
    X(NOT_FOUND, SymbolNotFound, 500, "named symbol not found")                                    \
    X(NOT_READY, NotReady, 600, "device not ready")                                                \
    X(ILLEGAL_ADDRESS, IllegalAddress, 700, "an illegal memory access was encountered")            \
    X(LAUNCH_OUT_OF_RESOURCES, LaunchOutOfResources, 701,                                          \
      "too many resources requested for launch")                                                   \
    X(LAUNCH_TIMEOUT, LaunchTimeout, 702, "the launch timed out and was terminated")               \
    X(LAUNCH_INCOMPATIBLE_TEXTURING, LaunchIncompatibleTexturing, 703,                             \
      "launch uses incompatible texturing mode")                                                   \
    X(PEER_ACCESS_ALREADY_ENABLED, PeerAccessAlreadyEnabled, 704,                                  \
      "peer access is already enabled")                                                            \
    X(PEER_ACCESS_NOT_ENABLED, PeerAccessNotEnabled, 705, "peer access has not been enabled")      \
    X(PRIMARY_CONTEXT_ACTIVE, SetOnActiveProcess, 708,                                             \
      "cannot set while device is active in this process")                                         \
    X(CONTEXT_IS_DESTROYED, ContextIsDestroyed, 709, "context is destroyed")                       \
    X(ASSERT, Assert, 710, "device-side assert triggered")                                         \
    X(TOO_MANY_PEERS, TooManyPeers, 711, "peer mapping resources exhausted")                       \
    X(HOST_MEMORY_ALREADY_REGISTERED, HostMemoryAlreadyRegistered, 712,                            \
      "part or all of the requested memory range is already mapped")                               \
    X(HOST_MEMORY_NOT_REGISTERED, HostMemoryNotRegistered, 713,                                    \
      "pointer does not correspond to a registered memory region")                                 \
    X(HARDWARE_STACK_ERROR, HardwareStackError, 714, "hardware stack error")                       \
    X(ILLEGAL_INSTRUCTION, IllegalInstruction, 715, "an illegal instruction was encountered")      \
    X(MISALIGNED_ADDRESS, MisalignedAddress, 716, "misaligned address")                            \
    X(INVALID_ADDRESS_SPACE, InvalidAddressSpace, 717,                                             \
      "operation not supported on global/shared address space")                                    \
    X(INVALID_PC, InvalidPc, 718, "invalid program counter")                                       \
    X(LAUNCH_FAILED, LaunchFailure, 719, "unspecified launch failure")                             \
    X(COOPERATIVE_LAUNCH_TOO_LARGE, CooperativeLaunchTooLarge, 720,                                \
      "too many blocks in cooperative launch")                                                     \
    X(TENSOR_MEMORY_LEAK, TensorMemoryLeak, 721, "tensor memory not completely freed")             \
    X(NOT_PERMITTED, NotPermitted, 800, "operation not permitted")                                 \
    X(NOT_SUPPORTED, NotSupported, 801, "operation not supported")                                 \
    X(SYSTEM_NOT_READY, SystemNotReady, 802, "system not yet initialized")                         \
    X(SYSTEM_DRIVER_MISMATCH, SystemDriverMismatch, 803,                                           \
      "system has unsupported display driver / cuda driver combination")                           \
    X(COMPAT_NOT_SUPPORTED_ON_DEVICE, CompatNotSupportedOnDevice, 804,                             \
      "forward compatibility was attempted on non supported HW")                                   \
    X(MPS_CONNECTION_FAILED, MpsConnectionFailed, 805,                                             \
      "MPS client failed to connect to the MPS control daemon or the MPS server")                  \
    X(MPS_RPC_FAILURE, MpsRpcFailure, 806,                                                         \
      "the remote procedural call between the MPS server and the MPS client failed")               \
    X(MPS_SERVER_NOT_READY, MpsServerNotReady, 807,                                                \
      "MPS server is not ready to accept new MPS client requests")                                 \
    X(MPS_MAX_CLIENTS_REACHED, MpsMaxClientsReached, 808,                                          \
      "the hardware resources required to create MPS client have been exhausted")                  \
    X(MPS_MAX_CONNECTIONS_REACHED, MpsMaxConnectionsReached, 809,                                  \
      "the hardware resources required to support device connections have been exhausted")         \
    X(MPS_CLIENT_TERMINATED, MpsClientTerminated, 810,                                             \
      "the MPS client has been terminated by the server")                                          \
    X(CDP_NOT_SUPPORTED, CdpNotSupported, 811,                                                     \
      "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not "      \
      "support it")                                                                                \
    X(CDP_VERSION_MISMATCH, CdpVersionMismatch, 812,                                               \
      "unsupported interaction between different versions of CUDA Dynamic Parallelism")            \
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
    X(GRAPH_EXEC_UPDATE_FAILURE, GraphExecUpdateFailure, 910,                                      \
      "the graph update was not performed because it included changes which violated constraints " \
      "specific to instantiated graph update")                                                     \
    X(EXTERNAL_DEVICE, ExternalDevice, 911,                                                        \
      "an async error has occured in external entity outside of CUDA")                             \
    X(INVALID_CLUSTER_SIZE, InvalidClusterSize, 912,                                               \
      "a kernel launch error has occurred due to cluster misconfiguration")                        \
    X(FUNCTION_NOT_LOADED, FunctionNotLoaded, 913,                                                 \
      "the function handle is not loaded when calling an API that requires a loaded function")     \
    X(INVALID_RESOURCE_TYPE, InvalidResourceType, 914,                                             \
      "one or more resources passed in are not valid resource types for the operation")            \
    X(INVALID_RESOURCE_CONFIGURATION, InvalidResourceConfiguration, 915,                           \
      "one or more resources are insufficient or non-applicable for the operation")                \
    X(UNKNOWN, Unknown, 999, "unknown error")

/* The errors that only the driver has: X(NAME, value, "text"). */
#define CUDA_DRIVER_ERROR_LIST(X)                                                                  \
    X(CONTEXT_ALREADY_CURRENT, 202, "context already current")                                     \
    X(KEY_ROTATION, 916, "an error happened during the key rotation sequence")

/* The errors that only the runtime has: X(Name, value, "text"). */
#define CUDA_RUNTIME_ERROR_LIST(X)                                                                 \
    X(InvalidConfiguration, 9, "invalid configuration argument")                                   \
    X(InvalidPitchValue, 12, "invalid pitch argument")                                             \
    X(InvalidSymbol, 13, "invalid device symbol")                                                  \
    X(InvalidHostPointer, 16, "invalid host pointer")                                              \
    X(InvalidDevicePointer, 17, "invalid device pointer")                                          \
    X(InvalidTexture, 18, "invalid texture reference")                                             \
    X(InvalidTextureBinding, 19, "texture is not bound to a pointer")                              \
    X(InvalidChannelDescriptor, 20, "invalid channel descriptor")                                  \
    X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                             \
    X(AddressOfConstant, 22, "invalid address of constant")                                        \
    X(TextureFetchFailed, 23, "fetch from texture failed")                                         \
    X(TextureNotBound, 24, "cannot fetch from a texture that is not bound")                        \
    X(SynchronizationError, 25, "incorrect use of __syncthreads()")                                \
    X(InvalidFilterSetting, 26, "linear filtering not supported for non-float type")               \
    X(InvalidNormSetting, 27, "read as normalized float not supported for data type")              \
    X(MixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed") \
    X(NotYetImplemented, 31, "feature not yet implemented")                                        \
    X(MemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")          \
    X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")      \
    X(InvalidSurface, 37, "invalid surface reference")                                             \
    X(DuplicateVariableName, 43, "duplicate global variable looked up by string name")             \
    X(DuplicateTextureName, 44, "duplicate texture looked up by string name")                      \
    X(DuplicateSurfaceName, 45, "duplicate surface looked up by string name")                      \
    X(IncompatibleDriverContext, 49, "incompatible driver context")                                \
    X(MissingConfiguration, 52, "__global__ function call is not configured")                      \
    X(PriorLaunchFailure, 53, "unspecified launch failure in prior launch")                        \
    X(LaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")          \
    X(LaunchFileScopedTex, 66,                                                                     \
      "launch failed because kernel uses unsupported, file-scoped textures (texture objects are "  \
      "supported)")                                                                                \
    X(LaunchFileScopedSurf, 67,                                                                    \
      "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are "  \
      "supported)")                                                                                \
    X(SyncDepthExceeded, 68,                                                                       \
      "cudaDeviceSynchronize failed because caller's grid depth exceeds "                          \
      "cudaLimitDevRuntimeSyncDepth")                                                              \
    X(LaunchPendingCountExceeded, 69,                                                              \
      "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")           \
    X(InvalidDeviceFunction, 98, "invalid device function")                                        \
    X(SoftwareValidityNotEstablished, 103, "integrity checks failed")                              \
    X(StartupFailure, 127, "startup failure in cuda runtime")

#define CUDA_DRIVER_NAME_(driver, runtime, value, text)  CUDA_ERROR_##driver = value,
#define CUDA_RUNTIME_NAME_(driver, runtime, value, text) cudaError##runtime = value,
#define CUDA_DRIVER_ONLY_(driver, value, text)           CUDA_ERROR_##driver = value,
#define CUDA_RUNTIME_ONLY_(runtime, value, text)         cudaError##runtime = value,

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_LIST(CUDA_DRIVER_NAME_) CUDA_DRIVER_ERROR_LIST(CUDA_DRIVER_ONLY_)
} CUresult;

typedef enum cudaError {
    cudaSuccess = 0,
    CUDA_ERROR_LIST(CUDA_RUNTIME_NAME_) CUDA_RUNTIME_ERROR_LIST(CUDA_RUNTIME_ONLY_)
        cudaErrorApiFailureBase = 10000
} cudaError_t;

#undef CUDA_DRIVER_NAME_
#undef CUDA_RUNTIME_NAME_
#undef CUDA_DRIVER_ONLY_
#undef CUDA_RUNTIME_ONLY_

#endif
