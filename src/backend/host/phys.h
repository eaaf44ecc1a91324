// SPDX-License-Identifier: Apache-2.0
// Physical memory: a handle is an extent {file, offset, size}. The file is an arena, and the offset
// given at the first map; or, for exportable and imported handles, a file of its own. Records live
// in blocks that never move; a slot is reused after destroy (the core's handles carry generations).
#ifndef TARN_HOST_PHYS_H
#define TARN_HOST_PHYS_H

#include "backend/host/platform.h"

// Fields without a lock are constant while the handle is alive.
struct tn_host_phys {
    uint64_t bytes;
    uint64_t offset;             // in the file; with `bound`
    struct tn_host_arena *arena; // NULL: own file, or pinned memory when fd is -1 too. MMU lock:
    int fd;                      // own file. A block that is exported moves to one
    struct tn_host_view *view;   // arrays use it (view.h), else NULL; MMU lock
    uint32_t maps;               // mappings now, that of the view included; MMU lock
    uint32_t next_free;          // of a free slot; books lock
    uint8_t location;
    uint8_t page_class; // beneath: BASE or HUGE
    uint8_t shareable;
    uint8_t usage;
    bool live;     // books lock
    bool imported; // not counted as capacity
    bool plain;    // plain memory: nobody was promised what it holds
    bool doomed;   // destroyed, but a ghost still holds it; MMU lock
    bool bound;    // has its offset; MMU lock
    bool touched;  // somebody had rights since it was made; MMU lock
    bool stale;    // holds the pages of an earlier handle, not cleaned yet; MMU lock
};

static inline struct tn_host_phys *tn_host_phys_at(const struct tn_host *h, uint32_t slot) {
    return &h->phys[slot / TN_HOST_PHYS_BLOCK][slot % TN_HOST_PHYS_BLOCK];
}

// A zeroed record with fd -1, live. Under the books lock. NO_HOST_MEMORY, NO_HANDLES, with a text.
tarn_status tn_host_phys_new_record(struct tn_host *h, uint32_t *slot);

// Ends a record. Under the books lock.
void tn_host_phys_free_record(struct tn_host *h, uint32_t slot);

// Takes `bytes` of a location's capacity. Under the books lock. NO_DEVICE_MEMORY, with a text.
tarn_status tn_host_phys_charge(struct tn_host *h, unsigned location, uint64_t bytes);

// Gives an unbound handle its offset, to suit `addr`. Under the MMU lock for writing.
tarn_status tn_host_phys_bind(struct tn_host *h, uint32_t slot, uint64_t addr);

// Undoes the binding of a handle that nobody has seen: mapped nowhere, never touched. Else nothing.
void tn_host_phys_unbind(struct tn_host *h, uint32_t slot);

// Moves a bound handle from its arena to a file of its own, which holds its bytes already, is
// counted and becomes the handle's. Under the MMU lock for writing; the views are the caller's.
void tn_host_phys_move(struct tn_host *h, uint32_t slot, int fd);

// Before the first right: makes contents those of fresh memory and marks the handle touched. Under
// the MMU lock for writing. NO_HOST_MEMORY: no pages for the pattern.
tarn_status tn_host_phys_touch(struct tn_host *h, struct tn_host_phys *phys);

// Frees a handle that nothing holds any more.
void tn_host_phys_free(struct tn_host *h, uint32_t slot);

// What the outside is told.
void tn_host_phys_info(const struct tn_host_phys *phys, tarn_backend_phys_info *info);

// Frees the cached pages of a location. Under the phys lock. SYSTEM.
tarn_status tn_host_phys_trim(struct tn_host *h, unsigned location);

// Counts a descriptor of an own file. Under the books lock. NO_HANDLES, with a text.
tarn_status tn_host_phys_count_file(struct tn_host *h);

#endif
