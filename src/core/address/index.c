// SPDX-License-Identifier: Apache-2.0
// The index of regions, the ranges of owners, and the addresses that regions ever had: three
// interval maps of the process under one lock. See index.h.
#include "core/address/index.h"

#include <sched.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/readers.h"
#include "core/address/past.h"
#include "core/platform/fork.h"

enum { PAGE = 4096 };

static void close_readers(struct tn_rwlock *of_index);

static struct tn_rwlock lock = TN_RWLOCK_BESIDE(close_readers, SPACES, "index");
static struct tn_readers readers;  // beside the lock
static struct tn_interval regions; // value = struct tn_region *
static struct tn_interval ranges;  // value = struct tn_owner *
// Where regions are or were, registrations excepted: [1] pinned host memory, [0] all other kinds. A
// live region comes before its entry here.
static struct tn_past past[2];

struct tn_region *tn_region_new(enum tn_region_kind kind, struct tn_platform *platform,
                                struct tn_owner *owner) {
    struct tn_region *region = calloc(1, sizeof *region);
    if (region == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a region");
        return NULL;
    }
    *region = (struct tn_region){.kind = kind, .platform = platform, .owner = owner};
    tn_mutex_init(&region->lock, TN_RANK_SPACE, "space");
    tn_interval_init(&region->mappings);
    return region;
}

void tn_region_keep_spares(struct tn_region *region, size_t kept) {
    while (region->spares > kept) {
        struct tn_mapping *record = region->spare;
        TARN_ASSERT(record != NULL);
        region->spare = record->next;
        region->spares--;
        free(record);
    }
    TARN_ASSERT((region->spares == 0) == (region->spare == NULL));
}

void tn_region_free(struct tn_region *region) {
    TARN_ASSERT(tn_interval_count(&region->mappings) == 0);
    tn_interval_fini(&region->mappings);
    tn_region_keep_spares(region, 0);
    tn_mutex_fini(&region->lock);
    free(region);
}

void tn_index_read(void) { tn_rwlock_read(&lock); }

void tn_index_read_done(void) { tn_rwlock_unlock(&lock); }

bool tn_index_try_read(void) { return tn_rwlock_try_read(&lock); }

struct tn_reader *tn_index_peek(void) {
    return tn_readers_enter(&readers, &lock);
}

void tn_index_peek_done(struct tn_reader *reader) { tn_readers_leave(reader, &lock); }

void tn_index_hold(struct tn_reader *reader, struct tn_owner *owner) {
    if (reader == NULL) {
        tn_owner_hold(owner);
        return;
    }
    TARN_ASSERT(tn_load_relaxed(&reader->held) == NULL); // a thread has one hold at a time
    tn_store_relaxed(&reader->held, owner);
    atomic_signal_fence(memory_order_seq_cst); // tn_owner_drain() makes it a real fence
}

void tn_index_put(struct tn_reader *reader, struct tn_owner *owner) {
    TARN_ASSERT(reader == NULL || tn_load_relaxed(&reader->held) == owner);
    if (reader != NULL)
        tn_store_release(&reader->held, NULL);
    else
        tn_owner_put(owner);
}

// A thread stores its hold and then loads what the caller of tn_owner_drain() has changed, with no
// fence in between. The barrier is that fence.
void tn_owner_drain(struct tn_owner *owner) {
    if (tn_barrier_works()) tn_barrier();
    for (unsigned i = 0; i < TN_READER_SLOTS; i++)
        while (tn_load_acquire(&readers.slots[i].held) == owner)
            (void)sched_yield(); // queries are short, and none can begin
    while (tn_load_acquire(&owner->holds) != 0) (void)sched_yield();
}

static void close_readers(struct tn_rwlock *of_index) {
    (void)of_index;
    tn_readers_close(&readers);
}

void tn_index_write(void) { tn_rwlock_write(&lock); }

void tn_index_write_done(void) { tn_rwlock_unlock(&lock); }

// ---- look-up

static struct tn_region *region_of(const struct tn_interval_entry *entry) {
    return (struct tn_region *)(uintptr_t)entry->value;
}

