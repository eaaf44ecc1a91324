// SPDX-License-Identifier: Apache-2.0
// The interval map as a B+tree. Leaves hold the entries and are linked in address order. An inner
// node has a lower bound for each child: every start in child i is at least start[i] and below
// start[i + 1]; the bound of child 0 is not used. Removals do not tighten bounds, so a look-up may
// descend to the leaf after the one that holds the entry; it therefore tests the last entry of the
// previous leaf too.
#include "algo/interval.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define WIDTH       TN_INTERVAL_WIDTH
#define MERGE_BELOW (WIDTH / 4)
#define MERGE_UP_TO (WIDTH * 3 / 4)
#define SPARES_KEPT 16
#define CHECK_ALL   16   // entries of a map that is checked at every change, in debug builds
#define CHECK_UP_TO 1024 // entries of a map that is checked at sizes that are powers of two

typedef struct tn_interval_node node; // shorter to read, in this file only

// For assertions: true for a small map, and for a larger one only if the complete check is not due.
// It is due at few sizes, so that a program with a large map takes linear time.
static bool is_sound(const struct tn_interval *map) {
    bool due = map->count <= CHECK_ALL ||
               (map->count <= CHECK_UP_TO && (map->count & (map->count - 1)) == 0);
    return !due || tn_interval_check(map);
}

// Returns true if slot `at` of a leaf is a range between those of its neighbours in the leaf.
static bool is_in_order(const node *leaf, unsigned at) {
    return at < leaf->count && leaf->start[at] < leaf->end[at] &&
           (at == 0 || leaf->end[at - 1] <= leaf->start[at]) &&
           (at + 1 == leaf->count || leaf->end[at] <= leaf->start[at + 1]);
}

// The nodes from the root to a slot of a leaf. index[0] is the slot, index[n] the child taken.
struct path {
    node *at[TN_INTERVAL_LEVELS];
    unsigned index[TN_INTERVAL_LEVELS];
};

// ---- nodes

static bool ensure_spares(struct tn_interval *map, uint64_t wanted) {
    while (map->spares < wanted) {
        node *n = (node *)malloc(sizeof *n);
        if (n == NULL) return false;
        n->next = map->spare;
        map->spare = n;
        map->spares++;
    }
    return true;
}

static void trim_spares(struct tn_interval *map, uint64_t kept) {
    while (map->spares > kept) {
        node *n = map->spare;
        map->spare = n->next;
        map->spares--;
        free(n);
    }
}

// Takes a spare node. The caller has ensured that there is one.
static node *new_node(struct tn_interval *map, unsigned level) {
    node *n = map->spare;
    TARN_ASSERT(n != NULL && level < TN_INTERVAL_LEVELS);
    map->spare = n->next;
    map->spares--;
    map->nodes[level]++;
    n->count = 0;
    n->prev = NULL;
    n->next = NULL;
    return n;
}

static void drop_node(struct tn_interval *map, node *n, unsigned level) {
    uint64_t kept = map->reserved_nodes > SPARES_KEPT ? map->reserved_nodes : SPARES_KEPT;
    TARN_ASSERT(map->nodes[level] > 0 && n != map->root);
    map->nodes[level]--;
    map->recent = map->recent == n ? NULL : map->recent;
    if (map->spares >= kept) {
        free(n);
        return;
    }
    n->next = map->spare;
    map->spare = n;
    map->spares++;
}

// ---- search

// Returns the number of ascending keys that are at most x. No branch depends on the keys.
static unsigned count_up_to(const uint64_t *key, unsigned count, uint64_t x) {
    unsigned base = 0;
    while (count > 1) {
        unsigned half = count / 2;
        base = key[base + half] <= x ? base + half : base;
        count -= half;
    }
    return base + (count == 1 && key[base] <= x);
}

static unsigned child_for(const node *n, uint64_t key) {
    return count_up_to(n->start + 1, n->count - 1, key);
}

