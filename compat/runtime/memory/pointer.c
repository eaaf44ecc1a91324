// SPDX-License-Identifier: Apache-2.0
// See pointer.h. Each call queries Tarn's address book once.
#include "compat/runtime/memory/pointer.h"

#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/vmm.h"

// ---- single attributes

// The bytes of each attribute without and with the policy `pointer_words`; 0: not supported.
static const unsigned char widths[][2] = {
    [TN_RT_POINTER_CONTEXT] = {0, 8},        [TN_RT_POINTER_TYPE] = {4, 4},
    [TN_RT_POINTER_DEVICE_POINTER] = {8, 8}, [TN_RT_POINTER_HOST_POINTER] = {8, 8},
    [TN_RT_POINTER_SYNC_MEMOPS] = {1, 4},    [TN_RT_POINTER_BUFFER_ID] = {4, 8},
    [TN_RT_POINTER_IS_MANAGED] = {1, 4},     [TN_RT_POINTER_DEVICE_ORDINAL] = {4, 4},
    [TN_RT_POINTER_LEGACY_IPC] = {0, 4},     [TN_RT_POINTER_RANGE_START_ADDR] = {8, 8},
    [TN_RT_POINTER_RANGE_SIZE] = {4, 8},     [TN_RT_POINTER_MAPPED] = {1, 4},
    [TN_RT_POINTER_HANDLE_TYPES] = {0, 8},   [TN_RT_POINTER_RDMA] = {0, 4},
    [TN_RT_POINTER_ACCESS_FLAGS] = {4, 4},   [TN_RT_POINTER_POOL] = {0, 8},
    [TN_RT_POINTER_MAPPING_SIZE] = {0, 8},   [TN_RT_POINTER_MAPPING_START] = {0, 8},
    [TN_RT_POINTER_MEMORY_ID] = {0, 8},      [TN_RT_POINTER_DECOMPRESS] = {0, 4},
};

// Returns the bytes of an attribute, or 0 if it does not exist or is not supported.
static size_t width_of(int attribute) {
    return attribute >= 0 && attribute <= TN_RT_POINTER_LAST_WORD
               ? widths[attribute][tn_rt_memory_policy.pointer_words]
               : 0;
}

// The facts, and with the policy `pointer_words` those of the address book.
struct query {
    struct tn_rt_pointer facts;
    tarn_address_info info;
};

static void query_pointer(const void *ptr, struct query *query) {
    tn_rt_pointer_query(ptr, &query->facts);
    if (!tn_rt_memory_policy.pointer_words) return;
    query->info = (tarn_address_info)TARN_INIT(tarn_address_info);
    (void)tarn_address_query(TARN_ADDR(ptr), &query->info);
}

static bool is_array(const void *ptr) { return tn_face_handle_live((uintptr_t)ptr, TN_RT_ARRAY); }

// Memory of a program's own allocation on a device.
static bool is_plain(const struct tn_rt_block *block) {
    return block->kind == TN_RT_BLOCK_DEVICE && !tn_rt_graph_memory_is(block);
}

static const void *context_of(const struct tn_rt_block *block) {
    const unsigned none = TN_RT_BLOCK_POOLED | TN_RT_BLOCK_IMPORTED | TN_RT_BLOCK_MAPPED;
    bool owned = (block->kind & none) == 0 && !tn_rt_graph_memory_is(block);
    return owned ? tn_rt_context_of(block->owner) : NULL;
}

// A mapping has the number of its memory, which no block has.
static uint64_t id_of(const struct tn_rt_block *block) {
    bool mapped = block->kind == TN_RT_BLOCK_MAPPED;
    return mapped ? (uint64_t)block->phys | UINT64_C(1) << 63 : block->id;
}

