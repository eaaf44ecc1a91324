// SPDX-License-Identifier: Apache-2.0
// Counting kernel mappings by walking rows of pieces. See layout.h.
#include "backend/host/layout.h"

#include <sys/mman.h>

// One piece of a row. A gap has no `phys`.
struct piece {
    const struct tn_host_phys *phys;
    uint64_t bytes;
    int protection;
};

// A walk along a row: how many borders between kernel mappings have been passed.
struct walk {
    struct piece last;
    bool any;
    int64_t borders;
};

enum view { VIEW_CPU, VIEW_ENGINE };

static const struct piece gap = {NULL, 0, PROT_NONE};

static bool merge(const struct piece *a, const struct piece *b) {
    if (a->phys == NULL || b->phys == NULL) {
        return a->phys == b->phys;
    }
    return a->phys->arena != NULL && a->phys->arena == b->phys->arena &&
           a->phys->offset + a->bytes == b->phys->offset && a->protection == b->protection;
}

static inline void pass(struct walk *walk, struct piece piece) {
    if (walk->any && !merge(&walk->last, &piece)) {
        walk->borders++;
    }
    walk->last = piece;
    walk->any = true;
}

static inline int protection(const struct tn_host *h, enum view view, uint32_t rights) {
    return view == VIEW_CPU ? tn_host_layout_protection(h, rights) : PROT_READ | PROT_WRITE;
}

static inline struct piece mapped(const struct tn_host *h, enum view view,
                                  const struct tn_interval_entry *entry, uint32_t rights) {
    return (struct piece){tn_host_phys_at(h, tn_host_page_slot(entry->value)),
                          entry->end - entry->start, protection(h, view, rights)};
}

static int views(const struct tn_host_space *space) {
    return space->alias != 0 ? 2 : 1;
}

static bool at_start(const struct tn_host_row *row) {
    return row->lo == row->space->base;
}

static bool at_end(const struct tn_host_row *row) {
    return row->hi == row->space->base + row->space->size;
}

struct tn_host_row tn_host_row_of(const struct tn_host *h, const struct tn_host_space *space,
                                  uint64_t lo, uint64_t hi) {
    struct tn_host_row row = {.space = space, .lo = lo, .hi = hi};
    if (lo == space->base) {
        row.first = tn_interval_seek(&h->pages, lo);
        return row;
    }
    row.first = tn_interval_seek(&h->pages, lo - 1);
    struct tn_interval_cursor ahead = row.first;
    row.has_left = tn_interval_step(&ahead, &row.left) && row.left.end == lo;
    if (row.has_left) {
        row.first = ahead;
    }
    return row;
}

static void pass_left(const struct tn_host *h, enum view view, const struct tn_host_row *row,
                      struct walk *walk) {
    if (row->has_left) {
        pass(walk, mapped(h, view, &row->left, tn_host_page_rights(row->left.value)));
    } else if (!at_start(row)) {
        pass(walk, gap);
    }
}

// `next` is the first mapping at or above the row's end, if any.
static void pass_right(const struct tn_host *h, enum view view, const struct tn_host_row *row,
                       const struct tn_interval_entry *next, bool any, struct walk *walk) {
    if (at_end(row)) {
        return;
    }
    if (any && next->start == row->hi) {
        pass(walk, mapped(h, view, next, tn_host_page_rights(next->value)));
    } else {
        pass(walk, gap);
    }
}

// The borders when the row is a gap.
static int64_t as_gap(const struct tn_host *h, enum view view, const struct tn_host_row *row,
                      const struct tn_interval_entry *next, bool any) {
    struct walk walk = {.any = false};
    pass_left(h, view, row, &walk);
    pass(&walk, gap);
    pass_right(h, view, row, next, any, &walk);
    return walk.borders;
}

static int64_t map_view(const struct tn_host *h, enum view view, const struct tn_host_row *row,
                        const tarn_backend_map_item *items, size_t count) {
    struct walk walk = {.any = false};
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry next;
    bool any = tn_interval_step(&at, &next);
    int none = protection(h, view, 0);
    pass_left(h, view, row, &walk);
    for (size_t i = 0; i < count; i++) {
        pass(&walk,
             (struct piece){tn_host_phys_at(h, (uint32_t)items[i].phys), items[i].size, none});
    }
    pass_right(h, view, row, &next, any, &walk);
    return walk.borders - as_gap(h, view, row, &next, any);
}

int64_t tn_host_layout_map(const struct tn_host *h, const struct tn_host_row *row,
                           const tarn_backend_map_item *items, size_t count) {
    int64_t change = 0;
    for (int view = 0; view < views(row->space); view++) {
        change += map_view(h, (enum view)view, row, items, count);
    }
    return change;
}

static int64_t unmap_view(const struct tn_host *h, enum view view, const struct tn_host_row *row) {
    struct walk walk = {.any = false};
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry;
    bool any;
    pass_left(h, view, row, &walk);
    while ((any = tn_interval_step(&at, &entry)) && entry.start < row->hi) {
        pass(&walk, mapped(h, view, &entry, tn_host_page_rights(entry.value)));
    }
    pass_right(h, view, row, &entry, any, &walk);
    return as_gap(h, view, row, &entry, any) - walk.borders;
}

int64_t tn_host_layout_unmap(const struct tn_host *h, const struct tn_host_row *row) {
    int64_t change = 0;
    for (int view = 0; view < views(row->space); view++) {
        change += unmap_view(h, (enum view)view, row);
    }
    return change;
}

struct tn_host_survey tn_host_layout_access(const struct tn_host *h, const struct tn_host_row *row,
                                            uint32_t mask, uint32_t rights) {
    struct tn_host_survey survey = {.protection = -1, .uniform = true};
    struct walk was = {.any = false};
    struct tn_interval_cursor at = row->first;
    struct tn_interval_entry entry;
    bool any;
    pass_left(h, VIEW_CPU, row, &was);
    struct walk will = was;
    while ((any = tn_interval_step(&at, &entry)) && entry.start < row->hi) {
        uint32_t old = tn_host_page_rights(entry.value);
        uint32_t new_rights = (old & ~mask) | rights;
        struct piece piece = mapped(h, VIEW_CPU, &entry, old);
        int wanted = tn_host_layout_protection(h, new_rights);
        pass(&was, piece);
        survey.needed |= wanted != piece.protection;
        survey.uniform &= wanted == survey.protection || survey.protection < 0;
        survey.fresh |= old == 0 && new_rights != 0;
        survey.protection = wanted;
        piece.protection = wanted;
        pass(&will, piece);
    }
    pass_right(h, VIEW_CPU, row, &entry, any, &was);
    pass_right(h, VIEW_CPU, row, &entry, any, &will);
    survey.mappings = will.borders - was.borders;
    return survey;
}

static uint64_t count_view(const struct tn_host *h, const struct tn_host_space *space,
                           enum view view) {
    struct walk walk = {.any = false};
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, space->base);
    uint64_t end = space->base;
    while (tn_interval_step(&at, &entry) && entry.start < space->base + space->size) {
        if (entry.start > end) {
            pass(&walk, gap);
        }
        pass(&walk, mapped(h, view, &entry, tn_host_page_rights(entry.value)));
        end = entry.end;
    }
    if (end < space->base + space->size) {
        pass(&walk, gap);
    }
    return (uint64_t)walk.borders + 1;
}

uint64_t tn_host_layout_count(const struct tn_host *h, const struct tn_host_space *space) {
    uint64_t sum = 0;
    for (int view = 0; view < views(space); view++) {
        sum += count_view(h, space, (enum view)view);
    }
    return sum;
}
