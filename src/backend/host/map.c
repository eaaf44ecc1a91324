// SPDX-License-Identifier: Apache-2.0
// Reserving, mapping, unmapping and rights: one system call for each run of neighbours that the
// kernel can change together. See map.h.
#include "backend/host/map.h"

#include <errno.h>
#include <sys/mman.h>

#include "backend/host/deferred.h"
#include "backend/host/layout.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "base/bytes.h"
#include "base/error.h"

static tarn_status map_refused(const char *call, uint64_t addr, uint64_t size) {
    tarn_status status = errno == ENOMEM ? TARN_NO_MAPPINGS : TARN_SYSTEM;
    return tn_fail_native(status, call, errno, "0x%llx, %llu bytes: %s", (unsigned long long)addr,
                          (unsigned long long)size, strerror(errno));
}

// ---- reserve

tarn_status tn_host_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                            tarn_addr *addr) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_space *space = NULL;
    TN_WRITE_LOCKED(&h->mmu_lock);
    tarn_status status =
        tn_host_space_open(h, TN_HOST_SPACE_RESERVATION, size, alignment, hint, &space);
    if (status == TARN_OK) *addr = space->base;
    return status;
}

void tn_host_release(void *p, tarn_addr addr, uint64_t size) {
    struct tn_host *h = (struct tn_host *)p;
    TN_WRITE_LOCKED(&h->mmu_lock);
    struct tn_host_space *space = tn_host_space_find(h, addr);
    TARN_ASSERT(space != NULL && space->base == addr && space->size == size);
    (void)size;
    tn_host_deferred_forget(h, space);
    tn_host_space_close(h, space);
}

// After a system call the processor mispredicts each return, because the kernel's own calls have
// replaced what it remembers of ours. So functions around the calls of this file are one.
#define FLAT __attribute__((flatten))

// ---- the kernel's view

// Consecutive bytes of one file at consecutive addresses.
struct run {
    const struct tn_host_phys *phys; // of its first item
    uint64_t addr;
    uint64_t size;
};

static bool map_view(const struct run *run, uint64_t alias, int protection) {
    uint64_t addr = run->addr + alias;
    int fd = run->phys->arena != NULL ? run->phys->arena->fd : run->phys->fd;
    if (tn_host_sys_mmap(addr, run->size, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd,
                         run->phys->offset) == 0)
        return false;
    // Valgrind takes pages without rights of the CPU for missing. A copy may use them all the same.
    tn_bytes_take_as_written((void *)(uintptr_t)addr, run->size);
    if (run->phys->page_class == TARN_PAGE_HUGE) {
        // Optional: without it the pages are small.
        (void)tn_host_sys_madvise(addr, run->size, MADV_HUGEPAGE);
    }
    return true;
}

// Maps both views, the engine's first: with two views the CPU's seldom has rights.
static bool map_views(const struct tn_host_space *space, const struct run *run, int protection) {
    return (space->alias == 0 || map_view(run, space->alias, PROT_READ | PROT_WRITE)) &&
           map_view(run, 0, protection);
}

// ---- map

static void unbind_items(struct tn_host *h, const tarn_backend_map_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) tn_host_phys_unbind(h, (uint32_t)items[i].phys);
}

// Assigns each item its place in a file. A failure unbinds the earlier items, unless they were
// bound before.
static tarn_status bind_items(struct tn_host *h, uint64_t addr, const tarn_backend_map_item *items,
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = (uint32_t)items[i].phys;
        TARN_ASSERT(items[i].size != 0 && items[i].size <= tn_host_phys_at(h, slot)->bytes);
        if (!tn_host_phys_at(h, slot)->bound) {
            tarn_status status = tn_host_phys_bind(h, slot, addr);
            if (status != TARN_OK) {
                unbind_items(h, items, i);
                return status;
            }
        }
        addr += items[i].size;
    }
    return TARN_OK;
}

// Cannot fail: memory for the entries has been reserved.
static void enter_items(struct tn_host *h, uint64_t addr, const tarn_backend_map_item *items,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = (uint32_t)items[i].phys;
        tarn_status status =
            tn_interval_insert(&h->pages, addr, addr + items[i].size, tn_host_page(slot, 0));
        TARN_ASSERT(status == TARN_OK);
        (void)status;
        tn_host_phys_at(h, slot)->maps++;
        addr += items[i].size;
    }
}

