// SPDX-License-Identifier: Apache-2.0
// Physical memory of a simulated platform: a number of bytes with one or more names. A token
// imports it again, on the same platform in this process. Any thread.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/sim/platform.h"
#include "base/error.h"

#define TOKEN_BITS 40

// Shared by all platforms, so that a token of another platform is invalid on this one.
static _Atomic uint64_t last_token;

// The token contains the process, so that one of another process is refused.
uint64_t tn_sim_new_token(void) {
    uint64_t serial = tn_add_relaxed(&last_token, 1) + 1;
    return (uint64_t)getpid() << TOKEN_BITS | serial;
}

static struct tn_sim_phys *phys_of(const struct tn_sim *sim, tarn_backend_phys phys) {
    uint64_t payload = 0;
    bool live = tn_slots_get(&sim->phys, phys, &payload);
    TARN_ASSERT(live);
    return live ? (struct tn_sim_phys *)tn_slots_to_pointer(payload) : NULL;
}

// ---- creation

// Finds the account of a location. All host locations are one simulated node.
static tarn_status account_of(const struct tn_sim *sim, tarn_location location, unsigned *account) {
    if (location.type == TARN_LOCATION_DEVICE) {
        *account = (unsigned)location.id;
        return TARN_OK;
    }
    TN_REFUSE(location.type == TARN_LOCATION_HOST_NUMA && location.id != 0, TARN_BAD_DEVICE,
              "node %d does not exist: the simulated host has one memory node, 0", location.id);
    *account = (unsigned)sim->config.devices;
    return TARN_OK;
}

tarn_page_class tn_sim_page_class(const struct tn_sim *sim, tarn_page_class wish) {
    if (wish != TARN_PAGE_DEFAULT) return wish;
    return sim->config.granularity >= (uint64_t)2 << 20 ? TARN_PAGE_HUGE : TARN_PAGE_BASE;
}

static tarn_status new_memory(const struct tn_sim *sim, uint64_t bytes, const tarn_phys_desc *desc,
                              struct tn_sim_memory **memory) {
    unsigned account = 0;
    TN_TRY(account_of(sim, desc->location, &account));
    struct tn_sim_memory *m = (struct tn_sim_memory *)calloc(1, sizeof *m);
    TN_REFUSE(m == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the record of physical memory");
    m->account = account;
    m->info.bytes = bytes;
    m->info.location = desc->location;
    m->info.shareable = desc->shareable;
    m->info.usage = desc->usage;
    m->info.page_class = tn_sim_page_class(sim, desc->page_class);
    m->info.page_bytes = desc->page_class == TARN_PAGE_DEFAULT ? sim->config.granularity
                                                               : TARN_PAGE_BYTES(desc->page_class);
    memcpy(m->info.user, desc->user, sizeof m->info.user);
    *memory = m;
    return TARN_OK;
}

// Adds a name to the memory. Under the lock.
static tarn_status add_name(struct tn_sim *sim, struct tn_sim_memory *memory,
                            tarn_backend_phys *phys) {
    struct tn_sim_phys *record = (struct tn_sim_phys *)calloc(1, sizeof *record);
    TN_REFUSE(record == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a handle");
    tarn_status status = tn_slots_insert(&sim->phys, tn_slots_from_pointer(record), phys);
    if (status != TARN_OK) {
        free(record);
        return tn_fail(status, "the table of %u handles cannot grow", tn_slots_count(&sim->phys));
    }
    record->memory = memory;
    memory->names++;
    return TARN_OK;
}

static tarn_status take_and_name(struct tn_sim *sim, struct tn_sim_memory *memory,
                                 tarn_backend_phys *phys) {
    TN_LOCKED(&sim->lock);
    TN_TRY(tn_sim_capacity_reserve(sim, memory->account, memory->info.bytes));
    tarn_status status = add_name(sim, memory, phys);
    if (status != TARN_OK) sim->used[memory->account] -= memory->info.bytes;
    return status;
}

tarn_status tn_sim_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_memory *memory = NULL;
    TN_TRY(tn_sim_vmm_require(sim));
    TN_TRY(new_memory(sim, bytes, desc, &memory));
    tarn_status status = take_and_name(sim, memory, phys);
    if (status != TARN_OK) {
        free(memory);
        return status;
    }
    *info = memory->info;
    tn_sim_charge(sim, sim->config.create_ns + tn_sim_bytes_ns(sim, bytes));
    return TARN_OK;
}

// Removes a name, and the memory with its last name. Under the lock.
static void drop_name(struct tn_sim *sim, struct tn_sim_memory *memory) {
    if (--memory->names > 0) return;
    if (memory->token != 0) (void)tn_interval_remove(&sim->tokens, memory->token, NULL);
    sim->used[memory->account] -= memory->info.bytes;
    free(memory);
}

void tn_sim_phys_destroy(void *p, tarn_backend_phys phys) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock(&sim->lock);
    struct tn_sim_phys *record = phys_of(sim, phys);
    if (record != NULL) {
        TARN_ASSERT(record->mapped == 0);
        (void)tn_slots_remove(&sim->phys, phys, NULL);
        drop_name(sim, record->memory);
    }
    tn_mutex_unlock(&sim->lock);
    free(record);
    tn_sim_charge(sim, sim->config.destroy_ns);
}

