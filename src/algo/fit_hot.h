// SPDX-License-Identifier: Apache-2.0
// The hot part of fit.c: the take without an alignment, and the free, for a caller that makes them
// a million times a second and inlines them. Everything else about a fit is in fit.h.
#pragma once

#include "algo/fit.h"

#define TN_FIT_HOT    static inline __attribute__((always_inline))
#define TN_FIT_NO_BIN UINT32_MAX
#define TN_FIT_PROBES 8 // candidates in a bin; more do not help with 32 bins for each power of two

// The owner's data of a taken node; see tn_fit_assign().
typedef struct tn_fit_data {
    unsigned list;
    uint32_t mark;
    uint64_t word;
} tn_fit_data;

// The bin whose sizes are at most `units`; the next larger bin's are all above. Sizes below 64 have
// a bin each: the rows 0 and 1.
TN_FIT_HOT uint32_t tn_fit_bin_of(uint64_t units) {
    uint32_t shift = 58u - (uint32_t)__builtin_clzll(units | TN_FIT_COLUMNS);
    return (shift << 5) + (uint32_t)(units >> shift);
}

// The first bin with a node, from `bin` up.
TN_FIT_HOT uint32_t tn_fit_bin_from(const tn_fit_bins *bins, uint32_t bin) {
    uint32_t row = bin >> 5;
    if (row >= TN_FIT_ROWS) return TN_FIT_NO_BIN;
    uint32_t columns = bins->columns[row] & (~UINT32_C(0) << (bin & 31));
    if (columns == 0) {
        uint64_t rows = bins->rows & (~UINT64_C(0) << (row + 1));
        if (rows == 0) return TN_FIT_NO_BIN;
        row = (uint32_t)__builtin_ctzll(rows);
        columns = bins->columns[row];
    }
    return row << 5 | (uint32_t)__builtin_ctz(columns);
}

// ---- nodes and bins

TN_FIT_HOT uint32_t tn_fit_node_new(tn_fit *fit) {
    uint32_t node = fit->recycled;
    TARN_ASSERT(fit->room > 0 && (node != 0 || fit->used < fit->capacity));
    TARN_ASSERT(tn_fit_state(fit, node != 0 ? node : fit->used) == TN_FIT_UNUSED);
    fit->room--;
    if (node != 0) {
        fit->recycled = fit->nodes[node].next;
        return node;
    }
    return fit->used++;
}

TN_FIT_HOT void tn_fit_node_drop(tn_fit *fit, uint32_t node) {
    tn_fit_node *n = &fit->nodes[node];
    n->place = TN_FIT_UNUSED;
    n->next = fit->recycled;
    fit->recycled = node;
    fit->room++;
}

TN_FIT_HOT void tn_fit_link_in(tn_fit_node *nodes, tn_fit_bins *bins, uint32_t node, uint32_t bin) {
    uint32_t head = bins->heads[bin];
    TARN_ASSERT((nodes[node].place & 3u) == TN_FIT_FREE && nodes[node].extent >> 24 != 0);
    TARN_ASSERT(bin == tn_fit_bin_of(nodes[node].extent >> 24));
    TARN_ASSERT((head != 0) == (bins->columns[bin >> 5] >> (bin & 31) & 1u));
    nodes[node].prev = 0;
    nodes[node].next = head;
    bins->heads[bin] = node;
    if (head != 0) {
        nodes[head].prev = node;
        return;
    }
    bins->columns[bin >> 5] |= UINT32_C(1) << (bin & 31);
    bins->rows |= UINT64_C(1) << (bin >> 5);
}

