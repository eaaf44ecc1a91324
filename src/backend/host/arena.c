// SPDX-License-Identifier: Apache-2.0
// Arenas: the offsets of extents in the file, and kept pages. See arena.h.
#include "backend/host/arena.h"

#include <errno.h>
#include <inttypes.h>

#include "backend/host/sys.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/round.h"
#include "base/uncancelled.h"

#define LAYERS     ((uint64_t)8192) // layers of the lower half of the file
#define TOP_BEGIN  (TN_HOST_ARENA_SIZE / 2)
#define CONGRUENCE ((uint64_t)2 << 20) // huge pages need offset and address equal modulo this

void tn_host_arena_init(struct tn_host_arena *arena, bool huge) {
    *arena = (struct tn_host_arena){.fd = -1, .huge = huge, .layer = 1, .top = TOP_BEGIN};
    tn_interval_init(&arena->taken);
    tn_interval_init(&arena->cached);
}

void tn_host_arena_fini(struct tn_host_arena *arena) {
    TARN_ASSERT(tn_host_arena_check(arena));
    if (arena->fd >= 0) tn_close(arena->fd);
    tn_interval_fini(&arena->taken);
    tn_interval_fini(&arena->cached);
}

static tarn_status open_file(struct tn_host_arena *arena) {
    int fd = tn_host_sys_memfd(arena->huge ? "tarn-arena-huge" : "tarn-arena");
    if (fd < 0)
        return tn_fail_native(tn_host_sys_status(errno), "memfd_create", errno,
                              "cannot create the arena file");
    if (tn_host_sys_truncate(fd, TN_HOST_ARENA_SIZE) != 0) {
        int error = errno;
        tn_close(fd);
        return tn_fail_native(tn_host_sys_status(error), "ftruncate", error,
                              "cannot make the arena file %llu bytes long",
                              (unsigned long long)TN_HOST_ARENA_SIZE);
    }
    arena->fd = fd;
    return TARN_OK;
}

// Frees the pages of every kept extent that touches [lo, hi). Returns false if the system refused.
static bool clean_cached(struct tn_host_arena *arena, uint64_t lo, uint64_t hi) {
    struct tn_interval_entry old;
    while (tn_interval_next(&arena->cached, lo, &old) && old.start < hi) {
        if (tn_host_sys_punch(arena->fd, old.start, old.end - old.start) != 0) return false;
        TARN_ASSERT(arena->cached_bytes >= old.end - old.start);
        arena->cached_bytes -= old.end - old.start;
        (void)tn_interval_remove(&arena->cached, old.start, NULL);
    }
    return true;
}

// Returns true if [offset, offset + size) can be assigned. The pages of an earlier extent are kept
// if it lay at exactly this place, else freed.
static bool extent_is_usable(struct tn_host_arena *arena, uint64_t offset, uint64_t size,
                             bool *stale) {
    uint64_t end = offset + size;
    TARN_ASSERT(offset < end);
    if (end > TN_HOST_ARENA_SIZE || tn_interval_overlaps(&arena->taken, offset, end)) return false;
    struct tn_interval_entry old;
    *stale =
        tn_interval_find(&arena->cached, offset, &old) && old.start == offset && old.end == end;
    return *stale || clean_cached(arena, offset, end);
}

// Tries the address itself, then its place in the layer that overflowed last and in the next ones.
static bool place_in_layers(struct tn_host_arena *arena, uint64_t addr, uint64_t size,
                            uint64_t *offset, bool *stale) {
    TARN_ASSERT(arena->layer != 0 && arena->layer < LAYERS);
    *offset = addr;
    if (extent_is_usable(arena, *offset, size, stale)) return true;
    for (int tries = 0; tries < 3; tries++) {
        *offset = arena->layer * TN_HOST_ARENA_LAYER + addr;
        if (*offset + size <= TOP_BEGIN && extent_is_usable(arena, *offset, size, stale))
            return true;
        arena->layer = arena->layer + 1 < LAYERS ? arena->layer + 1 : 1;
    }
    return false;
}