struct tn_region *tn_index_find(tarn_addr addr) {
    TARN_ASSERT(tn_rwlock_is_held(&lock));
    struct tn_interval_entry entry;
    return tn_interval_find(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

struct tn_region *tn_index_next(tarn_addr addr) {
    TARN_ASSERT(tn_rwlock_is_held(&lock));
    struct tn_interval_entry entry;
    return tn_interval_next(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

// Returns the region that holds addr if it is one of the two that the reader found last, else NULL.
static struct tn_region *found_before(const struct tn_reader *reader, tarn_addr addr) {
    for (int i = 0; i < 2 && reader != NULL; i++) {
        struct tn_region *region = tn_load_relaxed(&reader->found[i]);
        if (region != NULL && addr - region->base < region->bytes) return region;
    }
    return NULL;
}

// Keeps a region that holds addr for found_before(). Returns `region`, which may be NULL.
static struct tn_region *keep_found(struct tn_reader *reader, tarn_addr addr,
                                    struct tn_region *region) {
    if (reader != NULL && region != NULL && region->base <= addr) {
        TARN_ASSERT(addr - region->base < region->bytes);
        tn_store_relaxed(&reader->found[1], tn_load_relaxed(&reader->found[0]));
        tn_store_relaxed(&reader->found[0], region);
    }
    return region;
}

struct tn_region *tn_index_peek_find(struct tn_reader *reader, tarn_addr addr) {
    struct tn_region *region = found_before(reader, addr);
    return region != NULL ? region : keep_found(reader, addr, tn_index_find(addr));
}

struct tn_region *tn_index_peek_next(struct tn_reader *reader, tarn_addr addr) {
    struct tn_region *region = found_before(reader, addr);
    return region != NULL ? region : keep_found(reader, addr, tn_index_next(addr));
}

bool tn_index_peek_nothing(const struct tn_reader *reader, tarn_addr addr, tarn_addr end) {
    return reader != NULL && tn_load_relaxed(&reader->from) <= addr && addr < end &&
           end <= tn_load_relaxed(&reader->to);
}

void tn_index_keep_nothing(struct tn_reader *reader, tarn_addr addr) {
    const struct tn_interval *const maps[] = {&regions, &ranges, &past[0].map, &past[1].map};
    struct tn_interval_entry next;
    uint64_t end = UINT64_MAX;
    if (reader == NULL) return;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        if (tn_interval_next(maps[i], addr, &next) && next.start < end) end = next.start;
    for (size_t i = 0; i < 2; i++) // a history has the range that it added last beside its map
        if (past[i].lo > addr && past[i].lo < end) end = past[i].lo;
    TARN_ASSERT(addr < end); // something at the address is no range without anything
    tn_store_relaxed(&reader->from, addr);
    tn_store_relaxed(&reader->to, end);
}

struct tn_region *tn_index_prev(tarn_addr addr) {
    TARN_ASSERT(tn_rwlock_is_held(&lock));
    struct tn_interval_entry entry;
    return tn_interval_prev(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

struct tn_owner *tn_index_find_range(tarn_addr addr, struct tn_interval_entry *range) {
    return tn_interval_find(&ranges, addr, range) ? (struct tn_owner *)(uintptr_t)range->value
                                                  : NULL;
}

bool tn_index_was_region(tarn_addr addr, tarn_addr end) {
    TARN_ASSERT(tn_rwlock_is_held(&lock));
    return tn_past_overlaps(&past[0], addr, end) || tn_past_overlaps(&past[1], addr, end);
}

bool tn_index_was_host(tarn_addr addr) { return !tn_past_overlaps(&past[0], addr, addr + 1); }

tarn_status tn_region_refuse(tarn_addr addr) {
    return tn_fail(TARN_BAD_ADDRESS,
                   "0x%llx belongs to a pool; only the pool's own functions change or free it",
                   (unsigned long long)addr);
}

static const char *kind_text(enum tn_region_kind kind) {
    static const char *const texts[] = {"a reservation", "device memory", "pinned host memory",
                                        "registered host memory", "imported device memory"};
    return texts[kind];
}

tarn_status tn_region_check(const struct tn_region *region, enum tn_region_kind kind,
                            const struct tn_owner *owner, tarn_addr addr) {
    if (region != NULL && region->owner != owner) return tn_region_refuse(addr);
    TN_REFUSE(region == NULL || region->kind != kind || region->base != addr, TARN_BAD_ADDRESS,
              "0x%llx is not the start of %s", (unsigned long long)addr, kind_text(kind));
    return tn_platform_usable(region->platform);
}

// ---- changes

// The end of the pages that a region takes: work must not touch them after its release either.
static tarn_addr end_of_pages(const struct tn_region *region) {
    uint64_t bytes = region->charged > region->bytes ? region->charged : region->bytes;
    tarn_addr end = region->base + bytes;
    return end > UINT64_MAX - (PAGE - 1) ? end : (end + PAGE - 1) & ~(tarn_addr)(PAGE - 1);
}

// Adds the region to the statistics (`sign` 1) or removes it (-1). Under the write lock.
static void count_region(const struct tn_region *region, int64_t sign) {
    struct tn_platform *platform = region->platform;
    int64_t bytes = sign * (int64_t)region->bytes;
    TARN_ASSERT(tn_rwlock_is_held(&lock) && (sign == 1 || sign == -1));
    switch (region->kind) {
    case TN_REGION_SPACE:
        TN_COUNT(platform, reservations, sign);
        TN_COUNT(platform, reserved_bytes, bytes);
        break;
    case TN_REGION_MEMORY:
        TN_COUNT(platform, memory_blocks, sign);
        TN_COUNT(platform, memory_bytes, bytes);
        break;
    case TN_REGION_IMPORTED:
        TN_COUNT(platform, imported_blocks, sign);
        TN_COUNT(platform, imported_bytes, bytes);
        break;
    case TN_REGION_HOST:
    case TN_REGION_REGISTERED:
        TN_COUNT(platform, host_blocks, sign);
        TN_COUNT(platform, host_bytes, bytes);
        break;
    }
    TN_COUNT(platform, backend_calls, 1);
}

tarn_status tn_index_insert(struct tn_region *region) {
    tarn_addr end = region->base + region->bytes;
    TARN_ASSERT(region->bytes != 0 && region->base < end); // it does not wrap
    TARN_ASSERT(tn_interval_count(&region->mappings) == 0);
    tn_rwlock_write(&lock);
    tarn_status status =
        tn_interval_insert(&regions, region->base, end, (uint64_t)(uintptr_t)region);
    if (status == TARN_OK && region->kind != TN_REGION_REGISTERED)
        tn_past_add(&past[region->kind == TN_REGION_HOST], region->base, end_of_pages(region));
    if (status == TARN_OK) {
        (void)tn_add_relaxed(&region->platform->in_backend, 1);
        count_region(region, 1);
    }
    tn_rwlock_unlock(&lock);
    TN_REFUSE(status == TARN_BUSY, TARN_BUSY,
              "[0x%llx, +0x%llx) overlaps memory that is known already",
              (unsigned long long)region->base, (unsigned long long)region->bytes);
    TN_REFUSE(status != TARN_OK, status, "no memory to index a region");
    return TARN_OK;
}

static tarn_status check_removal(const struct tn_region *region, enum tn_region_kind kind,
                                 const struct tn_owner *owner, tarn_addr addr, uint64_t bytes) {
    TN_TRY(tn_region_check(region, kind, owner, addr));
    TN_REFUSE(bytes != 0 && region->bytes != bytes, TARN_BAD_ADDRESS,
              "%s at 0x%llx has 0x%llx bytes, not 0x%llx", kind_text(kind),
              (unsigned long long)addr, (unsigned long long)region->bytes,
              (unsigned long long)bytes);
    uint64_t mapped = tn_interval_count(&region->mappings);
    return mapped == 0 ? TARN_OK
                       : tn_fail(TARN_BUSY, "%llu mappings are left in the reservation at 0x%llx",
                                 (unsigned long long)mapped, (unsigned long long)addr);
}

tarn_status tn_index_remove(enum tn_region_kind kind, const struct tn_owner *owner, tarn_addr addr,
                            uint64_t bytes, struct tn_region **region) {
    tn_rwlock_write(&lock); // no thread works on any region while this is held
    struct tn_region *found = tn_index_find(addr);
    tarn_status status = check_removal(found, kind, owner, addr, bytes);
    if (status == TARN_OK) {
        (void)tn_interval_remove(&regions, addr, NULL);
        count_region(found, -1);
        TARN_ASSERT(found->base == addr && tn_index_find(addr) == NULL);
        *region = found;
    }
    tn_rwlock_unlock(&lock);
    return status;
}

tarn_status tn_owner_add_range(struct tn_owner *owner, tarn_addr addr, uint64_t bytes) {
    TARN_ASSERT(bytes != 0 && addr <= UINT64_MAX - bytes);
    TN_WRITE_LOCKED(&lock);
    tarn_status status =
        tn_interval_insert(&ranges, addr, addr + bytes, (uint64_t)(uintptr_t)owner);
    return status == TARN_OK ? TARN_OK
                             : tn_fail(status, "the range [0x%llx, +0x%llx) cannot be registered",
                                       (unsigned long long)addr, (unsigned long long)bytes);
}

void tn_owner_remove_range(tarn_addr addr) {
    TN_WRITE_LOCKED(&lock);
    bool removed = tn_interval_remove(&ranges, addr, NULL);
    TARN_ASSERT(removed); // the owner names the start of a range of its own
    (void)removed;
}

void tn_index_forget(tarn_addr addr, tarn_addr end) {
    tarn_addr lo = addr & ~(tarn_addr)(PAGE - 1);
    tarn_addr hi = (end + PAGE - 1) & ~(tarn_addr)(PAGE - 1);
    TARN_ASSERT(addr < end && lo < hi);
    TN_WRITE_LOCKED(&lock);
    tn_past_remove(&past[0], lo, hi);
    tn_past_remove(&past[1], lo, hi);
}

bool tn_index_check(void) {
    TARN_ASSERT(tn_rwlock_is_held(&lock) && tn_past_check(&past[0]) && tn_past_check(&past[1]));
    return tn_interval_check(&regions) && tn_interval_check(&ranges) &&
           tn_interval_check(&past[0].map) && tn_interval_check(&past[1].map);
}

// Taken for writing before a fork: no thread then works on any reservation, so none of their locks
// is held.
TN_ON_FORK(index, .rank = TN_RANK_SPACES, .rwlock = &lock);