// ---- sharing

// Returns the memory's token, which the first export makes.
static tarn_status token_of(struct tn_sim *sim, tarn_backend_phys phys, uint64_t *token) {
    TN_LOCKED(&sim->lock);
    struct tn_sim_memory *memory = phys_of(sim, phys)->memory;
    if (memory->token == 0) {
        uint64_t fresh = tn_sim_new_token();
        tarn_status status =
            tn_interval_insert(&sim->tokens, fresh, fresh + 1, tn_slots_from_pointer(memory));
        TN_REFUSE(status != TARN_OK, status, "out of host memory for a token");
        memory->token = fresh;
    }
    *token = memory->token;
    return TARN_OK;
}

static tarn_status check_type(uint32_t type) {
    return type == TARN_SHAREABLE_TOKEN
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED,
                         "simulated memory is shareable as a token only, not as type 0x%x", type);
}

tarn_status tn_sim_phys_export(void *p, tarn_backend_phys phys, uint32_t type,
                               tarn_shareable *out) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_TRY(check_type(type));
    uint64_t token = 0;
    TN_TRY(token_of(sim, phys, &token));
    *out = (tarn_shareable){.type = type, .fd = -1, .token = token};
    tn_sim_charge(sim, sim->config.share_ns);
    return TARN_OK;
}

static tarn_status unknown_token(uint64_t token) {
    return tn_fail(TARN_BAD_HANDLE, "token 0x%llx names no memory of this platform in this process",
                   (unsigned long long)token);
}

static tarn_status import_token(struct tn_sim *sim, uint64_t token, tarn_backend_phys *phys,
                                tarn_backend_phys_info *info) {
    struct tn_interval_entry entry;
    TN_LOCKED(&sim->lock);
    if (!tn_interval_find(&sim->tokens, token, &entry)) return unknown_token(token);
    struct tn_sim_memory *memory = (struct tn_sim_memory *)tn_slots_to_pointer(entry.value);
    tarn_status status = add_name(sim, memory, phys);
    if (status == TARN_OK) *info = memory->info;
    return status;
}

tarn_status tn_sim_phys_import(void *p, int device, const tarn_shareable *in,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    struct tn_sim *sim = (struct tn_sim *)p;
    (void)device; // imported memory keeps its location
    TN_TRY(check_type(in->type));
    TN_TRY(import_token(sim, in->token, phys, info));
    tn_sim_charge(sim, sim->config.share_ns);
    return TARN_OK;
}

// Tokens are valid in this process only, so there is no process to exclude.
tarn_status tn_sim_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                              size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_interval_entry entry;
    (void)pids, (void)count;
    TN_LOCKED(&sim->lock);
    bool known = tn_interval_find(&sim->tokens, exported->token, &entry);
    return known ? TARN_OK : unknown_token(exported->token);
}
