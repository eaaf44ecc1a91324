// SPDX-License-Identifier: Apache-2.0
// How many kernel mappings a space takes, and how a change changes that, without asking the kernel.
// A space is a row of pieces (mapped memory or gap); the kernel merges two neighbours when both are
// gaps, or when they are bytes of one file that follow each other with one protection. A space with
// an alias is two such rows. Counted is what lies inside a space: two spaces side by side may share
// a mapping that is counted for both. All of it under the MMU lock.
#ifndef TARN_HOST_LAYOUT_H
#define TARN_HOST_LAYOUT_H

#include "backend/host/phys.h"

// The CPU's protection (PROT_ bits) where `rights` are given.
static inline int tn_host_layout_protection(const struct tn_host *h, uint32_t rights) {
    if (h->config.access == TN_HOST_STRICT) {
        return (int)(rights & 3u); // the host's own rights
    }
    rights |= rights >> 16;
    rights |= rights >> 8;
    rights |= rights >> 4;
    rights |= rights >> 2;
    return (int)(rights & 3u); // the bits of tarn_access are those of PROT_READ and PROT_WRITE
}

// A range of a space, looked up once: where its mappings begin in the table, and what lies at its
// sides. Good until the table's next insertion or removal.
struct tn_host_row {
    const struct tn_host_space *space;
    uint64_t lo;
    uint64_t hi;
    struct tn_interval_cursor first; // before the first mapping at or above lo
    struct tn_interval_entry left;   // the mapping that ends at lo, if there is one
    bool has_left;
};

struct tn_host_row tn_host_row_of(const struct tn_host *h, const struct tn_host_space *space,
                                  uint64_t lo, uint64_t hi);

// By how many mappings the space grows (or shrinks) when the row, a gap, is mapped with these
// items, which are bound; when its mappings go.
int64_t tn_host_layout_map(const struct tn_host *h, const struct tn_host_row *row,
                           const tarn_backend_map_item *items, size_t count);
int64_t tn_host_layout_unmap(const struct tn_host *h, const struct tn_host_row *row);

// The same when the bytes of the row, one mapping, move to a file of their own.
int64_t tn_host_layout_move(const struct tn_host *h, const struct tn_host_row *row);

// What a change of rights does to the row when the rights in `mask` become `rights`.
struct tn_host_access_plan {
    int64_t mappings; // by how many kernel mappings the space grows
    int protection;   // the CPU's in the end, if `uniform`
    bool uniform;     // it is the same in all of the row
    bool needed;      // it is another one than now, somewhere
    bool fresh;       // some mapping without any rights gets some
};

struct tn_host_access_plan tn_host_layout_access(const struct tn_host *h,
                                                 const struct tn_host_row *row, uint32_t mask,
                                                 uint32_t rights);

// The kernel mappings of a whole space, by walking it.
uint64_t tn_host_layout_count(const struct tn_host *h, const struct tn_host_space *space);

#endif
