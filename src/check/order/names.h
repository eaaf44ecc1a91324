// SPDX-License-Identifier: Apache-2.0
// Addresses as names of physical memory. Part of check/order/order.c, which serialises every call.
//
// The order of work is about bytes, and an address is the name of a byte. Four invariants:
//
//   - Memory with one name is known by it: the key of a byte is its address.
//   - With its second name, memory gets a range of keys in the space TN_CHECK_PHYSICAL. From then on
//     each of its names leads to these keys, until the last name ends.
//   - A name is a mapping, which shows the first bytes of a handle, or a block of plain memory that
//     was exported or imported. Handles and blocks are of one memory if an event says so
//     (TN_MEM_IDENTITY). Memory that other processes share has the names of this process only.
//   - Keys are never used again, so new memory inherits nothing.
#pragma once

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/order/maps.h"
#include "check/table.h"

#define TN_CHECK_PHYSICAL UINT32_MAX // no platform has this space

// Zeroed is empty.
struct tn_check_names {
    struct tn_check_table memories;
    struct tn_check_table handles; // of physical memory
    struct tn_check_table names;
    struct tn_check_handle_map by_handle;   // from an image's handle to an index in `handles`
    struct tn_check_handle_map by_start;    // from a space's address to an index in `names`
    struct tn_check_handle_map by_identity; // to indexes in `memories`
    struct tn_check_maps maps; // names of memory that has or had another one: indexes in `names`
    uint64_t serial;           // of the last range of keys
    _Atomic uint64_t several;  // memories with another name, now or earlier
};

// Bytes next to each other, with keys next to each other.
struct tn_check_piece {
    uint32_t space;
    uint64_t lo; // the keys
    uint64_t hi;
    uint64_t shift; // what is added to a key to get its address
};

// The consequence of an event for what is stored by keys.
struct tn_check_renaming {
    struct tn_check_piece from; // its keys become those from `to` on in TN_CHECK_PHYSICAL, ...
    uint64_t to;
    struct tn_check_piece gone; // ... and these keys end. Without bytes: nothing
};

void tn_check_names_fini(struct tn_check_names *names);

// Returns true if the event may begin or end a name.
static inline bool tn_check_names_concern(const struct tn_mem_event *event) {
    return event->kind >= TN_MEM_RESOURCE_BEGIN && event->kind <= TN_MEM_IDENTITY &&
           event->kind != TN_MEM_REFUSED && event->kind != TN_MEM_REQUESTED &&
           (event->what == TN_MEM_PHYS || event->what == TN_MEM_MAPPING ||
            event->what == TN_MEM_MEMORY);
}

// Applies such an event. Without memory for its tables, a name may be missing, and then a race.
void tn_check_names_event(struct tn_check_names *names, const struct tn_mem_event *event,
                          struct tn_check_renaming *renaming);

// Finds the piece of [lo, hi) that begins at `lo`. The range is not empty.
void tn_check_names_find(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                         uint64_t hi, struct tn_check_piece *piece);

// Calls visit() for each range of addresses by which bytes of [lo, hi) are known, [lo, hi) itself
// included.
void tn_check_names_visit(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                          uint64_t hi,
                          void (*visit)(void *arg, uint32_t space, uint64_t lo, uint64_t hi),
                          void *arg);

// Returns true if a byte of the range may have got its contents by another name: there is one now, or
// there was one that no pool owned.
bool tn_check_names_keep(const struct tn_check_names *names, uint32_t space, uint64_t lo,
                         uint64_t hi);
