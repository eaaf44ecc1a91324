// SPDX-License-Identifier: Apache-2.0
// See block.h. A packed word has zeros in its low five bits, where a handle has its kind. One lock
// guards the contents of records and is held while a block gets its record.
#include "compat/runtime/memory/block.h"

#include <stdlib.h>

#include <tarn/address.h>
#include <tarn/annotate.h>

#include "compat/runtime/base/lock.h"
#include "compat/runtime/memory/policy.h"

struct tn_rt_memory_policy tn_rt_memory_policy;

pthread_mutex_t tn_rt_records_lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic(uint32_t) last_id;
static uint32_t inherited_ids; // in a child of fork(): the blocks up to this id are the parent's

// ---- words: 5 zero bits, kind (3), sync_memops (1), device (5), flags (12), context (6), id (32)

#define KIND_SHIFT    5
#define SYNC_BIT      (UINT64_C(1) << 8)
#define DEVICE_SHIFT  9
#define FLAGS_SHIFT   14
#define FLAGS_MASK    0xfffu
#define CONTEXT_SHIFT 26
#define ID_SHIFT      32

_Static_assert(TN_RT_DEVICES <= 32 && TN_RT_CONTEXTS <= 64, "an owner fits its bits");
_Static_assert(TN_FACE_KINDS == 1 << KIND_SHIFT, "the kind of a handle fits the bits that are 0");

// The flags of memory are the low and the high four bits of 32, hence rotated.
uint64_t tn_rt_block_word(enum tn_rt_block_kind kind, const struct tn_face_device *device,
                          unsigned flags) {
    uint64_t id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    return (uint64_t)__builtin_ctz(kind) << KIND_SHIFT | (uint64_t)device->ordinal << DEVICE_SHIFT |
           (uint64_t)((flags << 4 | flags >> 28) & FLAGS_MASK) << FLAGS_SHIFT | id << ID_SHIFT;
}

void tn_rt_block_mark(tarn_addr start, enum tn_rt_block_kind kind, unsigned flags) {
    uint64_t context = tn_rt_current_owner() / TN_RT_DEVICES;
    uint64_t word = tn_rt_block_word(kind, tn_rt_current(), flags) | context << CONTEXT_SHIFT;
    (void)tarn_address_set_owner(start, TARN_OWNER_FACE, word); // fails only in a child of fork()
}

static void destroy_record(struct tn_face_object *object) {
    struct tn_rt_record *record = (struct tn_rt_record *)object;
    free(record->advice);
    free(record);
}

