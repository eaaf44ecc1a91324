// SPDX-License-Identifier: Apache-2.0
// Plain device memory and peers. See memory.h.
#include "backend/host/memory.h"

#include "backend/host/deferred.h"
#include "backend/host/map.h"
#include "backend/host/space.h"
#include "base/error.h"
#include "base/round.h"

// ---- windows

// Window sizes double, so that there are few windows, up to a size that tools such as Valgrind
// allow.
#define WINDOW_MIN  ((uint64_t)64 << 20)
#define WINDOW_MAX  ((uint64_t)4 << 30)
#define WINDOW_UNIT ((uint64_t)2 << 20) // alignment of windows, for huge pages

static tarn_status window_open(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                               uint64_t alignment, struct tn_host_space **window) {
    uint64_t wish = WINDOW_MIN;
    for (const struct tn_host_space *w = h->windows; w != NULL; w = w->next)
        if (w->kind == kind && wish < 2 * w->size) wish = 2 * w->size;
    wish = wish < WINDOW_MAX ? wish : WINDOW_MAX;
    wish = (wish > size ? wish : size) + h->config.granularity - 1;
    wish &= ~(h->config.granularity - 1);
    alignment = alignment > WINDOW_UNIT ? alignment : WINDOW_UNIT;
    TN_TRY(tn_host_space_open(h, kind, wish, alignment, 0, window));
    (*window)->next = h->windows;
    h->windows = *window;
    return TARN_OK;
}

// Returns the number of addresses before and behind each block that stay unmapped, so that an access which
// leaves the block faults. Blocks then no longer share mappings of the kernel.
static uint64_t gap_around(const struct tn_host *h, uint64_t unit) {
    uint64_t used = 0;
    uint64_t limit = 0;
    if (h->config.gap == 0) return 0;
    tn_host_budget_query(&h->budget, &used, &limit);
    return used < limit / 2 ? tn_round_up(h->config.gap, unit) : 0;
}

static bool window_find(const struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                        uint64_t unit, struct tn_host_space **space, uint64_t *addr) {
    for (struct tn_host_space *w = h->windows; w != NULL; w = w->next) {
        uint64_t end = w->base + w->size;
        *space = w;
        if (w->kind == kind && (tn_interval_gap(&h->pages, w->next_fit, end, size, unit, addr) ||
                                tn_interval_gap(&h->pages, w->base, end, size, unit, addr)))
            return true;
    }
    return false;
}

tarn_status tn_host_window_room(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                                uint64_t alignment, struct tn_host_space **space, uint64_t *addr) {
    uint64_t unit = h->config.granularity > alignment ? h->config.granularity : alignment;
    uint64_t gap = size < TN_HOST_SPACE_END ? gap_around(h, unit) : 0;
    uint64_t all = size + 2 * gap;
    if (!window_find(h, kind, all, unit, space, addr)) {
        TN_TRY(window_open(h, kind, all, alignment, space));
        *addr = (*space)->base;
    }
    *addr += gap;
    TARN_ASSERT(*addr % unit == 0 && *addr - (*space)->base + size + gap <= (*space)->size);
    (*space)->next_fit = *addr + size;
    return TARN_OK;
}

void tn_host_window_undo(struct tn_host *h, const struct tn_host_space *newest) {
    while (h->windows != newest) {
        struct tn_host_space *window = h->windows;
        TARN_ASSERT(window != NULL && window->kind != TN_HOST_SPACE_RESERVATION);
        h->windows = window->next;
        tn_host_deferred_forget(h, window);
        tn_host_space_close(h, window);
    }
}

// ---- peers

bool tn_host_peer_can(void *p, int device, int peer) {
    (void)p;
    return device != peer;
}

// Returns the rights on plain memory of a device.
static uint32_t rights_on(const struct tn_host *h, int owner) {
    uint32_t rights = tn_host_right(tn_host_location(owner), TARN_ACCESS_READ_WRITE);
    for (int device = 0; device < (int)h->config.devices; device++)
        if ((h->peers[device] >> owner & 1u) != 0)
            rights |= tn_host_right(tn_host_location(device), TARN_ACCESS_READ_WRITE);
    return rights;
}

// The owner always has rights, so the protection of the CPU's view stays as it is.
static void refresh_window(struct tn_host *h, const struct tn_host_space *window, int owner) {
    uint32_t rights = rights_on(h, owner);
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&h->pages, window->base),
                     window->base + window->size) {
        uint32_t slot = tn_host_page_slot(entry.value);
        if (!tn_host_page_is_deferred(entry.value) &&
            tn_host_phys_at(h, slot)->location == tn_host_location(owner))
            tn_interval_cursor_set(&at, tn_host_page(slot, rights));
    }
}