tarn_status tn_host_map_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                           const tarn_backend_map_item *items, size_t count) {
    uint64_t end = addr;
    for (size_t i = 0; i < count; i++) end += items[i].size;
    TARN_ASSERT(space != NULL && addr >= space->base && end <= space->base + space->size);
    TARN_ASSERT(space->kind != TN_HOST_SPACE_PINNED && tn_rwlock_is_held(&h->mmu_lock));
    if (tn_load_relaxed(&h->deferred) != 0 && !tn_host_deferred_complete(h, space, addr, end))
        return tn_host_budget_exceeded(&h->budget, "completing a deferred unmap", 2);
    TARN_ASSERT(!tn_interval_overlaps(&h->pages, addr, end));
    TN_REFUSE(!tn_interval_reserve(&h->pages, count), TARN_NO_HOST_MEMORY,
              "out of host memory for the records of %zu mappings", count);
    tarn_status status = bind_items(h, addr, items, count);
    if (status == TARN_OK)
        enter_items(h, addr, items, count);
    else
        (void)tn_interval_reserve(&h->pages, 0);
    return status;
}

FLAT tarn_status tn_host_map(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                             size_t count) {
    struct tn_host *h = (struct tn_host *)p;
    TN_WRITE_LOCKED(&h->mmu_lock);
    return tn_host_map_in(h, tn_host_space_to_change(h, addr), addr, items, count);
}

// ---- replacing bytes

static bool replace(const struct tn_host *h, const struct tn_host_space *space,
                    const struct tn_interval_entry *entry, const struct tn_host_phys *phys) {
    const struct run run = {phys, entry->start, entry->end - entry->start};
    return map_views(space, &run, tn_host_layout_protection(h, tn_host_page_rights(entry->value)));
}

// A walk over the mappings of one handle.
struct handle_walk {
    struct tn_interval_cursor at;
    uint32_t slot;
    uint32_t left; // mappings that it has not found yet
};

// A handle that is mapped once needs no search.
static struct handle_walk walk_handle(const struct tn_host *h, uint32_t slot, uint64_t addr) {
    uint32_t maps = tn_host_phys_at(h, slot)->maps;
    return (struct handle_walk){tn_interval_seek(&h->pages, maps == 1 ? addr : 0), slot, maps};
}

static bool walk_step(struct handle_walk *walk, struct tn_interval_entry *entry) {
    while (walk->left != 0 && tn_interval_step(&walk->at, entry))
        if (tn_host_page_slot(entry->value) == walk->slot) return walk->left-- != 0;
    return false;
}

// Replaces the mapping if the kernel has it. Returns false with errno.
static bool replace_entry(const struct tn_host *h, const struct tn_interval_entry *entry,
                          const struct tn_host_phys *phys) {
    return tn_host_page_rights(entry->value) == 0 ||
           replace(h, tn_host_space_find(h, entry->start), entry, phys);
}

// Replaces the mappings of a handle, and on failure restores those that it has replaced, which
// needs no more kernel mappings than before.
static tarn_status replace_all(const struct tn_host *h, const struct handle_walk *all,
                               const struct tn_host_phys *phys) {
    struct handle_walk walk = *all;
    struct tn_interval_entry entry;
    while (walk_step(&walk, &entry)) {
        if (replace_entry(h, &entry, phys)) continue;
        tarn_status status = map_refused("mmap", entry.start, entry.end - entry.start);
        uint32_t left = walk.left;
        for (walk = *all; walk.left != left && walk_step(&walk, &entry);)
            (void)replace_entry(h, &entry, tn_host_phys_at(h, walk.slot));
        return status;
    }
    return TARN_OK;
}

