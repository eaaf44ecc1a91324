// SPDX-License-Identifier: Apache-2.0
// Plain device memory, pinned host memory, and queries of addresses.
#include <string.h>

#include "standin/cuda/parts.h"

// ---- device memory

tn_cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    struct standin_context *context = NULL;
    uint64_t left = 0;
    uint64_t all = 0;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (free_bytes == NULL || total == NULL))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) {
        result =
            standin_from(tarn_device_query_memory(context->device->tarn, &left, &all), context);
    }
    if (result == TN_CU_SUCCESS) {
        *free_bytes = (size_t)left;
        *total = (size_t)all;
    }
    return result;
}

tn_cu_result cuMemAlloc_v2(tn_cu_address *address, size_t bytes) {
    struct standin_context *context = NULL;
    tarn_addr got = 0;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (address == NULL || bytes == 0)) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS)
        result = standin_from(tarn_memory_alloc(context->device->tarn, bytes, &got), context);
    if (result == TN_CU_SUCCESS) *address = got;
    return result;
}

#define PITCH 512u // the alignment of rows

tn_cu_result cuMemAllocPitch_v2(tn_cu_address *address, size_t *pitch, size_t width, size_t height,
                                unsigned element) {
    size_t row = 0, bytes = 0;
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    if (pitch == NULL || (element != 4 && element != 8 && element != 16) ||
        __builtin_add_overflow(width, PITCH - 1, &row) ||
        __builtin_mul_overflow(row / PITCH * PITCH, height, &bytes))
        return TN_CU_INVALID_VALUE;
    result = cuMemAlloc_v2(address, bytes);
    if (result == TN_CU_SUCCESS) *pitch = row / PITCH * PITCH;
    return result;
}

// Waits for all work first, as the driver does.
tn_cu_result cuMemFree_v2(tn_cu_address address) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    if (result != TN_CU_SUCCESS || address == 0 || standin_pool_free(address)) return result;
    return standin_from_address(tarn_memory_free(address, 0), context);
}

static bool free_if_of(const tarn_address_info *info, void *device) {
    const struct standin_device *of = device;
    if (info->kind == TARN_ADDRESS_MEMORY && info->location.id == of->ordinal)
        (void)tarn_memory_free(info->base, 0);
    return true;
}

void standin_memory_end(struct standin_device *device) {
    (void)tarn_address_walk(device->tarn, free_if_of, device);
}

// ---- addresses

static bool query(tn_cu_address address, tarn_address_info *info) {
    *info = (tarn_address_info)TARN_INIT(tarn_address_info);
    return tarn_address_query(address, info) == TARN_OK && info->kind != TARN_ADDRESS_UNKNOWN &&
           info->kind != TARN_ADDRESS_RESERVED;
}

static bool is_host(const tarn_address_info *info) {
    return info->kind == TARN_ADDRESS_HOST || info->kind == TARN_ADDRESS_REGISTERED;
}

tn_cu_result cuMemGetAddressRange_v2(tn_cu_address *base, size_t *bytes, tn_cu_address address) {
    struct standin_context *context = NULL;
    tarn_address_info info;
    tn_cu_result result = standin_enter_context(&context);
    if (result != TN_CU_SUCCESS) return result;
    if (!query(address, &info) || is_host(&info)) return TN_CU_NOT_FOUND;
    if (base != NULL) *base = info.base;
    if (bytes != NULL) *bytes = (size_t)info.bytes;
    return TN_CU_SUCCESS;
}

