// SPDX-License-Identifier: Apache-2.0
// Queries of the driver, its devices and its results.
#include <stdio.h>

#include "standin/cuda/parts.h"

static const struct {
    tn_cu_result number;
    const char *name;
} errors[] = {{TN_CU_SUCCESS, "CUDA_SUCCESS"},
#define ROW(name, number) {number, "CUDA_ERROR_" #name},
              TN_CU_ERROR_LIST(ROW)
#undef ROW
};

static tn_cu_result name_of(tn_cu_result error, const char **name) {
    if (standin_is_stub()) return TN_CU_STUB_LIBRARY;
    if (name == NULL) return TN_CU_INVALID_VALUE;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].number == error) {
            *name = errors[i].name;
            return TN_CU_SUCCESS;
        }
    }
    *name = NULL;
    return TN_CU_INVALID_VALUE;
}

tn_cu_result cuGetErrorName(tn_cu_result error, const char **name) { return name_of(error, name); }

tn_cu_result cuGetErrorString(tn_cu_result error, const char **text) {
    return name_of(error, text);
}

tn_cu_result cuDriverGetVersion(int *version) {
    if (standin_is_stub()) return TN_CU_STUB_LIBRARY;
    if (version == NULL) return TN_CU_INVALID_VALUE;
    *version = standin.version;
    return TN_CU_SUCCESS;
}

tn_cu_result cuDeviceGetCount(int *count) {
    tn_cu_result result = standin_enter();
    if (result == TN_CU_SUCCESS && count == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) *count = standin.count;
    return result;
}

tn_cu_result cuDeviceGet(tn_cu_device *device, int ordinal) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    if (device == NULL) return TN_CU_INVALID_VALUE;
    if (standin_device_of(ordinal) == NULL) return TN_CU_INVALID_DEVICE;
    *device = ordinal;
    return TN_CU_SUCCESS;
}

// Begins every query of a device.
static tn_cu_result ask(const void *out, tn_cu_device ordinal,
                        const struct standin_device **device) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    *device = standin_device_of(ordinal);
    if (out == NULL) return TN_CU_INVALID_VALUE;
    return *device == NULL ? TN_CU_INVALID_DEVICE : TN_CU_SUCCESS;
}

tn_cu_result cuDeviceGetName(char *name, int size, tn_cu_device ordinal) {
    const struct standin_device *device = NULL;
    tn_cu_result result = ask(name, ordinal, &device);
    if (result == TN_CU_SUCCESS && size <= 0) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS)
        (void)snprintf(name, (size_t)size, "stand-in for CUDA over %s", device->info.backend);
    return result;
}

tn_cu_result cuDeviceTotalMem_v2(size_t *bytes, tn_cu_device ordinal) {
    const struct standin_device *device = NULL;
    tn_cu_result result = ask(bytes, ordinal, &device);
    if (result == TN_CU_SUCCESS) *bytes = (size_t)device->info.memory_bytes;
    return result;
}

tn_cu_result cuDeviceGetAttribute(int *value, int attribute, tn_cu_device ordinal) {
    const struct standin_device *device = NULL;
    tn_cu_result result = ask(value, ordinal, &device);
    if (result != TN_CU_SUCCESS) return result;
    switch (attribute) {
    case TN_CU_ATTRIBUTE_UNIFIED_ADDRESSING: *value = 1; return TN_CU_SUCCESS;
    case TN_CU_ATTRIBUTE_VMM:
        *value = (standin.without & STANDIN_NO_VMM) == 0;
        return TN_CU_SUCCESS;
    case TN_CU_ATTRIBUTE_FD:
        *value = (standin.without & (STANDIN_NO_VMM | STANDIN_NO_FD)) == 0;
        return TN_CU_SUCCESS;
    case TN_CU_ATTRIBUTE_POOLS:
        *value = (standin.without & STANDIN_NO_POOLS) == 0;
        return TN_CU_SUCCESS;
    default: return TN_CU_INVALID_VALUE;
    }
}