// Returns true if a descent for `key` ends in this leaf, as the leaf alone can tell.
static inline bool is_leaf_for(const node *leaf, uint64_t key) {
    return leaf != NULL && leaf->count > 0 && key >= leaf->start[0] &&
           (leaf->next == NULL || key <= leaf->start[leaf->count - 1]);
}

// Look-ups often follow a change, or another change comes next, in the leaf of the last one.
static node *leaf_for(const struct tn_interval *map, uint64_t key) {
    if (is_leaf_for(map->recent, key)) return map->recent;
    node *n = map->root;
    for (unsigned level = map->height; level > 0; level--) n = n->of.child[child_for(n, key)];
    return n;
}

static void descend(const struct tn_interval *map, uint64_t key, struct path *path) {
    node *n = map->root;
    for (unsigned level = map->height; level > 0; level--) {
        unsigned i = child_for(n, key);
        path->at[level] = n;
        path->index[level] = i;
        n = n->of.child[i];
    }
    path->at[0] = n;
    path->index[0] = count_up_to(n->start, n->count, key);
}

static void read_entry(const node *leaf, unsigned i, struct tn_interval_entry *entry) {
    if (entry != NULL) {
        entry->start = leaf->start[i];
        entry->end = leaf->end[i];
        entry->value = leaf->of.value[i];
    }
}

// Returns the slot of `leaf` whose predecessors start at or below `key`. Changes often follow each
// other, so the slot behind the last one and the next are tried first.
static unsigned slot_near(struct tn_interval *map, const node *leaf, uint64_t key) {
    unsigned i = map->slot;
    for (unsigned end = i + 2; i < end && i <= leaf->count; i++)
        if ((i == 0 || leaf->start[i - 1] <= key) && (i == leaf->count || leaf->start[i] > key))
            return map->slot = i;
    return map->slot = count_up_to(leaf->start, leaf->count, key);
}

// Returns true if the slot of the last change, or the next one, is where slot_near() would lead, so
// that no leaf need be found. It becomes map->slot.
static inline bool is_slot_near(struct tn_interval *map, uint64_t key) {
    const node *n = map->recent;
    unsigned i = map->slot;
    if (n == NULL || i == 0 || i > n->count || n->start[i - 1] > key) return false;
    if (i < n->count && n->start[i] <= key) i++;
    if (i < n->count ? n->start[i] <= key : n->next != NULL) return false;
    map->slot = i;
    return true;
}

// Returns the cursor for an address. The entries of the leaf before the slot start at or below it.
static inline struct tn_interval_cursor cursor_at(node *leaf, unsigned slot, uint64_t address) {
    if (slot > 0)
        slot -= leaf->end[slot - 1] > address;
    else if (leaf->prev != NULL && leaf->prev->end[leaf->prev->count - 1] > address)
        return (struct tn_interval_cursor){leaf->prev, leaf->prev->count - 1};
    return (struct tn_interval_cursor){leaf, slot};
}

struct tn_interval_cursor tn_interval_seek(const struct tn_interval *map, uint64_t address) {
    if (map->root == NULL) return (struct tn_interval_cursor){NULL, 0};
    node *leaf = leaf_for(map, address);
    return cursor_at(leaf, count_up_to(leaf->start, leaf->count, address), address);
}

struct tn_interval_cursor tn_interval_seek_near(struct tn_interval *map, uint64_t address) {
    if (map->root == NULL) return (struct tn_interval_cursor){NULL, 0};
    if (!is_slot_near(map, address)) {
        map->recent = leaf_for(map, address);
        (void)slot_near(map, map->recent, address);
    }
    return cursor_at(map->recent, map->slot, address);
}

bool tn_interval_next(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry) {
    struct tn_interval_cursor at = tn_interval_seek(map, address);
    return tn_interval_step(&at, entry);
}

// Moves to the slot before this one. Returns false if there is none.
static inline bool step_back(const node **leaf, unsigned *slot) {
    if (*slot == 0) {
        *leaf = (*leaf)->prev;
        if (*leaf == NULL) return false;
        *slot = (*leaf)->count;
    }
    return (*slot)-- != 0;
}