static tn_cu_result tell(const tarn_address_info *info, int attribute, void *value) {
    switch (attribute) {
    case TN_CU_POINTER_MEMORY_TYPE:
        *(unsigned *)value = is_host(info) ? TN_CU_MEMORY_HOST : TN_CU_MEMORY_DEVICE;
        return TN_CU_SUCCESS;
    case TN_CU_POINTER_DEVICE_ORDINAL:
        *(int *)value = info->location.type == TARN_LOCATION_DEVICE ? info->location.id : 0;
        return TN_CU_SUCCESS;
    case TN_CU_POINTER_RANGE_START: *(tn_cu_address *)value = info->base; return TN_CU_SUCCESS;
    case TN_CU_POINTER_RANGE_SIZE: *(size_t *)value = (size_t)info->bytes; return TN_CU_SUCCESS;
    default: return TN_CU_INVALID_VALUE;
    }
}

tn_cu_result cuPointerGetAttribute(void *value, int attribute, tn_cu_address address) {
    struct standin_context *context = NULL;
    tarn_address_info info;
    tn_cu_result result = standin_enter_context(&context);
    if (result != TN_CU_SUCCESS) return result;
    return value == NULL || !query(address, &info) ? TN_CU_INVALID_VALUE
                                                   : tell(&info, attribute, value);
}

// Returns the size of the value of an attribute, or 0 if it is not supported here.
static size_t size_of(int attribute) {
    switch (attribute) {
    case TN_CU_POINTER_MEMORY_TYPE:
    case TN_CU_POINTER_DEVICE_ORDINAL: return sizeof(int);
    case TN_CU_POINTER_RANGE_START:
    case TN_CU_POINTER_RANGE_SIZE: return sizeof(size_t);
    default: return 0;
    }
}

// Pageable memory is no error here: all its attributes are zero.
tn_cu_result cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                                    tn_cu_address address) {
    struct standin_context *context = NULL;
    tarn_address_info info;
    tn_cu_result result = standin_enter_context(&context);
    if (result == TN_CU_SUCCESS && (attributes == NULL || values == NULL || count == 0))
        result = TN_CU_INVALID_VALUE;
    bool known = query(address, &info);
    for (unsigned i = 0; i < count && result == TN_CU_SUCCESS; i++) {
        size_t size = size_of(attributes[i]);
        if (size == 0)
            result = TN_CU_INVALID_VALUE;
        else if (known)
            result = tell(&info, attributes[i], values[i]);
        else
            (void)memset(values[i], 0, size);
    }
    return result;
}

// ---- host memory

#define ALLOC_FLAGS    7u
#define REGISTER_FLAGS 3u // neither device registers nor read-only memory

tn_cu_result cuMemHostAlloc(void **ptr, size_t bytes, unsigned flags) {
    struct standin_context *context = NULL;
    void *got = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (ptr == NULL || bytes == 0 || (flags & ~ALLOC_FLAGS) != 0))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS)
        result = standin_from(tarn_host_alloc(context->device->tarn, bytes, 0, &got), context);
    if (result == TN_CU_SUCCESS) *ptr = got;
    return result;
}

tn_cu_result cuMemAllocHost_v2(void **ptr, size_t bytes) { return cuMemHostAlloc(ptr, bytes, 0); }

tn_cu_result cuMemFreeHost(void *ptr) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    return result == TN_CU_SUCCESS ? standin_from_address(tarn_host_free(ptr), context) : result;
}

tn_cu_result cuMemHostRegister_v2(void *ptr, size_t bytes, unsigned flags) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (flags & ~REGISTER_FLAGS) != 0) result = TN_CU_INVALID_VALUE;
    if (result != TN_CU_SUCCESS) return result;
    tarn_status status = tarn_host_register(context->device->tarn, ptr, bytes, 0);
    return status == TARN_BUSY ? TN_CU_HOST_MEMORY_ALREADY_REGISTERED
                               : standin_from_address(status, context);
}

tn_cu_result cuMemHostUnregister(void *ptr) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    if (result != TN_CU_SUCCESS) return result;
    tarn_status status = tarn_host_unregister(ptr);
    return status == TARN_BAD_ADDRESS ? TN_CU_HOST_MEMORY_NOT_REGISTERED
                                      : standin_from_address(status, context);
}
