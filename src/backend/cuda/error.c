// SPDX-License-Identifier: Apache-2.0
// The status of each of the driver's results, and its name.
#include "backend/cuda/api.h"

// Results that leave a context unusable. The driver returns them from every later call.
static bool is_failure(int64_t code) {
    switch (code) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_EXTERNAL_DEVICE: return true;
    default: return false;
    }
}

// The driver itself or a part of it is missing, or may not be used after fork().
static bool is_unsupported(int64_t code) {
    switch (code) {
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    case CUDA_ERROR_CAPTURED_EVENT: return true;
    default: return false;
    }
}

tarn_status tn_cuda_status(int64_t code) {
    if (is_failure(code)) return TARN_DEVICE_FAILED;
    if (is_unsupported(code)) return TARN_UNSUPPORTED;
    switch (code) {
    case CUDA_SUCCESS: return TARN_OK;
    case CUDA_ERROR_INVALID_VALUE: return TARN_BAD_ARGUMENT;
    case CUDA_ERROR_OUT_OF_MEMORY: return TARN_NO_DEVICE_MEMORY;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE: return TARN_BAD_DEVICE;
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: return TARN_BUSY;
    case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED: return TARN_BAD_ADDRESS;
    case CUDA_ERROR_INVALID_HANDLE: return TARN_BAD_HANDLE;
    case CUDA_ERROR_TOO_MANY_PEERS: return TARN_NO_HANDLES;
    case CUDA_ERROR_OPERATING_SYSTEM: return TARN_SYSTEM;
    case CUDA_ERROR_NOT_READY: return TARN_NOT_READY;
    case CUDA_ERROR_NOT_PERMITTED: return TARN_NO_ACCESS;
    default: return TARN_NATIVE;
    }
}

// The stub, and a driver older than the result, have no name for it.
const char *tn_cuda_error_name(void *d, int64_t code) {
    const struct tn_cuda *cuda = d;
    const char *name = NULL;
    if (code == CUDA_ERROR_STUB_LIBRARY) return "CUDA_ERROR_STUB_LIBRARY";
    return cuda->cuGetErrorName((CUresult)code, &name) == CUDA_SUCCESS && name != NULL
               ? name
               : "an error without a name";
}
