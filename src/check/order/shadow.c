// SPDX-License-Identifier: Apache-2.0
// One interval map for each space, from ranges to cells. Before a range changes, the entries at its
// ends are split, so that the range consists of complete entries. If memory or MAX_CELLS is
// exhausted, everything is dropped. Races may then be missed, but no false race is reported.
#include "check/order/shadow.h"

#include <stdlib.h>

#include "base/atomic.h"

enum { MAX_CELLS = 1 << 20 };

void tn_check_shadow_fini(struct tn_check_shadow *shadow) {
    tn_check_maps_fini(&shadow->maps);
    tn_check_table_fini(&shadow->cells);
    *shadow = (struct tn_check_shadow){.names = shadow->names, .forgotten = shadow->forgotten};
}

static void forget_all(struct tn_check_shadow *shadow) {
    tn_check_shadow_fini(shadow);
    shadow->forgotten++;
}

// ---- cells

static struct tn_check_shadow_cell *cell_at(const struct tn_check_shadow *shadow, uint64_t place) {
    return (struct tn_check_shadow_cell *)shadow->cells.records + place;
}

// Adds an entry with a copy of `content`. Returns false without room. The caller then forgets all
// entries, and so all cells.
static bool add_cell(struct tn_check_shadow *shadow, struct tn_interval *map, uint64_t lo,
                     uint64_t hi, const struct tn_check_shadow_cell *content) {
    const struct tn_check_shadow_cell copy = *content; // `content` may be a cell, and cells move
    uint32_t place;
    if ((shadow->cells.count >= MAX_CELLS && shadow->cells.removed_count == 0) ||
        !tn_check_table_add(&shadow->cells, sizeof copy, &place))
        return false;
    *cell_at(shadow, place) = copy;
    return tn_interval_insert(map, lo, hi, place) == TARN_OK;
}

// ---- ranges

// Splits the entry that contains `at`, unless it begins there. Returns false if there is no room.
static bool cut_entry(struct tn_check_shadow *shadow, struct tn_interval *map, uint64_t at) {
    struct tn_interval_entry entry;
    if (!tn_interval_find(map, at, &entry) || entry.start == at) return true;
    (void)tn_interval_remove(map, entry.start, NULL);
    if (tn_interval_insert(map, entry.start, at, entry.value) != TARN_OK) return false;
    return add_cell(shadow, map, at, entry.end, cell_at(shadow, entry.value));
}

static bool cut_ends(struct tn_check_shadow *shadow, struct tn_interval *map, uint64_t lo,
                     uint64_t hi) {
    return cut_entry(shadow, map, lo) && cut_entry(shadow, map, hi);
}

static void remove_range(struct tn_check_shadow *shadow, struct tn_interval *map, uint64_t lo,
                         uint64_t hi) {
    TN_INTERVAL_EACH(entry, cursor, tn_interval_seek(map, lo), hi)
        tn_check_table_remove(&shadow->cells, (uint32_t)entry.value);
    (void)tn_interval_remove_range(map, lo, hi);
}

void tn_check_shadow_forget_piece(struct tn_check_shadow *shadow,
                                  const struct tn_check_piece *piece) {
    struct tn_interval *map = tn_check_maps_find(&shadow->maps, piece->space);
    if (map == NULL || piece->lo >= piece->hi) return;
    if (cut_ends(shadow, map, piece->lo, piece->hi))
        remove_range(shadow, map, piece->lo, piece->hi);
    else
        forget_all(shadow);
}

// Finds the piece of [lo, hi) that begins at *lo, and steps behind it. Returns false at the end.
static bool next_piece(const struct tn_check_shadow *shadow, uint32_t space, uint64_t *lo,
                       uint64_t hi, struct tn_check_piece *piece) {
    if (*lo >= hi) return false;
    if (shadow->names != NULL && tn_load_relaxed(&shadow->names->several) != 0)
        tn_check_names_find(shadow->names, space, *lo, hi, piece);
    else
        *piece = (struct tn_check_piece){space, *lo, hi, 0};
    *lo += piece->hi - piece->lo;
    return true;
}

void tn_check_shadow_forget(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo,
                            uint64_t hi) {
    struct tn_check_piece piece;
    while (next_piece(shadow, space, &lo, hi, &piece)) tn_check_shadow_forget_piece(shadow, &piece);
}

void tn_check_shadow_write(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           const struct tn_check_touch *touch) {
    struct tn_check_piece piece;
    while (next_piece(shadow, space, &lo, hi, &piece)) {
        struct tn_check_shadow_cell content = {.write = *touch};
        content.write.shift = piece.shift;
        tn_check_shadow_forget_piece(shadow, &piece);
        struct tn_interval *map = tn_check_maps_get(&shadow->maps, piece.space);
        if (map == NULL || !add_cell(shadow, map, piece.lo, piece.hi, &content)) forget_all(shadow);
    }
}

// Returns true if every race of the old access is one of the new access, too.
static bool replaces(const struct tn_check_point *before, const struct tn_check_touch *touch,
                     const struct tn_check_touch *old) {
    return tn_check_point_knows(before, old->moment) &&
           old->moment.conditions == touch->moment.conditions &&
           (touch->kind == TN_CHECK_TOUCH_WRITE || old->kind == TN_CHECK_TOUCH_READ) &&
           (old->atomic || !touch->atomic);
}

