// SPDX-License-Identifier: Apache-2.0
// Sources: where a pool's memory comes from when it grows, behind a table of calls, so that tests
// can count the calls and fail any of them. A pool over a fixed range has no source. The pool calls
// a source under its growth lock only, one call at a time, never under a spin lock.
#pragma once

#include <tarn/backend.h>
#include <tarn/pool.h>

#include "core/pool/grow/handle.h"
#include "core/pool/owner.h"

typedef struct tn_pool_source tn_pool_source;

// A source has either the two calls of segments or the four of pages. Each succeeds completely or
// changes nothing.
typedef struct tn_pool_source_ops {
    // Allocates a segment of `bytes`; releases one, waiting for work unless TARN_NO_WAIT is in
    // `flags`.
    tarn_status (*grow)(tn_pool_source *source, uint64_t bytes, tarn_addr *addr);
    void (*shrink)(tn_pool_source *source, tarn_addr addr, uint64_t bytes, uint32_t flags);

    // Creates a spare handle of `pages` pages: it is held without an address.
    tarn_status (*create)(tn_pool_source *source, uint64_t pages);
    // Maps all spare handles, one after another from page number `first` of the reservation, ready
    // for use. There is at least one.
    tarn_status (*map)(tn_pool_source *source, uint64_t first);
    // Unmaps a run of complete handles, which are spare afterwards. No work uses them.
    tarn_status (*unmap)(tn_pool_source *source, uint64_t first, uint64_t pages);
    // Releases `count` spare handles from number `first` on.
    void (*drain)(tn_pool_source *source, size_t first, size_t count);

    // Returns the bytes that the device can still provide at most, or those that it states.
    uint64_t (*room)(tn_pool_source *source, bool stated);

    // Copies bytes that are mapped to host memory that it allocates, and back. No work uses them.
    tarn_status (*save)(tn_pool_source *source, tarn_addr addr, uint64_t bytes, void **copy);
    tarn_status (*load)(tn_pool_source *source, tarn_addr addr, uint64_t bytes, const void *copy);

    // Releases everything and frees the source.
    void (*destroy)(tn_pool_source *source);

    // Changes or returns the rights to all pages, those mapped now and later. NULL for segments.
    tarn_status (*set_access)(tn_pool_source *source, const tarn_grant *grants, size_t count);
    tarn_status (*get_access)(tn_pool_source *source, tarn_location location, tarn_access *access);
} tn_pool_source_ops;

// The first member of every source. Guarded by the pool's growth lock; the atomic ones are also
// read for statistics.
struct tn_pool_source {
    tn_pool_owner owner;
    const tn_pool_source_ops *ops;
    tarn_addr base;          // pages: of the reservation
    uint64_t bytes;          // pages: of the reservation
    uint64_t page_bytes;     // pages: a handle is a multiple of it; segments: a segment is
    uint64_t capacity;       // pages: bytes that the device had when the source was created
    uint64_t total;          // bytes of the device. 0: unknown
    bool announced;          // pages: the beginning of the reservation as a heap was emitted
    tn_pool_handles handles; // pages
    _Atomic(uint64_t) held_bytes;
    _Atomic(uint64_t) peak_held_bytes;
    tarn_backend_costs costs;          // of the device; all zero: unknown
    _Atomic(uint64_t) created_handles; // pages: handles; segments: segments
    _Atomic(uint64_t) created_bytes;
    _Atomic(uint64_t) released_handles;
    _Atomic(uint64_t) mapped_handles;
    _Atomic(uint64_t) mapped_bytes;
    _Atomic(uint64_t) unmapped_handles;
    _Atomic(uint64_t) driver_calls;
    _Atomic(uint64_t) map_calls;
    _Atomic(uint64_t) unmap_calls;
};

// The sources over the public API. `desc` has been checked; it is not kept.
tarn_status tn_pool_source_segments(const tarn_pool_desc *desc, tn_pool_source **source);
tarn_status tn_pool_source_pages(const tarn_pool_desc *desc, tn_pool_source **source);

// Count memory that the source has obtained in one handle or segment, or released in `handles` of
// them. For sources, as the next two.
void tn_pool_source_gained(tn_pool_source *source, uint64_t bytes);
void tn_pool_source_lost(tn_pool_source *source, uint64_t handles, uint64_t bytes);

// Enters all spare handles as mapped from page `first` on, or makes those of a run spare, and
// counts them.
void tn_pool_source_mapped(tn_pool_source *source, uint64_t first);
void tn_pool_source_unmapped(tn_pool_source *source, uint64_t first, uint64_t pages);

// Releases all spare handles.
static inline void tn_pool_source_drain(tn_pool_source *source) {
    source->ops->drain(source, 0, source->handles.spare_count);
}

// Returns the time of the source's calls by the costs of the device.
uint64_t tn_pool_source_ns(const tn_pool_source *source);

// Creates the source of a pool with a device. `desc` has been checked; its kind, limit and grants
// become those of the actual pool. Writes into `reason` why the kind changed, or "".
tarn_status tn_pool_source_choose(tarn_pool_desc *desc, tn_pool_source **source,
                                  char reason[TARN_POOL_REASON]);
