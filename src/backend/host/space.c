// SPDX-License-Identifier: Apache-2.0
// Reserving addresses from the kernel. See space.h.
#include "backend/host/space.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "backend/host/sys.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/round.h"
#include "base/tsan.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { FRESH_TRIES = 16 }; // ranges that are passed over because something is there

// The kernel merges a restored range with its neighbours only if the flags are equal.
#define RESERVE_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

bool tn_host_space_restore(uint64_t addr, uint64_t size) {
    return tn_host_sys_mmap(addr, size, PROT_NONE, RESERVE_FLAGS | MAP_FIXED, -1, 0) != 0;
}

bool tn_host_space_restore_views(const struct tn_host_space *space, uint64_t addr, uint64_t size) {
    bool cpu = tn_host_space_restore(addr, size);
    bool engine = space->alias == 0 || tn_host_space_restore(addr + space->alias, size);
    return cpu && engine;
}

// Maps exactly this range, or returns 0.
static uint64_t reserve_at(uint64_t addr, uint64_t size) {
    if (addr == 0 || size > TN_HOST_SPACE_END || addr > TN_HOST_SPACE_END - size) return 0;
    uint64_t got =
        tn_host_sys_mmap(addr, size, PROT_NONE, RESERVE_FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != 0 && got != addr) { // an old kernel treats the flag as a hint
        (void)tn_host_sys_munmap(got, size);
        errno = EEXIST;
        return 0;
    }
    return got;
}

// Unmaps [got, got + all) except [keep, keep + size). Returns false with errno, and all of it
// unmapped, if the system refuses.
static bool unmap_around(uint64_t got, uint64_t all, uint64_t keep, uint64_t size) {
    uint64_t end = keep + size;
    TARN_ASSERT(got <= keep && end <= got + all);
    if ((keep > got && tn_host_sys_munmap(got, keep - got) != 0) ||
        (got + all > end && tn_host_sys_munmap(end, got + all - end) != 0)) {
        int error = errno;
        (void)munmap((void *)(uintptr_t)got, all);
        errno = error;
        return false;
    }
    return true;
}

// Reservations have a part of the address space of their own, which the kernel uses last, and get ascending
// addresses in it. So the addresses of a released one stay unused until the part has been used
// once, and a stale pointer into them finds no memory. The kernel's own choice would often be the range
// that was released last. The part lies in the application memory of ASan.
#define FRESH_BEGIN ((uint64_t)0x20 << 40)
#define FRESH_END   ((uint64_t)0x50 << 40)
#define FRESH_SIZE  (FRESH_END - FRESH_BEGIN)

// Where the next search begins, from FRESH_BEGIN on.
static _Atomic(uint64_t) fresh_next;

// Processes begin at different addresses, 4 GiB apart, in the first third of the part.
static uint64_t first_fresh(void) {
    const unsigned char *random = (const unsigned char *)(uintptr_t)getauxval(AT_RANDOM);
    return random == NULL ? 0 : ((uint64_t)(random[0] & 0xf) << 8 | random[1]) << 32;
}

// Takes addresses of the part that no call has taken since it began anew. Any thread.
static uint64_t take_fresh(uint64_t size, uint64_t alignment) {
    uint64_t next = tn_load_relaxed(&fresh_next);
    uint64_t at;
    do {
        at = tn_round_up(FRESH_BEGIN + (next != 0 ? next : first_fresh()), alignment);
        if (at > FRESH_END - size) at = tn_round_up(FRESH_BEGIN, alignment);
    } while (!tn_cas_weak_relaxed(&fresh_next, &next, at + size - FRESH_BEGIN));
    TARN_ASSERT(at >= FRESH_BEGIN && at <= FRESH_END - size && at % alignment == 0);
    return at;
}

// Returns true if a tool keeps the process out of the part. The thread sanitizer would map a hint outside
// of its own ranges at address 0.
static bool is_part_taken(void) {
    return __tsan_acquire != NULL ||
           (tn_bytes_watched() && tn_load_relaxed(&tn_bytes_watcher) == TN_WATCHER_VALGRIND);
}

// Maps an aligned range of the part. Returns 0 if there is none, or if the system has no such part.
static uint64_t reserve_fresh(uint64_t size, uint64_t alignment) {
    uint64_t got = 0;
    if (size > FRESH_SIZE / 8 || alignment > FRESH_SIZE / 8 || is_part_taken()) return 0;
    for (int tries = 0; tries < FRESH_TRIES && got == 0; tries++) {
        got = reserve_at(take_fresh(size, alignment), size);
        if (got == 0 && errno != EEXIST) break;
    }
    return got;
}

