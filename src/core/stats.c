// SPDX-License-Identifier: Apache-2.0
// Statistics of a platform, and verification of the core's records against each other and against
// the backend's.
#include "base/error.h"
#include "base/struct.h"
#include "core/address/map.h"

tarn_status tarn_platform_query_stats(tarn_device *device, tarn_platform_stats *stats) {
    TN_TRY(tn_device_usable(device));
    struct tn_platform *platform = device->platform;
    tarn_platform_stats own = {0};
#define READ(name, text) own.name = tn_load_relaxed(&platform->stats.name);
    TARN_PLATFORM_STATS_LIST(READ)
    // These are counted by kind only, so that a map, an unmap and a change of access count once.
    own.backend_calls += own.map_calls + own.unmap_calls + own.access_calls;
    tarn_backend_counters counters = {0};
    platform->ops->counters(platform->p, &counters);
    own.kernel_mappings = counters.kernel_mappings;
    own.virtual_ns = counters.virtual_ns;
    return TN_DONE(tn_struct_write(stats, &own, sizeof own, "tarn_platform_stats"));
}

// ---- verify

// The live objects of one platform, as counted by a walk over the records. Under the index's write
// lock, so that no region and no mapping changes between the walk and the comparison.
struct census {
    uint64_t reservations, reserved_bytes;
    uint64_t mappings, mapped_bytes;
    uint64_t memory_blocks, memory_bytes;
    uint64_t imported_blocks, imported_bytes;
    uint64_t host_blocks, host_bytes;
    struct tn_phys_census phys;
    bool sound; // the interval maps are consistent
};

static void count_mappings(struct tn_region *region, struct census *census) {
    struct tn_interval_entry entry;
    census->sound &= tn_interval_check(&region->mappings);
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, region->base);
    while (tn_interval_step(&at, &entry)) {
        census->mappings++;
        census->mapped_bytes += entry.end - entry.start;
        census->sound &= entry.end <= region->base + region->bytes;
    }
}

static void count_region(struct tn_region *region, struct census *census) {
    switch (region->kind) {
    case TN_REGION_SPACE:
        census->reservations++;
        census->reserved_bytes += region->bytes;
        count_mappings(region, census);
        break;
    case TN_REGION_MEMORY:
        census->memory_blocks++;
        census->memory_bytes += region->bytes;
        break;
    case TN_REGION_IMPORTED:
        census->imported_blocks++;
        census->imported_bytes += region->bytes;
        break;
    case TN_REGION_HOST:
    case TN_REGION_REGISTERED:
        census->host_blocks++;
        census->host_bytes += region->bytes;
        break;
    }
}

static tarn_status compare_all(struct tn_platform *platform, const struct census *census) {
    const struct {
        const char *what;
        uint64_t counted, found;
    } rows[] = {
#define ROW(name) {#name, tn_load_relaxed(&platform->stats.name), census->name}
        ROW(reservations),
        ROW(reserved_bytes),
        ROW(mappings),
        ROW(mapped_bytes),
        ROW(memory_blocks),
        ROW(memory_bytes),
        ROW(imported_blocks),
        ROW(imported_bytes),
        ROW(host_blocks),
        ROW(host_bytes),
        {"handles", census->phys.counted_handles, census->phys.handles},
        {"handle_bytes", census->phys.counted_bytes, census->phys.bytes},
        {"mapping references of handles", census->mappings, census->phys.map_refs},
        {"interval maps", true, census->sound},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        TN_REFUSE(rows[i].counted != rows[i].found, TARN_CORRUPT, "%s: counted %llu, found %llu",
                  rows[i].what, (unsigned long long)rows[i].counted,
                  (unsigned long long)rows[i].found);
    return TARN_OK;
}

tarn_status tarn_platform_verify(tarn_device *device) {
    TN_TRY(tn_device_usable(device));
    struct tn_platform *platform = device->platform;
    struct census census = {.sound = true};
    tn_index_write();
    census.sound &= tn_index_check();
    struct tn_region *region;
    for (tarn_addr from = 0; (region = tn_index_next(from)) != NULL;
         from = region->base + region->bytes)
        if (region->platform == platform) count_region(region, &census);
    tn_phys_count(platform, &census.phys);
    tarn_status status = compare_all(platform, &census);
    tn_index_write_done();
    return TN_DONE(status == TARN_OK ? platform->ops->check(platform->p) : status);
}
