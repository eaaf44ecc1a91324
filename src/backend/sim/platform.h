// SPDX-License-Identifier: Apache-2.0
// One simulated platform: its addresses, its memory, its mappings and its clock. Whoever opened it
// owns it. Everything about memory is under `lock`; streams and events have a lock of their own
// (engine.h). No call holds both, but around fork().
#ifndef TARN_BACKEND_SIM_PLATFORM_H
#define TARN_BACKEND_SIM_PLATFORM_H

#include <tarn/backend.h>

#include "algo/interval.h"
#include "algo/slots.h"
#include "backend/sim/config.h"
#include "backend/sim/engine.h"
#include "base/lock.h"

// Where memory is counted: one account for each device, then one for the host.
#define TN_SIM_ACCOUNTS (TN_SIM_DEVICES_MAX + 1)

// Something that takes addresses: a reservation, or a block of plain device memory. The value of an
// entry of `space`.
struct tn_sim_range {
    bool is_block;
    unsigned device;  // of a block
    uint64_t bytes;   // asked for; the entry of a block is larger
    uint64_t charged; // the capacity that a block takes; 0: of somebody else's bytes, imported
    uint64_t token;   // of a block; 0: never exported
};

// The memory behind one or more names (created, imported).
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
    uint64_t mapped;  // mappings of it
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
    unsigned window;             // which window of addresses; constant
    uint64_t lo, hi;             // its usable numbers; constant

    struct tn_mutex lock; // guards everything down to `used`
    uint64_t next;        // where to look for free addresses first
    struct tn_interval space;
    struct tn_interval maps;
    struct tn_interval tokens; // [token, token + 1) -> struct tn_sim_memory *
    struct tn_interval keys;   // [token, token + 1) -> struct tn_sim_range *, a block
    struct tn_slots phys;
    struct tn_sim_mapping *spare; // mapping records for reuse
    uint64_t spares;
    uint64_t used[TN_SIM_ACCOUNTS]; // bytes

    _Atomic uint64_t clock_ns; // relaxed: a sum, which orders nothing
    struct tn_sim_engine engine;
};

// Lets virtual time pass.
static inline void tn_sim_charge(struct tn_sim *sim, uint64_t ns) {
    (void)tn_add_relaxed(&sim->clock_ns, ns);
}

static inline uint64_t tn_sim_now(struct tn_sim *sim) {
    return tn_load_relaxed(&sim->clock_ns);
}

static inline uint64_t tn_sim_round_up(uint64_t x, uint64_t alignment) {
    return (x + alignment - 1) & ~(alignment - 1);
}

// Is this number in the platform's window, used or not?
static inline bool tn_sim_owns(const struct tn_sim *sim, tarn_addr addr) {
    return addr - sim->lo < sim->hi - sim->lo;
}

// UNSUPPORTED, recorded: the platform was opened to have no virtual memory management.
tarn_status tn_sim_vmm_is_there(const struct tn_sim *sim);

uint64_t tn_sim_capacity(const struct tn_sim *sim, unsigned account);

// Takes `bytes` of an account, under the lock. NO_DEVICE_MEMORY with a text.
tarn_status tn_sim_take(struct tn_sim *sim, unsigned account, uint64_t bytes);

// space.c
tarn_status tn_sim_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                           tarn_addr *addr);
void tn_sim_release(void *p, tarn_addr addr, uint64_t size);
tarn_status tn_sim_import_block(struct tn_sim *sim, int device, uint64_t token, tarn_addr *addr,
                                uint64_t *size);
tarn_status tn_sim_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr);
tarn_status tn_sim_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                     tarn_addr *addr, tarn_page_class *page_class);
void tn_sim_memory_free(void *p, int device, tarn_addr addr);
bool tn_sim_peer_can(void *p, int device, int peer);
tarn_status tn_sim_peer_set(void *p, int device, int peer, bool enabled);

// key.c
tarn_status tn_sim_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                 tarn_memory_key *key);
tarn_status tn_sim_memory_import(void *p, int device, const tarn_memory_key *key, tarn_addr *addr,
                                 uint64_t *size);
tarn_status tn_sim_memory_allow(void *p, const tarn_memory_key *key, const int *pids, size_t count);

// phys.c. A token that no platform of this process has given out yet; what a class wished for
// gives.
uint64_t tn_sim_new_token(void);
tarn_page_class tn_sim_page_class(const struct tn_sim *sim, tarn_page_class wish);
tarn_status tn_sim_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);
void tn_sim_phys_destroy(void *p, tarn_backend_phys phys);
tarn_status tn_sim_phys_export(void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out);
tarn_status tn_sim_phys_import(void *p, int device, const tarn_shareable *in,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);
tarn_status tn_sim_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                              size_t count);

// map.c
tarn_status tn_sim_map(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count);
tarn_status tn_sim_unmap(void *p, tarn_addr addr, uint64_t size);
tarn_status tn_sim_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                              size_t count);
void tn_sim_free_spare_mappings(struct tn_sim *sim);

// host.c
tarn_status tn_sim_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                              tarn_pin_class *pin_class);
void tn_sim_host_free(void *p, void *ptr, uint64_t size);
tarn_status tn_sim_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                 tarn_pin_class *pin_class);
void tn_sim_host_unregister(void *p, void *ptr, uint64_t size);

// copy.c. The time of a copy of so many bytes, within the platform or over the link.
void tn_sim_charge_copy(struct tn_sim *sim, uint64_t bytes, bool inside);
tarn_status tn_sim_copy(void *p, void *stream, const tarn_backend_copy *desc);
tarn_status tn_sim_fill(void *p, void *stream, const tarn_backend_fill *desc);

// array.c
tarn_status tn_sim_array_create(void *p, int device, const tarn_array_desc *desc,
                                void (*let_go)(void *owner, uint64_t count), void **array,
                                tarn_backend_array_info *info);
void tn_sim_array_destroy(void *p, void *array);
tarn_status tn_sim_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                             size_t count);
tarn_status tn_sim_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc);

// check.c
tarn_status tn_sim_check(void *p);

#endif
