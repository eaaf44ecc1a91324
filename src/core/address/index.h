// SPDX-License-Identifier: Apache-2.0
// The index of regions: look-up of every address that the library has issued. A region is a
// reservation, device memory, or pinned host memory. One lock guards the index; a thread that works
// on a region holds it for reading throughout, so the region cannot end meanwhile. retire.h removes
// regions.
#pragma once

#include "algo/interval.h"
#include "base/lock.h"
#include "core/address/owner.h"
#include "core/address/rights.h"

enum tn_region_kind {
    TN_REGION_SPACE,
    TN_REGION_MEMORY,
    TN_REGION_HOST,
    TN_REGION_REGISTERED,
    TN_REGION_IMPORTED,
};

struct tn_reader; // base/readers.h

// The record of one mapping. Owned by its region, under the region's lock.
struct tn_mapping {
    struct tn_phys *phys; // holds one mapping reference
    tn_rights rights;
    struct tn_mapping *next; // of a spare record
};

struct tn_region {
    enum tn_region_kind kind;
    struct tn_platform *platform;
    tarn_addr base;
    uint64_t bytes;
    struct tn_owner *owner; // NULL: the application or a face
    _Atomic bool of_face;   // relaxed, as is `user`: they inform only
    _Atomic uint64_t user;
    int device; // MEMORY, IMPORTED: where the bytes are; HOST: whose caller allocated it
    // MEMORY: capacity that it takes, its page size, and the class obtained.
    uint64_t charged;
    uint64_t page_bytes;
    tarn_page_class page_class;
    _Atomic bool exported; // MEMORY: a key to it exists; relaxed, set once under `lock`
    _Atomic int pin_class; // HOST, REGISTERED: a tarn_pin_class; relaxed, a registration is indexed
                           // before it is pinned
    // SPACE: its mappings, value = struct tn_mapping *. Under `lock`, which also serialises the
    // backend's calls about one reservation, and exports of one block.
    struct tn_mutex lock;
    struct tn_interval mappings;
    struct tn_mapping *spare; // records ready for use, under `lock`
    size_t spares;
    struct tn_reader *reader; // of the holder of `lock`, from tn_map_enter() to tn_map_leave()
};

static inline bool tn_region_is_host(const struct tn_region *region) {
    return region->kind == TN_REGION_HOST || region->kind == TN_REGION_REGISTERED;
}

// Creates a region with the given fields and zeros elsewhere. Returns NULL without host memory
// (recorded).
struct tn_region *tn_region_new(enum tn_region_kind kind, struct tn_platform *platform,
                                struct tn_owner *owner);
void tn_region_free(struct tn_region *region);
// Frees spare records of mappings until at most `kept` are left. Under the region's lock.
void tn_region_keep_spares(struct tn_region *region, size_t kept);

// Locks for reading, and unlocks. A region that is found stays valid in between.
void tn_index_read(void);
void tn_index_read_done(void);
// The same without a write to memory that other threads read. A thread reads so once at a time. The
// second function takes the result of the first.
struct tn_reader *tn_index_peek(void);
void tn_index_peek_done(struct tn_reader *reader);
// tn_owner_hold() and tn_owner_put() for a short reader, which notes the owner in its slot. The hold
// begins while it reads and ends later; a thread has one at a time.
void tn_index_hold(struct tn_reader *reader, struct tn_owner *owner);
void tn_index_put(struct tn_reader *reader, struct tn_owner *owner);
// Locks for writing, and unlocks. No thread works on any region in between, and none begins or
// ends.
void tn_index_write(void);
void tn_index_write_done(void);
// The same without waiting, for signal handlers.
bool tn_index_try_read(void);

// Returns the region that holds addr, or NULL. Under the read lock.
struct tn_region *tn_index_find(tarn_addr addr);
// Returns the first region that ends above addr, or NULL. Under the read lock.
struct tn_region *tn_index_next(tarn_addr addr);
// The same two for a short reader, whose last two regions are found again without a search.
struct tn_region *tn_index_peek_find(struct tn_reader *reader, tarn_addr addr);
struct tn_region *tn_index_peek_next(struct tn_reader *reader, tarn_addr addr);
// Returns true if a short reader knows that [addr, end) is and was in no region and no range. The
// second function stores that it has seen so for `addr`, for all up to the next region or range.
bool tn_index_peek_nothing(const struct tn_reader *reader, tarn_addr addr, tarn_addr end);
void tn_index_keep_nothing(struct tn_reader *reader, tarn_addr addr);
// Returns the last region that starts below addr, or NULL. Under the read lock.
struct tn_region *tn_index_prev(tarn_addr addr);

// Returns the owner of the range of tn_owner_add_range() that holds addr, and that range; or NULL.
// Under the read lock.
struct tn_owner *tn_index_find_range(tarn_addr addr, struct tn_interval_entry *range);

// Returns true if any address in [addr, end) was ever in a region other than a registration. Live
// regions count too. Under the read lock.
bool tn_index_was_region(tarn_addr addr, tarn_addr end);
// Returns true if the address, which was in a region, was in pinned host memory only.
bool tn_index_was_host(tarn_addr addr);
// Removes the history of the pages of [addr, end), which the process now uses for other memory.
// Takes the write lock.
void tn_index_forget(tarn_addr addr, tarn_addr end);

// Refuses a call about a region of another owner. BAD_ADDRESS; recorded.
tarn_status tn_region_refuse(tarn_addr addr);

// Checks that a region of that kind and owner starts at addr. `region` is the one found there, or
// NULL. Returns BAD_ADDRESS if it is another one, and FORKED if it belongs to the parent process.
// Records the error.
tarn_status tn_region_check(const struct tn_region *region, enum tn_region_kind kind,
                            const struct tn_owner *owner, tarn_addr addr);

// Inserts a region that the backend has made, and counts it. Returns BUSY if it overlaps another
// one, and NO_HOST_MEMORY if there is no memory for the record. Records the error. Takes the write
// lock.
tarn_status tn_index_insert(struct tn_region *region);

// Removes the region of that kind and owner that starts at addr from the index and the statistics.
// It counts as one of the platform's objects in_backend until the caller has freed it. `bytes` is 0
// or must match. Returns BAD_ADDRESS if no such region exists, BUSY if something is mapped in it,
// and FORKED if it belongs to the parent process. Records the error. Takes the write lock.
tarn_status tn_index_remove(enum tn_region_kind kind, const struct tn_owner *owner, tarn_addr addr,
                            uint64_t bytes, struct tn_region **region);

// Returns true if the index itself is consistent. Under either lock.
bool tn_index_check(void);