tarn_status tn_host_remap_in(struct tn_host *h, uint32_t slot, uint64_t addr,
                             const struct tn_host_phys *phys) {
    const struct handle_walk all = walk_handle(h, slot, addr);
    struct handle_walk walk = all;
    struct tn_interval_entry entry;
    int64_t mappings = 0;
    while (walk_step(&walk, &entry)) {
        if (tn_host_page_is_deferred(entry.value))
            return tn_host_budget_exceeded(&h->budget, "completing a deferred unmap", 2);
        if (tn_host_page_rights(entry.value) == 0) continue;
        struct tn_host_row row =
            tn_host_row_of(h, tn_host_space_find(h, entry.start), entry.start, entry.end);
        mappings += tn_host_layout_move(h, &row);
    }
    if (!tn_host_budget_reserve(&h->budget, mappings))
        return tn_host_budget_exceeded(&h->budget, "an export", mappings);
    tarn_status status = replace_all(h, &all, phys);
    if (status != TARN_OK) tn_host_budget_adjust(&h->budget, -mappings);
    return status;
}

// ---- unmap

static bool has_rights(const struct tn_host_row *row) {
    TN_INTERVAL_EACH(entry, at, row->first, row->hi)
        if (tn_host_page_rights(entry.value) != 0) return true;
    return false;
}

void tn_host_unmap_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                      uint64_t size) {
    TARN_ASSERT(space != NULL && tn_rwlock_is_held(&h->mmu_lock));
    TARN_ASSERT(tn_interval_covers_whole(&h->pages, addr, addr + size, NULL));
    struct tn_host_row row = tn_host_row_of(h, space, addr, addr + size);
    int64_t mappings = tn_host_layout_unmap(h, &row);
    if (has_rights(&row) &&
        (!tn_host_budget_may_split(mappings) || !tn_host_space_restore_views(space, addr, size))) {
        tn_host_deferred_add(h, space, addr, size);
        return;
    }
    tn_host_budget_adjust(&h->budget, mappings);
    TN_INTERVAL_EACH(entry, at, row.first, row.hi) {
        TARN_ASSERT(tn_host_phys_at(h, tn_host_page_slot(entry.value))->maps != 0);
        tn_host_phys_at(h, tn_host_page_slot(entry.value))->maps--;
    }
    (void)tn_interval_remove_range(&h->pages, row.lo, row.hi);
    if (tn_load_relaxed(&h->deferred) != 0)
        (void)tn_host_deferred_complete(h, space, space->base, space->base + space->size);
}

FLAT tarn_status tn_host_unmap(void *p, tarn_addr addr, uint64_t size) {
    struct tn_host *h = (struct tn_host *)p;
    TN_WRITE_LOCKED(&h->mmu_lock);
    tn_host_unmap_in(h, tn_host_space_to_change(h, addr), addr, size);
    return TARN_OK;
}

// ---- rights

// A change of rights on the mappings of a row.
struct access_change {
    struct tn_host_row row;
    uint32_t mask;
    uint32_t rights;
};

static uint32_t changed_rights(const struct access_change *change, uint64_t page) {
    return (tn_host_page_rights(page) & ~change->mask) | change->rights;
}

// Restores what the kernel mapped of [change->row.lo, stop), mapping by mapping. This needs no more
// kernel mappings than before. If the system refuses nevertheless, the CPU's view permits more than
// the rights; the engine still obeys the page table.
static void undo(const struct tn_host *h, const struct access_change *change, uint64_t stop) {
    TN_INTERVAL_EACH(entry, at, change->row.first, stop) {
        if (tn_host_page_rights(entry.value) == 0)
            (void)tn_host_space_restore_views(change->row.space, entry.start,
                                              entry.end - entry.start);
        else
            (void)replace(h, change->row.space, &entry,
                          tn_host_phys_at(h, tn_host_page_slot(entry.value)));
    }
}

// Neighbours that one system call changes.
struct stretch {
    struct run run;
    bool was; // they have rights now
    bool will;
    int protection; // then
    bool needed;    // some of it has another protection now, or is not mapped
};

static tarn_status change_stretch(struct tn_host *h, const struct access_change *change,
                                  const struct stretch *s) {
    const struct tn_host_space *space = change->row.space;
    bool done = !s->needed ? true
                : !s->will ? tn_host_space_restore_views(space, s->run.addr, s->run.size)
                : !s->was  ? map_views(space, &s->run, s->protection)
                           : tn_host_sys_mprotect(s->run.addr, s->run.size, s->protection) == 0;
    if (done) return TARN_OK;
    tarn_status status =
        map_refused(s->was && s->will ? "mprotect" : "mmap", s->run.addr, s->run.size);
    undo(h, change, s->run.addr + s->run.size);
    return status;
}