bool tn_interval_find(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry) {
    if (map->root == NULL) return false;
    const node *leaf = leaf_for(map, address);
    unsigned i = count_up_to(leaf->start, leaf->count, address);
    if (!step_back(&leaf, &i) || leaf->end[i] <= address) return false;
    read_entry(leaf, i, entry);
    return true;
}

bool tn_interval_prev(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry) {
    if (map->root == NULL || address == 0) return false;
    const node *leaf = leaf_for(map, address - 1);
    unsigned i = count_up_to(leaf->start, leaf->count, address - 1);
    if (!step_back(&leaf, &i)) return false;
    read_entry(leaf, i, entry);
    return true;
}

bool tn_interval_cursor_prev(const struct tn_interval_cursor *cursor,
                             struct tn_interval_entry *entry) {
    const node *leaf = cursor->leaf;
    unsigned i = cursor->index;
    if (leaf == NULL || !step_back(&leaf, &i)) return false;
    read_entry(leaf, i, entry);
    return true;
}

// Finds the slot for a change of one entry. If the leaf of the last change has it, and at least
// `least` entries and room for another one, the change concerns no other node, and the rest of the
// path stays unset.
static void descend_to_change(struct tn_interval *map, uint64_t key, unsigned least,
                              struct path *path) {
    node *n = map->recent;
    if (is_leaf_for(n, key) && n->count < WIDTH && (n->count >= least || map->height == 0)) {
        path->at[0] = n;
        path->index[0] = slot_near(map, n, key);
        return;
    }
    descend(map, key, path);
    map->recent = path->at[0];
    map->slot = path->index[0];
}

// Finds the slot of the entry that starts at exactly `start`.
static bool descend_to(struct tn_interval *map, uint64_t start, struct path *path) {
    if (map->root == NULL) return false;
    descend_to_change(map, start, MERGE_BELOW + 1, path);
    if (path->index[0] == 0 || path->at[0]->start[path->index[0] - 1] != start) return false;
    path->index[0]--;
    return true;
}

bool tn_interval_set(struct tn_interval *map, uint64_t start, uint64_t value) {
    struct path path;
    if (!descend_to(map, start, &path)) return false;
    path.at[0]->of.value[path.index[0]] = value;
    return true;
}

// ---- insertion

static bool overlaps_neighbours(const struct path *path, uint64_t start, uint64_t end) {
    const node *leaf = path->at[0];
    unsigned at = path->index[0];
    const node *before = at > 0 ? leaf : leaf->prev;
    const node *after = at < leaf->count ? leaf : leaf->next;
    if (before != NULL && before->end[(at > 0 ? at : before->count) - 1] > start) return true;
    return after != NULL && after->start[at < leaf->count ? at : 0] < end;
}

static void close_slots(node *n, unsigned at, unsigned slots, unsigned level) {
    TARN_ASSERT(slots <= n->count && at <= n->count - slots);
    n->count -= slots;
    size_t tail = (n->count - at) * sizeof n->start[0];
    if (tail == 0) return;
    memmove(n->start + at, n->start + at + slots, tail);
    memmove(n->of.value + at, n->of.value + at + slots, tail);
    if (level == 0) memmove(n->end + at, n->end + at + slots, tail);
}

// Appends the slots of `from` beginning with `first` to `to`.
static void move_slots(node *to, node *from, unsigned first, unsigned level) {
    unsigned moved = from->count - first;
    TARN_ASSERT(first <= from->count && to->count + moved <= WIDTH);
    size_t bytes = moved * sizeof from->start[0];
    memcpy(to->start + to->count, from->start + first, bytes);
    memcpy(to->of.value + to->count, from->of.value + first, bytes);
    if (level == 0) memcpy(to->end + to->count, from->end + first, bytes);
    to->count += moved;
    from->count = first;
}

