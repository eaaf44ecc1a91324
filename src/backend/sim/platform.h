// SPDX-License-Identifier: Apache-2.0
// One simulated platform: its addresses, memory, mappings and clock. `lock` guards everything about
// memory; streams and events have a lock of their own (engine.h). No call holds both, except around
// fork().
#pragma once

#include "algo/interval.h"
#include "algo/slots.h"
#include "backend/contract/slots.h"
#include "backend/sim/config.h"
#include "backend/sim/engine.h"

// The accounts of memory: one for each device, then one for the host.
#define TN_SIM_ACCOUNTS (TN_SIM_DEVICES_MAX + 1)

// A reservation or a block of plain device memory. The value of an entry of `space`.
struct tn_sim_range {
    bool is_block;
    unsigned device;  // of a block
    uint64_t bytes;   // requested; the entry of a block is larger
    uint64_t charged; // capacity that a block takes; 0 of an import
    uint64_t token;   // of a block; 0: never exported
};

// Physical memory with one or more names: it was created, and may be imported.
struct tn_sim_memory {
    tarn_backend_phys_info info;
    unsigned account;
    uint64_t names;
    uint64_t token;   // 0: never exported
    uint64_t counted; // scratch of the check
};

// One name of memory: the payload of a slot of `phys`.
struct tn_sim_phys {
    struct tn_sim_memory *memory;
    uint64_t mapped;  // number of mappings
    uint64_t counted; // scratch of the check
};

// The value of an entry of `maps`. Spare ones are linked.
struct tn_sim_mapping {
    union {
        struct tn_sim_phys *phys;
        struct tn_sim_mapping *next;
    } of;
    uint64_t rights; // see rights.h
};

struct tn_sim {
    struct tn_sim_config config; // constant
    struct tn_options options;   // constant
    unsigned window;             // number of its window of addresses; constant
    uint64_t lo, hi;             // its usable numbers; constant

    struct tn_mutex lock; // guards the fields down to `used`
    uint64_t next;        // start of the search for free addresses
    struct tn_interval space;
    struct tn_interval maps;
    struct tn_interval tokens; // [token, token + 1) -> struct tn_sim_memory *
    struct tn_interval keys;   // [token, token + 1) -> struct tn_sim_range *, a block
    struct tn_slots phys;
    struct tn_sim_mapping *spare; // mapping records for reuse
    uint64_t spares;
    uint64_t used[TN_SIM_ACCOUNTS]; // bytes

    _Atomic uint64_t clock_ns; // relaxed: a sum that orders nothing
    struct tn_sim_engine engine;
};

// Advances virtual time.
static inline void tn_sim_charge(struct tn_sim *sim, uint64_t ns) {
    (void)tn_add_relaxed(&sim->clock_ns, ns);
}

// Returns the part of the cost of memory that depends on its size.
static inline uint64_t tn_sim_bytes_ns(const struct tn_sim *sim, uint64_t bytes) {
    const double gib = 1073741824.0;
    return (uint64_t)((double)sim->config.gib_ns * ((double)bytes / gib));
}

static inline uint64_t tn_sim_now(struct tn_sim *sim) { return tn_load_relaxed(&sim->clock_ns); }

// Returns true if the number lies in the platform's window.
static inline bool tn_sim_owns(const struct tn_sim *sim, tarn_addr addr) {
    return addr - sim->lo < sim->hi - sim->lo;
}

// Every slot function is called tn_sim_<slot>; <tarn/backend.h> documents them.
#define TN_SIM_SLOT(slot, ...) TN_BACKEND_SLOT_TYPE(slot) tn_sim_##slot;
TN_BACKEND_SLOTS(TN_SIM_SLOT)
#undef TN_SIM_SLOT

// capacity.c. UNSUPPORTED if the platform was opened without virtual memory management.
tarn_status tn_sim_vmm_require(const struct tn_sim *sim);
// Takes `bytes` of an account, under the lock. NO_DEVICE_MEMORY or NO_HOST_MEMORY.
tarn_status tn_sim_capacity_reserve(struct tn_sim *sim, unsigned account, uint64_t bytes);
uint64_t tn_sim_capacity(const struct tn_sim *sim, unsigned account);

// A key to a block is this text and the block's token in 16 hexadecimal digits.
#define TN_SIM_KEY_MAGIC "tarnsim1-"

// space.c. Imports the block with this token.
tarn_status tn_sim_import_block(struct tn_sim *sim, int device, uint64_t token, tarn_addr *addr,
                                uint64_t *size);

// phys.c. Returns a token that no platform of this process has used yet.
uint64_t tn_sim_new_token(void);
// Returns the page class that memory of the class `wish` gets.
tarn_page_class tn_sim_page_class(const struct tn_sim *sim, tarn_page_class wish);

// map.c
void tn_sim_free_spare_mappings(struct tn_sim *sim);
