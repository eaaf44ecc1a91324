// SPDX-License-Identifier: Apache-2.0
// Opening and closing simulated platforms, what they say about themselves, and the table of slots.
#include "backend/sim/platform.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/sim/sim.h"
#include "base/error.h"

// ---- windows of addresses

// Which windows are taken, by platforms of this process: one bit each. Taken in turn, so that the
// addresses of a closed platform stay unused for long.
static _Atomic uint64_t windows[TN_SIM_WINDOWS / 64];
static _Atomic unsigned next_window;

static bool take_window(unsigned *window) {
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

static void give_window_back(unsigned window) {
    (void)tn_and_acq_rel(&windows[window / 64], ~((uint64_t)1 << window % 64));
}

// ---- life

// The first part of a window stays free: no reservation touches the one below.
static void set_window(struct tn_sim *sim, unsigned window) {
    sim->window = window;
    sim->lo = TN_SIM_FIRST_WINDOW + window * TN_SIM_WINDOW_BYTES + TN_SIM_WINDOW_BYTES / 4;
    sim->hi = sim->lo + sim->config.space;
    sim->next = sim->lo;
}

static tarn_status open_configured(struct tn_sim *sim, const char *options) {
    unsigned window;
    tarn_status status = tn_sim_config_read(&sim->config, &sim->options, options);
    if (status != TARN_OK) {
        return status;
    }
    if (!take_window(&window)) {
        return tn_fail(TARN_NO_ADDRESS_SPACE, "%u simulated platforms are open already",
                       TN_SIM_WINDOWS);
    }
    set_window(sim, window);
    tn_mutex_init(&sim->lock, TN_RANK_BACKEND, "sim platform");
    tn_interval_init(&sim->space);
    tn_interval_init(&sim->maps);
    tn_interval_init(&sim->tokens);
    tn_interval_init(&sim->keys);
    tn_slots_init(&sim->phys, 1, 0);
    tn_sim_engine_init(&sim->engine);
    return TARN_OK;
}

static tarn_status platform_open(const char *options, void **p) {
    struct tn_sim *sim = (struct tn_sim *)calloc(1, sizeof *sim);
    if (sim == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a platform");
    }
    tarn_status status = open_configured(sim, options);
    if (status != TARN_OK) {
        free(sim);
        return status;
    }
    *p = sim;
    return TARN_OK;
}

static void platform_close(void *p) {
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
    give_window_back(sim->window);
    free(sim);
}

// ---- what it says about itself

static int device_count(void *p) {
    return (int)((const struct tn_sim *)p)->config.devices;
}

static tarn_status caps(void *p, int device, tarn_backend_caps *out) {
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
    if (sim->config.devices > 1) {
        c.features |= TARN_FEATURE_PEER;
    }
    if (sim->config.giant) {
        c.features |= TARN_FEATURE_GIANT_PAGES;
    }
    c.caps = TARN_CAP_SPANS;
    *out = c;
    return TARN_OK;
}

static tarn_status setting(void *p, unsigned index, tarn_setting *out) {
    const struct tn_options *options = &((const struct tn_sim *)p)->options;
    if (index >= options->count) {
        return TARN_BAD_ARGUMENT;
    }
    *out = (tarn_setting){.key = options->table[index].key,
                          .value = options->text[index],
                          .source = tn_options_source(options, index),
                          .help = options->table[index].help};
    return TARN_OK;
}

uint64_t tn_sim_capacity(const struct tn_sim *sim, unsigned account) {
    return account < sim->config.devices ? sim->config.memory : sim->config.host_memory;
}

tarn_status tn_sim_take(struct tn_sim *sim, unsigned account, uint64_t bytes) {
    uint64_t capacity = tn_sim_capacity(sim, account);
    uint64_t left = capacity - sim->used[account];
    if (bytes > left && account == sim->config.devices) {
        return tn_fail(
            TARN_NO_HOST_MEMORY, "simulated host: 0x%llx bytes asked, 0x%llx of 0x%llx free",
            (unsigned long long)bytes, (unsigned long long)left, (unsigned long long)capacity);
    }
    if (bytes > left) {
        return tn_fail(
            TARN_NO_DEVICE_MEMORY, "device %u: 0x%llx bytes asked, 0x%llx of 0x%llx free", account,
            (unsigned long long)bytes, (unsigned long long)left, (unsigned long long)capacity);
    }
    sim->used[account] += bytes;
    return TARN_OK;
}

tarn_status tn_sim_vmm_is_there(const struct tn_sim *sim) {
    return sim->config.vmm == TN_SIM_VMM_OFF
               ? tn_fail(TARN_UNSUPPORTED, "this simulated device has no virtual memory management")
               : TARN_OK;
}

static tarn_status memory_info(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock(&sim->lock);
    *free_bytes = sim->config.memory - sim->used[device];
    tn_mutex_unlock(&sim->lock);
    *total_bytes = sim->config.memory;
    return TARN_OK;
}

static void counters(void *p, tarn_backend_counters *out) {
    *out =
        (tarn_backend_counters){.kernel_mappings = 0, .virtual_ns = tn_sim_now((struct tn_sim *)p)};
}

// ---- fork

static void fork_prepare(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock_for_fork(&sim->lock);
    tn_mutex_lock_for_fork(&sim->engine.lock);
}

static void fork_parent(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_unlock_after_fork(&sim->engine.lock);
    tn_mutex_unlock_after_fork(&sim->lock);
}

static void fork_child(void *p) {
    struct tn_sim *sim = (struct tn_sim *)p;
    fork_parent(p);
    tn_sim_engine_fork_child(&sim->engine);
}

const tarn_backend tn_backend_sim = {
    .struct_size = sizeof(tarn_backend),
    .abi = TARN_BACKEND_ABI,
    .name = "sim",
    .summary = "simulated devices: addresses without bytes, and a cost model",
    .platform_open = platform_open,
    .platform_close = platform_close,
    .device_count = device_count,
    .caps = caps,
    .setting = setting,
    .memory_info = memory_info,
    .reserve = tn_sim_reserve,
    .release = tn_sim_release,
    .phys_create = tn_sim_phys_create,
    .phys_destroy = tn_sim_phys_destroy,
    .map = tn_sim_map,
    .unmap = tn_sim_unmap,
    .set_access = tn_sim_set_access,
    .phys_export = tn_sim_phys_export,
    .phys_import = tn_sim_phys_import,
    .memory_alloc = tn_sim_memory_alloc,
    .memory_free = tn_sim_memory_free,
    .host_alloc = tn_sim_host_alloc,
    .host_free = tn_sim_host_free,
    .host_register = tn_sim_host_register,
    .host_unregister = tn_sim_host_unregister,
    .peer_can = tn_sim_peer_can,
    .peer_set = tn_sim_peer_set,
    .stream_create = tn_sim_stream_create,
    .stream_destroy = tn_sim_stream_destroy,
    .stream_synchronize = tn_sim_stream_synchronize,
    .stream_query = tn_sim_stream_query,
    .stream_wait = tn_sim_stream_wait,
    .stream_call = tn_sim_stream_call,
    .device_synchronize = tn_sim_device_synchronize,
    .event_create = tn_sim_event_create,
    .event_destroy = tn_sim_event_destroy,
    .event_record = tn_sim_event_record,
    .event_query = tn_sim_event_query,
    .event_synchronize = tn_sim_event_synchronize,
    .event_elapsed = tn_sim_event_elapsed,
    .copy = tn_sim_copy,
    .fill = tn_sim_fill,
    .counters = counters,
    .check = tn_sim_check,
    .fork_prepare = fork_prepare,
    .fork_parent = fork_parent,
    .fork_child = fork_child,
    .array_create = tn_sim_array_create,
    .array_destroy = tn_sim_array_destroy,
    .array_map = tn_sim_array_map,
    .array_copy = tn_sim_array_copy,
    .memory_export = tn_sim_memory_export,
    .memory_import = tn_sim_memory_import,
    .memory_close = tn_sim_memory_free,
    .memory_alloc_with = tn_sim_memory_alloc_with,
    .stream_synchronize_until = tn_sim_stream_synchronize_until,
    .event_synchronize_until = tn_sim_event_synchronize_until,
    .device_synchronize_until = tn_sim_device_synchronize_until,
    .phys_allow = tn_sim_phys_allow,
    .memory_allow = tn_sim_memory_allow,
    .stream_wrap = tn_sim_stream_wrap,
};