static inline void open_slot(node *n, unsigned at, unsigned level) {
    TARN_ASSERT(n->count < WIDTH && at <= n->count);
    size_t tail = (n->count++ - at) * sizeof n->start[0];
    if (tail == 0) return;
    memmove(n->start + at + 1, n->start + at, tail);
    memmove(n->of.value + at + 1, n->of.value + at, tail);
    if (level == 0) memmove(n->end + at + 1, n->end + at, tail);
}

// Opens a slot at the path's position in this level, and splits the node if it is full. *in and *at
// are the new slot. Returns the new right node, or NULL without a split. Appending at the end of
// the map leaves the left node full, so maps that grow in address order are packed.
static node *make_slot(struct tn_interval *map, const struct path *path, unsigned level, node **in,
                       unsigned *at) {
    node *n = path->at[level];
    node *right = NULL;
    unsigned i = level == 0 ? path->index[0] : path->index[level] + 1;
    if (n->count == WIDTH) {
        bool last = i == WIDTH && path->at[0]->next == NULL;
        right = new_node(map, level);
        move_slots(right, n, last ? WIDTH : WIDTH / 2, level);
        if (level == 0) {
            right->prev = n;
            right->next = n->next;
            if (n->next != NULL) n->next->prev = right;
            n->next = right;
        }
        if (i >= n->count) {
            i -= n->count;
            n = right;
        }
    }
    open_slot(n, i, level);
    *in = n;
    *at = i;
    return right;
}

// Inserts the new node `right` of the level below into its parent, and so on upwards.
static void insert_child(struct tn_interval *map, const struct path *path, node *right) {
    unsigned top = map->height;
    for (unsigned level = 1; right != NULL; level++) {
        if (level > top) {
            node *root = new_node(map, map->height + 1);
            root->count = 2;
            root->start[0] = map->root->start[0];
            root->of.child[0] = map->root;
            root->start[1] = right->start[0];
            root->of.child[1] = right;
            map->root = root;
            map->height++;
            return;
        }
        node *in;
        unsigned at;
        node *split_off = make_slot(map, path, level, &in, &at);
        TARN_ASSERT(at <= 1 || in->start[at - 1] < right->start[0]); // the first is not used
        in->start[at] = right->start[0];
        in->of.child[at] = right;
        right = split_off;
    }
}

// Makes a slot for the range anywhere.
static __attribute__((noinline)) tarn_status make_place(struct tn_interval *map, uint64_t start,
                                                        uint64_t end, node **in, unsigned *at) {
    if (map->root == NULL) {
        if (!ensure_spares(map, 1)) return TARN_NO_HOST_MEMORY;
        map->root = new_node(map, 0);
    }
    struct path path;
    descend_to_change(map, start, 1, &path);
    if (overlaps_neighbours(&path, start, end)) return TARN_BUSY;
    unsigned splits = 0; // of the full nodes at the end of the path, and then of the root
    while (splits <= map->height && path.at[splits]->count == WIDTH) splits++;
    splits += splits > map->height;
    if (splits != 0 && !ensure_spares(map, splits)) return TARN_NO_HOST_MEMORY;
    node *right = make_slot(map, &path, 0, in, at);
    (*in)->start[*at] = start;
    insert_child(map, &path, right);
    return TARN_OK;
}

// Returns true if the range fits between the entries at the place of the last change.
static inline bool is_place_for(const struct tn_interval *map, uint64_t start, uint64_t end) {
    const node *n = map->recent;
    unsigned at = map->slot;
    return n != NULL && n->count < WIDTH && at > 0 && at <= n->count && n->end[at - 1] <= start &&
           (at < n->count ? n->start[at] >= end : n->next == NULL);
}

