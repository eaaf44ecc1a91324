// SPDX-License-Identifier: Apache-2.0
// Offset fit: a two-level segregated fit whose nodes lie outside the managed memory. See fit.h.
// Every operation except the checks and walks is bounded: a search looks at a constant number of
// nodes, a free at its two neighbours. The owner serialises every call.
#include "algo/fit.h"

#include <string.h>

#include "algo/fit_hot.h"
#include "base/error.h"

enum { LAST_PROBES = 64 }; // candidates before the search gives up

// The first bin with a node, from `bin` down.
static uint32_t bin_until(const tn_fit_bins *bins, uint32_t bin) {
    uint32_t row = bin >> 5;
    uint32_t columns = bins->columns[row] & (UINT32_MAX >> (31 - (bin & 31)));
    if (columns == 0) {
        uint64_t rows = bins->rows & ((UINT64_C(1) << row) - 1);
        if (rows == 0) return TN_FIT_NO_BIN;
        row = 63u - (uint32_t)__builtin_clzll(rows);
        columns = bins->columns[row];
    }
    return row << 5 | (31u - (uint32_t)__builtin_clz(columns));
}

static tn_fit_bins *bins_of(const tn_fit *fit, const tn_fit_node *n) {
    return fit->bins[n->place >> 2 & (TN_FIT_LISTS - 1)];
}

// Removes a free node from the bins. It is a taken node afterwards.
static void bin_remove(tn_fit *fit, uint32_t node) {
    tn_fit_node *n = &fit->nodes[node];
    tn_fit_bins *bins = bins_of(fit, n);
    uint64_t units = n->extent >> 24;
    n->place = (n->place & ~UINT64_C(3)) | TN_FIT_TAKEN;
    tn_fit_link_out(fit->nodes, bins, node, tn_fit_bin_of(units));
    bins->units -= units;
    bins->count--;
}

void tn_fit_init(tn_fit *fit, tn_fit_node *nodes, uint32_t capacity, tn_fit_bins **bins,
                 unsigned lists) {
    TARN_ASSERT(capacity > 1 && lists <= TN_FIT_LISTS); // node 0 does not exist
    memset(fit, 0, sizeof *fit);
    fit->nodes = nodes;
    fit->capacity = capacity;
    fit->used = 1;
    fit->room = capacity - 1;
    fit->bins = bins;
    fit->lists = lists;
}

void tn_fit_set_list(tn_fit *fit, unsigned list, tn_fit_bins *bins) {
    TARN_ASSERT(list < fit->lists);
    TARN_ASSERT(bins == NULL || (bins->rows == 0 && bins->units == 0 && bins->count == 0));
    fit->bins[list] = bins;
}

// A span begins with a taken node without units, so that every other node has one before it and the
// span's id stays the same.
uint32_t tn_fit_add_span(tn_fit *fit, unsigned list, uint64_t start, uint64_t units) {
    TARN_ASSERT(units != 0 && units <= TN_FIT_MAX_UNITS && start <= TN_FIT_MAX_START - units + 1);
    if (tn_fit_room(fit) < 2) return 0;
    uint32_t span = tn_fit_node_new(fit);
    tn_fit_node *s = &fit->nodes[span];
    s->place = start << 16 | (uint64_t)list << 2 | TN_FIT_TAKEN;
    s->extent = 0;
    s->before = 0;
    s->after = 0;
    uint32_t node = tn_fit_node_between(fit, span, 0, s->place, units);
    tn_fit_insert(fit, fit->bins[list], node, list, units);
    return span;
}

void tn_fit_remove_span(tn_fit *fit, uint32_t span) {
    uint32_t node = fit->nodes[span].after;
    TARN_ASSERT(fit->nodes[span].before == 0 && tn_fit_units(fit, span) == 0);
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_FREE && fit->nodes[node].after == 0);
    bin_remove(fit, node);
    tn_fit_node_drop(fit, node);
    tn_fit_node_drop(fit, span);
}

// The units before the first multiple of `align` in a node.
static uint64_t pad_of(const tn_fit *fit, uint32_t node, uint64_t align) {
    return (0 - tn_fit_start(fit, node)) & (align - 1);
}

// Walks bin by bin from the exact one up, a bounded number of nodes.
static __attribute__((noinline)) uint32_t walk_bins(const tn_fit *fit, const tn_fit_bins *bins,
                                                    uint64_t units, uint64_t align) {
    int left = LAST_PROBES;
    uint32_t bin = tn_fit_bin_from(bins, tn_fit_bin_of(units));
    while (bin != TN_FIT_NO_BIN && left > 0) {
        for (uint32_t k = bins->heads[bin]; k != 0 && left > 0; k = fit->nodes[k].next, left--)
            if (tn_fit_units(fit, k) >= units + pad_of(fit, k, align)) return k;
        bin = tn_fit_bin_from(bins, bin + 1);
    }
    return 0;
}

