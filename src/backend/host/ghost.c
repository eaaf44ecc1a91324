// SPDX-License-Identifier: Apache-2.0
// Unmaps that the kernel refused. See ghost.h.
#include "backend/host/ghost.h"

#include <sys/mman.h>

#include "backend/host/layout.h"
#include "backend/host/phys.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "base/atomic.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

// Guard markers make every access fault and split nothing, where the kernel has them; else the
// protection may be changed if that splits nothing; else the CPU can still look, and the engine,
// which goes by the table, cannot.
static void hide(uint64_t addr, uint64_t size) {
    if (tn_host_sys_madvise(addr, size, MADV_GUARD_INSTALL) != 0) {
        (void)tn_host_sys_mprotect(addr, size, PROT_NONE);
    }
}

void tn_host_ghost_make(struct tn_host *h, const struct tn_host_space *space, uint64_t addr,
                        uint64_t size) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, addr);
    hide(addr, size);
    if (space->alias != 0) {
        hide(addr + space->alias, size);
    }
    while (tn_interval_step(&at, &entry) && entry.start < addr + size) {
        tn_interval_cursor_set(&at, entry.value | TN_HOST_PAGE_GHOST);
        (void)tn_add_relaxed(&h->ghosts, 1);
    }
}

// The kernel has let go: the entry and its hold on the handle end.
static void end_ghost(struct tn_host *h, const struct tn_interval_entry *ghost, int64_t mappings) {
    uint32_t slot = tn_host_page_slot(ghost->value);
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    (void)tn_interval_remove(&h->pages, ghost->start, NULL);
    (void)tn_sub_relaxed(&h->ghosts, 1);
    tn_host_budget_move(&h->budget, mappings);
    if (--phys->maps == 0 && phys->doomed) {
        tn_host_phys_finish(h, slot);
    }
}

static bool settle_one(struct tn_host *h, const struct tn_host_space *space,
                       const struct tn_interval_entry *ghost) {
    struct tn_host_row row = tn_host_row_of(h, space, ghost->start, ghost->end);
    int64_t mappings = tn_host_layout_unmap(h, &row);
    if (!tn_host_budget_may_split(mappings) ||
        !tn_host_space_heal_views(space, ghost->start, ghost->end - ghost->start)) {
        return false;
    }
    end_ghost(h, ghost, mappings);
    return true;
}

// The next ghost that ends above `from` and begins below `hi`.
static bool next_ghost(const struct tn_host *h, uint64_t from, uint64_t hi,
                       struct tn_interval_entry *ghost) {
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, from);
    while (tn_interval_step(&at, ghost) && ghost->start < hi) {
        if (tn_host_page_is_ghost(ghost->value)) {
            return true;
        }
    }
    return false;
}

bool tn_host_ghost_settle(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                          uint64_t hi) {
    struct tn_interval_entry ghost;
    for (uint64_t from = lo; next_ghost(h, from, hi, &ghost); from = ghost.end) {
        if (!settle_one(h, space, &ghost)) {
            return false;
        }
    }
    return true;
}

void tn_host_ghost_settle_all(struct tn_host *h) {
    struct tn_interval_entry ghost;
    for (uint64_t from = 0;
         tn_load_relaxed(&h->ghosts) != 0 && next_ghost(h, from, UINT64_MAX, &ghost);
         from = ghost.end) {
        (void)settle_one(h, tn_host_space_find(h, ghost.start), &ghost);
    }
}

void tn_host_ghost_forget(struct tn_host *h, const struct tn_host_space *space) {
    struct tn_interval_entry ghost;
    while (tn_load_relaxed(&h->ghosts) != 0 &&
           next_ghost(h, space->base, space->base + space->size, &ghost)) {
        struct tn_host_row row = tn_host_row_of(h, space, ghost.start, ghost.end);
        end_ghost(h, &ghost, tn_host_layout_unmap(h, &row));
    }
}