tarn_status tn_interval_insert(struct tn_interval *map, uint64_t start, uint64_t end,
                               uint64_t value) {
    if (start >= end) return TARN_BAD_ARGUMENT;
    node *in = map->recent;
    unsigned at = map->slot;
    if (is_place_for(map, start, end))
        open_slot(in, at, 0);
    else
        TN_TRY(make_place(map, start, end, &in, &at));
    in->start[at] = start;
    in->end[at] = end;
    in->of.value[at] = value;
    map->recent = in;
    map->slot = at + 1;
    map->count++;
    TARN_ASSERT(is_in_order(in, at) && is_sound(map));
    if (map->reserved_inserts > 0 && --map->reserved_inserts == 0) {
        map->reserved_nodes = 0;
        trim_spares(map, SPARES_KEPT);
    }
    return TARN_OK;
}

// Returns an upper bound of the nodes that `inserts` insertions need. Each existing node can be
// full and be split once; the last one can be split once more by appending. A node made by a split
// needs WIDTH / 2 - 1 insertions until it is full, and can then cause two splits. Each split is an
// insertion one level up.
static uint64_t nodes_for(const struct tn_interval *map, uint64_t inserts) {
    uint64_t total = map->root == NULL ? 1 : 0;
    if (inserts == 1) return total + map->height + 2;
    for (unsigned level = 0; inserts > 0 && level < TN_INTERVAL_LEVELS; level++) {
        uint64_t refilled = inserts / (WIDTH / 2 - 1) * 2 + 1;
        uint64_t splits = map->nodes[level] + refilled;
        inserts = splits < inserts ? splits : inserts;
        if (level > map->height) {
            total++; // the new root itself
            inserts = refilled - 1;
        }
        total += inserts;
    }
    return total;
}

bool tn_interval_reserve(struct tn_interval *map, uint64_t inserts) {
    uint64_t needed = nodes_for(map, inserts);
    uint64_t before = map->spares;
    if (!ensure_spares(map, needed)) {
        trim_spares(map, before);
        return false;
    }
    map->reserved_inserts = inserts;
    map->reserved_nodes = inserts > 0 ? needed : 0;
    TARN_ASSERT(map->spares >= map->reserved_nodes);
    return true;
}

// ---- removal

static void remove_child(struct tn_interval *map, node *parent, unsigned i, unsigned level) {
    node *n = parent->of.child[i];
    TARN_ASSERT(i < parent->count && (n->count == 0 || parent->count > 1));
    if (level == 0 && n->prev != NULL) n->prev->next = n->next;
    if (level == 0 && n->next != NULL) n->next->prev = n->prev;
    drop_node(map, n, level);
    close_slots(parent, i, 1, level + 1);
}

// A node is empty only if it is the root of an empty map. A node that is less than a quarter full
// is merged with a neighbour if the result is at most three quarters full. Otherwise it stays: the
// neighbour is then more than half full.

// Merges child i of the parent with the child to its right if the result is small enough.
static bool merge_right(struct tn_interval *map, node *parent, unsigned i, unsigned level) {
    if (i + 1 >= parent->count) return false;
    node *left = parent->of.child[i];
    node *right = parent->of.child[i + 1];
    if (left->count + right->count > MERGE_UP_TO) return false;
    TARN_ASSERT(level > 0 || (left->next == right && right->prev == left));
    if (level > 0) right->start[0] = parent->start[i + 1];
    move_slots(left, right, 0, level);
    remove_child(map, parent, i + 1, level);
    return true;
}

static void rebalance(struct tn_interval *map, const struct path *path) {
    for (unsigned level = 0; level < map->height; level++) {
        node *n = path->at[level];
        node *parent = path->at[level + 1];
        unsigned i = path->index[level + 1];
        if (n->count >= MERGE_BELOW) break;
        if (n->count == 0)
            remove_child(map, parent, i, level);
        else if (!merge_right(map, parent, i, level) &&
                 (i == 0 || !merge_right(map, parent, i - 1, level)))
            break;
    }
    while (map->height > 0 && map->root->count == 1) {
        node *old = map->root;
        map->root = old->of.child[0];
        drop_node(map, old, map->height);
        map->height--;
    }
    TARN_ASSERT(map->root->count > 0 || (map->height == 0 && map->count == 0));
}