static uint32_t search_bins(const tn_fit *fit, const tn_fit_bins *bins, uint64_t units) {
    uint32_t bin;
    uint32_t node = tn_fit_choose(fit, bins, units, &bin);
    return node != 0 ? node : walk_bins(fit, bins, units, 1);
}

// The taken piece has the list id of the free node.
static uint32_t take_front(tn_fit *fit, uint32_t node, uint64_t units) {
    const tn_fit_node *n = &fit->nodes[node];
    tn_fit_data data = {.list = tn_fit_list(fit, node)};
    return tn_fit_take_front(fit, bins_of(fit, n), node, tn_fit_bin_of(n->extent >> 24), units,
                             data);
}

// A node of units + align - 1 always fits. If there is none, a smaller one may happen to fit.
static __attribute__((noinline)) uint32_t take_aligned(tn_fit *fit, const tn_fit_bins *bins,
                                                       uint64_t units, uint64_t align) {
    uint32_t bin = tn_fit_bin_from(bins, tn_fit_bin_of(units + align - 1) + 1);
    uint32_t node = bin != TN_FIT_NO_BIN ? bins->heads[bin] : walk_bins(fit, bins, units, align);
    return node != 0 ? tn_fit_carve(fit, node, pad_of(fit, node, align), units) : 0;
}

uint32_t tn_fit_search(const tn_fit *fit, unsigned list, uint64_t units) {
    const tn_fit_bins *bins = fit->bins[list];
    return units <= bins->units ? search_bins(fit, bins, units) : 0;
}

uint32_t tn_fit_take(tn_fit *fit, unsigned list, uint64_t units, uint64_t align) {
    const tn_fit_bins *bins = fit->bins[list];
    if (units > bins->units) return 0;
    if (__builtin_expect(align > 1, 0)) return take_aligned(fit, bins, units, align);
    uint32_t node = search_bins(fit, bins, units);
    return node != 0 ? take_front(fit, node, units) : 0;
}

uint32_t tn_fit_carve(tn_fit *fit, uint32_t node, uint64_t skip, uint64_t units) {
    const tn_fit_data data = {.list = tn_fit_list(fit, node)};
    return tn_fit_carve_hot(fit, data.list, node, skip, units, data);
}

uint32_t tn_fit_split(tn_fit *fit, uint32_t node, uint64_t units) {
    tn_fit_node *n = &fit->nodes[node];
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_TAKEN);
    TARN_ASSERT(units != 0 && units < tn_fit_units(fit, node)); // no piece is empty
    if (tn_fit_room(fit) == 0) return 0;
    uint32_t rest = tn_fit_node_between(fit, node, n->after, n->place + (units << 16),
                                        (n->extent >> 24) - units);
    n->extent = units << 24 | tn_fit_mark(fit, node);
    return rest;
}

void tn_fit_join(tn_fit *fit, uint32_t node) {
    tn_fit_node *n = &fit->nodes[node];
    const tn_fit_node *a = &fit->nodes[n->after];
    TARN_ASSERT(n->after != 0 && tn_fit_state(fit, node) == TN_FIT_TAKEN &&
                tn_fit_state(fit, n->after) == TN_FIT_TAKEN);
    TARN_ASSERT(a->place >> 16 == (n->place >> 16) + (n->extent >> 24));
    n->extent += a->extent & ~UINT64_C(0xffffff);
    tn_fit_unlink(fit, n->after, node, a->after);
}

uint32_t tn_fit_free(tn_fit *fit, uint32_t node, unsigned list) {
    return tn_fit_free_units(fit, node, tn_fit_units(fit, node), list);
}

void tn_fit_init_part(tn_fit *part, const tn_fit *fit, tn_fit_bins **bins, unsigned lists) {
    tn_fit_init(part, fit->nodes, fit->capacity, bins, lists);
    part->used = part->capacity;
    part->room = 0;
}

// Nodes that were never used come first, from a cache line on, unless many others lie unused.
void tn_fit_move_room(tn_fit *from, tn_fit *to, uint32_t count) {
    TARN_ASSERT(from != to && from->nodes == to->nodes);
    uint32_t fresh = from->capacity - from->used;
    if (fresh > count && from->room - fresh <= from->used / 2) {
        from->room -= count + from->used % 2;
        if (from->used % 2 != 0) tn_fit_node_drop(from, from->used++);
        for (; count > 0; count--) tn_fit_node_drop(to, from->used++);
    }
    for (; count > 0 && tn_fit_room(from) > 0; count--) tn_fit_node_drop(to, tn_fit_node_new(from));
}

