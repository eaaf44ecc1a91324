// SPDX-License-Identifier: Apache-2.0
// See graph_memory.h. The record of the block (block.h) leads from an address to its graph memory.
// One lock guards the contents of all graph memory.
#include "compat/runtime/memory/graph_memory.h"

#include <stdlib.h>
#include <string.h>

#include <tarn/annotate.h>

#include "compat/runtime/base/lock.h"
#include "compat/runtime/graph/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/vmm.h"
#include "compat/runtime/stream/capture.h"
#include "compat/runtime/stream/stream.h"

struct tn_rt_graph_memory {
    struct tn_rt_graph_memory *next; // of `memories`
    uint32_t refs;                   // from nodes, and one while it is allocated
    struct tn_face_device *device;
    tarn_addr addr;
    uint64_t range;      // bytes of the reservation
    bool backed;         // it has pages
    bool allocated;      // by a launch, and not freed since
    int pins;            // by launches that have begun; its pages stay
    bool renewed;        // a launch that frees by itself has begun, and allocates it again
    bool ended;          // without a reference, but its last work has not ended
    uint32_t free_nodes; // in any graph or copy, and one while a capture adds the first
    tarn_event freed;    // recorded at a free; 0: none
    struct tn_rt_alloc_params params; // of the node; the rights are the memory's
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_rt_graph_memory *memories;

// To tools the memory is a heap while it has pages, and a region while it is allocated.
static const char name[] = "memory of a graph";

// By device, in bytes: allocated, backed, and the peaks of both.
static uint64_t usage[TN_RT_DEVICES][4];

static void count_usage(const struct tn_rt_graph_memory *memory, int attribute, bool more) {
    uint64_t *now = &usage[memory->device->ordinal][attribute];
    *now += more ? memory->range : -memory->range;
    if (now[1] < now[0]) now[1] = now[0];
}

static void set_allocated(struct tn_rt_graph_memory *memory, bool allocated) {
    if (memory->allocated != allocated) count_usage(memory, TN_RT_GRAPH_USED, allocated);
    memory->allocated = allocated;
}

// ---- pages

static bool is_busy(const struct tn_rt_graph_memory *memory) {
    return memory->freed != 0 && tarn_event_peek(memory->freed) == TARN_NOT_READY;
}

static void drop_pages(struct tn_rt_graph_memory *memory) {
    if (!memory->backed) return;
    (void)tarn_annotate_heap_end(memory->addr);
    (void)tarn_unmap(memory->addr, memory->range, TARN_NO_WAIT);
    count_usage(memory, TN_RT_GRAPH_RESERVED, false);
    memory->backed = false;
}

static void free_record(struct tn_rt_graph_memory *memory) {
    (void)tarn_space_release(memory->addr);
    (void)tarn_event_destroy(memory->freed);
    free(memory);
}

static bool is_unused(const struct tn_rt_graph_memory *memory) {
    return !memory->allocated && memory->pins == 0 && (memory->backed || memory->ended) &&
           !is_busy(memory);
}

bool tn_rt_graph_memory_trim(const struct tn_face_device *device) {
    struct tn_rt_graph_memory **link = &memories;
    bool any = false;
    TN_FACE_LOCKED(&lock);
    while (*link != NULL) {
        struct tn_rt_graph_memory *memory = *link;
        if (memory->device == device && is_unused(memory)) {
            any = true;
            drop_pages(memory);
        }
        if (memory->ended && !memory->backed) {
            *link = memory->next;
            free_record(memory);
        } else {
            link = &memory->next;
        }
    }
    return any;
}

tn_rt_error tn_rt_graph_memory_trim_device(int ordinal) {
    TN_RT_TRY(tn_rt_check_device(ordinal));
    (void)tn_rt_graph_memory_trim(tn_rt_device(ordinal));
    return TN_RT_OK;
}

// All devices get rights to graph memory, as far as they can use memory of each other.
static tarn_status map_pages(const struct tn_rt_graph_memory *memory, tarn_phys phys) {
    tarn_grant grants[TN_RT_DEVICES];
    size_t count = (size_t)tn_rt_devices.count;
    for (size_t i = 0; i < count; i++) {
        grants[i].access = TARN_ACCESS_READ_WRITE;
        (void)tn_rt_location((int)TARN_LOCATION_DEVICE, (int)i, &grants[i].location);
    }
    tarn_status status = tarn_map(memory->addr, memory->range, phys);
    if (status != TARN_OK) return status;
    status = tarn_map_set_access(memory->addr, memory->range, grants, count);
    if (status == TARN_UNSUPPORTED)
        status =
            tarn_map_set_access(memory->addr, memory->range, &grants[memory->device->ordinal], 1);
    if (status != TARN_OK) (void)tarn_unmap(memory->addr, memory->range, TARN_NO_WAIT);
    if (status == TARN_OK) (void)tarn_annotate_heap_begin(memory->addr, memory->range, name);
    return status;
}

static bool is_backed(const struct tn_rt_graph_memory *memory) {
    TN_FACE_LOCKED(&lock);
    return memory->backed;
}

// Called for pinned memory, without the lock, because pools may have to return memory. Another
// thread may give it its pages meanwhile.
static tn_rt_error back_memory(struct tn_rt_graph_memory *memory) {
    tarn_device *device = memory->device->tarn;
    tarn_phys phys = 0;
    if (is_backed(memory)) return TN_RT_OK;
    tarn_status status = tarn_phys_create(device, memory->range, NULL, &phys);
    if (status == TARN_NO_DEVICE_MEMORY) {
        bool trimmed = tn_rt_graph_memory_trim(memory->device);
        if (tn_rt_pool_reclaim(memory->device) || trimmed)
            status = tarn_phys_create(device, memory->range, NULL, &phys);
    }
    TN_RT_TRY(tn_rt_error_of(status));
    (void)pthread_mutex_lock(&lock);
    status = memory->backed ? TARN_OK : map_pages(memory, phys);
    if (status == TARN_OK && !memory->backed) count_usage(memory, TN_RT_GRAPH_RESERVED, true);
    memory->backed = memory->backed || status == TARN_OK;
    (void)pthread_mutex_unlock(&lock);
    (void)tarn_phys_release(phys); // the mapping keeps it
    return tn_rt_error_of(status);
}

// ---- usage

static tn_rt_error check_attribute(int ordinal, int attribute, const void *value) {
    TN_RT_TRY(tn_rt_check_device(ordinal));
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_REFUSE(attribute < TN_RT_GRAPH_USED || attribute > TN_RT_GRAPH_RESERVED_HIGH,
                 TN_RT_INVALID_VALUE, "attr %d is unknown", attribute);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_memory_get(int ordinal, int attribute, void *value) {
    TN_RT_TRY(check_attribute(ordinal, attribute, value));
    if (attribute == TN_RT_GRAPH_RESERVED) (void)tn_rt_graph_memory_trim(tn_rt_device(ordinal));
    TN_FACE_LOCKED(&lock);
    memcpy(value, &usage[ordinal][attribute], sizeof usage[ordinal][attribute]);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_memory_set(int ordinal, int attribute, const void *value) {
    uint64_t wanted;
    TN_RT_TRY(check_attribute(ordinal, attribute, value));
    TN_RT_REFUSE(attribute == TN_RT_GRAPH_USED || attribute == TN_RT_GRAPH_RESERVED,
                 TN_RT_INVALID_VALUE, "attr %d cannot be set",
                 attribute); // before the value is read
    memcpy(&wanted, value, sizeof wanted);
    TN_RT_REFUSE(wanted != 0, TN_RT_INVALID_VALUE, "attr %d to %llu: peaks can be set to 0 only",
                 attribute, (unsigned long long)wanted);
    TN_FACE_LOCKED(&lock);
    usage[ordinal][attribute] = usage[ordinal][attribute - 1];
    return TN_RT_OK;
}

// ---- life

static tn_rt_error not_allocated(tarn_addr addr) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "no launch has allocated the graph memory at 0x%llx",
                      (unsigned long long)addr);
}

// Makes the reservation a block of the bytes that were requested, with a record that names `memory`.
static tn_rt_error mark_memory(struct tn_rt_graph_memory *memory) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_block_mark_part(memory->addr, TN_RT_BLOCK_DEVICE, memory->device, 0,
                                    memory->params.bytes));
    TN_RT_TRY(tn_rt_block_find((const void *)(uintptr_t)memory->addr, TN_RT_BLOCK_DEVICE, &block));
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(&block);
    TN_FACE_LOCKED(&lock);
    record->graph = memory;
    memory->next = memories;
    memories = memory;
    return TN_RT_OK;
}