tn_rt_error tn_rt_block_mark_part(tarn_addr start, enum tn_rt_block_kind kind,
                                  const struct tn_face_device *device, uint64_t offset,
                                  uint64_t bytes) {
    struct tn_rt_record *record = (struct tn_rt_record *)calloc(1, sizeof *record);
    TN_RT_REFUSE(record == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for the record of a block");
    record->start = start;
    record->part = start + offset;
    record->part_bytes = (size_t)bytes;
    atomic_init(&record->word, tn_rt_block_word(kind, device, 0));
    if (!tn_face_handle_new(&record->object, TN_RT_RECORD, destroy_record)) {
        free(record);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the record of a block");
    }
    return tn_rt_error_of(tarn_address_set_owner(start, TARN_OWNER_FACE, record->object.handle));
}

static bool is_handle(uint64_t word) { return (word & (TN_FACE_KINDS - 1)) == TN_RT_RECORD; }

// Returns false if the block was freed meanwhile, or belongs to the parent of a fork.
static bool unpack_word(struct tn_rt_block *block) {
    uint64_t word = block->word;
    if (is_handle(word)) {
        struct tn_rt_record *record = tn_rt_record_get(block);
        if (record == NULL) return false;
        word = atomic_load_explicit(&record->word, memory_order_relaxed);
        if (record->part != 0) {
            block->start = record->part;
            block->bytes = record->part_bytes;
        }
        tn_rt_record_put(record);
    }
    if ((uint32_t)(word >> ID_SHIFT) <= inherited_ids) return false;
    block->kind = (enum tn_rt_block_kind)(1u << (word >> KIND_SHIFT & 7));
    block->sync_memops = (word & SYNC_BIT) != 0;
    int device = (int)(word >> DEVICE_SHIFT & (TN_RT_DEVICES - 1));
    block->device = tn_rt_device(device);
    block->owner = tn_rt_owner(device, (unsigned)(word >> CONTEXT_SHIFT) & (TN_RT_CONTEXTS - 1));
    unsigned flags = (unsigned)(word >> FLAGS_SHIFT) & FLAGS_MASK;
    block->flags = flags >> 4 | flags << 28;
    block->id = (uint32_t)(word >> ID_SHIFT);
    return true;
}

// ---- queries

// A device that is not visible to the program counts as the current one.
static struct tn_face_device *device_of(tarn_location location) {
    if (location.type != TARN_LOCATION_DEVICE) return NULL;
    struct tn_face_device *device = tn_rt_device(tn_rt_ordinal_of(location.id));
    return device != NULL ? device : tn_rt_current();
}

static bool describe_found(const tarn_address_block *found, struct tn_rt_block *block) {
    *block = (struct tn_rt_block){
        .start = found->start, .bytes = (size_t)found->bytes, .word = found->user};
    if (found->owner == TARN_OWNER_POOL) {
        block->pool_user = found->pool_user;
        block->stream = found->stream;
    }
    if (found->owner == TARN_OWNER_FACE || found->owner == TARN_OWNER_POOL)
        return found->bytes != 0 && unpack_word(block);
    block->word = 0;
    block->kind = TN_RT_BLOCK_MAPPED;
    block->device = device_of(found->location);
    block->phys = found->phys;
    return found->kind == TARN_ADDRESS_MAPPED;
}

bool tn_rt_block_describe(const tarn_address_info *info, struct tn_rt_block *block) {
    const tarn_address_block found = {
        .owner = info->owner, .start = info->base, .bytes = info->bytes, .user = info->user};
    return describe_found(&found, block);
}

bool tn_rt_block_query(const void *ptr, struct tn_rt_block *block) {
    tarn_address_block found;
    found.struct_size = sizeof found;
    (void)tarn_address_find(TARN_ADDR(ptr), &found);
    bool known = describe_found(&found, block) && TARN_ADDR(ptr) - block->start < block->bytes;
    block->ordinary = found.kind == TARN_ADDRESS_UNKNOWN;
    return known;
}

bool tn_rt_block_reach(const void *ptr, size_t bytes, bool write, struct tn_rt_block *block) {
    if (tn_rt_block_query(ptr, block)) return true;
    if (bytes != 0)
        tarn_annotate_refused_access("an access", TARN_ADDR(ptr), bytes,
                                     write ? TARN_ANNOTATE_WRITE : TARN_ANNOTATE_READ);
    return false;
}

bool tn_rt_block_is_ordinary(const void *ptr) {
    struct tn_rt_block block;
    return ptr != NULL && !tn_rt_block_query(ptr, &block) && block.ordinary;
}

static const char *kind_text(enum tn_rt_block_kind kind) {
    switch (kind) {
    case TN_RT_BLOCK_DEVICE: return "device memory";
    case TN_RT_BLOCK_MANAGED: return "managed memory";
    case TN_RT_BLOCK_HOST: return "pinned host memory";
    case TN_RT_BLOCK_REGISTERED: return "registered host memory";
    case TN_RT_BLOCK_OPENED: return "memory of another process";
    case TN_RT_BLOCK_POOLED: return "memory of a pool";
    case TN_RT_BLOCK_IMPORTED: return "memory of a pool of another process";
    case TN_RT_BLOCK_MAPPED: break;
    }
    return "a mapping";
}

static tn_rt_error refuse_pointer(const void *ptr, const struct tn_rt_block *found) {
    return found == NULL
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not in %s", ptr,
                            tn_rt_memory_policy.memory_name)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is %s %s of %zu bytes from 0x%llx", ptr,
                            TARN_ADDR(ptr) == found->start ? "the start of" : "inside",
                            kind_text(found->kind), found->bytes, (unsigned long long)found->start);
}

