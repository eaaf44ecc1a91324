// SPDX-License-Identifier: Apache-2.0
// See pointer.h. Each call queries Tarn's address book once.
#include "compat/runtime/pointer.h"

#include <string.h>

#include "compat/runtime/advice.h"
#include "compat/runtime/handle.h"

// ---- single attributes

// The value of an attribute, in the width in which vendors' libraries write it.
struct value {
    size_t bytes;
    union {
        bool flag;
        int number;
        uint32_t bits;
        void *pointer;
    } of;
};

static struct value flag_value(bool flag) { return (struct value){sizeof flag, {.flag = flag}}; }

static struct value number_value(int number) {
    return (struct value){sizeof number, {.number = number}};
}

static struct value bits_value(uint64_t bits) {
    return (struct value){sizeof(uint32_t), {.bits = (uint32_t)bits}};
}

static struct value pointer_value(const void *pointer) {
    return (struct value){sizeof pointer, {.pointer = (void *)(uintptr_t)pointer}};
}

static bool is_array(const void *ptr) { return tn_face_handle_live((uintptr_t)ptr, TN_RT_ARRAY); }

// Reads an attribute. For other memory the value is 0, or the device NONE. A value of no bytes
// stands for an attribute that is not supported.
static struct value read_attribute(const struct tn_rt_pointer *facts, int attribute) {
    const struct tn_rt_block *block = &facts->block;
    switch (attribute) {
    case TN_RT_POINTER_TYPE:
        return bits_value((uint64_t)(is_array(facts->ptr) ? TN_RT_MEMORY_ARRAY : facts->type));
    case TN_RT_POINTER_DEVICE_POINTER: return pointer_value(facts->on_device);
    case TN_RT_POINTER_HOST_POINTER: return pointer_value(facts->on_host);
    case TN_RT_POINTER_SYNC_MEMOPS: return flag_value(block->sync_memops);
    case TN_RT_POINTER_BUFFER_ID: return bits_value(block->id);
    case TN_RT_POINTER_IS_MANAGED: return flag_value(facts->type == TN_RT_MEMORY_MANAGED);
    case TN_RT_POINTER_DEVICE_ORDINAL: return number_value(facts->device);
    case TN_RT_POINTER_RANGE_START_ADDR:
        return pointer_value((const void *)(uintptr_t)block->start);
    case TN_RT_POINTER_RANGE_SIZE: return bits_value(block->bytes);
    case TN_RT_POINTER_MAPPED: return flag_value(facts->known);
    case TN_RT_POINTER_ACCESS_FLAGS: return bits_value(block->flags);
    default: return (struct value){.bytes = 0};
    }
}

// Returns the error that goes with the value of an attribute.
static tn_rt_error check_value(const struct tn_rt_pointer *facts, int attribute) {
    bool always = attribute == TN_RT_POINTER_ACCESS_FLAGS ||
                  (attribute == TN_RT_POINTER_TYPE && is_array(facts->ptr));
    TN_RT_REFUSE(!facts->known && !always, TN_RT_INVALID_VALUE, "%p is not in %s", facts->ptr,
                 tn_rt_policy.memory_name);
    return attribute == TN_RT_POINTER_HOST_POINTER && facts->on_host == NULL
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not memory of the host", facts->ptr)
               : TN_RT_OK;
}

tn_rt_error tn_rt_pointer_attribute(void *data, int attribute, const void *ptr) {
    struct tn_rt_pointer facts;
    TN_RT_TRY(tn_rt_check_pointer(data, "data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    TN_RT_REFUSE(attribute < TN_RT_POINTER_FIRST || attribute > TN_RT_POINTER_LAST,
                 TN_RT_INVALID_VALUE, "%d is not an attribute of a pointer", attribute);
    tn_rt_pointer_query(ptr, &facts);
    struct value value = read_attribute(&facts, attribute);
    TN_RT_REFUSE(value.bytes == 0, TN_RT_NOT_SUPPORTED,
                 "attribute %d of a pointer is not supported", attribute);
    memcpy(data, &value.of, value.bytes);
    return check_value(&facts, attribute);
}

// Attributes that have no value are skipped.
tn_rt_error tn_rt_pointer_attributes(unsigned count, const int *attributes, void **data,
                                     const void *ptr) {
    struct tn_rt_pointer facts;
    TN_RT_REFUSE(count == 0 || attributes == NULL || data == NULL || ptr == NULL,
                 TN_RT_INVALID_VALUE, "%u attributes at %p to %p, of %p", count,
                 (const void *)attributes, (void *)data, ptr);
    for (unsigned i = 0; i < count; i++) {
        TN_RT_TRY(data[i] != NULL ? TN_RT_OK
                                  : tn_rt_fail(TN_RT_INVALID_VALUE, "data[%u] is NULL", i));
    }
    tn_rt_pointer_query(ptr, &facts);
    for (unsigned i = 0; i < count; i++) {
        struct value value = read_attribute(&facts, attributes[i]);
        memcpy(data[i], &value.of, value.bytes);
    }
    return TN_RT_OK;
}

// ---- the only attribute that can be set

tn_rt_error tn_rt_pointer_set_attribute(const void *data, int attribute, const void *ptr) {
    struct tn_rt_block block;
    TN_RT_REFUSE(data == NULL || ptr == NULL || attribute != TN_RT_POINTER_SYNC_MEMOPS,
                 TN_RT_INVALID_VALUE, "value %p, attribute %d, ptr %p", data, attribute, ptr);
    unsigned char sync = *(const unsigned char *)data; // programs pass bool and unsigned
    TN_RT_REFUSE(sync > 1, TN_RT_INVALID_VALUE, "the value %u is not 0 or 1", sync);
    TN_RT_REFUSE(!tn_rt_block_query(ptr, &block), TN_RT_INVALID_DEVICE_POINTER, "%p is not in %s",
                 ptr, tn_rt_policy.memory_name);
    return block.kind != TN_RT_BLOCK_MAPPED
               ? tn_rt_block_set_sync(&block, sync != 0)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is in a mapping of the program", ptr);
}
