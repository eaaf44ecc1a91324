// SPDX-License-Identifier: Apache-2.0
// The software device as a backend: opening and closing a platform, its properties, and its table
// of slots. See platform.h.
#include "backend/host/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/host/memory.h"
#include "backend/host/pin.h"
#include "backend/host/share.h"
#include "backend/host/sys.h"
#include "base/error.h"

static void tables_fini(struct tn_host *h) {
    for (unsigned location = 0; location < TN_HOST_LOCATIONS; location++) {
        tn_host_arena_fini(&h->arenas[location][0]);
        tn_host_arena_fini(&h->arenas[location][1]);
    }
    for (uint32_t block = 0; h->phys != NULL && block < TN_HOST_PHYS_BLOCKS; block++) {
        free(h->phys[block]);
        if (h->phys[block] == NULL) break; // blocks are allocated in order
    }
    free(h->phys);
    tn_interval_fini(&h->spaces);
    tn_interval_fini(&h->pages);
    tn_interval_fini(&h->registered);
    tn_mutex_fini(&h->phys_lock);
    tn_rwlock_fini(&h->mmu_lock);
    free(h);
}

// The tables are empty except for the record of pinned memory.
static tarn_status tables_init(struct tn_host *h) {
    uint32_t slot = 0;
    tn_host_mmu_init(h);
    tn_mutex_init(&h->phys_lock, TN_RANK_BACKEND_INNER, "host phys");
    tn_interval_init(&h->spaces);
    tn_interval_init(&h->pages);
    tn_interval_init(&h->registered);
    for (unsigned location = 0; location < TN_HOST_LOCATIONS; location++) {
        tn_host_arena_init(&h->arenas[location][0], false);
        tn_host_arena_init(&h->arenas[location][1], true);
    }
    h->phys_count = TN_HOST_PIN_SLOT;
    h->phys = (struct tn_host_phys **)tn_host_sys_alloc(TN_HOST_PHYS_BLOCKS * sizeof *h->phys);
    TN_REFUSE(h->phys == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a platform of host");
    TN_TRY(tn_host_phys_new_record(h, &slot));
    tn_host_phys_at(h, slot)->location = TN_HOST_HERE;
    tn_host_phys_at(h, slot)->touched = true;
    return TARN_OK;
}

tarn_status tn_host_platform_open(const char *options, void **p) {
    struct tn_host *h = (struct tn_host *)tn_host_sys_alloc(sizeof *h);
    TN_REFUSE(h == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a platform of host");
    tarn_status status = tables_init(h);
    if (status != TARN_OK) goto err_tables;
    status = tn_host_configure(options, &h->options, &h->config);
    if (status != TARN_OK) goto err_tables;
    status = tn_host_probe_system(&h->probe);
    if (status != TARN_OK) goto err_tables;
    status =
        tn_host_engine_open(&h->engine, h, (int)h->config.devices, (unsigned)h->config.workers);
    if (status != TARN_OK) goto err_tables;
    tn_host_engine_set_schedule(&h->engine, (enum tn_host_schedule)h->config.schedule,
                                h->config.seed);
    tn_host_budget_open(&h->budget, h->config.vma_budget);
    status = tn_host_card_open(&h->card, h->config.memory, (unsigned)h->config.devices);
    if (status != TARN_OK) goto err_engine;
    *p = h;
    return TARN_OK;
err_engine:
    tn_host_engine_close(&h->engine);
err_tables:
    tables_fini(h);
    return status;
}

void tn_host_platform_close(void *p) {
    struct tn_host *h = (struct tn_host *)p;
    tn_host_engine_close(&h->engine);
    tn_host_window_undo(h, NULL);
    tn_host_budget_close(&h->budget);
    tn_host_card_close(&h->card);
    tables_fini(h);
}

// ---- properties

int tn_host_device_count(void *p) { return (int)((struct tn_host *)p)->config.devices; }

tarn_status tn_host_caps(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_host *h = (const struct tn_host *)p;
    tarn_backend_caps made = {
        .struct_size = sizeof made,
        .memory_bytes = h->config.memory,
        .granularity_minimum = h->config.granularity,
        .granularity_recommended = h->config.recommended,
        .features = TARN_FEATURE_VMM | TARN_FEATURE_BYTES | TARN_FEATURE_HOST_ACCESS |
                    TARN_FEATURE_ALIAS | TARN_FEATURE_ASYNC | TARN_FEATURE_PINNED |
                    TARN_FEATURE_HOST_PHYS | TARN_FEATURE_ARRAYS | TARN_FEATURE_CHECKED |
                    TARN_FEATURE_PARTIAL | TARN_FEATURE_MIXED | TARN_FEATURE_RIGHTS |
                    TARN_FEATURE_CONDITIONS,
        .shareable = h->probe.sealing ? TN_HOST_SHAREABLE : 0,
        .caps = TARN_CAP_SPANS,
    };
    if (h->config.schedule == TN_HOST_SCHEDULE_RANDOM) made.caps |= TARN_CAP_LATE_RECORDS;
    if (h->config.giant) made.features |= TARN_FEATURE_GIANT_PAGES;
    if (h->config.devices > 1) made.features |= TARN_FEATURE_PEER;
    (void)snprintf(made.name, sizeof made.name, "software device %d", device);
    *caps = made;
    return TARN_OK;
}

tarn_status tn_host_setting(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_host *h = (const struct tn_host *)p;
    if (index >= h->options.count)
        return TARN_BAD_ARGUMENT; // ends a loop over the settings, so it has no text
    *setting = (tarn_setting){
        .key = h->options.table[index].key,
        .value = h->options.text[index],
        .source = tn_options_source(&h->options, index),
        .help = h->options.table[index].help,
    };
    return TARN_OK;
}

// ---- fork

void tn_host_fork_prepare(void *p) {
    struct tn_host *h = (struct tn_host *)p;
    tn_rwlock_write_for_fork(&h->mmu_lock);
    tn_mutex_lock_for_fork(&h->phys_lock);
    tn_host_engine_fork_prepare(&h->engine);
}

static void unlock_after_fork(struct tn_host *h) {
    tn_mutex_unlock_after_fork(&h->phys_lock);
    tn_rwlock_unlock_after_fork(&h->mmu_lock);
}

void tn_host_fork_parent(void *p) {
    struct tn_host *h = (struct tn_host *)p;
    tn_host_engine_fork_parent(&h->engine);
    unlock_after_fork(h);
}

// The child has the same tables and shares the pages of its parent.
void tn_host_fork_child(void *p) {
    struct tn_host *h = (struct tn_host *)p;
    tn_host_engine_fork_child(&h->engine);
    tn_host_card_fork_child(&h->card);
    unlock_after_fork(h);
}

// ---- the table

const tarn_backend tn_backend_host = {
    .struct_size = sizeof(tarn_backend),
    .abi = TARN_BACKEND_ABI,
    .name = "host",
    .summary = "the software device: real bytes in memory of this machine",
#define FILL(slot, ...) .slot = tn_host_##slot,
    TN_BACKEND_SLOTS(FILL)};