tn_rt_error tn_rt_block_find(const void *ptr, unsigned kinds, struct tn_rt_block *block) {
    if (!tn_rt_block_query(ptr, block)) return refuse_pointer(ptr, NULL);
    return (block->kind & kinds) != 0 ? TN_RT_OK : refuse_pointer(ptr, block);
}

tn_rt_error tn_rt_block_find_end(const void *ptr, unsigned kinds, const char *call,
                                 struct tn_rt_block *block) {
    tn_rt_error error = tn_rt_block_find(ptr, kinds, block);
    if (error == TN_RT_OK && block->start != TARN_ADDR(ptr)) error = refuse_pointer(ptr, block);
    if (error != TN_RT_OK) tarn_annotate_refused(call, TARN_ADDR(ptr));
    return error;
}

tn_rt_error tn_rt_block_find_start(const void *ptr, unsigned kinds, struct tn_rt_block *block) {
    return tn_rt_block_find_end(ptr, kinds, tn_rt_memory_policy.free_name, block);
}

void tn_rt_block_refuse_handle(const void *handle) {
    struct tn_rt_block block;
    if (tn_rt_block_query(handle, &block))
        tarn_annotate_refused(tn_rt_memory_policy.free_name, TARN_ADDR(handle));
}

tn_rt_error tn_rt_block_set_sync(const struct tn_rt_block *block, bool sync) {
    struct tn_rt_record *record = tn_rt_record_get(block);
    if (record != NULL) {
        (void)(sync ? atomic_fetch_or(&record->word, SYNC_BIT)
                    : atomic_fetch_and(&record->word, ~SYNC_BIT));
        tn_rt_record_put(record);
        return TN_RT_OK;
    }
    uint64_t word = sync ? block->word | SYNC_BIT : block->word & ~SYNC_BIT;
    return tn_rt_error_or(tarn_address_set_user(block->start, word), TN_RT_INVALID_VALUE);
}

// ---- records

struct tn_rt_record *tn_rt_record_get(const struct tn_rt_block *block) {
    return is_handle(block->word)
               ? (struct tn_rt_record *)tn_face_handle_find((uintptr_t)block->word, TN_RT_RECORD)
               : NULL;
}

void tn_rt_record_put(struct tn_rt_record *record) { tn_face_object_put(&record->object); }

tn_rt_error tn_rt_record_make(const struct tn_rt_block *block, struct tn_rt_record **record) {
    struct tn_rt_block now; // another thread may have made the record meanwhile
    TN_RT_TRY(tn_rt_block_find((const void *)(uintptr_t)block->start, block->kind, &now));
    struct tn_rt_record *made = tn_rt_record_get(&now);
    if (made != NULL) {
        *record = made;
        return TN_RT_OK;
    }
    made = (struct tn_rt_record *)calloc(1, sizeof *made);
    if (made == NULL || !tn_face_handle_new(&made->object, TN_RT_RECORD, destroy_record)) {
        free(made);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the record of a block");
    }
    made->start = now.start;
    atomic_init(&made->word, now.word);
    tn_face_object_keep(&made->object);
    tn_rt_error error = tn_rt_error_of(tarn_address_set_user(now.start, made->object.handle));
    if (error != TN_RT_OK) {
        (void)tn_face_handle_end(made->object.handle, TN_RT_RECORD);
        tn_rt_record_put(made);
        return error;
    }
    *record = made;
    return TN_RT_OK;
}

void tn_rt_record_end(const struct tn_rt_block *block) {
    if (is_handle(block->word)) (void)tn_face_handle_end((uintptr_t)block->word, TN_RT_RECORD);
}

static void forget_blocks(void) {
    inherited_ids = atomic_load_explicit(&last_id, memory_order_relaxed);
}

TN_FACE_ON_FORK(TN_RT_LOCK_RECORD, &tn_rt_records_lock, forget_blocks);
