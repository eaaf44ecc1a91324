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

// What lies at both sides of [lo, hi) inside the space, read in one go: the entry that ends at lo,
// the entries within, the entry that begins at hi.
struct neighbours {
    struct tn_interval_entry left;
    struct tn_interval_entry right;
    bool has_left; // mapped; else a gap, unless lo is the edge of the space
    bool has_right;
    bool edge_left;
    bool edge_right;
};

static struct tn_interval_cursor begin(const struct tn_host *h, const struct tn_host_space *space,
                                       uint64_t lo, uint64_t hi, struct neighbours *n) {
    *n = (struct neighbours){.edge_left = lo == space->base,
                             .edge_right = hi == space->base + space->size};
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, n->edge_left ? lo : lo - 1);
    if (!n->edge_left) {
        struct tn_interval_cursor ahead = at;
        n->has_left = tn_interval_step(&ahead, &n->left) && n->left.end == lo;
        if (n->has_left) {
            at = ahead;
        }
    }
    return at;
}

// `entry` is the first one not below hi, if any.
static void finish(uint64_t hi, const struct tn_interval_entry *entry, bool any,
                   struct neighbours *n) {
    n->has_right = any && !n->edge_right && entry->start == hi;
    if (n->has_right) {
        n->right = *entry;
    }
}

static void pass_left(const struct tn_host *h, enum view view, const struct neighbours *n,
                      struct walk *walk) {
    if (n->has_left) {
        pass(walk, mapped(h, view, &n->left, tn_host_page_rights(n->left.value)));
    } else if (!n->edge_left) {
        pass(walk, gap);
    }
}

static void pass_right(const struct tn_host *h, enum view view, const struct neighbours *n,
                       struct walk *walk) {
    if (n->has_right) {
        pass(walk, mapped(h, view, &n->right, tn_host_page_rights(n->right.value)));
    } else if (!n->edge_right) {
        pass(walk, gap);
    }
}

// The borders when [lo, hi) is a gap.
static int64_t as_gap(const struct tn_host *h, enum view view, const struct neighbours *n) {
    struct walk walk = {.any = false};
    pass_left(h, view, n, &walk);
    pass(&walk, gap);
    pass_right(h, view, n, &walk);
    return walk.borders;
}

static int64_t as_items(const struct tn_host *h, enum view view, const struct neighbours *n,
                        const tarn_backend_map_item *items, size_t count) {
    struct walk walk = {.any = false};
    int none = protection(h, view, 0);
    pass_left(h, view, n, &walk);
    for (size_t i = 0; i < count; i++) {
        pass(&walk,
             (struct piece){tn_host_phys_at(h, (uint32_t)items[i].phys), items[i].size, none});
    }
    pass_right(h, view, n, &walk);
    return walk.borders;
}

int64_t tn_host_layout_map(const struct tn_host *h, const struct tn_host_space *space,
                           uint64_t addr, const tarn_backend_map_item *items, size_t count) {
    uint64_t hi = addr;
    for (size_t i = 0; i < count; i++) {
        hi += items[i].size;
    }
    struct neighbours n;
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = begin(h, space, addr, hi, &n);
    bool any = tn_interval_step(&at, &entry);
    finish(hi, &entry, any, &n);
    int64_t change = 0;
    for (int view = 0; view < views(space); view++) {
        change += as_items(h, (enum view)view, &n, items, count) - as_gap(h, (enum view)view, &n);
    }
    return change;
}

// Walks the mappings of [lo, hi) in one view, with the rights as they are or as they will be, and
// fills in the right neighbour.
static int64_t as_mapped(const struct tn_host *h, const struct tn_host_space *space, enum view view,
                         uint64_t lo, uint64_t hi, uint32_t mask, uint32_t rights,
                         struct neighbours *n, uint64_t *count) {
    struct walk walk = {.any = false};
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = begin(h, space, lo, hi, n);
    bool any = false;
    *count = 0;
    pass_left(h, view, n, &walk);
    while ((any = tn_interval_step(&at, &entry)) && entry.start < hi) {
        uint32_t now = tn_host_page_rights(entry.value);
        pass(&walk, mapped(h, view, &entry, (now & ~mask) | rights));
        ++*count;
    }
    finish(hi, &entry, any, n);
    pass_right(h, view, n, &walk);
    return walk.borders;
}

int64_t tn_host_layout_unmap(const struct tn_host *h, const struct tn_host_space *space,
                             uint64_t lo, uint64_t hi, uint64_t *count) {
    struct neighbours n;
    int64_t change = 0;
    for (int view = 0; view < views(space); view++) {
        int64_t now = as_mapped(h, space, (enum view)view, lo, hi, 0, 0, &n, count);
        change += as_gap(h, (enum view)view, &n) - now;
    }
    return change;
}

int64_t tn_host_layout_access(const struct tn_host *h, const struct tn_host_space *space,
                              uint64_t lo, uint64_t hi, uint32_t mask, uint32_t rights) {
    struct neighbours n;
    uint64_t count;
    int64_t now = as_mapped(h, space, VIEW_CPU, lo, hi, 0, 0, &n, &count);
    return as_mapped(h, space, VIEW_CPU, lo, hi, mask, rights, &n, &count) - now;
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