static void remove_slots(struct tn_interval *map, const struct path *path, unsigned entries) {
    TARN_ASSERT(entries > 0 && entries <= map->count);
    close_slots(path->at[0], path->index[0], entries, 0);
    map->count -= entries;
    rebalance(map, path);
    TARN_ASSERT(is_sound(map));
}

bool tn_interval_remove(struct tn_interval *map, uint64_t start,
                        struct tn_interval_entry *removed) {
    struct path path;
    if (!descend_to(map, start, &path)) return false;
    read_entry(path.at[0], path.index[0], removed);
    remove_slots(map, &path, 1);
    return true;
}

bool tn_interval_remove_value(struct tn_interval *map, uint64_t start, uint64_t value) {
    struct path path;
    if (!descend_to(map, start, &path) || path.at[0]->of.value[path.index[0]] != value)
        return false;
    remove_slots(map, &path, 1);
    return true;
}

// Finds the slot of the first entry that starts at or above lo. Returns false if there is none.
static bool descend_from(const struct tn_interval *map, uint64_t lo, struct path *path) {
    descend(map, lo, path);
    const node *leaf = path->at[0];
    unsigned i = path->index[0];
    if (i > 0 && leaf->start[i - 1] == lo) {
        path->index[0]--;
    } else if (i == leaf->count) {
        if (leaf->next == NULL) return false;
        descend(map, leaf->next->start[0], path);
        path->index[0]--;
    }
    return true;
}

// Removes the entries of [lo, hi) if they lie in the leaf of the last change and no other node is
// concerned. Returns false, with nothing changed, in any other case.
static bool remove_near(struct tn_interval *map, uint64_t lo, uint64_t hi) {
    node *n = map->recent;
    if (!is_slot_near(map, lo)) {
        if (!is_leaf_for(n, lo)) return false;
        (void)slot_near(map, n, lo);
    }
    unsigned at = map->slot;
    at -= n->start[at - 1] == lo;
    unsigned run = at < n->count && n->end[at] <= hi;
    if (at + 1 < n->count && n->end[at + 1] <= hi)
        run = count_up_to(n->end + at, n->count - at, hi);
    if ((at + run == n->count && n->next != NULL) ||
        (n->count < MERGE_BELOW + run && map->height > 0))
        return false;
    close_slots(n, at, run, 0);
    map->count -= run;
    TARN_ASSERT(n->count > 0 || map->height == 0);
    return true;
}

uint64_t tn_interval_remove_range(struct tn_interval *map, uint64_t lo, uint64_t hi) {
    uint64_t before = map->count;
    struct path path;
    bool more = before > 0 && !remove_near(map, lo, hi);
    while (more && descend_from(map, lo, &path)) {
        node *leaf = path.at[0];
        unsigned first = path.index[0];
        unsigned run = count_up_to(leaf->end + first, leaf->count - first, hi);
        more = first + run == leaf->count && leaf->next != NULL && leaf->next->end[0] <= hi;
        map->recent = leaf;
        if (run > 0) remove_slots(map, &path, run);
    }
    TARN_ASSERT(map->count <= before && is_sound(map));
    return before - map->count;
}

// ---- ranges

bool tn_interval_overlaps(const struct tn_interval *map, uint64_t lo, uint64_t hi) {
    struct tn_interval_entry e;
    return lo < hi && tn_interval_prev(map, hi, &e) && e.end > lo;
}

bool tn_interval_covers(const struct tn_interval *map, uint64_t lo, uint64_t hi) {
    struct tn_interval_cursor at = tn_interval_seek(map, lo);
    struct tn_interval_entry e;
    while (lo < hi) {
        if (!tn_interval_step(&at, &e) || e.start > lo) return false;
        lo = e.end;
    }
    return true;
}