TN_FIT_HOT void tn_fit_link_out(tn_fit_node *nodes, tn_fit_bins *bins, uint32_t node,
                                uint32_t bin) {
    uint32_t prev = nodes[node].prev;
    uint32_t next = nodes[node].next;
    TARN_ASSERT((prev == 0) == (bins->heads[bin] == node));
    TARN_ASSERT((prev == 0 || nodes[prev].next == node) && (next == 0 || nodes[next].prev == node));
    if (next != 0) nodes[next].prev = prev;
    if (prev != 0) {
        nodes[prev].next = next;
        return;
    }
    bins->heads[bin] = next;
    if (next == 0) {
        uint32_t columns = bins->columns[bin >> 5] & ~(UINT32_C(1) << (bin & 31));
        bins->columns[bin >> 5] = columns;
        bins->rows &= ~((uint64_t)(columns == 0) << (bin >> 5)); // a branch would be mispredicted
    }
}

// Inserts a taken node between two neighbours.
TN_FIT_HOT uint32_t tn_fit_node_between(tn_fit *fit, uint32_t before, uint32_t after,
                                        uint64_t place, uint64_t units) {
    uint32_t node = tn_fit_node_new(fit);
    tn_fit_node *n = &fit->nodes[node];
    n->place = (place & ~UINT64_C(3)) | TN_FIT_TAKEN;
    n->extent = units << 24;
    n->before = before;
    n->after = after;
    fit->nodes[before].after = node;
    if (after != 0) fit->nodes[after].before = node;
    return node;
}

// Changes the length of a free node of a bin, but not the units counted in `bins`. Usually the node
// stays in its bin, which makes this cheap.
TN_FIT_HOT void tn_fit_resize(tn_fit *fit, tn_fit_bins *bins, uint32_t node, uint32_t bin,
                              uint64_t units) {
    uint32_t to = tn_fit_bin_of(units);
    fit->nodes[node].extent = units << 24;
    if (bin != to) {
        tn_fit_link_out(fit->nodes, bins, node, bin);
        tn_fit_link_in(fit->nodes, bins, node, to);
    }
}

// Removes a node from its neighbours. It becomes unused.
TN_FIT_HOT void tn_fit_unlink(tn_fit *fit, uint32_t node, uint32_t before, uint32_t after) {
    TARN_ASSERT(after == 0 || fit->nodes[after].before == node);
    fit->nodes[before].after = after;
    if (after != 0) fit->nodes[after].before = before;
    tn_fit_node_drop(fit, node);
}

// Makes a node with that many units free, and inserts it into the bins of its list.
TN_FIT_HOT void tn_fit_insert(tn_fit *fit, tn_fit_bins *bins, uint32_t node, unsigned list,
                              uint64_t units) {
    tn_fit_node *n = &fit->nodes[node];
    n->place = (n->place & ~UINT64_C(0xffff)) | (uint64_t)list << 2 | TN_FIT_FREE;
    n->extent = units << 24;
    tn_fit_link_in(fit->nodes, bins, node, tn_fit_bin_of(units));
    bins->units += units;
    bins->count++;
}

// ---- take

// The best of the first nodes of a bin; 0 if none of them is long enough. A free node has no mark.
TN_FIT_HOT uint32_t tn_fit_best_of(const tn_fit_node *nodes, uint32_t head, uint64_t units) {
    uint64_t least = units << 24;
    uint32_t best = 0;
    uint64_t best_extent = UINT64_MAX;
    int left = TN_FIT_PROBES;
    for (uint32_t k = head; k != 0 && left > 0; k = nodes[k].next, left--) {
        uint64_t extent = nodes[k].extent;
        if (extent == least) return k;
        if (extent > least && extent < best_extent) {
            best = k;
            best_extent = extent;
        }
    }
    return best;
}

TN_FIT_HOT void tn_fit_set_taken(tn_fit_node *n, uint64_t start, uint64_t units, tn_fit_data data) {
    n->place = start << 16 | (uint64_t)data.list << 2 | TN_FIT_TAKEN;
    n->extent = units << 24 | data.mark;
    n->prev = (uint32_t)data.word;
    n->next = (uint32_t)(data.word >> 32);
}

