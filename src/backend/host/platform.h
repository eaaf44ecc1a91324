// SPDX-License-Identifier: Apache-2.0
// One platform of the software device. It has two locks. The MMU lock, a reader-writer lock, guards
// the address space; a change holds it for writing, system calls included, so kernel and page table
// change together and no engine thread touches bytes meanwhile. The phys lock, taken inside it,
// guards files, handles and capacity.
#pragma once

#include "backend/host/arena.h"
#include "backend/host/budget.h"
#include "backend/host/card.h"
#include "backend/host/config.h"
#include "backend/host/engine/engine.h"
#include "backend/host/mmu.h"
#include "base/readers.h"

// Locations are numbered: 0 is the host, 1 + i is device i. Rights take two bits each (the bits of
// tarn_access), so a 32-bit word holds the rights of all locations.
#define TN_HOST_LOCATIONS (1 + TN_HOST_DEVICES_MAX)
#define TN_HOST_HERE      0u // the location number of the host

static inline unsigned tn_host_location(int device) { return (unsigned)(1 + device); }

// Returns the word of rights in which one location has `access`.
static inline uint32_t tn_host_right(unsigned location, tarn_access access) {
    return (uint32_t)access << (2 * location);
}

// An entry of the page table: the slot of the handle, and the rights. A deferred unmap (deferred.h)
// has the top bit, and counts as not mapped.
#define TN_HOST_PAGE_DEFERRED ((uint64_t)1 << 63)

static inline uint64_t tn_host_page(uint32_t slot, uint32_t rights) {
    return (uint64_t)slot << 32 | rights;
}

static inline uint32_t tn_host_page_slot(uint64_t page) {
    return (uint32_t)(page >> 32) & 0x7fffffffu;
}

static inline uint32_t tn_host_page_rights(uint64_t page) { return (uint32_t)page; }

static inline bool tn_host_page_is_deferred(uint64_t page) {
    return (page & TN_HOST_PAGE_DEFERRED) != 0;
}

enum tn_host_space_kind {
    TN_HOST_SPACE_RESERVATION,
    TN_HOST_SPACE_MEMORY, // a window that plain device memory is cut from
    TN_HOST_SPACE_PINNED, // a window that pinned host memory is cut from
};

// A range of addresses of this platform. Constant while it is in the table.
struct tn_host_space {
    enum tn_host_space_kind kind;
    uint64_t base;
    uint64_t size;
    uint64_t alias;             // distance of the engine's view; 0: the engine uses the CPU's view
    uint64_t next_fit;          // of a window: where a search for room begins; MMU lock
    struct tn_host_space *next; // of a window: the next one; MMU lock
};

// Records of physical memory lie in blocks that never move. Slots begin at 1.
#define TN_HOST_PHYS_BLOCK  1024u
#define TN_HOST_PHYS_BLOCKS 65536u

struct tn_host_phys;

struct tn_host {
    struct tn_host_engine engine; // first, see tn_host_engine_of(); has its own lock

    struct tn_host_config config; // constant, with the two below
    struct tn_options options;
    struct tn_host_probe probe;

    struct tn_rwlock mmu_lock;
    struct tn_readers mmu_readers; // beside the lock
    // Guarded by mmu_lock:
    struct tn_interval spaces;    // value: struct tn_host_space *
    struct tn_host_space *recent; // result of the last tn_host_space_to_change(), or NULL
    struct tn_interval pages;     // value: tn_host_page
    struct tn_host_budget budget;
    struct tn_host_space *windows;       // of both kinds
    uint32_t peers[TN_HOST_DEVICES_MAX]; // bit p of [d]: d reaches plain memory of p
    struct tn_interval registered;       // host_register; value: tarn_pin_class
    struct tn_host_array *arrays;        // all of them
    // Number of deferred unmaps. Written under the lock. phys_destroy reads it without the lock,
    // after the unmap that may have deferred a mapping of the handle.
    _Atomic uint64_t deferred;

    struct tn_mutex phys_lock;
    // Guarded by phys_lock:
    struct tn_host_arena arenas[TN_HOST_LOCATIONS][2]; // [location][huge]
    uint64_t used[TN_HOST_LOCATIONS];                  // bytes of live handles
    struct tn_host_card card; // the machine, if any, has the capacity of devices
    uint64_t own_files;       // descriptors of exportable handles
    uint32_t phys_count;      // slots ever used
    uint32_t phys_free;       // list of free slots, 0: none
    // Pointers to the blocks. Each is written once, before a slot of its block is in use.
    struct tn_host_phys **phys;
};

_Static_assert(offsetof(struct tn_host, engine) == 0, "tn_host_engine_of() casts the platform");
