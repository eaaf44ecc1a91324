// SPDX-License-Identifier: Apache-2.0
// Opening and closing simulated platforms, their properties, and the table of slots. See
// platform.h.
#include "backend/sim/platform.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/sim/sim.h"
#include "base/error.h"

// ---- windows of addresses

// One bit for each window: set while a platform of this process uses it. Windows are used in turn,
// so that the addresses of a closed platform stay unused for long.
static _Atomic uint64_t windows[TN_SIM_WINDOWS / 64];
static _Atomic unsigned next_window;

static bool window_acquire(unsigned *window) {
    for (unsigned i = 0; i < TN_SIM_WINDOWS; i++) {
        unsigned w = tn_add_relaxed(&next_window, 1) % TN_SIM_WINDOWS;
        uint64_t bit = (uint64_t)1 << w % 64;
        if ((tn_or_acq_rel(&windows[w / 64], bit) & bit) == 0) {
            *window = w;
            return true;
        }
    }
    return false;
}

static void window_release(unsigned window) {
    (void)tn_and_acq_rel(&windows[window / 64], ~((uint64_t)1 << window % 64));
}

// ---- open and close

static tarn_status open_configured(struct tn_sim *sim, const char *options) {
    unsigned window;
    TN_TRY(tn_sim_config_read(&sim->config, &sim->options, options));
    TN_REFUSE(!window_acquire(&window), TARN_NO_ADDRESS_SPACE,
              "%u simulated platforms are open, the largest number", TN_SIM_WINDOWS);
    // The first quarter of a window stays free, so no reservation touches the window below.
    sim->window = window;
    sim->lo = TN_SIM_FIRST_WINDOW + window * TN_SIM_WINDOW_BYTES + TN_SIM_WINDOW_BYTES / 4;
    sim->hi = sim->lo + sim->config.space;
    sim->next = sim->lo;
    tn_mutex_init(&sim->lock, TN_RANK_BACKEND, "sim platform");
    tn_interval_init(&sim->space);
    tn_interval_init(&sim->maps);
    tn_interval_init(&sim->tokens);
    tn_interval_init(&sim->keys);
    tn_slots_init(&sim->phys, 1, 0);
    tn_sim_engine_init(&sim->engine);
    return TARN_OK;
}

tarn_status tn_sim_platform_open(const char *options, void **p) {
    struct tn_sim *sim = (struct tn_sim *)calloc(1, sizeof *sim);
    TN_REFUSE(sim == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a platform");
    tarn_status status = open_configured(sim, options);
    if (status == TARN_OK)
        *p = sim;
    else
        free(sim);
    return status;
}

void tn_sim_platform_close(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TARN_ASSERT(tn_interval_count(&sim->space) == 0 && tn_slots_count(&sim->phys) == 0);
    tn_sim_engine_fini(&sim->engine);
    tn_slots_fini(&sim->phys);
    tn_interval_fini(&sim->keys);
    tn_interval_fini(&sim->tokens);
    tn_interval_fini(&sim->maps);
    tn_interval_fini(&sim->space);
    tn_sim_free_spare_mappings(sim);
    tn_mutex_fini(&sim->lock);
    window_release(sim->window);
    free(sim);
}

// ---- properties

int tn_sim_device_count(void *p) { return (int)((const struct tn_sim *)p)->config.devices; }

tarn_status tn_sim_caps(void *p, int device, tarn_backend_caps *out) {
    const struct tn_sim *sim = (const struct tn_sim *)p;
    tarn_backend_caps c = {.struct_size = sizeof c};
    (void)snprintf(c.name, sizeof c.name, "simulated device %d", device);
    c.memory_bytes = sim->config.memory;
    c.granularity_minimum = sim->config.granularity;
    c.granularity_recommended = sim->config.recommended;
    c.features = TARN_FEATURE_PINNED | TARN_FEATURE_VIRTUAL_TIME | TARN_FEATURE_ARRAYS |
                 TARN_FEATURE_CHECKED;
    if (sim->config.vmm != TN_SIM_VMM_OFF) {
        c.features |= TARN_FEATURE_VMM | TARN_FEATURE_ALIAS | TARN_FEATURE_HOST_PHYS |
                      TARN_FEATURE_PARTIAL | TARN_FEATURE_MIXED | TARN_FEATURE_RIGHTS;
        c.shareable = TARN_SHAREABLE_TOKEN;
    }
    if (sim->config.devices > 1) c.features |= TARN_FEATURE_PEER;
    if (sim->config.giant) c.features |= TARN_FEATURE_GIANT_PAGES;
    c.caps = TARN_CAP_SPANS;
    c.costs = (tarn_backend_costs){
        sim->config.create_ns, sim->config.destroy_ns,  sim->config.map_ns,  sim->config.access_ns,
        sim->config.unmap_ns,  sim->config.allocate_ns, sim->config.free_ns, sim->config.gib_ns};
    *out = c;
    return TARN_OK;
}

tarn_status tn_sim_setting(void *p, unsigned index, tarn_setting *out) {
    const struct tn_options *options = &((const struct tn_sim *)p)->options;
    if (index >= options->count) return TARN_BAD_ARGUMENT;
    *out = (tarn_setting){.key = options->table[index].key,
                          .value = options->text[index],
                          .source = tn_options_source(options, index),
                          .help = options->table[index].help};
    return TARN_OK;
}

void tn_sim_counters(void *p, tarn_backend_counters *out) {
    *out =
        (tarn_backend_counters){.kernel_mappings = 0, .virtual_ns = tn_sim_now((struct tn_sim *)p)};
}

tarn_status tn_sim_trim(void *p, int device) {
    (void)p, (void)device; // nothing is cached
    return TARN_OK;
}

// ---- fork

void tn_sim_fork_prepare(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock_for_fork(&sim->lock);
    tn_mutex_lock_for_fork(&sim->engine.lock);
}

void tn_sim_fork_parent(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_unlock_after_fork(&sim->engine.lock);
    tn_mutex_unlock_after_fork(&sim->lock);
}

void tn_sim_fork_child(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_sim_fork_parent(p);
    tn_sim_engine_fork_child(&sim->engine);
}

const tarn_backend tn_backend_sim = {
    .struct_size = sizeof(tarn_backend),
    .abi = TARN_BACKEND_ABI,
    .name = "sim",
    .summary = "simulated devices: addresses without bytes, and a cost model",
#define FILL(slot, ...) .slot = tn_sim_##slot,
    TN_BACKEND_SLOTS(FILL)};
