// SPDX-License-Identifier: Apache-2.0
// The index of regions: one interval map of the whole process under one lock.
#include "core/address/index.h"

#include <stdlib.h>

#include "base/error.h"

static struct tn_rwlock lock = TN_RWLOCK(SPACES, "index");
static struct tn_interval regions; // value = struct tn_region *

struct tn_region *tn_region_new(enum tn_region_kind kind, struct tn_platform *platform) {
    struct tn_region *region = calloc(1, sizeof *region);
    if (region == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a region");
        return NULL;
    }
    region->kind = kind;
    region->platform = platform;
    tn_mutex_init(&region->lock, TN_RANK_SPACE, "space");
    tn_interval_init(&region->mappings);
    return region;
}

void tn_region_free(struct tn_region *region) {
    tn_interval_fini(&region->mappings);
    tn_mutex_fini(&region->lock);
    free(region);
}

void tn_index_read(void) {
    tn_rwlock_read(&lock);
}

void tn_index_read_done(void) {
    tn_rwlock_unlock(&lock);
}

bool tn_index_try_read(void) {
    return tn_rwlock_try_read(&lock);
}

static struct tn_region *region_of(const struct tn_interval_entry *entry) {
    return (struct tn_region *)(uintptr_t)entry->value;
}

struct tn_region *tn_index_find(tarn_addr addr) {
    struct tn_interval_entry entry;
    return tn_interval_find(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

struct tn_region *tn_index_next(tarn_addr addr) {
    struct tn_interval_entry entry;
    return tn_interval_next(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

struct tn_region *tn_index_prev(tarn_addr addr) {
    struct tn_interval_entry entry;
    return tn_interval_prev(&regions, addr, &entry) ? region_of(&entry) : NULL;
}

tarn_status tn_index_insert(struct tn_region *region) {
    tn_rwlock_write(&lock);
    tarn_status status = tn_interval_insert(&regions, region->base, region->base + region->size,
                                            (uint64_t)(uintptr_t)region);
    tn_rwlock_unlock(&lock);
    if (status == TARN_BUSY) {
        return tn_fail(TARN_BUSY, "[0x%llx, +0x%llx) overlaps memory that is known already",
                       (unsigned long long)region->base, (unsigned long long)region->size);
    }
    if (status != TARN_OK) {
        return tn_fail(status, "no memory to index a region");
    }
    return TARN_OK;
}

static const char *kind_text(enum tn_region_kind kind) {
    static const char *const texts[] = {"a reservation", "device memory", "pinned host memory",
                                        "registered host memory", "imported device memory"};
    return texts[kind];
}

static tarn_status check_start(const struct tn_region *region, enum tn_region_kind kind,
                               tarn_addr addr) {
    if (region == NULL || region->kind != kind || region->base != addr) {
        return tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of %s", (unsigned long long)addr,
                       kind_text(kind));
    }
    return tn_platform_usable(region->platform);
}

static tarn_status check_taking(const struct tn_region *region, enum tn_region_kind kind,
                                tarn_addr addr, uint64_t size) {
    tarn_status status = check_start(region, kind, addr);
    if (status != TARN_OK) {
        return status;
    }
    if (size != 0 && region->size != size) {
        return tn_fail(TARN_BAD_ADDRESS, "%s at 0x%llx has 0x%llx bytes, not 0x%llx",
                       kind_text(kind), (unsigned long long)addr, (unsigned long long)region->size,
                       (unsigned long long)size);
    }
    uint64_t mapped = tn_interval_count(&region->mappings);
    return mapped == 0 ? TARN_OK
                       : tn_fail(TARN_BUSY, "%llu mappings are left in the reservation at 0x%llx",
                                 (unsigned long long)mapped, (unsigned long long)addr);
}

tarn_status tn_index_enter(enum tn_region_kind kind, tarn_addr addr, struct tn_region **region) {
    tn_index_read();
    struct tn_region *found = tn_index_find(addr);
    tarn_status status = check_start(found, kind, addr);
    if (status != TARN_OK) {
        tn_index_read_done();
        return status;
    }
    *region = found;
    return TARN_OK;
}

tarn_status tn_index_take(enum tn_region_kind kind, tarn_addr addr, uint64_t size,
                          struct tn_region **region) {
    tn_rwlock_write(&lock); // nobody works on any region while this is held
    struct tn_region *found = tn_index_find(addr);
    tarn_status status = check_taking(found, kind, addr, size);
    if (status == TARN_OK) {
        (void)tn_interval_remove(&regions, addr, NULL);
        *region = found;
    }
    tn_rwlock_unlock(&lock);
    return status;
}

// The platform of the region that starts at addr, NULL when there is none of this process.
static struct tn_platform *platform_at(enum tn_region_kind kind, tarn_addr addr) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(addr);
    bool found =
        region != NULL && region->kind == kind && region->base == addr && !region->platform->forked;
    struct tn_platform *platform = found ? region->platform : NULL;
    tn_index_read_done();
    return platform;
}

tarn_status tn_index_retire(enum tn_region_kind kind, tarn_addr addr, struct tn_region **region) {
    struct tn_platform *platform = platform_at(kind, addr);
    if (platform != NULL) {
        tarn_status status = tn_platform_may_wait(platform);
        if (status != TARN_OK) {
            return status;
        }
        tn_platform_synchronize(platform);
    }
    return tn_index_take(kind, addr, 0, region);
}

tarn_status tn_index_take_away(enum tn_region_kind kind, tarn_addr addr,
                               struct tn_region **region) {
    const struct tn_platform *platform = platform_at(kind, addr);
    tarn_status status = platform != NULL ? tn_platform_may_take_away(platform) : TARN_OK;
    return status == TARN_OK ? tn_index_take(kind, addr, 0, region) : status;
}

bool tn_index_check(void) {
    return tn_interval_check(&regions);
}

void tn_index_fork_prepare(void) {
    tn_rwlock_write_for_fork(&lock);
}

void tn_index_fork_done(void) {
    tn_rwlock_unlock_after_fork(&lock);
}