static bool has_descriptor(const struct tn_rt_block *block) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (block->kind == TN_RT_BLOCK_POOLED) {
        struct tn_rt_pool TN_FACE_HELD *pool = tn_rt_pool_of(block->pool_user);
        return pool != NULL && pool->table != NULL;
    }
    return block->kind == TN_RT_BLOCK_MAPPED && tarn_phys_query(block->phys, &info) == TARN_OK &&
           (info.shareable & TARN_SHAREABLE_FD) != 0;
}

// Reads an attribute of known memory as a word.
static uint64_t read_word(const struct query *query, int attribute) {
    const struct tn_rt_block *block = &query->facts.block;
    bool in_space = block->kind == TN_RT_BLOCK_MAPPED;
    switch (attribute) {
    case TN_RT_POINTER_CONTEXT: return (uintptr_t)context_of(block);
    case TN_RT_POINTER_TYPE:
        return query->facts.type == TN_RT_MEMORY_HOST ? TN_RT_MEMORY_HOST : TN_RT_MEMORY_DEVICE;
    case TN_RT_POINTER_BUFFER_ID:
    case TN_RT_POINTER_MEMORY_ID: return id_of(block);
    case TN_RT_POINTER_LEGACY_IPC: return is_plain(block);
    case TN_RT_POINTER_RANGE_START_ADDR: return in_space ? query->info.region_base : block->start;
    case TN_RT_POINTER_RANGE_SIZE: return in_space ? query->info.region_bytes : block->bytes;
    case TN_RT_POINTER_HANDLE_TYPES: return has_descriptor(block) ? TN_RT_PHYS_FD : 0;
    case TN_RT_POINTER_ACCESS_FLAGS: {
        int device = tn_rt_current()->number;
        return (query->info.readable >> device & 1) | (query->info.writable >> device & 1) << 1;
    }
    case TN_RT_POINTER_POOL:
        return block->kind == TN_RT_BLOCK_POOLED ? (uintptr_t)block->pool_user : 0;
    case TN_RT_POINTER_MAPPING_START: return block->start;
    case TN_RT_POINTER_MAPPING_SIZE: return block->bytes;
    default: return 0; // RDMA, DECOMPRESS
    }
}

// Reads an attribute. For other memory the value is 0, or the device NONE.
static uint64_t read_attribute(const struct query *query, int attribute) {
    const struct tn_rt_pointer *facts = &query->facts;
    const struct tn_rt_block *block = &facts->block;
    switch (attribute) {
    case TN_RT_POINTER_DEVICE_POINTER: return (uintptr_t)facts->on_device;
    case TN_RT_POINTER_HOST_POINTER: return (uintptr_t)facts->on_host;
    case TN_RT_POINTER_SYNC_MEMOPS:
        return block->sync_memops ||
               (tn_rt_memory_policy.pointer_words && facts->type == TN_RT_MEMORY_MANAGED);
    case TN_RT_POINTER_IS_MANAGED: return facts->type == TN_RT_MEMORY_MANAGED;
    case TN_RT_POINTER_DEVICE_ORDINAL: return (uint64_t)facts->device;
    case TN_RT_POINTER_MAPPED: return facts->known;
    default: break;
    }
    if (tn_rt_memory_policy.pointer_words) return facts->known ? read_word(query, attribute) : 0;
    switch (attribute) {
    case TN_RT_POINTER_TYPE:
        return (uint64_t)(is_array(facts->ptr) ? TN_RT_MEMORY_ARRAY : facts->type);
    case TN_RT_POINTER_BUFFER_ID: return block->id;
    case TN_RT_POINTER_RANGE_START_ADDR: return block->start;
    case TN_RT_POINTER_RANGE_SIZE: return block->bytes;
    default: return block->flags; // ACCESS_FLAGS
    }
}

// Processors that Tarn supports store the low bytes first.
static void write_attribute(void *data, const struct query *query, int attribute) {
    uint64_t value = read_attribute(query, attribute);
    memcpy(data, &value, width_of(attribute));
}

