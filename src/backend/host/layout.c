// SPDX-License-Identifier: Apache-2.0
// Counts kernel mappings as borders between pieces. See layout.h.
#include "backend/host/layout.h"

enum view { VIEW_CPU, VIEW_ENGINE };

// One piece of a row. A gap has no `phys`.
struct piece {
    const struct tn_host_phys *phys;
    uint64_t bytes;
    int protection; // of the CPU's view
};

// The neighbour of a range: a piece, or the edge of the space, where no border is counted.
struct side {
    struct piece piece;
    bool edge;
};

static inline struct piece piece_of(const struct tn_host *h,
                                    const struct tn_interval_entry *entry) {
    return (struct piece){tn_host_phys_at(h, tn_host_page_slot(entry->value)),
                          entry->end - entry->start,
                          tn_host_layout_protection(h, tn_host_page_rights(entry->value))};
}

// Returns true if two neighbours are consecutive bytes of one file.
static inline bool pieces_continue(const struct piece *a, const struct piece *b) {
    return a->phys->arena != NULL && a->phys->arena == b->phys->arena &&
           a->phys->offset + a->bytes == b->phys->offset;
}

// Returns 1 if the kernel keeps two mapped neighbours apart, 0 if it merges them. All mappings of
// the engine's view have the same protection.
static inline int64_t piece_border(enum view view, const struct piece *a, const struct piece *b) {
    return pieces_continue(a, b) && (view == VIEW_ENGINE || a->protection == b->protection) ? 0 : 1;
}

static inline int64_t left_border(enum view view, const struct side *left,
                                  const struct piece *first) {
    if (left->piece.phys != NULL) return piece_border(view, &left->piece, first);
    return left->edge ? 0 : 1;
}

static inline int64_t right_border(enum view view, const struct piece *last,
                                   const struct side *right) {
    if (right->piece.phys != NULL) return piece_border(view, last, &right->piece);
    return right->edge ? 0 : 1;
}

// Returns the number of borders of a gap: one for each side where memory is mapped.
static inline int64_t gap_borders(const struct side *left, const struct side *right) {
    return (left->piece.phys != NULL) + (right->piece.phys != NULL);
}

static int row_views(const struct tn_host_space *space) { return space->alias != 0 ? 2 : 1; }

struct tn_host_row tn_host_row_of(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                                  uint64_t hi) {
    struct tn_host_row row = {.space = space, .lo = lo, .hi = hi};
    row.first = tn_interval_seek_near(&h->pages, lo);
    row.has_left =
        lo != space->base && tn_interval_cursor_prev(&row.first, &row.left) && row.left.end == lo;
    return row;
}

static inline struct side left_side(const struct tn_host *h, const struct tn_host_row *row) {
    struct side side = {.edge = row->lo == row->space->base};
    if (row->has_left) side.piece = piece_of(h, &row->left);
    return side;
}

// With `any`, `next` is the first mapping at or above the row's end.
static inline struct side right_side(const struct tn_host *h, const struct tn_host_row *row,
                                     const struct tn_interval_entry *next, bool any) {
    struct side side = {.edge = row->hi == row->space->base + row->space->size};
    if (any && !side.edge && next->start == row->hi) side.piece = piece_of(h, next);
    return side;
}

// Returns the number of borders of these items between two sides.
static int64_t items_borders(const struct tn_host *h, enum view view, const struct side *left,
                             const struct side *right, const tarn_backend_map_item *items,
                             size_t count) {
    struct piece last = {tn_host_phys_at(h, (uint32_t)items[0].phys), items[0].size, 0};
    int64_t borders = left_border(view, left, &last);
    for (size_t i = 1; i < count; i++) {
        struct piece next = {tn_host_phys_at(h, (uint32_t)items[i].phys), items[i].size, 0};
        borders += piece_border(view, &last, &next);
        last = next;
    }
    return borders + right_border(view, &last, right);
}

int64_t tn_host_layout_map(const struct tn_host *h, const struct tn_host_row *row,
                           const tarn_backend_map_item *items, size_t count) {
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry next = {0, 0, 0};
    bool any = tn_interval_step(&at, &next);
    struct side left = left_side(h, row);
    struct side right = right_side(h, row, &next, any);
    int64_t change = 0;
    for (int view = 0; view < row_views(row->space); view++)
        change += items_borders(h, (enum view)view, &left, &right, items, count) -
                  gap_borders(&left, &right);
    return change;
}

