// SPDX-License-Identifier: Apache-2.0
// See graph_memory.h. The record of the block (block.h) leads from an address to its graph memory.
// One lock guards the contents of all graph memory. Tarn frees device memory without it.
#include "compat/runtime/graph_memory.h"

#include <stdlib.h>
#include <string.h>

#include "compat/runtime/capture.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/stream.h"
#include "compat/runtime/vmm.h"

struct tn_rt_graph_memory {
    uint32_t refs; // from nodes, and one while it is allocated
    struct tn_face_device *device;
    tarn_addr addr;
    bool allocated;      // by a launch, and not freed since
    uint32_t free_nodes; // in any graph or copy, and one while a capture adds the first
    tarn_event freed;    // recorded at a free; 0: none
    struct tn_rt_alloc_params params; // of the node; the rights are the memory's
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- life

static tn_rt_error not_allocated(tarn_addr addr) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "no launch has allocated the graph memory at 0x%llx",
                      (unsigned long long)addr);
}

// Makes plain device memory a block with a record that names `memory`.
static tn_rt_error mark_memory(struct tn_rt_graph_memory *memory) {
    struct tn_rt_block block;
    struct tn_rt_record TN_FACE_HELD *record = NULL;
    uint64_t word = tn_rt_block_word(TN_RT_BLOCK_DEVICE, memory->device, 0);
    TN_RT_TRY(tn_rt_from(tarn_address_set_owner(memory->addr, TARN_OWNER_FACE, word)));
    TN_RT_TRY(tn_rt_block_find((const void *)(uintptr_t)memory->addr, TN_RT_BLOCK_DEVICE, &block));
    TN_RT_TRY(tn_rt_record_make(&block, &record));
    TN_FACE_LOCKED(&lock);
    record->graph = memory;
    return TN_RT_OK;
}

// Copies the rights behind the memory's own description.
static tn_rt_error new_memory(struct tn_face_device *device,
                              const struct tn_rt_alloc_params *params,
                              struct tn_rt_graph_memory **made) {
    size_t rights = params->right_count * sizeof *params->rights;
    struct tn_rt_graph_memory *memory =
        (struct tn_rt_graph_memory *)calloc(1, sizeof *memory + rights);
    TN_RT_REFUSE(memory == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for memory of a graph");
    memory->params = *params;
    if (rights > 0) memory->params.rights = memcpy(memory + 1, params->rights, rights);
    tarn_status status = tn_rt_pool_alloc_beside(device, params->bytes, &memory->addr);
    if (status != TARN_OK) {
        free(memory);
        return tn_rt_from(status);
    }
    memory->refs = 1;
    memory->device = device;
    tn_rt_error error = mark_memory(memory);
    if (error != TN_RT_OK) {
        (void)tarn_free(memory->addr, 0);
        free(memory);
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

// The record forgets the memory first, so that no look-up finds it any more. Waits for work.
static void end_memory(struct tn_rt_graph_memory *memory) {
    struct tn_rt_block block;
    if (tn_rt_block_query((const void *)(uintptr_t)memory->addr, &block)) tn_rt_record_end(&block);
    (void)tarn_free(memory->addr, 0);
    (void)tarn_event_destroy(memory->freed);
    free(memory);
}

// Drops references. Called with the lock, which it releases.
static void put_and_unlock(struct tn_rt_graph_memory *memory, uint32_t refs) {
    struct tn_rt_record *record = NULL;
    struct tn_rt_block block;
    memory->refs -= refs;
    bool last = memory->refs == 0;
    if (last && tn_rt_block_query((const void *)(uintptr_t)memory->addr, &block))
        record = tn_rt_record_get(&block);
    if (record != NULL) record->graph = NULL;
    (void)pthread_mutex_unlock(&lock);
    if (record != NULL) tn_rt_record_put(record);
    if (last) end_memory(memory);
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
    TN_RT_REFUSE(memory->allocated, TN_RT_INVALID_VALUE,
                 "the memory at 0x%llx is allocated by an earlier launch",
                 (unsigned long long)memory->addr);
    if (memory->freed != 0 && where->stream != TARN_STREAM_NONE)
        TN_RT_TRY(tn_rt_from(tarn_stream_wait(where->stream, memory->freed)));
    memory->refs++;
    memory->allocated = true;
    return TN_RT_OK;
}

static tn_rt_error record_free(struct tn_rt_graph_memory *memory, tarn_stream stream) {
    if (stream == TARN_STREAM_NONE) return TN_RT_OK;
    if (memory->freed == 0)
        TN_RT_TRY(tn_rt_from(tarn_event_create(memory->device->tarn, &memory->freed)));
    return tn_rt_from(tarn_event_record(memory->freed, stream));
}

// Frees the memory behind the work of `stream`, also for graphs that are launched on other streams
// later. Drops `refs` references of the caller.
static tn_rt_error free_memory(struct tn_rt_graph_memory *memory, tarn_stream stream,
                               uint32_t refs) {
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error =
        memory->allocated ? record_free(memory, stream) : not_allocated(memory->addr);
    bool freed = error == TN_RT_OK;
    memory->allocated = memory->allocated && !freed;
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

tn_rt_error tn_rt_graph_memory_begin(const struct tn_rt_plan *plan, bool auto_free) {
    if (plan->memory_count == 0) return TN_RT_OK;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(plan, node->id + 1)) {
        if (node->op.work != TN_RT_WORK_MEMORY_ALLOC) continue;
        struct tn_rt_graph_memory *memory = node->op.memory;
        (void)pthread_mutex_lock(&lock);
        bool allocated = memory->allocated;
        memory->allocated = allocated && !auto_free;
        put_and_unlock(memory, allocated && auto_free ? 1 : 0); // a node has another reference
        TN_RT_REFUSE(allocated && !auto_free, TN_RT_INVALID_VALUE,
                     "the memory at 0x%llx is allocated by an earlier launch",
                     (unsigned long long)memory->addr);
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_memory_release(const struct tn_rt_block *block, tarn_stream stream) {
    struct tn_rt_graph_memory *memory = memory_of(block);
    return memory != NULL ? free_memory(memory, stream, 1) : not_allocated(block->start);
}

TN_FACE_ON_FORK(TN_RT_LOCK_GRAPH_MEMORY, &lock, NULL);
