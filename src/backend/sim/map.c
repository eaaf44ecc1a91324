// SPDX-License-Identifier: Apache-2.0
// Mappings of a simulated platform: each is an entry of an interval map, with a record of the
// memory and the rights. Pool benchmarks spend their time here, so records are reused. The static
// functions need the platform's lock.
#include <stdlib.h>

#include "backend/sim/platform.h"
#include "backend/sim/rights.h"
#include "base/error.h"
#include "base/list.h"

#define SPARES_MAX 65536

static struct tn_sim_mapping *mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_sim_mapping *)tn_slots_to_pointer(entry->value);
}

static struct tn_sim_mapping *new_record(struct tn_sim *sim) {
    struct tn_sim_mapping *mapping = sim->spare;
    if (mapping == NULL) return (struct tn_sim_mapping *)malloc(sizeof *mapping);
    sim->spare = mapping->of.next;
    sim->spares--;
    return mapping;
}

static void free_record(struct tn_sim *sim, struct tn_sim_mapping *mapping) {
    if (sim->spares == SPARES_MAX) {
        free(mapping);
        return;
    }
    mapping->of.next = sim->spare;
    sim->spare = mapping;
    sim->spares++;
}

void tn_sim_free_spare_mappings(struct tn_sim *sim) {
    TN_CHAIN_DRAIN(struct tn_sim_mapping, mapping, sim->spare, of.next) free(mapping);
    sim->spares = 0;
}

static tarn_status map_one(struct tn_sim *sim, tarn_addr addr, const tarn_backend_map_item *item) {
    uint64_t payload = 0;
    bool live = tn_slots_get(&sim->phys, item->phys, &payload);
    TARN_ASSERT(live);
    (void)live;
    struct tn_sim_mapping *mapping = new_record(sim);
    if (mapping == NULL) return TARN_NO_HOST_MEMORY;
    tarn_status status =
        tn_interval_insert(&sim->maps, addr, addr + item->size, tn_slots_from_pointer(mapping));
    TARN_ASSERT(status == TARN_OK || status == TARN_NO_HOST_MEMORY);
    if (status != TARN_OK) {
        free_record(sim, mapping);
        return status;
    }
    mapping->of.phys = (struct tn_sim_phys *)tn_slots_to_pointer(payload);
    mapping->of.phys->mapped++;
    mapping->rights = 0;
    return TARN_OK;
}

static void end_mapping(struct tn_sim *sim, const struct tn_interval_entry *entry) {
    struct tn_sim_mapping *mapping = mapping_of(entry);
    mapping->of.phys->mapped--;
    free_record(sim, mapping);
}

// Removes all mappings of a range. Returns their number.
static uint64_t unmap_all(struct tn_sim *sim, tarn_addr addr, tarn_addr end) {
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&sim->maps, addr), end) end_mapping(sim, &entry);
    return tn_interval_remove_range(&sim->maps, addr, end);
}

// The same for a range that is not empty. Most ranges are one mapping, which one search finds.
static uint64_t unmap_some(struct tn_sim *sim, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    bool found = tn_interval_remove(&sim->maps, addr, &entry);
    TARN_ASSERT(found && entry.end <= end);
    if (!found) return 0;
    end_mapping(sim, &entry);
    return entry.end == end ? 1 : 1 + unmap_all(sim, entry.end, end);
}

static tarn_status map_all(struct tn_sim *sim, tarn_addr addr, const tarn_backend_map_item *items,
                           size_t count) {
    tarn_addr at = addr;
    TN_LOCKED(&sim->lock);
    for (size_t i = 0; i < count; i++) {
        tarn_status status = map_one(sim, at, &items[i]);
        if (status != TARN_OK) {
            (void)unmap_all(sim, addr, at);
            return tn_fail(status, "out of host memory for the records of %zu mappings", count);
        }
        at += items[i].size;
    }
    return TARN_OK;
}

tarn_status tn_sim_map(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    if (sim->config.vmm == TN_SIM_VMM_BROKEN)
        return tn_fail_native(TARN_NATIVE, "map", 1, "this simulated device fails each map");
    TN_TRY(map_all(sim, addr, items, count));
    tn_sim_charge(sim, sim->config.map_ns * count);
    return TARN_OK;
}

tarn_status tn_sim_unmap(void *p, tarn_addr addr, uint64_t size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock(&sim->lock);
    uint64_t count = unmap_some(sim, addr, addr + size);
    tn_mutex_unlock(&sim->lock);
    TARN_ASSERT(count > 0);
    tn_sim_charge(sim, sim->config.unmap_ns * count);
    return TARN_OK;
}

static tarn_status check_grants(const tarn_grant *grants, size_t count) {
    for (size_t i = 0; i < count; i++)
        TN_REFUSE(grants[i].location.type != TARN_LOCATION_DEVICE, TARN_UNSUPPORTED,
                  "simulated memory has no bytes for the host to access");
    return TARN_OK;
}

tarn_status tn_sim_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                              size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    uint64_t changed = 0;
    TN_TRY(check_grants(grants, count));
    tn_mutex_lock(&sim->lock);
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&sim->maps, addr), addr + size) {
        struct tn_sim_mapping *mapping = mapping_of(&entry);
        for (size_t i = 0; i < count; i++)
            mapping->rights = tn_sim_rights_grant(mapping->rights, &grants[i]);
        changed++;
    }
    tn_mutex_unlock(&sim->lock);
    tn_sim_charge(sim, sim->config.access_ns * changed);
    return TARN_OK;
}