tarn_status tn_host_peer_set(void *p, int device, int peer, bool enabled) {
    struct tn_host *h = (struct tn_host *)p;
    TARN_ASSERT(device != peer && peer < (int)h->config.devices);
    TN_WRITE_LOCKED(&h->mmu_lock);
    if (enabled)
        h->peers[device] |= 1u << peer;
    else
        h->peers[device] &= ~(1u << peer);
    for (const struct tn_host_space *w = h->windows; w != NULL; w = w->next)
        if (w->kind == TN_HOST_SPACE_MEMORY) refresh_window(h, w, peer);
    return TARN_OK;
}

// ---- alloc and free

static tarn_status memory_map(struct tn_host *h, int device, uint32_t slot, uint64_t bytes,
                              uint64_t alignment, uint64_t *addr) {
    struct tn_host_space *window = NULL;
    const tarn_backend_map_item item = {slot, bytes};
    bool huge =
        h->config.pages == TARN_PAGE_HUGE || tn_host_phys_at(h, slot)->page_class == TARN_PAGE_HUGE;
    if (huge && bytes >= WINDOW_UNIT && alignment < WINDOW_UNIT)
        alignment = WINDOW_UNIT; // huge pages need it
    TN_TRY(tn_host_window_room(h, TN_HOST_SPACE_MEMORY, bytes, alignment, &window, addr));
    TN_TRY(tn_host_map_in(h, window, *addr, &item, 1));
    tarn_status status =
        tn_host_access_in(h, window, *addr, bytes, UINT32_MAX, rights_on(h, device));
    if (status != TARN_OK) tn_host_unmap_in(h, window, *addr, bytes);
    return status;
}

tarn_status tn_host_memory_place_locked(struct tn_host *h, int device, uint32_t slot,
                                        uint64_t bytes, uint64_t alignment, tarn_addr *addr) {
    uint64_t at = 0;
    const struct tn_host_space *newest = h->windows;
    tarn_status status = memory_map(h, device, slot, bytes, alignment, &at);
    if (status == TARN_OK)
        *addr = at;
    else
        tn_host_window_undo(h, newest);
    return status;
}

tarn_status tn_host_memory_place(struct tn_host *h, int device, uint32_t slot, uint64_t bytes,
                                 uint64_t alignment, tarn_addr *addr) {
    TN_WRITE_LOCKED(&h->mmu_lock);
    return tn_host_memory_place_locked(h, device, slot, bytes, alignment, addr);
}

tarn_status tn_host_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr) {
    struct tn_host *h = (struct tn_host *)p;
    uint64_t unit = h->config.granularity;
    const tarn_backend_memory desc = {.bytes = size, .charged = tn_round_up(size, unit)};
    tarn_page_class page_class;
    return desc.charged < size
               ? tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes exceed the address space",
                         (unsigned long long)size)
               : tn_host_memory_alloc_with(p, device, &desc, addr, &page_class);
}

tarn_status tn_host_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                      tarn_addr *addr, tarn_page_class *page_class) {
    struct tn_host *h = (struct tn_host *)p;
    const tarn_phys_desc memory = {.struct_size = sizeof memory,
                                   .location = {TARN_LOCATION_DEVICE, device},
                                   .page_class = desc->page_class};
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    TN_TRY(tn_host_phys_create(p, desc->charged, &memory, &phys, &info));
    tn_host_phys_at(h, (uint32_t)phys)->plain = true; // no other thread knows the handle yet
    tarn_status status =
        tn_host_memory_place(h, device, (uint32_t)phys, desc->charged, desc->alignment, addr);
    if (status == TARN_OK)
        *page_class = info.page_class;
    else
        tn_host_phys_destroy(p, phys);
    return status;
}

void tn_host_memory_free(void *p, int device, tarn_addr addr) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_interval_entry entry;
    (void)device;
    tn_rwlock_write(&h->mmu_lock);
    bool found = tn_interval_find(&h->pages, addr, &entry);
    TARN_ASSERT(found && entry.start == addr);
    if (found) tn_host_unmap_in(h, tn_host_space_find(h, addr), addr, entry.end - addr);
    tn_rwlock_unlock(&h->mmu_lock);
    if (found) tn_host_phys_destroy(p, tn_host_page_slot(entry.value));
}

void tn_host_memory_close(void *p, int device, tarn_addr addr) {
    tn_host_memory_free(p, device, addr);
}
