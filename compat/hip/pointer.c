// SPDX-License-Identifier: Apache-2.0
// Queries about pointers. A pointer may be any number, so it is never followed. Each call queries
// Tarn's address book once.
#include "compat/hip/face.h"
#include "compat/runtime/block.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include <string.h>

#include "compat/hip/array.h"

#define OF_HOST (TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED | TN_RT_BLOCK_MANAGED)

// Everything that is known about a pointer.
struct facts {
    const void *ptr;
    bool known;
    struct tn_rt_block block; // if known
    hipPointerAttribute_t common;
};

static hipMemoryType type_of(const struct tn_rt_block *block) {
    if (block->kind == TN_RT_BLOCK_MANAGED)
        return hipMemoryTypeManaged;
    bool host = (block->kind & OF_HOST) != 0 || block->device == NULL;
    return host ? hipMemoryTypeHost : hipMemoryTypeDevice;
}

static unsigned flags_of(const struct tn_rt_block *block) {
    bool shown = block->kind != TN_RT_BLOCK_MANAGED || tn_rt_policy.managed_has_flags;
    return shown ? block->flags : 0;
}

static void query_facts(const void *ptr, struct facts *facts) {
    const struct tn_rt_block *block = &facts->block;
    *facts = (struct facts){
        .ptr = ptr, .common = {.type = hipMemoryTypeUnregistered, .device = hipInvalidDeviceId}};
    facts->known = tn_rt_block_query(ptr, &facts->block);
    if (facts->known) {
        hipMemoryType type = type_of(block);
        void *address = (void *)(uintptr_t)ptr;
        facts->common = (hipPointerAttribute_t){
            .type = type,
            .device = block->device != NULL ? block->device->ordinal : hipCpuDeviceId,
            .devicePointer = address,
            .hostPointer = type != hipMemoryTypeDevice ? address : NULL,
            .isManaged = type == hipMemoryTypeManaged,
            .allocationFlags = flags_of(block)};
    }
}

static tn_rt_error get_all(hipPointerAttribute_t *attributes, const void *ptr) {
    struct facts facts;
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attributes"));
    if (tn_rt_policy.pointer_query_checks_null)
        TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    query_facts(ptr, &facts);
    *attributes = facts.common;
    return TN_RT_OK;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr) {
    return TN_HIP_CALL(get_all(attributes, ptr));
}

// ---- single attributes

// The value of an attribute, in the width in which AMD's library writes it.
struct value {
    size_t bytes;
    union {
        bool flag;
        int number;
        uint32_t bits;
        void *pointer;
    } of;
};

static struct value flag_value(bool flag) {
    return (struct value){sizeof flag, {.flag = flag}};
}

static struct value number_value(int number) {
    return (struct value){sizeof number, {.number = number}};
}

static struct value bits_value(uint64_t bits) {
    return (struct value){sizeof(uint32_t), {.bits = (uint32_t)bits}};
}

static struct value pointer_value(const void *pointer) {
    return (struct value){sizeof pointer, {.pointer = (void *)(uintptr_t)pointer}};
}

static bool is_array(const void *ptr) {
    return tn_face_handle_live((uintptr_t)ptr, TN_RT_ARRAY);
}

// Reads an attribute. For memory that is not HIP's the value is 0, or the device -2. A value of no
// bytes stands for an attribute that AMD does not support either.
static struct value read_attribute(const struct facts *facts, hipPointer_attribute attribute) {
    const struct tn_rt_block *block = &facts->block;
    switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return bits_value(is_array(facts->ptr) ? hipMemoryTypeArray : facts->common.type);
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return pointer_value(facts->common.devicePointer);
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
        return pointer_value(facts->common.hostPointer);
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return flag_value(block->sync_memops);
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
        return bits_value(block->id);
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
        return flag_value(facts->common.isManaged != 0);
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return number_value(facts->common.device);
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return pointer_value((const void *)(uintptr_t)block->start);
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
        return bits_value(block->bytes);
    case HIP_POINTER_ATTRIBUTE_MAPPED:
        return flag_value(facts->known);
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return bits_value(block->flags);
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
    case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
    case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        break;
    }
    return (struct value){.bytes = 0};
}

// Returns the error that goes with the value of an attribute.
static tn_rt_error check_value(const struct facts *facts, hipPointer_attribute attribute) {
    bool always = attribute == HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS ||
                  (attribute == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE && is_array(facts->ptr));
    if (!facts->known && !always)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not in memory of HIP", facts->ptr);
    return attribute == HIP_POINTER_ATTRIBUTE_HOST_POINTER && facts->common.hostPointer == NULL
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not memory of the host", facts->ptr)
               : TN_RT_OK;
}

static tn_rt_error get_one(void *data, hipPointer_attribute attribute, const void *ptr) {
    struct facts facts;
    TN_RT_TRY(tn_rt_check_pointer(data, "data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    if (attribute < HIP_POINTER_ATTRIBUTE_CONTEXT ||
        attribute > HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an attribute of a pointer",
                          (int)attribute);
    }
    query_facts(ptr, &facts);
    struct value value = read_attribute(&facts, attribute);
    if (value.bytes == 0) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "attribute %d of a pointer is not supported",
                          (int)attribute);
    }
    memcpy(data, &value.of, value.bytes);
    return check_value(&facts, attribute);
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(get_one(data, attribute, ptr));
}

// Attributes that have no value are skipped.
static tn_rt_error get_many(unsigned count, const hipPointer_attribute *attributes, void **data,
                            const void *ptr) {
    struct facts facts;
    if (count == 0 || attributes == NULL || data == NULL || ptr == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%u attributes at %p to %p, of %p", count,
                          (const void *)attributes, (void *)data, ptr);
    }
    for (unsigned i = 0; i < count; i++) {
        TN_RT_TRY(data[i] != NULL ? TN_RT_OK
                                  : tn_rt_fail(TN_RT_INVALID_VALUE, "data[%u] is NULL", i));
    }
    query_facts(ptr, &facts);
    for (unsigned i = 0; i < count; i++) {
        struct value value = read_attribute(&facts, attributes[i]);
        memcpy(data[i], &value.of, value.bytes);
    }
    return TN_RT_OK;
}

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes,
                                      void **data, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(get_many(numAttributes, attributes, data, ptr));
}

// ---- the only attribute that can be set

static tn_rt_error set_attribute(const void *data, hipPointer_attribute attribute,
                                 const void *ptr) {
    struct tn_rt_block block;
    if (data == NULL || ptr == NULL || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "value %p, attribute %d, ptr %p", data,
                          (int)attribute, ptr);
    }
    unsigned char sync = *(const unsigned char *)data; // programs pass bool and unsigned
    if (sync > 1)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "the value %u is not 0 or 1", sync);
    if (!tn_rt_block_query(ptr, &block))
        return tn_rt_fail(TN_RT_INVALID_DEVICE_POINTER, "%p is not in memory of HIP", ptr);
    return block.kind != TN_RT_BLOCK_MAPPED
               ? tn_rt_block_set_sync(&block, sync != 0)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is in a mapping of the program", ptr);
}

hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr) {
    return TN_HIP_CALL(set_attribute(value, attribute, ptr));
}