// Moves the free nodes from `k` to the end of its span, or up to `end`, to a list of another fit. No
// two of them are neighbours, so a free cannot merge with a node that follows.
static void move_free(tn_fit *from, tn_fit *to, uint32_t k, uint32_t end, unsigned list) {
    for (uint32_t next; k != end; k = next) {
        next = from->nodes[k].after;
        if (tn_fit_state(from, k) == TN_FIT_FREE) {
            bin_remove(from, k);
            (void)tn_fit_free(to, k, list);
        }
    }
}

void tn_fit_unite(tn_fit *fit, uint32_t node, tn_fit *part, uint32_t span, unsigned list) {
    tn_fit_node *nodes = fit->nodes;
    uint32_t before = nodes[node].before;
    uint32_t end = nodes[node].after;
    uint32_t first = nodes[span].after;
    uint32_t last = first;
    while (nodes[last].after != 0) last = nodes[last].after;
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_TAKEN && nodes[span].before == 0);
    TARN_ASSERT(tn_fit_start(fit, first) == tn_fit_start(fit, node) &&
                tn_fit_start(fit, last) + tn_fit_units(fit, last) ==
                    tn_fit_start(fit, node) + tn_fit_units(fit, node));
    nodes[before].after = first;
    nodes[first].before = before;
    nodes[last].after = end;
    if (end != 0) nodes[end].before = last;
    tn_fit_node_drop(fit, node);
    tn_fit_node_drop(fit, span);
    move_free(part, fit, first, end, list);
}

uint32_t tn_fit_divide(tn_fit *fit, uint32_t first, uint32_t last, tn_fit *part, unsigned list) {
    tn_fit_node *nodes = fit->nodes;
    uint32_t before = nodes[first].before;
    uint32_t end = nodes[last].after;
    uint64_t start = tn_fit_start(fit, first);
    uint64_t units = tn_fit_start(fit, last) + tn_fit_units(fit, last) - start;
    TARN_ASSERT(before != 0 && tn_fit_start(fit, first) <= tn_fit_start(fit, last));
    TARN_ASSERT(tn_fit_room(fit) > 0 && tn_fit_room(part) > 0);
    uint32_t node = tn_fit_node_between(fit, before, end, start << 16, units);
    uint32_t span = tn_fit_node_new(part);
    nodes[span] = (tn_fit_node){.place = start << 16 | TN_FIT_TAKEN, .after = first};
    nodes[first].before = span;
    nodes[last].after = 0;
    move_free(fit, part, first, 0, list);
    return node;
}

uint32_t tn_fit_at_most(const tn_fit *fit, unsigned list, uint64_t units) {
    const tn_fit_bins *bins = fit->bins[list];
    uint32_t bin = bin_until(bins, tn_fit_bin_of(units));
    return bin != TN_FIT_NO_BIN ? bins->heads[bin] : 0;
}

uint32_t tn_fit_largest(const tn_fit *fit, unsigned list) {
    return tn_fit_at_most(fit, list, TN_FIT_MAX_UNITS);
}

uint32_t tn_fit_next_smaller(const tn_fit *fit, uint32_t node) {
    const tn_fit_node *n = &fit->nodes[node];
    if (n->next != 0) return n->next;
    const tn_fit_bins *bins = bins_of(fit, n);
    uint32_t bin = tn_fit_bin_of(n->extent >> 24);
    bin = bin == 0 ? TN_FIT_NO_BIN : bin_until(bins, bin - 1);
    return bin != TN_FIT_NO_BIN ? bins->heads[bin] : 0;
}

uint32_t tn_fit_at_least(const tn_fit *fit, unsigned list, uint64_t units) {
    const tn_fit_bins *bins = fit->bins[list];
    uint32_t bin = tn_fit_bin_from(bins, tn_fit_bin_of(units));
    return bin != TN_FIT_NO_BIN ? bins->heads[bin] : 0;
}

uint32_t tn_fit_next_larger(const tn_fit *fit, uint32_t node) {
    const tn_fit_node *n = &fit->nodes[node];
    if (n->next != 0) return n->next;
    const tn_fit_bins *bins = bins_of(fit, n);
    uint32_t bin = tn_fit_bin_from(bins, tn_fit_bin_of(n->extent >> 24) + 1);
    return bin != TN_FIT_NO_BIN ? bins->heads[bin] : 0;
}

uint64_t tn_fit_largest_units(const tn_fit *fit, unsigned list) {
    uint64_t most = 0;
    for (uint32_t k = tn_fit_largest(fit, list); k != 0; k = fit->nodes[k].next) {
        uint64_t units = tn_fit_units(fit, k);
        most = units > most ? units : most;
    }
    return most;
}