// Takes the first units of a free node of a bin: the taken piece is the new node, and the rest
// keeps its node, unless the whole node is taken. Returns 0 if no node is left.
TN_FIT_HOT uint32_t tn_fit_take_front(tn_fit *fit, tn_fit_bins *bins, uint32_t node, uint32_t bin,
                                      uint64_t units, tn_fit_data data) {
    tn_fit_node *nodes = fit->nodes;
    tn_fit_node *n = &nodes[node];
    uint64_t place = n->place;
    uint64_t rest = (n->extent >> 24) - units;
    TARN_ASSERT((place & 3u) == TN_FIT_FREE && bin == tn_fit_bin_of(n->extent >> 24));
    TARN_ASSERT(units != 0 && units <= n->extent >> 24 && n->extent >> 24 <= bins->units);
    if (rest == 0) {
        tn_fit_link_out(nodes, bins, node, bin);
        bins->units -= units;
        bins->count--;
        tn_fit_set_taken(n, place >> 16, units, data);
        return node;
    }
    if (tn_fit_room(fit) == 0) return 0;
    uint32_t before = n->before;
    uint32_t taken = tn_fit_node_new(fit);
    tn_fit_set_taken(&nodes[taken], place >> 16, units, data);
    nodes[taken].before = before;
    nodes[taken].after = node;
    nodes[before].after = taken;
    n->before = taken;
    n->place = place + (units << 16);
    bins->units -= units;
    tn_fit_resize(fit, bins, node, bin, rest);
    return taken;
}

// Takes units out of a free node of a list, from `skip` units after its start. Returns 0 if no node is
// left.
TN_FIT_HOT uint32_t tn_fit_carve_hot(tn_fit *fit, unsigned list, uint32_t node, uint64_t skip,
                                     uint64_t units, tn_fit_data data) {
    tn_fit_node *n = &fit->nodes[node];
    tn_fit_bins *bins = fit->bins[list];
    uint64_t had = n->extent >> 24, rest = had - skip - units;
    TARN_ASSERT(tn_fit_is_free(fit, node, list));
    TARN_ASSERT(units != 0 && skip <= had && units <= had - skip);
    if (skip == 0) return tn_fit_take_front(fit, bins, node, tn_fit_bin_of(had), units, data);
    if (tn_fit_room(fit) < 1u + (rest != 0)) return 0;
    uint64_t place = n->place + (skip << 16);
    uint32_t taken = tn_fit_node_between(fit, node, n->after, place, units);
    tn_fit_set_taken(&fit->nodes[taken], place >> 16, units, data);
    if (rest != 0) {
        uint32_t after = fit->nodes[taken].after;
        uint32_t last = tn_fit_node_between(fit, taken, after, place + (units << 16), rest);
        tn_fit_insert(fit, bins, last, list, rest);
    }
    bins->units += skip - had;
    tn_fit_resize(fit, bins, node, tn_fit_bin_of(had), skip);
    return taken;
}

// Writes the bin of the free node that a take without an alignment chooses. Returns 0 if there is
// none among the best of the exact bin and the first of those above.
TN_FIT_HOT uint32_t tn_fit_choose(const tn_fit *fit, const tn_fit_bins *bins, uint64_t units,
                                  uint32_t *bin) {
    *bin = tn_fit_bin_of(units);
    uint32_t node = tn_fit_best_of(fit->nodes, bins->heads[*bin], units);
    if (node == 0) {
        *bin = tn_fit_bin_from(bins, *bin + 1);
        node = *bin != TN_FIT_NO_BIN ? bins->heads[*bin] : 0;
    }
    return node;
}

// tn_fit_take() without an alignment, with the owner's data for the piece. It does not try the last
// means: if it returns 0, tn_fit_take() may still find a node.
TN_FIT_HOT uint32_t tn_fit_take_quick(tn_fit *fit, unsigned list, uint64_t units,
                                      tn_fit_data data) {
    tn_fit_bins *bins = fit->bins[list];
    uint32_t bin;
    uint32_t node = tn_fit_choose(fit, bins, units, &bin);
    return __builtin_expect(node != 0, 1) ? tn_fit_take_front(fit, bins, node, bin, units, data)
                                          : 0;
}

// ---- free