static bool place_at_top(struct tn_host_arena *arena, uint64_t addr, uint64_t size,
                         uint64_t *offset, bool *stale) {
    if (size > TN_HOST_ARENA_SIZE / 4) return false;
    uint64_t base = tn_round_up(arena->top, CONGRUENCE);
    *offset = base + addr % CONGRUENCE;
    if (extent_is_usable(arena, *offset, size, stale)) {
        arena->top = *offset + size;
        TARN_ASSERT((*offset - addr) % CONGRUENCE == 0 && arena->top > TOP_BEGIN);
        return true;
    }
    // The upper half has been used up once: search all of it. Slow and, at 2^61 bytes, rare.
    return tn_interval_gap(&arena->taken, TOP_BEGIN, TN_HOST_ARENA_SIZE, size, CONGRUENCE,
                           offset) &&
           extent_is_usable(arena, *offset, size, stale);
}

tarn_status tn_host_arena_bind(struct tn_host_arena *arena, uint64_t addr, uint64_t size,
                               uint32_t slot, uint64_t *offset, bool *stale) {
    TARN_ASSERT(addr < TN_HOST_ARENA_LAYER && size != 0);
    if (arena->fd < 0) TN_TRY(open_file(arena));
    uint64_t at = 0;
    bool kept = false;
    TN_REFUSE(!place_in_layers(arena, addr, size, &at, &kept) &&
                  !place_at_top(arena, addr, size, &at, &kept),
              TARN_NO_ADDRESS_SPACE, "no offsets for %" PRIu64 " bytes in the arena file", size);
    TN_REFUSE(tn_interval_insert(&arena->taken, at, at + size, slot) != TARN_OK,
              TARN_NO_HOST_MEMORY, "out of host memory for the record of %" PRIu64 " bytes", size);
    if (kept) {
        (void)tn_interval_remove(&arena->cached, at, NULL);
        arena->cached_bytes -= size;
    }
    TARN_ASSERT(!tn_interval_overlaps(&arena->cached, at, at + size));
    *offset = at;
    *stale = kept;
    return TARN_OK;
}

void tn_host_arena_unbind(struct tn_host_arena *arena, uint64_t offset) {
    bool removed = tn_interval_remove(&arena->taken, offset, NULL);
    TARN_ASSERT(removed);
    (void)removed;
    if (tn_interval_count(&arena->taken) == 0) {
        arena->layer = 1;
        arena->top = TOP_BEGIN;
    }
}

bool tn_host_arena_cache(struct tn_host_arena *arena, uint64_t offset, uint64_t size) {
    if (tn_interval_insert(&arena->cached, offset, offset + size, 0) != TARN_OK) return false;
    arena->cached_bytes += size;
    tn_host_arena_unbind(arena, offset);
    return true;
}

// Returns the run of neighbours that begins with the first kept extent.
static struct tn_interval_entry first_run(const struct tn_interval *cached) {
    struct tn_interval_entry run = {0, 0, 0};
    struct tn_interval_entry next;
    struct tn_interval_cursor at = tn_interval_seek(cached, 0);
    (void)tn_interval_step(&at, &run);
    while (tn_interval_step(&at, &next) && next.start == run.end) run.end = next.end;
    return run;
}

tarn_status tn_host_arena_trim(struct tn_host_arena *arena) {
    while (tn_interval_count(&arena->cached) != 0) {
        struct tn_interval_entry run = first_run(&arena->cached);
        if (tn_host_sys_punch(arena->fd, run.start, run.end - run.start) != 0)
            return tn_fail_native(tn_host_sys_status(errno), "fallocate", errno,
                                  "%" PRIu64 " bytes could not be freed", (run.end - run.start));
        TARN_ASSERT(run.start < run.end && arena->cached_bytes >= run.end - run.start);
        arena->cached_bytes -= run.end - run.start;
        (void)tn_interval_remove_range(&arena->cached, run.start, run.end);
    }
    TARN_ASSERT(arena->cached_bytes == 0);
    return TARN_OK;
}

bool tn_host_arena_check(const struct tn_host_arena *arena) {
    uint64_t bytes = 0;
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&arena->cached, 0), UINT64_MAX) {
        bytes += entry.end - entry.start;
        if (tn_interval_overlaps(&arena->taken, entry.start, entry.end)) return false;
    }
    return bytes == arena->cached_bytes && tn_interval_check(&arena->taken) &&
           tn_interval_check(&arena->cached);
}
