// SPDX-License-Identifier: Apache-2.0
// Counts everything of a simulated platform again and compares. Takes the platform's lock.
#include "backend/sim/platform.h"
#include "base/error.h"

struct recount {
    uint64_t used[TN_SIM_ACCOUNTS];
    uint64_t tokens;
    uint64_t keys;
};

static tarn_status sim_corrupt(const char *what, uint64_t found, uint64_t expected) {
    return tn_fail(TARN_CORRUPT, "sim: %s: found 0x%llx, expected 0x%llx", what,
                   (unsigned long long)found, (unsigned long long)expected);
}

static tarn_status check_space(const struct tn_sim *sim, struct recount *recount) {
    TN_INTERVAL_EACH(e, at, tn_interval_seek(&sim->space, 0), UINT64_MAX) {
        const struct tn_sim_range *range = tn_slots_to_pointer(e.value);
        if (e.start < sim->lo || e.end > sim->hi)
            return sim_corrupt("a range leaves the window", e.start, sim->lo);
        if (range->is_block) {
            recount->used[range->device] += range->charged;
            recount->keys += range->token != 0;
        } else if (e.end - e.start != range->bytes) {
            return sim_corrupt("size of a reservation", e.end - e.start, range->bytes);
        }
    }
    return TARN_OK;
}

static struct tn_sim_phys *next_phys(const struct tn_sim *sim, uint32_t *position) {
    uint64_t handle;
    uint64_t payload;
    if (!tn_slots_next(&sim->phys, position, &handle, &payload)) return NULL;
    return (struct tn_sim_phys *)tn_slots_to_pointer(payload);
}

// Memory with several names is counted with its first name.
static tarn_status count_memory(struct tn_sim *sim, struct recount *recount) {
    struct tn_sim_phys *phys;
    uint32_t position = 0;
    while ((phys = next_phys(sim, &position)) != NULL) {
        phys->counted = 0;
        phys->memory->counted = 0;
    }
    position = 0;
    while ((phys = next_phys(sim, &position)) != NULL) {
        struct tn_sim_memory *memory = phys->memory;
        if (memory->counted++ == 0) {
            recount->used[memory->account] += memory->info.bytes;
            recount->tokens += memory->token != 0;
        }
    }
    position = 0;
    while ((phys = next_phys(sim, &position)) != NULL)
        if (phys->memory->counted != phys->memory->names)
            return sim_corrupt("names of memory", phys->memory->counted, phys->memory->names);
    return TARN_OK;
}

static tarn_status check_mapping(const struct tn_sim *sim, const struct tn_interval_entry *e) {
    struct tn_sim_mapping *mapping = (struct tn_sim_mapping *)tn_slots_to_pointer(e->value);
    struct tn_interval_entry around;
    if (!tn_interval_find(&sim->space, e->start, &around) || around.end < e->end ||
        ((const struct tn_sim_range *)tn_slots_to_pointer(around.value))->is_block)
        return sim_corrupt("a mapping lies in no reservation", e->start, 0);
    if (e->end - e->start > mapping->of.phys->memory->info.bytes)
        return sim_corrupt("a mapping is larger than its memory", e->end - e->start,
                           mapping->of.phys->memory->info.bytes);
    mapping->of.phys->counted++;
    return TARN_OK;
}

static tarn_status check_mappings(struct tn_sim *sim) {
    TN_INTERVAL_EACH(e, at, tn_interval_seek(&sim->maps, 0), UINT64_MAX)
        TN_TRY(check_mapping(sim, &e));
    struct tn_sim_phys *phys;
    uint32_t position = 0;
    while ((phys = next_phys(sim, &position)) != NULL)
        if (phys->counted != phys->mapped)
            return sim_corrupt("mappings of a handle", phys->counted, phys->mapped);
    return TARN_OK;
}

static tarn_status check_sums(const struct tn_sim *sim, const struct recount *recount) {
    for (unsigned i = 0; i <= sim->config.devices; i++)
        if (recount->used[i] != sim->used[i] || sim->used[i] > tn_sim_capacity(sim, i))
            return sim_corrupt("bytes in use", recount->used[i], sim->used[i]);
    if (recount->tokens != tn_interval_count(&sim->tokens))
        return sim_corrupt("tokens", recount->tokens, tn_interval_count(&sim->tokens));
    if (recount->keys != tn_interval_count(&sim->keys))
        return sim_corrupt("keys", recount->keys, tn_interval_count(&sim->keys));
    return TARN_OK;
}

tarn_status tn_sim_check(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct recount recount = {0};
    TN_LOCKED(&sim->lock);
    TN_REFUSE(!tn_interval_check(&sim->space) || !tn_interval_check(&sim->maps) ||
                  !tn_interval_check(&sim->tokens) || !tn_interval_check(&sim->keys) ||
                  !tn_slots_check(&sim->phys),
              TARN_CORRUPT, "sim: a table is damaged");
    TN_TRY(check_space(sim, &recount));
    TN_TRY(count_memory(sim, &recount));
    TN_TRY(check_mappings(sim));
    return check_sums(sim, &recount);
}
