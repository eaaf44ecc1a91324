// SPDX-License-Identifier: Apache-2.0
// What a pointer is. Programs ask about any number: nothing here follows it.
#include "compat/hip/block.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include <string.h>

#define OF_HOST (TN_HIP_BLOCK_HOST | TN_HIP_BLOCK_REGISTERED | TN_HIP_BLOCK_MANAGED)

// Everything that can be told of a pointer.
struct facts {
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

static void learn(const void *ptr, struct facts *facts) {
    const struct tn_hip_block *block = &facts->block;
    facts->known = tn_hip_block_look(ptr, &facts->block);
    facts->common =
        (hipPointerAttribute_t){.type = hipMemoryTypeUnregistered, .device = hipInvalidDeviceId};
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

static hipError_t tell_all(hipPointerAttribute_t *attributes, const void *ptr) {
    struct facts facts;
    if (attributes == NULL || ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                           attributes == NULL ? "attributes" : "ptr");
    }
    learn(ptr, &facts);
    *attributes = facts.common;
    return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr) {
    return TN_HIP_CALL(tell_all(attributes, ptr));
}

// ---- one by one

// A value of an attribute, and its size.
struct answer {
    size_t bytes;
    union {
        bool flag;
        int number;
        unsigned bits;
        uint64_t wide;
        void *pointer;
        size_t size;
    } value;
};

#define ANSWER(answer, member, what)                                                               \
    do {                                                                                           \
        (answer)->bytes = sizeof((answer)->value.member);                                          \
        (answer)->value.member = (what);                                                           \
    } while (0)

static unsigned handle_types(const struct facts *facts) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (!facts->known || facts->block.kind != TN_HIP_BLOCK_MAPPED ||
        tarn_phys_query(facts->block.phys, &info) != TARN_OK) {
        return hipMemHandleTypeNone;
    }
    return (info.shareable & TARN_SHAREABLE_FD) != 0 ? hipMemHandleTypePosixFileDescriptor
                                                     : hipMemHandleTypeNone;
}

// What the current device may do there. Plain memory is open to its own device, and to peers where
// they were enabled; only mappings, those of pools too, have rights that can be asked for.
static unsigned access_flags(const struct facts *facts) {
    const struct tn_hip_device *current = tn_hip_current();
    tarn_location location = {TARN_LOCATION_DEVICE, current->tarn_ordinal};
    tarn_access access = TARN_ACCESS_NONE;
    if (!facts->known) {
        return hipMemAccessFlagsProtNone;
    }
    if (tarn_map_get_access(facts->block.start, location, &access) != TARN_OK) {
        bool open = (facts->block.kind & OF_HOST) != 0 || facts->block.device == current;
        return open ? hipMemAccessFlagsProtReadWrite : hipMemAccessFlagsProtNone;
    }
    return (unsigned)access;
}

// false: the attribute is known to HIP, but not provided.
static bool answer(const struct facts *facts, hipPointer_attribute attribute,
                   struct answer *answer) {
    const struct tn_hip_block *block = &facts->block;
    bool known = facts->known;
    switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
        ANSWER(answer, bits, facts->common.type);
        return true;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
        ANSWER(answer, pointer, facts->common.devicePointer);
        return true;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
        ANSWER(answer, pointer, facts->common.hostPointer);
        return true;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        ANSWER(answer, flag, known && block->sync_memops);
        return true;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
        ANSWER(answer, bits, known ? block->id : 0);
        return true;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
        ANSWER(answer, flag, facts->common.isManaged != 0);
        return true;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        ANSWER(answer, number, facts->common.device);
        return true;
    case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
        ANSWER(answer, flag, known && block->kind == TN_HIP_BLOCK_DEVICE);
        return true;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        ANSWER(answer, pointer, known ? (void *)block->start : NULL);
        return true;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
        ANSWER(answer, size, known ? block->bytes : 0);
        return true;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
        ANSWER(answer, flag, known);
        return true;
    case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        ANSWER(answer, bits, handle_types(facts));
        return true;
    case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        ANSWER(answer, flag, false);
        return true;
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        ANSWER(answer, bits, access_flags(facts));
        return true;
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        ANSWER(answer, pointer, known ? (void *)block->pool_name : NULL);
        return true;
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
    case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
        break;
    }
    return false;
}

static hipError_t check_attribute(hipPointer_attribute attribute) {
    if (attribute < HIP_POINTER_ATTRIBUTE_CONTEXT ||
        attribute > HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is no attribute of a pointer", (int)attribute);
    }
    const struct facts nothing = {.known = false};
    struct answer none;
    if (!answer(&nothing, attribute, &none)) {
        const char *name = attribute == HIP_POINTER_ATTRIBUTE_CONTEXT ? "CONTEXT" : "P2P_TOKENS";
        return tn_hip_fail(hipErrorNotSupported, "HIP_POINTER_ATTRIBUTE_%s is not provided", name);
    }
    return hipSuccess;
}

static hipError_t tell_one(void *data, hipPointer_attribute attribute, const void *ptr) {
    struct facts facts;
    struct answer told;
    if (data == NULL || ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL", data == NULL ? "data" : "ptr");
    }
    TN_HIP_TRY(check_attribute(attribute));
    learn(ptr, &facts);
    if (!facts.known) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is in no memory of HIP", ptr);
    }
    (void)answer(&facts, attribute, &told);
    memcpy(data, &told.value, told.bytes);
    return hipSuccess;
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(tell_one(data, attribute, ptr));
}

static hipError_t check_many(unsigned count, const hipPointer_attribute *attributes, void **data,
                             const void *ptr) {
    if (count == 0 || attributes == NULL || data == NULL || ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%u attributes at %p to %p, of %p", count,
                           (const void *)attributes, (void *)data, ptr);
    }
    hipError_t error = hipSuccess;
    for (unsigned i = 0; i < count && error == hipSuccess; i++) {
        error = data[i] != NULL ? check_attribute(attributes[i])
                                : tn_hip_fail(hipErrorInvalidValue, "data[%u] is NULL", i);
    }
    return error;
}

static hipError_t tell_many(unsigned count, const hipPointer_attribute *attributes, void **data,
                            const void *ptr) {
    struct facts facts;
    TN_HIP_TRY(check_many(count, attributes, data, ptr));
    learn(ptr, &facts);
    for (unsigned i = 0; i < count; i++) {
        struct answer told;
        (void)answer(&facts, attributes[i], &told);
        memcpy(data[i], &told.value, told.bytes);
    }
    return hipSuccess;
}

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes,
                                      void **data, hipDeviceptr_t ptr) {
    return TN_HIP_CALL(tell_many(numAttributes, attributes, data, ptr));
}

// ---- the one that can be set

static hipError_t set_sync(struct tn_hip_block *block, void *arg) {
    block->sync_memops = *(const bool *)arg;
    return hipSuccess;
}

static hipError_t set(const void *value, hipPointer_attribute attribute, const void *ptr) {
    const unsigned kinds = TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_MANAGED | TN_HIP_BLOCK_POOLED;
    if (value == NULL || ptr == NULL || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
        return tn_hip_fail(hipErrorInvalidValue, "value %p, attribute %d, ptr %p", value,
                           (int)attribute, ptr);
    }
    bool sync = *(const unsigned char *)value != 0; // programs pass bool and unsigned
    return tn_hip_block_change(ptr, kinds, set_sync, &sync);
}

hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr) {
    return TN_HIP_CALL(set(value, attribute, ptr));
}
