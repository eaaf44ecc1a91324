// SPDX-License-Identifier: Apache-2.0
// Blocks: the memory that programs got from this face. Tarn's address book holds them. The face
// keeps only a user word for each, which packs the kind, the flags, the device and the buffer id. A
// block that needs more (advice, a key for other processes) has a record, whose handle is then the
// word. The face does not free memory without a word.
#pragma once

#include <pthread.h>

#include <tarn/address.h>

#include "compat/runtime/base/handle.h"
#include "compat/runtime/stream/order.h"

// Kinds of blocks. They are bits, so that a call can accept several.
enum tn_rt_block_kind {
    TN_RT_BLOCK_DEVICE = 1u << 0,
    TN_RT_BLOCK_MANAGED = 1u << 1,
    TN_RT_BLOCK_HOST = 1u << 2,
    TN_RT_BLOCK_REGISTERED = 1u << 3,
    TN_RT_BLOCK_OPENED = 1u << 4, // memory of another process
    TN_RT_BLOCK_POOLED = 1u << 5,
    TN_RT_BLOCK_MAPPED = 1u << 6,  // a mapping of the program; it has no word
    TN_RT_BLOCK_IMPORTED = 1u << 7 // a block of a pool of another process
};

struct tn_rt_block {
    tarn_addr start;
    size_t bytes; // as requested
    enum tn_rt_block_kind kind;
    unsigned flags;                // as the program passed them
    struct tn_face_device *device; // current at the allocation; NULL: mapped memory of the host
    unsigned owner;                // see device.h; 0 for MAPPED
    uint32_t id;                   // unique in the process
    bool sync_memops;
    bool ordinary;      // of no block: the memory is not Tarn's, such as that of malloc()
    uint64_t word;      // 0 for MAPPED
    tarn_phys phys;     // MAPPED
    uint64_t pool_user; // POOLED: the word of its pool
    tarn_stream stream; // POOLED: the stream of the allocation
};

// Returns a word for a new block of a device, which its primary context owns.
uint64_t tn_rt_block_word(enum tn_rt_block_kind kind, const struct tn_face_device *device,
                          unsigned flags);

// Makes memory that was just allocated on the current device a block of the current owner.
void tn_rt_block_mark(tarn_addr start, enum tn_rt_block_kind kind, unsigned flags);

// Makes `bytes` of a region, `offset` behind its start, a block with a record. The rest is not a
// block. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_block_mark_part(tarn_addr start, enum tn_rt_block_kind kind,
                                  const struct tn_face_device *device, uint64_t offset,
                                  uint64_t bytes);

// Finds the block, or the mapping of the program, that holds the byte `ptr`. Returns false if
// there is none; only `ordinary` is set then.
bool tn_rt_block_query(const void *ptr, struct tn_rt_block *block);

// The same for what tarn_address_walk() found: memory with one block.
bool tn_rt_block_describe(const tarn_address_info *info, struct tn_rt_block *block);

// Returns true for memory that is not Tarn's. NULL is no memory.
bool tn_rt_block_is_ordinary(const void *ptr);

// The same before a call accesses `bytes` there. If there is no block, a checker reports the access
// provided that memory was freed there.
bool tn_rt_block_reach(const void *ptr, size_t bytes, bool write, struct tn_rt_block *block);

// The same as tn_rt_block_query() for a block of one of these kinds. TN_RT_INVALID_VALUE, with a
// text that describes `ptr`.
tn_rt_error tn_rt_block_find(const void *ptr, unsigned kinds, struct tn_rt_block *block);

// The same for a block that starts at `ptr` and that the call ends. `call` is the function of Tarn
// that would end it, for reports of memory tools.
tn_rt_error tn_rt_block_find_end(const void *ptr, unsigned kinds, const char *call,
                                 struct tn_rt_block *block);

// The same for a block that is to be freed.
tn_rt_error tn_rt_block_find_start(const void *ptr, unsigned kinds, struct tn_rt_block *block);

// Reports to memory tools that a call which ends an object got memory instead of its handle.
void tn_rt_block_refuse_handle(const void *handle);

// Sets `sync_memops` of a block.
tn_rt_error tn_rt_block_set_sync(const struct tn_rt_block *block, bool sync);

// ---- records

struct tn_rt_advice;
struct tn_rt_graph_memory;

struct tn_rt_record {
    struct tn_face_object object;
    tarn_addr start;
    _Atomic(uint64_t) word; // the word that the block would have without the record
    tarn_addr part;         // constant: the block within the region at `start`; 0: all of it
    size_t part_bytes;
    // Under tn_rt_records_lock:
    struct tn_rt_advice *advice; // MANAGED
    bool has_key;                // DEVICE: exported. OPENED: always
    tarn_key key;
    unsigned opens;                   // OPENED: openings minus closings; under ipc.c's lock
    struct tn_rt_graph_memory *graph; // DEVICE: of a graph; under graph_memory.c's lock
};

extern pthread_mutex_t tn_rt_records_lock;

// Returns the record of a block and adds a reference, or returns NULL if the block has none.
struct tn_rt_record *tn_rt_record_get(const struct tn_rt_block *block);
void tn_rt_record_put(struct tn_rt_record *record);

// The same, but makes a record if the block has none. The caller holds the lock. Fails with
// OUT_OF_MEMORY without memory, and with INVALID_VALUE if the block was freed meanwhile.
tn_rt_error tn_rt_record_make(const struct tn_rt_block *block, struct tn_rt_record **record);

// Ends the record of a block that was freed, if it has one.
void tn_rt_record_end(const struct tn_rt_block *block);
