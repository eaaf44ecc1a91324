// SPDX-License-Identifier: Apache-2.0
// Compares every record of a platform with the others. Takes both locks of the platform.
#include "backend/host/array.h"
#include "backend/host/layout.h"
#include "backend/host/pin.h"
#include "backend/host/space.h"
#include "base/error.h"

static tarn_status host_corrupt(const char *what, uint64_t at, uint64_t found, uint64_t expected) {
    return tn_fail(TARN_CORRUPT, "host: %s at 0x%llx: %llu, expected %llu", what,
                   (unsigned long long)at, (unsigned long long)found, (unsigned long long)expected);
}

// Every mapping lies in a space and names a live, bound handle that is large enough.
static tarn_status check_pages(const struct tn_host *h) {
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&h->pages, 0), UINT64_MAX) {
        const struct tn_host_phys *phys = tn_host_phys_at(h, tn_host_page_slot(entry.value));
        const struct tn_host_space *space = tn_host_space_find(h, entry.start);
        if (space == NULL || entry.end > space->base + space->size)
            return host_corrupt("a mapping in no space", entry.start, entry.end, 0);
        if (tn_host_page_slot(entry.value) == TN_HOST_PIN_SLOT) continue;
        if (!phys->live || !phys->bound || phys->bytes < entry.end - entry.start)
            return host_corrupt("the bytes of a mapping", entry.start, phys->live ? phys->bytes : 0,
                                entry.end - entry.start);
        if (tn_host_page_rights(entry.value) != 0 && !phys->touched)
            return host_corrupt("rights to untouched memory", entry.start,
                                tn_host_page_rights(entry.value), 0);
    }
    return TARN_OK;
}

// Compares the running count of kernel mappings with a walk over all spaces.
static tarn_status check_budget(const struct tn_host *h) {
    uint64_t sum = 0;
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&h->spaces, 0), UINT64_MAX) {
        const struct tn_host_space *space = (const struct tn_host_space *)(uintptr_t)entry.value;
        sum += space->kind == TN_HOST_SPACE_PINNED ? 1 : tn_host_layout_count(h, space);
    }
    sum += (uint64_t)tn_host_phys_at(h, TN_HOST_PIN_SLOT)->maps * TN_HOST_PIN_MAPPINGS;
    return sum == h->budget.used ? TARN_OK
                                 : host_corrupt("kernel mappings", 0, h->budget.used, sum);
}

// Checks one record and its extent, and adds it to the sums.
static tarn_status check_handle(const struct tn_host *h, uint32_t slot,
                                uint64_t used[TN_HOST_LOCATIONS], uint64_t *files) {
    const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_interval_entry extent;
    if (!phys->live) return TARN_OK;
    used[phys->location] += phys->imported ? 0 : phys->bytes;
    if (slot == TN_HOST_PIN_SLOT) return TARN_OK;
    *files += phys->arena == NULL;
    if (phys->arena == NULL || !phys->bound)
        return phys->maps == 0 || phys->fd >= 0
                   ? TARN_OK
                   : host_corrupt("maps of an unbound handle", slot, phys->maps, 0);
    if (!tn_interval_find(&phys->arena->taken, phys->offset, &extent) || extent.value != slot ||
        extent.start != phys->offset || extent.end - extent.start != phys->bytes)
        return host_corrupt("the extent of a handle", slot, phys->offset, phys->bytes);
    return TARN_OK;
}

static tarn_status check_handles(const struct tn_host *h) {
    uint64_t used[TN_HOST_LOCATIONS] = {0};
    uint64_t files = 0;
    for (uint32_t slot = 1; slot < h->phys_count; slot++)
        TN_TRY(check_handle(h, slot, used, &files));
    for (unsigned location = 0; location <= h->config.devices; location++) {
        if (used[location] != h->used[location])
            return host_corrupt("capacity", location, h->used[location], used[location]);
        for (int huge = 0; huge < 2; huge++)
            if (!tn_host_arena_check(&h->arenas[location][huge]))
                return host_corrupt("an arena", location, (uint64_t)huge, 0);
    }
    return files == h->own_files ? TARN_OK : host_corrupt("descriptors", 0, h->own_files, files);
}

// Compares the mapping counts of all handles with the page table.
static tarn_status check_maps(const struct tn_host *h) {
    uint64_t sum = 0;
    for (uint32_t slot = 1; slot < h->phys_count; slot++) {
        const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
        sum += phys->live ? phys->maps : 0;
    }
    uint64_t count = tn_interval_count(&h->pages);
    return sum == count ? TARN_OK : host_corrupt("mappings", 0, count, sum);
}

tarn_status tn_host_check(void *p) {
    struct tn_host *h = (struct tn_host *)p;
    TN_WRITE_LOCKED(&h->mmu_lock);
    TN_LOCKED(&h->phys_lock);
    if (!tn_interval_check(&h->spaces) || !tn_interval_check(&h->pages))
        return host_corrupt("the page table", 0, 0, 0);
    TN_TRY(check_pages(h));
    TN_TRY(check_budget(h));
    TN_TRY(check_handles(h));
    TN_TRY(check_maps(h));
    const char *wrong = tn_host_array_check(h);
    return wrong == NULL ? TARN_OK : host_corrupt(wrong, 0, 0, 0);
}

void tn_host_counters(void *p, tarn_backend_counters *counters) {
    struct tn_host *h = (struct tn_host *)p;
    TN_READ_LOCKED(&h->mmu_lock);
    *counters = (tarn_backend_counters){.kernel_mappings = h->budget.used, .virtual_ns = 0};
}