// tn_fit_free() of a node with that many units. A free neighbour keeps its node, and the freed one
// becomes unused. Of two neighbours the first keeps its node.
TN_FIT_HOT uint32_t tn_fit_free_units(tn_fit *fit, uint32_t node, uint64_t units, unsigned list) {
    tn_fit_node *nodes = fit->nodes;
    tn_fit_bins *bins = fit->bins[list];
    uint32_t before = nodes[node].before;
    uint32_t after = nodes[node].after;
    bool joins_after = tn_fit_is_free(fit, after, list);
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_TAKEN && before != 0);
    TARN_ASSERT(units != 0 && units == tn_fit_units(fit, node));
    __builtin_prefetch(&nodes[nodes[after].after]);
    if (tn_fit_is_free(fit, before, list)) {
        uint64_t had = nodes[before].extent >> 24;
        uint64_t sum = had + units;
        bins->units += units;
        if (joins_after) {
            uint64_t more = nodes[after].extent >> 24;
            uint32_t next = nodes[after].after;
            tn_fit_link_out(nodes, bins, after, tn_fit_bin_of(more));
            bins->count--;
            tn_fit_node_drop(fit, node);
            node = after;
            after = next;
            sum += more;
        }
        tn_fit_unlink(fit, node, before, after);
        tn_fit_resize(fit, bins, before, tn_fit_bin_of(had), sum);
        return before;
    }
    if (joins_after) {
        uint64_t had = nodes[after].extent >> 24;
        nodes[after].place -= units << 16;
        bins->units += units;
        tn_fit_unlink(fit, node, before, after);
        tn_fit_resize(fit, bins, after, tn_fit_bin_of(had), had + units);
        return after;
    }
    tn_fit_insert(fit, bins, node, list, units);
    return node;
}

// ---- lists without bins
//
// Only the neighbours of a free node of such a list lead to it, so no search finds it.

// Takes units out of such a node, from `skip` units after its start. There are two nodes left.
TN_FIT_HOT uint32_t tn_fit_carve_bare(tn_fit *fit, uint32_t node, uint64_t skip, uint64_t units,
                                      tn_fit_data data) {
    tn_fit_node *n = &fit->nodes[node];
    uint64_t free = n->place, rest = (n->extent >> 24) - skip - units;
    uint32_t taken = node;
    TARN_ASSERT((free & 3u) == TN_FIT_FREE && fit->bins[tn_fit_list(fit, node)] == NULL);
    TARN_ASSERT(units != 0 && skip + units <= n->extent >> 24);
    if (skip != 0) {
        taken = tn_fit_node_between(fit, node, n->after, 0, 0);
        n->extent = skip << 24;
    }
    tn_fit_node *t = &fit->nodes[taken];
    tn_fit_set_taken(t, (free >> 16) + skip, units, data);
    if (rest != 0) {
        uint32_t last = tn_fit_node_between(fit, taken, t->after, 0, rest);
        fit->nodes[last].place = free + ((skip + units) << 16);
    }
    return taken;
}

// Frees a node into a list without bins and merges it with its neighbours, the first of which keeps
// its node.
TN_FIT_HOT void tn_fit_free_bare(tn_fit *fit, uint32_t node, unsigned list) {
    tn_fit_node *nodes = fit->nodes;
    uint32_t before = nodes[node].before, after = nodes[node].after;
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_TAKEN && fit->bins[list] == NULL);
    if (tn_fit_is_free(fit, before, list)) {
        nodes[before].extent += nodes[node].extent & ~UINT64_C(0xffffff);
        tn_fit_unlink(fit, node, before, after);
        node = before;
    } else {
        nodes[node].place =
            (nodes[node].place & ~UINT64_C(0xffff)) | (uint64_t)list << 2 | TN_FIT_FREE;
        nodes[node].extent &= ~UINT64_C(0xffffff);
    }
    if (tn_fit_is_free(fit, after, list)) {
        nodes[node].extent += nodes[after].extent;
        tn_fit_unlink(fit, after, node, nodes[after].after);
    }
}
