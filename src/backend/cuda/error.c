// SPDX-License-Identifier: Apache-2.0
// The status of each of the driver's results, and its name.
#include "backend/cuda/api.h"

// Results that leave a context unusable. The driver returns them from every later call.
static bool is_failure(int64_t code) {
    switch (code) {
    case TN_CU_ECC_UNCORRECTABLE:
    case TN_CU_NVLINK_UNCORRECTABLE:
    case TN_CU_CONTAINED:
    case TN_CU_ILLEGAL_ADDRESS:
    case TN_CU_LAUNCH_TIMEOUT:
    case TN_CU_CONTEXT_IS_DESTROYED:
    case TN_CU_ASSERT:
    case TN_CU_HARDWARE_STACK_ERROR:
    case TN_CU_ILLEGAL_INSTRUCTION:
    case TN_CU_MISALIGNED_ADDRESS:
    case TN_CU_INVALID_ADDRESS_SPACE:
    case TN_CU_INVALID_PC:
    case TN_CU_LAUNCH_FAILED:
    case TN_CU_EXTERNAL_DEVICE: return true;
    default: return false;
    }
}

// The driver itself or a part of it is missing, or may not be used after fork().
static bool is_unsupported(int64_t code) {
    switch (code) {
    case TN_CU_NOT_INITIALIZED:
    case TN_CU_STUB_LIBRARY:
    case TN_CU_PEER_ACCESS_UNSUPPORTED:
    case TN_CU_NOT_SUPPORTED:
    case TN_CU_SYSTEM_DRIVER_MISMATCH:
    case TN_CU_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    case TN_CU_STREAM_CAPTURE_UNSUPPORTED:
    case TN_CU_CAPTURED_EVENT: return true;
    default: return false;
    }
}

tarn_status tn_cuda_status(int64_t code) {
    if (is_failure(code)) return TARN_DEVICE_FAILED;
    if (is_unsupported(code)) return TARN_UNSUPPORTED;
    switch (code) {
    case TN_CU_SUCCESS: return TARN_OK;
    case TN_CU_INVALID_VALUE: return TARN_BAD_ARGUMENT;
    case TN_CU_OUT_OF_MEMORY: return TARN_NO_DEVICE_MEMORY;
    case TN_CU_NO_DEVICE:
    case TN_CU_INVALID_DEVICE: return TARN_BAD_DEVICE;
    case TN_CU_DEVICE_UNAVAILABLE:
    case TN_CU_HOST_MEMORY_ALREADY_REGISTERED: return TARN_BUSY;
    case TN_CU_HOST_MEMORY_NOT_REGISTERED: return TARN_BAD_ADDRESS;
    case TN_CU_INVALID_HANDLE: return TARN_BAD_HANDLE;
    case TN_CU_TOO_MANY_PEERS: return TARN_NO_HANDLES;
    case TN_CU_OPERATING_SYSTEM: return TARN_SYSTEM;
    case TN_CU_NOT_READY: return TARN_NOT_READY;
    case TN_CU_NOT_PERMITTED: return TARN_NO_ACCESS;
    default: return TARN_NATIVE;
    }
}

// The stub, and a driver older than the result, have no name for it.
const char *tn_cuda_error_name(void *d, int64_t code) {
    const struct tn_cuda *cuda = d;
    const char *name = NULL;
    if (code == TN_CU_STUB_LIBRARY) return "CUDA_ERROR_STUB_LIBRARY";
    return cuda->cuGetErrorName((tn_cu_result)code, &name) == TN_CU_SUCCESS && name != NULL
               ? name
               : "an error without a name";
}