bool tn_interval_covers_whole(const struct tn_interval *map, uint64_t lo, uint64_t hi,
                              uint64_t *count) {
    struct tn_interval_cursor at = tn_interval_seek(map, lo);
    struct tn_interval_entry e;
    uint64_t entries = 0;
    while (lo < hi) {
        if (!tn_interval_step(&at, &e) || e.start != lo) return false;
        lo = e.end;
        entries++;
    }
    if (lo != hi || entries == 0) return false;
    if (count != NULL) *count = entries;
    return true;
}

// Rounds up. Returns UINT64_MAX, which no range contains, if the result exceeds 64 bits.
static uint64_t align_or_max(uint64_t x, uint64_t alignment) {
    return x > UINT64_MAX - (alignment - 1) ? UINT64_MAX : (x + alignment - 1) & ~(alignment - 1);
}

bool tn_interval_gap(const struct tn_interval *map, uint64_t lo, uint64_t hi, uint64_t size,
                     uint64_t alignment, uint64_t *start) {
    TARN_ASSERT(size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0);
    uint64_t free_from = align_or_max(lo, alignment);
    struct tn_interval_cursor at = tn_interval_seek(map, lo);
    struct tn_interval_entry e;
    while (free_from < hi && hi - free_from >= size) {
        bool any = tn_interval_step(&at, &e);
        if (!any || (e.start >= free_from && e.start - free_from >= size)) {
            *start = free_from;
            return true;
        }
        if (e.end > free_from) free_from = align_or_max(e.end, alignment);
    }
    return false;
}

// ---- the complete map

void tn_interval_init(struct tn_interval *map) { *map = (struct tn_interval){0}; }

static void free_tree(node *n, unsigned level) {
    for (unsigned i = 0; level > 0 && i < n->count; i++) free_tree(n->of.child[i], level - 1);
    free(n);
}

void tn_interval_fini(struct tn_interval *map) {
    TARN_ASSERT(tn_interval_check(map));
    if (map->root != NULL) free_tree(map->root, map->height);
    trim_spares(map, 0);
    *map = (struct tn_interval){0};
}

uint64_t tn_interval_count(const struct tn_interval *map) { return map->count; }

struct audit {
    const node *leaf; // the previous leaf
    uint64_t end;     // of the previous entry
    uint64_t entries;
    uint64_t nodes[TN_INTERVAL_LEVELS];
};

// Every start below this node must lie in [lo, hi].
static bool check_node(const node *n, unsigned level, uint64_t lo, uint64_t hi,
                       struct audit *audit) {
    audit->nodes[level]++;
    if (n->count == 0 || n->count > WIDTH) return false;
    if (level == 0) {
        if (n->start[0] < lo || n->start[n->count - 1] > hi || n->prev != audit->leaf ||
            (audit->leaf != NULL && audit->leaf->next != n))
            return false;
        audit->leaf = n;
        audit->entries += n->count;
    }
    for (unsigned i = 0; level == 0 && i < n->count; i++) {
        if (n->start[i] < audit->end || n->start[i] >= n->end[i]) return false;
        audit->end = n->end[i];
    }
    for (unsigned i = 0; level > 0 && i < n->count; i++) {
        uint64_t from = i == 0 ? lo : n->start[i];
        uint64_t to = i + 1 == n->count ? hi : n->start[i + 1] - 1;
        if (from < lo || to > hi || from > to ||
            !check_node(n->of.child[i], level - 1, from, to, audit))
            return false;
    }
    return true;
}

bool tn_interval_check(const struct tn_interval *map) {
    struct audit audit = {0};
    uint64_t spares = 0;
    for (const node *n = map->spare; n != NULL; n = n->next) spares++;
    if (spares != map->spares) return false;
    if (map->count == 0) return map->height == 0 && (map->root == NULL || map->root->count == 0);
    if (map->root == NULL || (map->height > 0 && map->root->count < 2) ||
        !check_node(map->root, map->height, 0, UINT64_MAX, &audit))
        return false;
    return audit.entries == map->count && audit.leaf->next == NULL &&
           memcmp(audit.nodes, map->nodes, sizeof audit.nodes) == 0;
}
