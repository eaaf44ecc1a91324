// SPDX-License-Identifier: Apache-2.0
// Queries about pointers. A pointer may be any number, so it is never followed. Any thread may
// call.
#pragma once

#include "compat/runtime/memory/advice.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/policy.h"

enum {
    TN_RT_MEMORY_UNKNOWN,
    TN_RT_MEMORY_HOST,
    TN_RT_MEMORY_DEVICE,
    TN_RT_MEMORY_MANAGED,
    TN_RT_MEMORY_ARRAY = 10
};

// Everything that is known about a pointer.
struct tn_rt_pointer {
    const void *ptr;
    bool known;
    struct tn_rt_block block; // if known
    int type;
    int device;      // an ordinal, or a location of advice.h
    void *on_device; // NULL: no device can use it
    void *on_host;   // NULL: the CPU cannot use it; with `pointer_words`, `ptr` if not known
    unsigned flags;
};

static inline int tn_rt_pointer_type(const struct tn_rt_block *block) {
    const unsigned host = TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED | TN_RT_BLOCK_MANAGED;
    if (block->kind == TN_RT_BLOCK_MANAGED) return TN_RT_MEMORY_MANAGED;
    return (block->kind & host) != 0 || block->device == NULL ? TN_RT_MEMORY_HOST
                                                              : TN_RT_MEMORY_DEVICE;
}

// Inline, because callers pass most facts on at once.
static inline void tn_rt_pointer_query(const void *ptr, struct tn_rt_pointer *facts) {
    const struct tn_rt_block *block = &facts->block;
    facts->ptr = ptr;
    facts->known = tn_rt_block_query(ptr, &facts->block);
    if (!facts->known) {
        *facts = (struct tn_rt_pointer){
            .ptr = ptr,
            .type = TN_RT_MEMORY_UNKNOWN,
            .device = TN_RT_LOCATION_NONE,
            .on_host = tn_rt_memory_policy.pointer_words ? (void *)(uintptr_t)ptr : NULL};
        return;
    }
    bool shows_flags = block->kind != TN_RT_BLOCK_MANAGED || tn_rt_memory_policy.managed_has_flags;
    facts->type = tn_rt_pointer_type(block);
    facts->device = block->device != NULL ? block->device->ordinal : TN_RT_LOCATION_CPU;
    facts->on_device = (void *)(uintptr_t)ptr;
    facts->on_host = facts->type != TN_RT_MEMORY_DEVICE ? facts->on_device : NULL;
    facts->flags = shows_flags ? block->flags : 0;
}

// Attributes of pointers, and the last number of each range; see the policy `pointer_words`.
enum {
    TN_RT_POINTER_CONTEXT = 1,
    TN_RT_POINTER_TYPE = 2,
    TN_RT_POINTER_DEVICE_POINTER = 3,
    TN_RT_POINTER_HOST_POINTER = 4,
    TN_RT_POINTER_SYNC_MEMOPS = 6,
    TN_RT_POINTER_BUFFER_ID = 7,
    TN_RT_POINTER_IS_MANAGED = 8,
    TN_RT_POINTER_DEVICE_ORDINAL = 9,
    TN_RT_POINTER_LEGACY_IPC = 10,
    TN_RT_POINTER_RANGE_START_ADDR = 11,
    TN_RT_POINTER_RANGE_SIZE = 12,
    TN_RT_POINTER_MAPPED = 13,
    TN_RT_POINTER_HANDLE_TYPES = 14,
    TN_RT_POINTER_RDMA = 15,
    TN_RT_POINTER_ACCESS_FLAGS = 16,
    TN_RT_POINTER_POOL = 17,
    TN_RT_POINTER_LAST = TN_RT_POINTER_POOL,
    TN_RT_POINTER_MAPPING_SIZE = 18,
    TN_RT_POINTER_MAPPING_START = 19,
    TN_RT_POINTER_MEMORY_ID = 20,
    TN_RT_POINTER_DECOMPRESS = 21,
    TN_RT_POINTER_LAST_WORD = TN_RT_POINTER_DECOMPRESS
};

// Write an attribute, or several. Both fail with INVALID_VALUE if an attribute does not exist, and
// with NOT_SUPPORTED if Tarn has no value for it. One attribute of an address that is not in memory
// of the program fails with INVALID_VALUE too; of several, each is 0 then, or the device NONE.
// Without `pointer_words`, a single attribute without a value is written in spite of the error, and
// one of several is skipped.
tn_rt_error tn_rt_pointer_attribute(void *data, int attribute, const void *ptr);
tn_rt_error tn_rt_pointer_attributes(unsigned count, const void *attributes, void **data,
                                     const void *ptr);

// Sets SYNC_MEMOPS, the only attribute that can be set. For an address that is not in memory of the
// program, it fails with INVALID_VALUE with `pointer_words`, and otherwise with
// INVALID_DEVICE_POINTER.
tn_rt_error tn_rt_pointer_set_attribute(const void *data, int attribute, const void *ptr);