// Stores a read in the slot of a read that it covers, else in a free slot, else in the slot of the
// oldest read.
static void replace_read(struct tn_check_shadow_cell *cell, const struct tn_check_point *before,
                         const struct tn_check_touch *touch) {
    struct tn_check_touch *place = &cell->reads[0];
    for (unsigned i = 0; i < TN_CHECK_SHADOW_READS; i++) {
        struct tn_check_touch *read = &cell->reads[i];
        if (replaces(before, touch, read)) read->kind = TN_CHECK_TOUCH_NONE;
        if (read->kind == TN_CHECK_TOUCH_NONE ||
            (place->kind != TN_CHECK_TOUCH_NONE && read->moment.time < place->moment.time))
            place = read;
    }
    *place = *touch;
}

static void read_piece(struct tn_check_shadow *shadow, const struct tn_check_point *before,
                       const struct tn_check_piece *piece, const struct tn_check_touch *touch) {
    struct tn_interval *map = tn_check_maps_get(&shadow->maps, piece->space);
    if (map == NULL) return;
    const struct tn_check_shadow_cell fresh = {.reads = {*touch}};
    uint64_t lo = piece->lo;
    uint64_t hi = piece->hi;
    bool room = cut_ends(shadow, map, lo, hi);
    while (room && lo < hi) {
        struct tn_interval_entry entry;
        uint64_t end;
        bool any = tn_interval_next(map, lo, &entry) && entry.start < hi;
        if (any && entry.start <= lo) {
            replace_read(cell_at(shadow, entry.value), before, touch);
            end = entry.end;
        } else {
            end = any ? entry.start : hi;
            room = add_cell(shadow, map, lo, end, &fresh);
        }
        lo = end;
    }
    if (!room) forget_all(shadow);
}

void tn_check_shadow_read(struct tn_check_shadow *shadow, const struct tn_check_point *before,
                          uint32_t space, uint64_t lo, uint64_t hi,
                          const struct tn_check_touch *touch) {
    struct tn_check_touch read = *touch;
    struct tn_check_piece piece;
    while (next_piece(shadow, space, &lo, hi, &piece)) {
        read.shift = piece.shift;
        read_piece(shadow, before, &piece, &read);
    }
}

static bool visit_touch(const struct tn_check_touch *touch, const struct tn_check_piece *part,
                        tn_check_shadow_visitor *visit, void *arg) {
    return touch->kind == TN_CHECK_TOUCH_NONE ||
           visit(arg, touch, part->lo + part->shift, part->hi + part->shift,
                 part->lo + touch->shift);
}

// Returns false if the visitor did.
static bool visit_piece(struct tn_check_shadow *shadow, const struct tn_check_piece *piece,
                        tn_check_shadow_visitor *visit, void *arg) {
    struct tn_interval *map = tn_check_maps_find(&shadow->maps, piece->space);
    if (map == NULL) return true;
    struct tn_interval_cursor cursor = tn_interval_seek(map, piece->lo);
    struct tn_interval_entry entry;
    bool more = true;
    while (more && tn_interval_step(&cursor, &entry) && entry.start < piece->hi) {
        const struct tn_check_shadow_cell *cell = cell_at(shadow, entry.value);
        struct tn_check_piece part = *piece;
        part.lo = entry.start > part.lo ? entry.start : part.lo;
        part.hi = entry.end < part.hi ? entry.end : part.hi;
        more = visit_touch(&cell->write, &part, visit, arg);
        for (unsigned i = 0; i < TN_CHECK_SHADOW_READS && more; i++)
            more = visit_touch(&cell->reads[i], &part, visit, arg);
    }
    return more;
}

void tn_check_shadow_visit(struct tn_check_shadow *shadow, uint32_t space, uint64_t lo, uint64_t hi,
                           tn_check_shadow_visitor *visit, void *arg) {
    struct tn_check_piece piece;
    while (next_piece(shadow, space, &lo, hi, &piece) && visit_piece(shadow, &piece, visit, arg))
        continue;
}

// ---- other keys

void tn_check_shadow_move(struct tn_check_shadow *shadow, const struct tn_check_piece *from,
                          uint32_t space, uint64_t to) {
    struct tn_interval *map = tn_check_maps_find(&shadow->maps, from->space);
    if (map == NULL || from->lo >= from->hi) return;
    struct tn_interval *target = tn_check_maps_get(&shadow->maps, space);
    struct tn_interval_cursor cursor;
    struct tn_interval_entry entry;
    const uint64_t distance = to - from->lo; // modulo 2^64
    bool room = target != NULL && cut_ends(shadow, map, from->lo, from->hi);
    cursor = tn_interval_seek(map, from->lo);
    while (room && tn_interval_step(&cursor, &entry) && entry.start < from->hi) {
        struct tn_check_shadow_cell *cell = cell_at(shadow, entry.value);
        cell->write.shift -= distance;
        for (unsigned i = 0; i < TN_CHECK_SHADOW_READS; i++) cell->reads[i].shift -= distance;
        room = tn_interval_insert(target, entry.start + distance, entry.end + distance,
                                  entry.value) == TARN_OK;
    }
    if (room)
        (void)tn_interval_remove_range(map, from->lo, from->hi);
    else
        forget_all(shadow);
}
