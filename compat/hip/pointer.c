// SPDX-License-Identifier: Apache-2.0
// Queries about pointers. A pointer may be any number, so it is never followed. Each call queries
// Tarn's address book once.
#include "compat/hip/block.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include <string.h>

#include "compat/hip/pool.h"

#define OF_HOST (TN_HIP_BLOCK_HOST | TN_HIP_BLOCK_REGISTERED | TN_HIP_BLOCK_MANAGED)

// Everything that is known about a pointer.
struct facts {
    const void *ptr;
    bool known;
    struct tn_hip_block block; // if known
    hipPointerAttribute_t common;
};

static hipMemoryType type_of(const struct tn_hip_block *block) {
    if (block->kind == TN_HIP_BLOCK_MANAGED) {
        return hipMemoryTypeManaged;
    }
    bool host = (block->kind & OF_HOST) != 0 || block->device == NULL;
    return host ? hipMemoryTypeHost : hipMemoryTypeDevice;
}

static void query_facts(const void *ptr, struct facts *facts) {
    const struct tn_hip_block *block = &facts->block;
    *facts = (struct facts){
        .ptr = ptr, .common = {.type = hipMemoryTypeUnregistered, .device = hipInvalidDeviceId}};
    facts->known = tn_hip_block_query(ptr, &facts->block);
    if (facts->known) {
        hipMemoryType type = type_of(block);
        void *address = (void *)(uintptr_t)ptr;
        facts->common = (hipPointerAttribute_t){
            .type = type,
            .device = block->device != NULL ? block->device->hip : hipCpuDeviceId,
            .devicePointer = address,
            .hostPointer = type != hipMemoryTypeDevice ? address : NULL,
            .isManaged = type == hipMemoryTypeManaged,
            .allocationFlags = block->flags};
    }
}

static hipError_t get_all(hipPointerAttribute_t *attributes, const void *ptr) {
    struct facts facts;
    TN_HIP_TRY(tn_hip_check_pointer(attributes, "attributes"));
    TN_HIP_TRY(tn_hip_check_pointer(ptr, "ptr"));
    query_facts(ptr, &facts);
    *attributes = facts.common;
    return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr) {
    return TN_HIP_CALL(get_all(attributes, ptr));
}

// ---- single attributes

// The value of an attribute, and its size.
struct value {
    size_t bytes;
    union {
        bool flag;
        int number;
        unsigned bits;
        void *pointer;
        size_t size;
    } of;
};

static unsigned handle_types(const struct tn_hip_block *block) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    bool shareable = block->kind == TN_HIP_BLOCK_MAPPED &&
                     tarn_phys_query(block->phys, &info) == TARN_OK &&
                     (info.shareable & TARN_SHAREABLE_FD) != 0;
    return shareable ? hipMemHandleTypePosixFileDescriptor : hipMemHandleTypeNone;
}

// The rights of the current device to the memory. Only the device of plain memory has rights to it,
// whichever peers are enabled.
static unsigned access_flags(const struct tn_hip_block *block) {
    uint64_t current = UINT64_C(1) << tn_hip_current()->tarn_ordinal;
    if ((block->kind & (TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_OPENED)) != 0) {
        return block->device == tn_hip_current() ? hipMemAccessFlagsProtReadWrite
                                                 : hipMemAccessFlagsProtNone;
    }
    return (block->writable & current) != 0   ? hipMemAccessFlagsProtReadWrite
           : (block->readable & current) != 0 ? hipMemAccessFlagsProtRead
                                              : hipMemAccessFlagsProtNone;
}

#define POINTER_VALUE(member, expression)                                                          \
    value->bytes = sizeof value->of.member;                                                        \
    value->of.member = (expression);                                                               \
    return true