static tn_rt_error reserve_range(struct tn_rt_graph_memory *memory) {
    uint64_t granularity = memory->device->info.granularity_minimum;
    uint64_t rest = (granularity - memory->params.bytes % granularity) % granularity;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(__builtin_add_overflow(memory->params.bytes, rest, &memory->range),
                 TN_RT_OUT_OF_MEMORY, "no address space for %zu bytes", memory->params.bytes);
    return tn_rt_error_of(
        tarn_space_reserve(memory->device->tarn, memory->range, 0, 0, &memory->addr));
}

// Copies the rights behind the memory's own description.
static tn_rt_error new_memory(struct tn_face_device *device,
                              const struct tn_rt_alloc_params *params,
                              struct tn_rt_graph_memory **made) {
    size_t rights = params->right_count * sizeof *params->rights;
    struct tn_rt_graph_memory *memory =
        (struct tn_rt_graph_memory *)calloc(1, sizeof *memory + rights);
    TN_RT_REFUSE(memory == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for memory of a graph");
    *memory = (struct tn_rt_graph_memory){.refs = 1, .device = device, .params = *params};
    if (rights > 0) memory->params.rights = memcpy(memory + 1, params->rights, rights);
    tn_rt_error error = reserve_range(memory);
    if (error != TN_RT_OK) {
        free(memory);
        return error;
    }
    error = mark_memory(memory);
    if (error != TN_RT_OK) {
        free_record(memory);
        return error;
    }
    memory->params.ptr = (void *)(uintptr_t)memory->addr;
    *made = memory;
    return TN_RT_OK;
}

// Returns the memory of a block with one more reference, or NULL.
static struct tn_rt_graph_memory *memory_of(const struct tn_rt_block *block) {
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(block);
    if (record == NULL) return NULL;
    TN_FACE_LOCKED(&lock);
    if (record->graph != NULL) record->graph->refs++;
    return record->graph;
}

bool tn_rt_graph_memory_is(const struct tn_rt_block *block) {
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(block);
    if (record == NULL) return false;
    TN_FACE_LOCKED(&lock);
    return record->graph != NULL;
}

// Drops references. Called with the lock, which it releases. The record forgets the memory first, so
// that no look-up finds it any more. Memory that work may still use ends at a later trim.
static void put_and_unlock(struct tn_rt_graph_memory *memory, uint32_t refs) {
    const struct tn_face_device *device = memory->device;
    struct tn_rt_record *record = NULL;
    struct tn_rt_block block;
    memory->refs -= refs;
    bool last = memory->refs == 0;
    if (last && tn_rt_block_query((const void *)(uintptr_t)memory->addr, &block))
        record = tn_rt_record_get(&block);
    if (record != NULL) record->graph = NULL;
    memory->ended = last;
    (void)pthread_mutex_unlock(&lock);
    if (record != NULL) {
        tn_rt_record_end(&block);
        tn_rt_record_put(record);
    }
    if (last) (void)tn_rt_graph_memory_trim(device);
}

// ---- nodes

static tn_rt_error keep_node(struct tn_rt_op *op) {
    TN_FACE_LOCKED(&lock);
    op->memory->refs++;
    op->memory->free_nodes += op->work == TN_RT_WORK_MEMORY_FREE ? 1 : 0;
    return TN_RT_OK;
}

static void put_memory(struct tn_rt_graph_memory *memory, uint32_t free_nodes) {
    (void)pthread_mutex_lock(&lock);
    memory->free_nodes -= free_nodes;
    put_and_unlock(memory, 1);
}

static void drop_node(struct tn_rt_op *op) {
    put_memory(op->memory, op->work == TN_RT_WORK_MEMORY_FREE ? 1 : 0);
}

// The last free, if it came from elsewhere, precedes the work of this launch.
static tn_rt_error run_alloc(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    struct tn_rt_graph_memory *memory = op->memory;
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(memory->allocated && !memory->renewed, TN_RT_INVALID_VALUE,
                 "the memory at 0x%llx is allocated by an earlier launch",
                 (unsigned long long)memory->addr);
    if (memory->freed != 0 && where->stream != TARN_STREAM_NONE)
        TN_RT_TRY(tn_rt_error_of(tarn_stream_wait(where->stream, memory->freed, 0)));
    if (memory->allocated) (void)tarn_annotate_region_end(memory->addr, where->stream);
    memory->refs += memory->allocated ? 0 : 1;
    memory->renewed = false;
    set_allocated(memory, true);
    const tarn_region_desc region = {.struct_size = sizeof region,
                                     .addr = memory->addr,
                                     .bytes = memory->params.bytes,
                                     .occupied = memory->range,
                                     .stream = where->stream,
                                     .name = name};
    (void)tarn_annotate_region_begin_with(&region);
    return TN_RT_OK;
}

static tn_rt_error record_free(struct tn_rt_graph_memory *memory, tarn_stream stream) {
    if (stream == TARN_STREAM_NONE) return TN_RT_OK;
    if (memory->freed == 0)
        TN_RT_TRY(tn_rt_error_of(tarn_event_create(memory->device->tarn, &memory->freed)));
    return tn_rt_error_of(tarn_event_record(memory->freed, stream));
}

// Frees the memory behind the work of `stream`, also for graphs that are launched on other streams
// later. Drops `refs` references of the caller.
static tn_rt_error free_memory(struct tn_rt_graph_memory *memory, tarn_stream stream,
                               uint32_t refs) {
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error =
        memory->allocated ? record_free(memory, stream) : not_allocated(memory->addr);
    bool freed = error == TN_RT_OK;
    if (freed) (void)tarn_annotate_region_end(memory->addr, stream);
    set_allocated(memory, memory->allocated && !freed);
    put_and_unlock(memory, refs + (freed ? 1 : 0));
    return error;
}

static tn_rt_error run_free(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    return free_memory(op->memory, where->stream, 0);
}

static struct tn_rt_op op_of(struct tn_rt_graph_memory *memory, bool frees) {
    return (struct tn_rt_op){.work = frees ? TN_RT_WORK_MEMORY_FREE : TN_RT_WORK_MEMORY_ALLOC,
                             .run = frees ? run_free : run_alloc,
                             .keep = keep_node,
                             .drop = drop_node,
                             .memory = memory};
}

bool tn_rt_graph_memory_alloc(struct tn_rt_stream *stream, struct tn_face_device *device,
                              size_t size, tarn_addr *addr, tn_rt_error *error) {
    struct tn_rt_graph_memory *memory = NULL;
    if (!atomic_load(&stream->capturing)) return false;
    const struct tn_rt_alloc_params params = {
        .pool = {.type = TN_RT_PHYS_PINNED,
                 .location = {(int)TARN_LOCATION_DEVICE, device->ordinal}},
        .bytes = size};
    *error = new_memory(device, &params, &memory);
    if (*error != TN_RT_OK) return true;
    struct tn_rt_op op = op_of(memory, false);
    bool captured = tn_rt_capture_work(stream, &op, error);
    if (captured && *error == TN_RT_OK) *addr = memory->addr;
    put_memory(memory, 0);
    return captured;
}

static tn_rt_error claim_free_node(struct tn_rt_graph_memory *memory) {
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(memory->free_nodes > 0, TN_RT_INVALID_VALUE,
                 "a node frees the memory at 0x%llx already", (unsigned long long)memory->addr);
    memory->free_nodes++;
    return TN_RT_OK;
}

bool tn_rt_graph_memory_free(struct tn_rt_stream *stream, const void *ptr, tn_rt_error *error) {
    struct tn_rt_block block;
    bool captured = true;
    if (!atomic_load(&stream->capturing)) return false;
    *error = tn_rt_block_find_start(ptr, ~0u, &block);
    if (*error != TN_RT_OK) return true;
    struct tn_rt_graph_memory *memory = memory_of(&block);
    if (memory == NULL) return false;
    *error = claim_free_node(memory);
    bool claimed = *error == TN_RT_OK;
    if (claimed) {
        struct tn_rt_op op = op_of(memory, true);
        captured = tn_rt_capture_work(stream, &op, error);
    }
    put_memory(memory, claimed ? 1 : 0); // the node has its own
    return captured;
}

// ---- nodes by hand

// The parameters of the program, and what becomes of its address.
struct reading {
    const struct tn_rt_alloc_params *params;
    void *ptr;
};

static tn_rt_error read_alloc(const void *given, struct tn_rt_op *op) {
    struct reading *reading = (struct reading *)(uintptr_t)given;
    const struct tn_rt_alloc_params *params = reading->params;
    struct tn_rt_graph_memory *memory = NULL;
    bool bad = params->bytes == 0 || params->pool.type != TN_RT_PHYS_PINNED ||
               params->pool.location.type != (int)TARN_LOCATION_DEVICE;
    if (bad) reading->ptr = NULL;
    TN_RT_REFUSE(bad, TN_RT_INVALID_VALUE, "%zu bytes, type %d, location of type %d", params->bytes,
                 params->pool.type, params->pool.location.type);
    struct tn_face_device *device = tn_rt_device(params->pool.location.id);
    TN_RT_REFUSE(device == NULL, TN_RT_INVALID_VALUE, "device %d, there are %d",
                 params->pool.location.id, tn_rt_devices.count);
    TN_RT_REFUSE(params->pool.handle_types != 0 && tn_rt_graph_policy.memory_nodes_are_fixed,
                 TN_RT_NOT_SUPPORTED, "memory of a graph has no handle of type 0x%x",
                 params->pool.handle_types);
    TN_RT_REFUSE(params->right_count > 0 && params->rights == NULL, TN_RT_INVALID_VALUE,
                 "%zu rights at NULL", params->right_count);
    TN_RT_TRY(new_memory(device, params, &memory));
    reading->ptr = memory->params.ptr;
    *op = op_of(memory, false);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_add_alloc(const struct tn_rt_spot *spot, struct tn_rt_alloc_params *params) {
    if (params == NULL) return tn_rt_null_pointer("the parameters");
    struct reading reading = {params, params->ptr};
    tn_rt_error error = tn_rt_node_add(spot, read_alloc, &reading);
    if (error == TN_RT_OK || reading.ptr == NULL) params->ptr = reading.ptr;
    return error;
}

static tn_rt_error read_free(const void *ptr, struct tn_rt_op *op) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_block_find_start(ptr, ~0u, &block));
    struct tn_rt_graph_memory *memory = memory_of(&block);
    TN_RT_REFUSE(memory == NULL, TN_RT_INVALID_VALUE, "%p is not memory of a graph", ptr);
    tn_rt_error error = claim_free_node(memory);
    if (error == TN_RT_OK)
        *op = op_of(memory, true); // owns the reference and the claim
    else
        put_memory(memory, 0);
    return error;
}

