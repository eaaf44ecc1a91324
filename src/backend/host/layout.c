// SPDX-License-Identifier: Apache-2.0
// Counts kernel mappings as borders between pieces. See layout.h.
#include "backend/host/layout.h"

enum view { VIEW_CPU, VIEW_ENGINE };

// One piece of a row. A gap has no `phys`. A mapping without rights is a gap, because the kernel has
// not mapped it.
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

static inline struct piece piece_with(const struct tn_host *h,
                                      const struct tn_interval_entry *entry, uint32_t rights) {
    if (rights == 0) return (struct piece){0};
    return (struct piece){tn_host_phys_at(h, tn_host_page_slot(entry->value)),
                          entry->end - entry->start, tn_host_layout_protection(h, rights)};
}

static inline struct piece piece_of(const struct tn_host *h,
                                    const struct tn_interval_entry *entry) {
    return piece_with(h, entry, tn_host_page_rights(entry->value));
}

// Returns 1 if the kernel keeps two neighbours apart, 0 if it merges them: two gaps, or consecutive
// bytes of one file with one protection. All mappings of the engine's view have the same one.
static inline int64_t border(enum view view, const struct side *left, const struct piece *b) {
    const struct piece *a = &left->piece;
    if (left->edge) return 0;
    if (a->phys == NULL || b->phys == NULL) return a->phys != b->phys;
    return a->phys->arena != NULL && a->phys->arena == b->phys->arena &&
                   a->phys->offset + a->bytes == b->phys->offset &&
                   (view == VIEW_ENGINE || a->protection == b->protection)
               ? 0
               : 1;
}

static int row_views(const struct tn_host_space *space) { return space->alias != 0 ? 2 : 1; }

struct tn_host_row tn_host_row_of(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                                  uint64_t hi) {
    struct tn_host_row row = {.space = space, .lo = lo, .hi = hi};
    TARN_ASSERT(space->base <= lo && lo < hi && hi - space->base <= space->size);
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

static int64_t view_change(const struct tn_host *h, enum view view, const struct tn_host_row *row,
                           uint32_t mask, uint32_t rights) {
    struct side now = left_side(h, row);
    struct side then = now;
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry = {0, 0, 0};
    int64_t change = 0;
    bool any;
    while ((any = tn_interval_step(&at, &entry)) && entry.start < row->hi) {
        TARN_ASSERT(entry.start >= row->lo && entry.end <= row->hi); // complete mappings
        struct piece piece = piece_of(h, &entry);
        struct piece changed =
            piece_with(h, &entry, (tn_host_page_rights(entry.value) & ~mask) | rights);
        change += border(view, &then, &changed) - border(view, &now, &piece);
        now = (struct side){piece, false};
        then = (struct side){changed, false};
    }
    struct side right = right_side(h, row, &entry, any);
    return right.edge
               ? change
               : change + border(view, &then, &right.piece) - border(view, &now, &right.piece);
}

int64_t tn_host_layout_access(const struct tn_host *h, const struct tn_host_row *row, uint32_t mask,
                              uint32_t rights) {
    int64_t change = 0;
    for (int view = 0; view < row_views(row->space); view++)
        change += view_change(h, (enum view)view, row, mask, rights);
    return change;
}

int64_t tn_host_layout_move(const struct tn_host *h, const struct tn_host_row *row) {
    struct side left = left_side(h, row);
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry = {0, 0, 0};
    (void)tn_interval_step(&at, &entry);
    TARN_ASSERT(entry.start == row->lo && entry.end == row->hi);
    const struct side moved = {piece_of(h, &entry), false};
    struct side right = right_side(h, row, &entry, tn_interval_step(&at, &entry));
    int64_t change = 0;
    for (int view = 0; view < row_views(row->space); view++) // its file merges with no other
        change += !left.edge - border((enum view)view, &left, &moved.piece) + !right.edge -
                  (right.edge ? 0 : border((enum view)view, &moved, &right.piece));
    return change;
}

static uint64_t count_view(const struct tn_host *h, const struct tn_host_space *space,
                           enum view view) {
    const struct piece gap = {0};
    struct side last = {.edge = true};
    uint64_t end = space->base;
    int64_t count = 1;
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&h->pages, space->base),
                     space->base + space->size) {
        struct piece piece = piece_of(h, &entry);
        if (entry.start > end) {
            count += border(view, &last, &gap);
            last = (struct side){gap, false};
        }
        count += border(view, &last, &piece);
        last = (struct side){piece, false};
        end = entry.end;
    }
    return (uint64_t)(count + (end < space->base + space->size ? border(view, &last, &gap) : 0));
}

uint64_t tn_host_layout_count(const struct tn_host *h, const struct tn_host_space *space) {
    uint64_t sum = 0;
    for (int view = 0; view < row_views(space); view++)
        sum += count_view(h, space, (enum view)view);
    return sum;
}