// Maps an aligned range anywhere. Returns 0 with errno on failure.
static uint64_t reserve_anywhere(uint64_t size, uint64_t alignment, uint64_t page) {
    uint64_t got = tn_host_sys_mmap(0, size, PROT_NONE, RESERVE_FLAGS, -1, 0);
    if (got == 0 || got % alignment == 0) return got;
    (void)tn_host_sys_munmap(got, size);
    uint64_t all = size + alignment - page;
    if (all < size) {
        errno = ENOMEM;
        return 0;
    }
    got = tn_host_sys_mmap(0, all, PROT_NONE, RESERVE_FLAGS, -1, 0);
    if (got == 0) return 0;
    uint64_t keep = tn_round_up(got, alignment);
    return unmap_around(got, all, keep, size) ? keep : 0;
}

static tarn_status no_address_space(uint64_t size, uint64_t alignment) {
    return tn_fail_native(TARN_NO_ADDRESS_SPACE, "mmap", errno,
                          "cannot reserve %llu bytes of address space aligned to %llu",
                          (unsigned long long)size, (unsigned long long)alignment);
}

// Maps the views of a space: the CPU's, and the alias with access=strict.
static tarn_status reserve_views(const struct tn_host *h, struct tn_host_space *space,
                                 uint64_t alignment, uint64_t hint) {
    uint64_t page = h->probe.page;
    space->base = hint % alignment == 0 ? reserve_at(hint, space->size) : 0;
    if (space->base == 0 && space->kind == TN_HOST_SPACE_RESERVATION)
        space->base = reserve_fresh(space->size, alignment);
    if (space->base == 0) space->base = reserve_anywhere(space->size, alignment, page);
    if (space->base == 0) return no_address_space(space->size, alignment);
    if (h->config.access == TN_HOST_STRICT && space->kind != TN_HOST_SPACE_PINNED) {
        uint64_t alias = reserve_anywhere(space->size, alignment, page);
        if (alias == 0) {
            tarn_status status = no_address_space(space->size, alignment);
            (void)tn_host_sys_munmap(space->base, space->size);
            return status;
        }
        space->alias = alias - space->base;
    }
    return TARN_OK;
}

static int64_t view_count(const struct tn_host *h, enum tn_host_space_kind kind) {
    return h->config.access == TN_HOST_STRICT && kind != TN_HOST_SPACE_PINNED ? 2 : 1;
}

static void unmap_views(const struct tn_host_space *space) {
    (void)tn_host_sys_munmap(space->base, space->size);
    if (space->alias != 0) (void)tn_host_sys_munmap(space->base + space->alias, space->size);
}

tarn_status tn_host_space_open(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                               uint64_t alignment, uint64_t hint, struct tn_host_space **space) {
    TARN_ASSERT(size != 0 && tn_rwlock_is_held(&h->mmu_lock));
    struct tn_host_space *made = tn_host_sys_alloc(sizeof(struct tn_host_space));
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the record of a reservation");
    made->kind = kind;
    made->size = size;
    tarn_status status = TARN_OK;
    if (!tn_host_budget_reserve(&h->budget, view_count(h, kind))) {
        status = tn_host_budget_exceeded(&h->budget, "a reservation", view_count(h, kind));
        goto err_record;
    }
    if (alignment < h->config.granularity) alignment = h->config.granularity;
    status = reserve_views(h, made, alignment, hint);
    if (status != TARN_OK) goto err_budget;
    TARN_ASSERT(made->base % alignment == 0 && made->base + size <= TN_HOST_SPACE_END);
    made->next_fit = made->base;
    if (tn_interval_insert(&h->spaces, made->base, made->base + size, (uint64_t)(uintptr_t)made) !=
        TARN_OK) {
        status = tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the record of a reservation");
        goto err_views;
    }
    *space = made;
    return TARN_OK;
err_views:
    unmap_views(made);
err_budget:
    tn_host_budget_adjust(&h->budget, -view_count(h, kind));
err_record:
    free(made);
    return status;
}

void tn_host_space_close(struct tn_host *h, struct tn_host_space *space) {
    TARN_ASSERT(space != NULL && tn_host_space_find(h, space->base) == space);
    TARN_ASSERT(!tn_interval_overlaps(&h->pages, space->base, space->base + space->size));
    (void)tn_interval_remove(&h->spaces, space->base, NULL);
    h->recent = NULL;
    unmap_views(space);
    tn_host_budget_adjust(&h->budget, -view_count(h, space->kind));
    free(space);
}

struct tn_host_space *tn_host_space_find(const struct tn_host *h, uint64_t addr) {
    struct tn_interval_entry entry;
    if (!tn_interval_find(&h->spaces, addr, &entry)) return NULL;
    return (struct tn_host_space *)(uintptr_t)entry.value;
}

struct tn_host_space *tn_host_space_to_change(struct tn_host *h, uint64_t addr) {
    if (h->recent == NULL || addr - h->recent->base >= h->recent->size)
        h->recent = tn_host_space_find(h, addr);
    TARN_ASSERT(h->recent == tn_host_space_find(h, addr)); // no space that has ended
    return h->recent;
}