tn_rt_error tn_rt_node_add_free(const struct tn_rt_spot *spot, const void *ptr) {
    TN_RT_REFUSE(spot->count == 0 && spot->before != NULL, TN_RT_INVALID_VALUE,
                 "a list of no dependencies at %p", spot->before);
    return tn_rt_node_add(spot, read_free, ptr);
}

tn_rt_error tn_rt_write_alloc(const struct tn_rt_op *op, void *params) {
    memcpy(params, &op->memory->params, sizeof op->memory->params);
    return TN_RT_OK;
}

tn_rt_error tn_rt_write_free(const struct tn_rt_op *op, void *ptr) {
    tn_rt_give(ptr, (uintptr_t)op->memory->addr);
    return TN_RT_OK;
}

// ---- launches and frees outside of graphs

uint32_t tn_rt_graph_memory_list(const struct tn_rt_plan *plan, struct tn_rt_graph_memory **list) {
    uint32_t count = 0;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(plan, node->id + 1)) {
        if (node->op.work != TN_RT_WORK_MEMORY_ALLOC) continue;
        if (list != NULL) list[count] = node->op.memory;
        count++;
    }
    return count;
}

static bool is_allocated(const struct tn_rt_graph_memory *memory) {
    TN_FACE_LOCKED(&lock);
    return memory->allocated;
}

