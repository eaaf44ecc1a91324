// SPDX-License-Identifier: Apache-2.0
// Unmaps that the kernel refused. See deferred.h.
#include "backend/host/deferred.h"

#include <sys/mman.h>

#include "backend/host/layout.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

// Guard markers make every access fault and split no mapping, on kernels that support them.
// Otherwise a change of protection may succeed if it splits no mapping. If both fail, the CPU can
// still read the bytes; the engine, which uses the page table, cannot.
static void hide_bytes(uint64_t addr, uint64_t size) {
    if (tn_host_sys_madvise(addr, size, MADV_GUARD_INSTALL) != 0)
        (void)tn_host_sys_mprotect(addr, size, PROT_NONE);
}

void tn_host_deferred_add(struct tn_host *h, const struct tn_host_space *space, uint64_t addr,
                          uint64_t size) {
    hide_bytes(addr, size);
    if (space->alias != 0) hide_bytes(addr + space->alias, size);
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&h->pages, addr), addr + size) {
        TARN_ASSERT(!tn_host_page_is_deferred(entry.value));
        tn_interval_cursor_set(&at, entry.value | TN_HOST_PAGE_DEFERRED);
        (void)tn_add_relaxed(&h->deferred, 1);
    }
}

// The kernel has unmapped it: removes the entry and its hold on the handle.
static void deferred_end(struct tn_host *h, const struct tn_interval_entry *entry,
                         int64_t mappings) {
    uint32_t slot = tn_host_page_slot(entry->value);
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TARN_ASSERT(tn_host_page_is_deferred(entry->value) && phys->maps != 0);
    TARN_ASSERT(tn_load_relaxed(&h->deferred) != 0);
    (void)tn_interval_remove(&h->pages, entry->start, NULL);
    (void)tn_sub_relaxed(&h->deferred, 1);
    tn_host_budget_adjust(&h->budget, mappings);
    if (--phys->maps == 0 && phys->doomed) tn_host_phys_free(h, slot);
}

static bool deferred_complete_one(struct tn_host *h, const struct tn_host_space *space,
                                  const struct tn_interval_entry *entry) {
    struct tn_host_row row = tn_host_row_of(h, space, entry->start, entry->end);
    int64_t mappings = tn_host_layout_unmap(h, &row);
    if (!tn_host_budget_may_split(mappings) ||
        !tn_host_space_restore_views(space, entry->start, entry->end - entry->start))
        return false;
    deferred_end(h, entry, mappings);
    return true;
}

// Finds the next deferred unmap that ends above `from` and begins below `hi`.
static bool deferred_next(const struct tn_host *h, uint64_t from, uint64_t hi,
                          struct tn_interval_entry *entry) {
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, from);
    while (tn_interval_step(&at, entry) && entry->start < hi)
        if (tn_host_page_is_deferred(entry->value)) return true;
    return false;
}

bool tn_host_deferred_complete(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                               uint64_t hi) {
    struct tn_interval_entry entry;
    for (uint64_t from = lo; deferred_next(h, from, hi, &entry); from = entry.end)
        if (!deferred_complete_one(h, space, &entry)) return false;
    return true;
}

void tn_host_deferred_complete_all(struct tn_host *h) {
    struct tn_interval_entry entry;
    for (uint64_t from = 0;
         tn_load_relaxed(&h->deferred) != 0 && deferred_next(h, from, UINT64_MAX, &entry);
         from = entry.end)
        (void)deferred_complete_one(h, tn_host_space_find(h, entry.start), &entry);
}

void tn_host_deferred_forget(struct tn_host *h, const struct tn_host_space *space) {
    struct tn_interval_entry entry;
    while (tn_load_relaxed(&h->deferred) != 0 &&
           deferred_next(h, space->base, space->base + space->size, &entry)) {
        struct tn_host_row row = tn_host_row_of(h, space, entry.start, entry.end);
        deferred_end(h, &entry, tn_host_layout_unmap(h, &row));
    }
}