static tarn_status check_node(const tn_fit *fit, uint32_t k) {
    const tn_fit_node *n = &fit->nodes[k];
    uint64_t units = n->extent >> 24;
    unsigned state = tn_fit_state(fit, k);
    bool heads = n->before == 0; // the first of a span, without units
    TN_REFUSE((units == 0) != heads || (heads && state != TN_FIT_TAKEN) || state > TN_FIT_FREE,
              TARN_CORRUPT, "fit: node %u has state %u and %llu units", k, state,
              (unsigned long long)units);
    TN_REFUSE(n->before != 0 && fit->nodes[n->before].after != k, TARN_CORRUPT,
              "fit: node %u does not follow node %u", k, n->before);
    if (n->after == 0) return TARN_OK;
    const tn_fit_node *a = &fit->nodes[n->after];
    TN_REFUSE(a->before != k || a->place >> 16 != (n->place >> 16) + units, TARN_CORRUPT,
              "fit: nodes %u and %u do not touch", k, n->after);
    TN_REFUSE(state == TN_FIT_FREE && (n->place & 0xffff) == (a->place & 0xffff), TARN_CORRUPT,
              "fit: free nodes %u and %u are not merged", k, n->after);
    return TARN_OK;
}

static tarn_status check_bin(const tn_fit *fit, unsigned list, uint32_t bin, uint64_t *units,
                             uint64_t *count) {
    const tn_fit_bins *bins = fit->bins[list];
    uint32_t prev = 0;
    for (uint32_t k = bins->heads[bin]; k != 0; prev = k, k = fit->nodes[k].next) {
        TN_REFUSE(!tn_fit_is_free(fit, k, list) || tn_fit_bin_of(tn_fit_units(fit, k)) != bin ||
                      fit->nodes[k].prev != prev || ++*count > bins->count,
                  TARN_CORRUPT, "fit: node %u does not belong in bin %u of list %u", k, bin, list);
        *units += tn_fit_units(fit, k);
    }
    return TARN_OK;
}

// Most rows are empty: they cost one pass over their heads.
static tarn_status check_row(const tn_fit *fit, unsigned list, uint32_t row, uint64_t *units,
                             uint64_t *count) {
    const tn_fit_bins *bins = fit->bins[list];
    uint32_t columns = 0;
    for (uint32_t column = 0; column < TN_FIT_COLUMNS; column++)
        columns |= (uint32_t)(bins->heads[row * TN_FIT_COLUMNS + column] != 0) << column;
    TN_REFUSE(columns != bins->columns[row] || (bins->rows >> row & 1) != (columns != 0),
              TARN_CORRUPT, "fit: the masks of row %u of list %u are wrong", row, list);
    for (; columns != 0; columns &= columns - 1) {
        uint32_t column = (uint32_t)__builtin_ctz(columns);
        TN_TRY(check_bin(fit, list, row * TN_FIT_COLUMNS + column, units, count));
    }
    return TARN_OK;
}

static tarn_status check_list(const tn_fit *fit, unsigned list, uint64_t *free_nodes) {
    const tn_fit_bins *bins = fit->bins[list];
    uint64_t units = 0;
    uint64_t count = 0;
    for (uint32_t row = 0; row < TN_FIT_ROWS; row++)
        TN_TRY(check_row(fit, list, row, &units, &count));
    TN_REFUSE(units != bins->units || count != bins->count, TARN_CORRUPT,
              "fit: list %u counts %llu units, its nodes have %llu", list,
              (unsigned long long)bins->units, (unsigned long long)units);
    *free_nodes += count;
    return TARN_OK;
}

tarn_status tn_fit_check(const tn_fit *fit) {
    uint64_t binned = 0;
    uint64_t marked = 0;
    uint32_t unused = 0;
    for (unsigned c = 0; c < fit->lists; c++)
        if (fit->bins[c] != NULL) TN_TRY(check_list(fit, c, &binned));
    for (uint32_t k = 1; k < fit->used; k++) {
        unsigned state = tn_fit_state(fit, k);
        unused += state == TN_FIT_UNUSED;
        marked += state == TN_FIT_FREE && bins_of(fit, &fit->nodes[k]) != NULL;
        if (state != TN_FIT_UNUSED) TN_TRY(check_node(fit, k));
    }
    TN_REFUSE(binned != marked || unused != fit->room - (fit->capacity - fit->used), TARN_CORRUPT,
              "fit: %llu free nodes in bins, %llu marked; %u unused, room for %u",
              (unsigned long long)binned, (unsigned long long)marked, unused, fit->room);
    return TARN_OK;
}