static tn_rt_error check_free(struct tn_rt_graph_memory *memory, bool auto_free) {
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(memory->allocated && !auto_free, TN_RT_INVALID_VALUE,
                 "the memory at 0x%llx is allocated by an earlier launch",
                 (unsigned long long)memory->addr);
    memory->renewed = auto_free;
    return TN_RT_OK;
}

static void pin_pages(struct tn_rt_graph_memory *memory, bool pinned) {
    TN_FACE_LOCKED(&lock);
    memory->pins += pinned ? 1 : -1;
}

void tn_rt_graph_memory_end(struct tn_rt_graph_memory *const *list, uint32_t count, bool failed,
                            tarn_stream stream) {
    for (uint32_t i = 0; i < count; i++) pin_pages(list[i], false);
    for (uint32_t i = 0; i < count && failed; i++)
        if (is_allocated(list[i])) (void)free_memory(list[i], stream, 0);
}

tn_rt_error tn_rt_graph_memory_begin(struct tn_rt_graph_memory *const *list, uint32_t count,
                                     bool auto_free) {
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < count; i++) TN_RT_TRY(check_free(list[i], auto_free));
    for (uint32_t i = 0; i < count; i++) pin_pages(list[i], true);
    for (uint32_t i = 0; i < count && error == TN_RT_OK; i++) error = back_memory(list[i]);
    if (error != TN_RT_OK) tn_rt_graph_memory_end(list, count, false, TARN_STREAM_NONE);
    return error;
}

tn_rt_error tn_rt_graph_memory_release(const struct tn_rt_block *block, tarn_stream stream) {
    struct tn_rt_graph_memory *memory = memory_of(block);
    return memory != NULL ? free_memory(memory, stream, 1) : not_allocated(block->start);
}

TN_FACE_ON_FORK(TN_RT_LOCK_GRAPH_MEMORY, &lock, NULL);