// Returns true if the next mapping, which is to be changed as described, belongs to the stretch.
static bool stretch_takes(const struct stretch *s, const struct stretch *next) {
    const struct tn_host_phys *a = s->run.phys;
    const struct tn_host_phys *b = next->run.phys;
    return s->was == next->was && s->will == next->will && s->protection == next->protection &&
           (s->was ||
            (a->arena != NULL && a->arena == b->arena && a->offset + s->run.size == b->offset));
}

// Makes one call for each stretch that changes. Memory that gets rights for the first time is given
// the contents of fresh memory before.
static tarn_status change_all(struct tn_host *h, const struct access_change *change) {
    struct stretch stretch = {0};
    TN_INTERVAL_EACH(entry, at, change->row.first, change->row.hi) {
        struct tn_host_phys *phys = tn_host_phys_at(h, tn_host_page_slot(entry.value));
        uint32_t was = tn_host_page_rights(entry.value);
        uint32_t will = changed_rights(change, entry.value);
        const struct stretch next = {.run = {phys, entry.start, entry.end - entry.start},
                                     .was = was != 0,
                                     .will = will != 0,
                                     .protection = tn_host_layout_protection(h, will),
                                     .needed = (was != 0) != (will != 0) ||
                                               tn_host_layout_protection(h, was) !=
                                                   tn_host_layout_protection(h, will)};
        tarn_status status = will != 0 && !phys->touched ? tn_host_phys_touch(h, phys) : TARN_OK;
        if (status != TARN_OK) {
            undo(h, change, stretch.run.addr);
            return status;
        }
        if (stretch.run.size != 0 && stretch_takes(&stretch, &next)) {
            stretch.run.size += next.run.size;
            stretch.needed |= next.needed;
            continue;
        }
        if (stretch.run.size != 0) TN_TRY(change_stretch(h, change, &stretch));
        stretch = next;
    }
    TARN_ASSERT(stretch.run.addr + stretch.run.size == change->row.hi);
    return change_stretch(h, change, &stretch);
}

tarn_status tn_host_access_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                              uint64_t size, uint32_t mask, uint32_t rights) {
    TARN_ASSERT(space != NULL && tn_rwlock_is_held(&h->mmu_lock));
    TARN_ASSERT(tn_interval_covers_whole(&h->pages, addr, addr + size, NULL));
    TARN_ASSERT((rights & ~mask) == 0); // only rights in the mask change
    const struct access_change change = {tn_host_row_of(h, space, addr, addr + size), mask, rights};
    int64_t mappings = tn_host_layout_access(h, &change.row, mask, rights);
    if (!tn_host_budget_reserve(&h->budget, mappings))
        return tn_host_budget_exceeded(&h->budget, "a change of access", mappings);
    tarn_status status = change_all(h, &change);
    if (status != TARN_OK) {
        tn_host_budget_adjust(&h->budget, -mappings);
        return status;
    }
    TN_INTERVAL_EACH(entry, at, change.row.first, change.row.hi)
        tn_interval_cursor_set(&at, tn_host_page(tn_host_page_slot(entry.value),
                                                 changed_rights(&change, entry.value)));
    return TARN_OK;
}

FLAT tarn_status tn_host_set_access(void *p, tarn_addr addr, uint64_t size,
                                    const tarn_grant *grants, size_t count) {
    struct tn_host *h = (struct tn_host *)p;
    uint32_t mask = 0;
    uint32_t rights = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned location = grants[i].location.type == TARN_LOCATION_DEVICE
                                ? tn_host_location(grants[i].location.id)
                                : TN_HOST_HERE;
        uint32_t all = tn_host_right(location, TARN_ACCESS_READ_WRITE);
        mask |= all;
        rights = (rights & ~all) | tn_host_right(location, grants[i].access);
    }
    TN_WRITE_LOCKED(&h->mmu_lock);
    return tn_host_access_in(h, tn_host_space_to_change(h, addr), addr, size, mask, rights);
}