// Reads an attribute of an address that is known. Returns false if Tarn does not support the
// attribute.
static bool read_attribute(const struct facts *facts, hipPointer_attribute attribute,
                           struct value *value) {
    const struct tn_hip_block *block = &facts->block;
    switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
        POINTER_VALUE(bits, facts->common.type);
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
        POINTER_VALUE(pointer, facts->common.devicePointer);
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
        POINTER_VALUE(pointer, facts->common.hostPointer);
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        POINTER_VALUE(flag, block->sync_memops);
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
        POINTER_VALUE(bits, block->id);
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
        POINTER_VALUE(flag, facts->common.isManaged != 0);
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        POINTER_VALUE(number, facts->common.device);
    case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
        POINTER_VALUE(flag, block->kind == TN_HIP_BLOCK_DEVICE);
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        POINTER_VALUE(pointer, (void *)(uintptr_t)block->start);
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
        POINTER_VALUE(size, block->bytes);
    case HIP_POINTER_ATTRIBUTE_MAPPED:
        POINTER_VALUE(flag, facts->known);
    case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        POINTER_VALUE(bits, facts->known ? handle_types(block) : hipMemHandleTypeNone);
    case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        POINTER_VALUE(flag, false);
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        POINTER_VALUE(bits, access_flags(block));
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        POINTER_VALUE(pointer, block->kind == TN_HIP_BLOCK_POOLED
                                   ? (void *)tn_hip_pool_handle_at(facts->ptr)
                                   : NULL);
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
    case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
        break;
    }
    return false;
}

static hipError_t check_attribute(hipPointer_attribute attribute) {
    if (attribute < HIP_POINTER_ATTRIBUTE_CONTEXT ||
        attribute > HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is not an attribute of a pointer",
                           (int)attribute);
    }
    if (attribute == HIP_POINTER_ATTRIBUTE_CONTEXT ||
        attribute == HIP_POINTER_ATTRIBUTE_P2P_TOKENS) {
        const char *name = attribute == HIP_POINTER_ATTRIBUTE_CONTEXT ? "CONTEXT" : "P2P_TOKENS";
        return tn_hip_fail(hipErrorNotSupported, "HIP_POINTER_ATTRIBUTE_%s is not supported", name);
    }
    return hipSuccess;
}

static hipError_t get_one(void *data, hipPointer_attribute attribute, const void *ptr) {
    struct facts facts;
    struct value value;
    TN_HIP_TRY(tn_hip_check_pointer(data, "data"));
    TN_HIP_TRY(tn_hip_check_pointer(ptr, "ptr"));
    TN_HIP_TRY(check_attribute(attribute));
    query_facts(ptr, &facts);
    if (!facts.known) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is not in memory of HIP", ptr);
    }
    (void)read_attribute(&facts, attribute, &value);
    memcpy(data, &value.of, value.bytes);
    return hipSuccess;
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(get_one(data, attribute, ptr));
}

static hipError_t get_many(unsigned count, const hipPointer_attribute *attributes, void **data,
                           const void *ptr) {
    struct facts facts;
    struct value value;
    if (count == 0 || attributes == NULL || data == NULL || ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%u attributes at %p to %p, of %p", count,
                           (const void *)attributes, (void *)data, ptr);
    }
    for (unsigned i = 0; i < count; i++) {
        TN_HIP_TRY(data[i] != NULL ? check_attribute(attributes[i])
                                   : tn_hip_fail(hipErrorInvalidValue, "data[%u] is NULL", i));
    }
    query_facts(ptr, &facts);
    for (unsigned i = 0; i < count; i++) {
        (void)read_attribute(&facts, attributes[i], &value);
        memcpy(data[i], &value.of, value.bytes);
    }
    return hipSuccess;
}

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes,
                                      void **data, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(get_many(numAttributes, attributes, data, ptr));
}

// ---- the only attribute that can be set

static hipError_t set_attribute(const void *data, hipPointer_attribute attribute, const void *ptr) {
    const unsigned kinds = TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_MANAGED | TN_HIP_BLOCK_POOLED;
    struct tn_hip_block block;
    if (data == NULL || ptr == NULL || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
        return tn_hip_fail(hipErrorInvalidValue, "value %p, attribute %d, ptr %p", data,
                           (int)attribute, ptr);
    }
    TN_HIP_TRY(tn_hip_block_find(ptr, kinds, &block));
    bool sync = *(const unsigned char *)data != 0; // programs pass bool and unsigned
    return tn_hip_block_set_sync(&block, sync);
}

hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr) {
    return TN_HIP_CALL(set_attribute(value, attribute, ptr));
}