// Returns the number of borders of the row's mappings, and its right neighbour.
static int64_t mapped_borders(const struct tn_host *h, enum view view,
                              const struct tn_host_row *row, const struct side *left,
                              struct side *right) {
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry = {0, 0, 0};
    bool any = tn_interval_step(&at, &entry);
    struct piece last = piece_of(h, &entry);
    int64_t borders = left_border(view, left, &last);
    while ((any = tn_interval_step(&at, &entry)) && entry.start < row->hi) {
        struct piece next = piece_of(h, &entry);
        borders += piece_border(view, &last, &next);
        last = next;
    }
    *right = right_side(h, row, &entry, any);
    return borders + right_border(view, &last, right);
}

int64_t tn_host_layout_unmap(const struct tn_host *h, const struct tn_host_row *row) {
    struct side left = left_side(h, row);
    struct side right;
    int64_t change = 0;
    for (int view = 0; view < row_views(row->space); view++) {
        int64_t now = mapped_borders(h, (enum view)view, row, &left, &right);
        change += gap_borders(&left, &right) - now;
    }
    return change;
}

int64_t tn_host_layout_move(const struct tn_host *h, const struct tn_host_row *row) {
    struct side left = left_side(h, row);
    struct side right;
    int64_t change = 0;
    for (int view = 0; view < row_views(row->space); view++) {
        int64_t now = mapped_borders(h, (enum view)view, row, &left, &right);
        change +=
            !left.edge + !right.edge - now; // the only extent of its file merges with no other
    }
    return change;
}

// Records the effect of changing one mapping to the protection `then` and to rights, if `granted`.
static inline void plan_add(struct tn_host_access_plan *plan, const struct piece *now, int then,
                            bool granted) {
    plan->needed |= then != now->protection;
    plan->uniform &= plan->protection == -1 || plan->protection == then;
    plan->fresh |= granted && !now->phys->touched;
    plan->protection = then;
}

// Only the CPU's view changes. Each border is counted with the old rights and with the new ones;
// the neighbours of the row keep theirs.
struct tn_host_access_plan tn_host_layout_access(const struct tn_host *h,
                                                 const struct tn_host_row *row, uint32_t mask,
                                                 uint32_t rights) {
    struct tn_host_access_plan plan = {.protection = -1, .uniform = true};
    struct piece last = left_side(h, row).piece;
    int last_then = last.protection;
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry = {0, 0, 0};
    bool any;
    while ((any = tn_interval_step(&at, &entry)) && entry.start < row->hi) {
        struct piece now = piece_of(h, &entry);
        uint32_t granted = (tn_host_page_rights(entry.value) & ~mask) | rights;
        int then = tn_host_layout_protection(h, granted);
        plan_add(&plan, &now, then, granted != 0);
        if (last.phys != NULL && pieces_continue(&last, &now))
            plan.mappings += (last_then != then) - (last.protection != now.protection);
        last = now;
        last_then = then;
    }
    struct side right = right_side(h, row, &entry, any);
    if (right.piece.phys != NULL && pieces_continue(&last, &right.piece))
        plan.mappings +=
            (last_then != right.piece.protection) - (last.protection != right.piece.protection);
    return plan;
}

static uint64_t count_view(const struct tn_host *h, const struct tn_host_space *space,
                           enum view view) {
    struct piece last = {NULL, 0, 0};
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, space->base);
    uint64_t end = space->base;
    uint64_t count = 0;
    while (tn_interval_step(&at, &entry) && entry.start < space->base + space->size) {
        struct piece piece = piece_of(h, &entry);
        bool behind_gap = entry.start > end || last.phys == NULL;
        count += entry.start > end; // the gap before it
        count += behind_gap || piece_border(view, &last, &piece) != 0;
        last = piece;
        end = entry.end;
    }
    return count + (end < space->base + space->size);
}

uint64_t tn_host_layout_count(const struct tn_host *h, const struct tn_host_space *space) {
    uint64_t sum = 0;
    for (int view = 0; view < row_views(space); view++)
        sum += count_view(h, space, (enum view)view);
    return sum;
}
