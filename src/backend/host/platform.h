// SPDX-License-Identifier: Apache-2.0
// One platform of the software device: what its files share. Two locks: the MMU lock, a
// reader-writer lock over what is mapped where, held for writing through every change of the
// address space, system calls included; and, inside it, the books lock over files, handles and
// capacity. Kernel and table thus change together, and nobody touches bytes meanwhile.
#ifndef TARN_HOST_PLATFORM_H
#define TARN_HOST_PLATFORM_H

#include <tarn/backend.h>

#include "algo/interval.h"
#include "backend/host/arena.h"
#include "backend/host/budget.h"
#include "backend/host/config.h"
#include "backend/host/engine.h"
#include "backend/host/mmu.h"
#include "base/lock.h"

// A location is a number here: 0 is the host, 1 + i is device i. Rights are two bits each (the bits
// of tarn_access), so one 32-bit word holds those of all locations.
#define TN_HOST_LOCATIONS (1 + TN_HOST_DEVICES_MAX)
#define TN_HOST_HERE      0u // the location number of the host

static inline unsigned tn_host_location(int device) {
    return (unsigned)(1 + device);
}

// The word of rights that gives `access` to one location.
static inline uint32_t tn_host_right(unsigned location, tarn_access access) {
    return (uint32_t)access << (2 * location);
}

// What an entry of the page table says: whose bytes, and who may use them; or that it is a ghost
// (ghost.h), which counts as not mapped.
#define TN_HOST_PAGE_DEFERRED ((uint64_t)1 << 63)

static inline uint64_t tn_host_page(uint32_t slot, uint32_t rights) {
    return (uint64_t)slot << 32 | rights;
}

static inline uint32_t tn_host_page_slot(uint64_t page) {
    return (uint32_t)(page >> 32) & 0x7fffffffu;
}

static inline uint32_t tn_host_page_rights(uint64_t page) {
    return (uint32_t)page;
}

static inline bool tn_host_page_is_deferred(uint64_t page) {
    return (page & TN_HOST_PAGE_DEFERRED) != 0;
}

enum tn_host_space_kind {
    TN_HOST_SPACE_RESERVATION,
    TN_HOST_SPACE_MEMORY, // a window that plain device memory is cut from
    TN_HOST_SPACE_PINNED, // a window that pinned host memory is cut from
};

// A range of addresses that is this platform's. Constant while it is in the table.
struct tn_host_space {
    enum tn_host_space_kind kind;
    uint64_t base;
    uint64_t size;
    uint64_t alias;    // what to add to an address for the engine's view; 0: it is the CPU's own
    uint64_t next_fit; // windows: where to look for room first; MMU lock
    struct tn_host_space *next; // windows: the list of them; MMU lock
};

// Physical memory records, in blocks that never move. Slots are 1 and up.
#define TN_HOST_PHYS_BLOCK  1024u
#define TN_HOST_PHYS_BLOCKS 65536u

struct tn_host_phys;

struct tn_host {
    struct tn_host_engine engine; // first, see tn_host_engine_of(); has its own lock

    struct tn_host_config config; // constant, with the two below
    struct tn_options options;
    struct tn_host_probe probe;

    struct tn_rwlock mmu_lock;
    // Guarded by mmu_lock:
    struct tn_interval spaces;    // value: struct tn_host_space *
    struct tn_host_space *recent; // the one changed last, or NULL
    struct tn_interval pages;     // value: tn_host_page
    struct tn_host_budget budget;
    struct tn_host_space *windows;       // of both kinds
    uint32_t peers[TN_HOST_DEVICES_MAX]; // bit p of [d]: d reaches plain memory of p
    struct tn_interval registered;       // host_register; value: tarn_pin_class
    struct tn_host_array *arrays;        // all of them
    // Ghosts in `pages`. Written under the lock; read without it by who destroys a handle, which
    // happens after the unmap that may have made one of it.
    _Atomic uint64_t deferred;

    struct tn_mutex phys_lock;
    // Guarded by phys_lock:
    struct tn_host_arena arenas[TN_HOST_LOCATIONS][2]; // [location][huge]
    uint64_t used[TN_HOST_LOCATIONS];                  // bytes of live handles
    uint64_t own_files;                                // descriptors of exportable handles
    uint32_t phys_count;                               // slots ever used
    uint32_t phys_free;                                // list of free slots, 0: none
    // The blocks: a pointer is written once, before a slot of its block is given out.
    struct tn_host_phys **phys;
};

#endif
