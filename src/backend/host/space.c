// SPDX-License-Identifier: Apache-2.0
// Reserving addresses from the kernel. See space.h.
#include "backend/host/space.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "backend/host/sys.h"
#include "base/error.h"
#include "base/round.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

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
        return 0;
    }
    return got;
}

// Unmaps [got, got + all) except [keep, keep + size). Returns false with errno, and all of it
// unmapped, if the system refuses.
static bool unmap_around(uint64_t got, uint64_t all, uint64_t keep, uint64_t size) {
    uint64_t end = keep + size;
    if ((keep > got && tn_host_sys_munmap(got, keep - got) != 0) ||
        (got + all > end && tn_host_sys_munmap(end, got + all - end) != 0)) {
        int error = errno;
        (void)munmap((void *)(uintptr_t)got, all);
        errno = error;
        return false;
    }
    return true;
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
    TARN_ASSERT(space != NULL);
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
    return h->recent;
}
