// SPDX-License-Identifier: Apache-2.0
// Counts the kernel mappings of a space, and predicts the effect of a change, without asking the
// kernel. A space is a row of pieces: mappings with rights, or gaps. A mapping without rights counts
// as a gap, because map.h leaves it out of the kernel. The kernel merges two neighbours if both are
// gaps, or if they are consecutive bytes of one file with equal protection. A space with an alias is
// two such rows. Neighbouring spaces may share a mapping, which counts for both. All functions need
// the MMU lock.
#pragma once

#include "backend/host/phys.h"

// Returns the protection (PROT_ bits) of the CPU's view for these rights.
static inline int tn_host_layout_protection(const struct tn_host *h, uint32_t rights) {
    if (h->config.access == TN_HOST_STRICT) return (int)(rights & 3u); // the host's own rights
    rights |= rights >> 16;
    rights |= rights >> 8;
    rights |= rights >> 4;
    rights |= rights >> 2;
    return (int)(rights & 3u); // the bits of tarn_access are those of PROT_READ and PROT_WRITE
}

// A range of a space: the position of its mappings in the page table, and its left neighbour. Valid
// until the table's next insertion or removal.
struct tn_host_row {
    const struct tn_host_space *space;
    uint64_t lo;
    uint64_t hi;
    struct tn_interval_cursor first; // before the first mapping at or above lo
    struct tn_interval_entry left;   // with has_left: the mapping that ends at lo
    bool has_left;
};

// Under the lock held for writing.
struct tn_host_row tn_host_row_of(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                                  uint64_t hi);

// Returns the change of the number of kernel mappings when the rights in `mask` become `rights` in
// the row, which has no gap.
int64_t tn_host_layout_access(const struct tn_host *h, const struct tn_host_row *row, uint32_t mask,
                              uint32_t rights);

// The same when they are unmapped.
static inline int64_t tn_host_layout_unmap(const struct tn_host *h, const struct tn_host_row *row) {
    return tn_host_layout_access(h, row, UINT32_MAX, 0);
}

// The same when the bytes of the row, which is one mapping with rights, move to a file of their
// own.
int64_t tn_host_layout_move(const struct tn_host *h, const struct tn_host_row *row);

// Counts the kernel mappings of a complete space by walking it.
uint64_t tn_host_layout_count(const struct tn_host *h, const struct tn_host_space *space);
