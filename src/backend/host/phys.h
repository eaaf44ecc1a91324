// SPDX-License-Identifier: Apache-2.0
// Physical memory. A handle is an extent {file, offset, size}. The file is an arena, with an offset
// assigned at the first map; exportable and imported handles have a file of their own. Records lie
// in blocks that never move. A slot is reused after destroy; the core's handles carry generations.
#pragma once

#include "backend/host/platform.h"

// Fields without a named lock are constant while the handle is alive.
struct tn_host_phys {
    uint64_t bytes;
    uint64_t offset;             // in the file; with `bound`
    struct tn_host_arena *arena; // NULL: own file, or pinned memory if fd is -1; MMU lock
    int fd;                      // own file, also of an exported block; MMU lock
    struct tn_host_view *view;   // NULL unless arrays use it, see array.h; MMU lock
    uint32_t maps;               // number of mappings, with that of the view; MMU lock
    uint32_t next_free;          // of a free slot; phys lock
    uint32_t generation;         // that of the card when it was created
    uint8_t location;
    uint8_t page_class; // of the pages beneath: BASE or HUGE
    uint8_t shareable;
    uint8_t usage;
    bool live;     // phys lock
    bool imported; // takes no capacity
    bool plain;    // plain memory, whose fresh contents are undefined
    bool doomed;   // destroyed, but held by a deferred unmap; MMU lock
    bool bound;    // has an offset; MMU lock
    bool touched;  // some location has had rights; MMU lock
    bool stale;    // holds pages of an earlier handle, not cleaned yet; MMU lock
};

static inline struct tn_host_phys *tn_host_phys_at(const struct tn_host *h, uint32_t slot) {
    TARN_ASSERT(slot != 0 && slot / TN_HOST_PHYS_BLOCK < TN_HOST_PHYS_BLOCKS);
    return &h->phys[slot / TN_HOST_PHYS_BLOCK][slot % TN_HOST_PHYS_BLOCK];
}

// Makes a live record: zero except for fd, which is -1. Under the phys lock. NO_HOST_MEMORY,
// NO_HANDLES, with a text.
tarn_status tn_host_phys_new_record(struct tn_host *h, uint32_t *slot);

// Frees a record. Under the phys lock.
void tn_host_phys_free_record(struct tn_host *h, uint32_t slot);

// Takes `bytes` of a location's capacity. Under the phys lock. NO_DEVICE_MEMORY, NO_HOST_MEMORY.
tarn_status tn_host_phys_charge(struct tn_host *h, unsigned location, uint64_t bytes);

// Returns what a handle takes of its location. Under the phys lock.
void tn_host_phys_discharge(struct tn_host *h, const struct tn_host_phys *phys);

// Assigns an unbound handle an offset that suits `addr`. Under the MMU lock, held for writing.
tarn_status tn_host_phys_bind(struct tn_host *h, uint32_t slot, uint64_t addr);

// Frees the offset of a handle that is mapped nowhere and was never touched. Ignores other handles.
void tn_host_phys_unbind(struct tn_host *h, uint32_t slot);

// Moves a bound handle from its arena to a file of its own, which holds its bytes and is counted.
// The handle owns the file afterwards. The caller changes the views. Under the MMU lock, held for
// writing.
void tn_host_phys_move(struct tn_host *h, uint32_t slot, int fd);

// Prepares a handle for its first right: writes the contents of fresh memory and marks it touched.
// Under the MMU lock, held for writing. NO_HOST_MEMORY: there are no pages for the pattern.
tarn_status tn_host_phys_touch(struct tn_host *h, struct tn_host_phys *phys);

// Frees a handle that is mapped nowhere, with its memory and its record. Takes the phys lock.
void tn_host_phys_free(struct tn_host *h, uint32_t slot);

// Describes a handle to the core.
void tn_host_phys_info(const struct tn_host_phys *phys, tarn_backend_phys_info *info);

// Frees the cached pages of a location. Under the phys lock. SYSTEM.
tarn_status tn_host_phys_trim(struct tn_host *h, unsigned location);

// Counts the descriptor of an own file. Under the phys lock. NO_HANDLES, with a text.
tarn_status tn_host_phys_count_file(struct tn_host *h);