// Returns the error that goes with the value of an attribute.
static tn_rt_error check_value(const struct query *query, int attribute) {
    const struct tn_rt_pointer *facts = &query->facts;
    bool always = !tn_rt_memory_policy.pointer_words &&
                  (attribute == TN_RT_POINTER_ACCESS_FLAGS ||
                   (attribute == TN_RT_POINTER_TYPE && is_array(facts->ptr)));
    TN_RT_REFUSE(!facts->known && !always, TN_RT_INVALID_VALUE, "%p is not in %s", facts->ptr,
                 tn_rt_memory_policy.memory_name);
    return attribute == TN_RT_POINTER_HOST_POINTER && facts->on_host == NULL
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not memory of the host", facts->ptr)
               : TN_RT_OK;
}

static tn_rt_error check_attribute(int attribute) {
    int last = tn_rt_memory_policy.pointer_words ? TN_RT_POINTER_LAST_WORD : TN_RT_POINTER_LAST;
    TN_RT_REFUSE(attribute < TN_RT_POINTER_CONTEXT || attribute > last, TN_RT_INVALID_VALUE,
                 "%d is not an attribute of a pointer", attribute);
    TN_RT_REFUSE(width_of(attribute) == 0, TN_RT_NOT_SUPPORTED,
                 "attribute %d of a pointer is not supported", attribute);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pointer_attribute(void *data, int attribute, const void *ptr) {
    struct query query;
    TN_RT_TRY(tn_rt_check_pointer(data, "data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    TN_RT_TRY(check_attribute(attribute));
    query_pointer(ptr, &query);
    tn_rt_error error = check_value(&query, attribute);
    if (query.facts.known || !tn_rt_memory_policy.pointer_words)
        write_attribute(data, &query, attribute);
    return error;
}

tn_rt_error tn_rt_pointer_attributes(unsigned count, const void *list, void **data,
                                     const void *ptr) {
    const int *attributes = (const int *)list;
    const bool words = tn_rt_memory_policy.pointer_words;
    struct query query;
    TN_RT_REFUSE(count == 0 || attributes == NULL || data == NULL || (ptr == NULL && !words),
                 TN_RT_INVALID_VALUE, "%u attributes at %p to %p, of %p", count,
                 (const void *)attributes, (void *)data, ptr);
    for (unsigned i = 0; i < count; i++) {
        TN_RT_REFUSE(data[i] == NULL, TN_RT_INVALID_VALUE, "data[%u] is NULL", i);
        if (words) TN_RT_TRY(check_attribute(attributes[i]));
    }
    query_pointer(ptr, &query);
    for (unsigned i = 0; i < count; i++) write_attribute(data[i], &query, attributes[i]);
    return TN_RT_OK;
}

// ---- the only attribute that can be set

tn_rt_error tn_rt_pointer_set_attribute(const void *data, int attribute, const void *ptr) {
    struct tn_rt_block block;
    TN_RT_REFUSE(data == NULL || ptr == NULL || attribute != TN_RT_POINTER_SYNC_MEMOPS,
                 TN_RT_INVALID_VALUE, "value %p, attribute %d, ptr %p", data, attribute, ptr);
    unsigned char sync = *(const unsigned char *)data; // programs pass bool and unsigned
    TN_RT_REFUSE(sync > 1 && !tn_rt_memory_policy.pointer_words, TN_RT_INVALID_VALUE,
                 "the value %u is not 0 or 1", sync);
    TN_RT_REFUSE(!tn_rt_block_query(ptr, &block),
                 tn_rt_memory_policy.pointer_words ? TN_RT_INVALID_VALUE
                                                   : TN_RT_INVALID_DEVICE_POINTER,
                 "%p is not in %s", ptr, tn_rt_memory_policy.memory_name);
    return block.kind != TN_RT_BLOCK_MAPPED
               ? tn_rt_block_set_sync(&block, sync != 0)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is in a mapping of the program", ptr);
}
