// SPDX-License-Identifier: Apache-2.0
// Compares the interval map with a simple model, a sorted array. Each input byte selects an
// operation, the next ones its range; results are compared after every step. The source of the map
// is included with narrow nodes, so that short inputs cause deep trees, splits and merges.
#define TN_INTERVAL_WIDTH 8
#include "algo/interval.c" // NOLINT: on purpose, see above

#include <stdio.h>

#define MODEL_MAX 4096

struct model {
    struct tn_interval_entry entry[MODEL_MAX];
    size_t count;
};

struct input {
    const uint8_t *data;
    size_t left;
};

static void require(bool claim, const char *text) {
    if (!claim) {
        (void)fprintf(stderr, "fuzz interval: broken claim: %s\n", text);
        abort();
    }
}

static uint8_t byte(struct input *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->data++;
}

// Addresses have 10 bits, so that ranges overlap often.
static uint64_t address(struct input *in) {
    uint64_t high = byte(in);
    return (high << 8 | byte(in)) & 0x3ff;
}

// ---- the model

static size_t model_seek(const struct model *m, uint64_t at) {
    size_t i = 0;
    while (i < m->count && m->entry[i].end <= at) i++;
    return i;
}

static bool model_insert(struct model *m, uint64_t start, uint64_t end, uint64_t value) {
    size_t i = model_seek(m, start);
    if (start >= end || (i < m->count && m->entry[i].start < end)) return false;
    require(m->count < MODEL_MAX, "the model is large enough");
    memmove(m->entry + i + 1, m->entry + i, (m->count - i) * sizeof m->entry[0]);
    m->entry[i] = (struct tn_interval_entry){start, end, value};
    m->count++;
    return true;
}

static void model_remove(struct model *m, size_t i) {
    memmove(m->entry + i, m->entry + i + 1, (m->count - i - 1) * sizeof m->entry[0]);
    m->count--;
}

static uint64_t model_remove_range(struct model *m, uint64_t lo, uint64_t hi) {
    uint64_t removed = 0;
    for (size_t i = 0; i < m->count;) {
        if (m->entry[i].start >= lo && m->entry[i].end <= hi) {
            model_remove(m, i);
            removed++;
        } else {
            i++;
        }
    }
    return removed;
}

static bool model_covers(const struct model *m, uint64_t lo, uint64_t hi) {
    for (size_t i = model_seek(m, lo); lo < hi; i++) {
        if (i == m->count || m->entry[i].start > lo) return false;
        lo = m->entry[i].end;
    }
    return true;
}

static uint64_t model_count_inside(const struct model *m, uint64_t lo, uint64_t hi) {
    uint64_t inside = 0;
    for (size_t i = 0; i < m->count; i++)
        inside += m->entry[i].start >= lo && m->entry[i].end <= hi;
    return inside;
}

static bool model_covers_whole(const struct model *m, uint64_t lo, uint64_t hi) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->entry[i].start >= lo && m->entry[i].end <= hi)
            bytes += m->entry[i].end - m->entry[i].start;
    return lo < hi && bytes == hi - lo;
}

static bool model_gap(const struct model *m, uint64_t lo, uint64_t hi, uint64_t size,
                      uint64_t alignment, uint64_t *start) {
    for (uint64_t at = lo; at + size <= hi; at++) {
        size_t i = model_seek(m, at);
        if (at % alignment == 0 && (i == m->count || m->entry[i].start >= at + size)) {
            *start = at;
            return true;
        }
    }
    return false;
}

// ---- one step

static bool same(const struct tn_interval_entry *a, const struct tn_interval_entry *b) {
    return a->start == b->start && a->end == b->end && a->value == b->value;
}

static void insert(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t start = address(in);
    uint64_t end = start + (byte(in) & 15);
    uint64_t value = start * 31 + m->count;
    bool good = tn_interval_insert(map, start, end, value) == TARN_OK;
    require(good == model_insert(m, start, end, value), "insert refuses just what overlaps");
}

// Returns the number of nodes that the map has allocated.
static uint64_t nodes_of(const struct tn_interval *map) {
    uint64_t sum = map->spares;
    for (unsigned i = 0; i < TN_INTERVAL_LEVELS; i++) sum += map->nodes[i];
    return sum;
}

// A run of adjacent entries, to fill nodes quickly.
static void insert_run(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t start = address(in);
    unsigned n = byte(in);
    require(tn_interval_reserve(map, n), "memory for a small promise");
    for (unsigned i = 0; i < n; i++) {
        uint64_t at = start + 2 * (uint64_t)i;
        uint64_t memory = nodes_of(map);
        bool good = tn_interval_insert(map, at, at + 2, i) == TARN_OK;
        require(good == model_insert(m, at, at + 2, i), "a run goes in where it is free");
        require(!good || nodes_of(map) <= memory, "a promised insertion takes no fresh memory");
    }
    require(tn_interval_reserve(map, 0), "a promise can be dropped");
}

static void remove_one(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t start = address(in);
    size_t i = model_seek(m, start);
    struct tn_interval_entry removed;
    bool there = i < m->count && m->entry[i].start == start;
    require(!tn_interval_remove_value(map, start, there ? m->entry[i].value + 1 : 0),
            "remove_value wants the exact start and the value");
    if (there && m->count % 2 == 0) {
        require(tn_interval_remove_value(map, start, m->entry[i].value),
                "remove_value removes the entry");
        model_remove(m, i);
        return;
    }
    require(tn_interval_remove(map, start, &removed) == there, "remove wants the exact start");
    if (there) {
        require(same(&removed, &m->entry[i]), "remove gives the entry");
        model_remove(m, i);
    }
}

static void remove_many(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t lo = address(in);
    uint64_t hi = lo + byte(in);
    require(tn_interval_remove_range(map, lo, hi) == model_remove_range(m, lo, hi),
            "remove_range removes just the whole entries inside");
}

static void set_value(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t start = address(in);
    size_t i = model_seek(m, start);
    bool there = i < m->count && m->entry[i].start == start;
    require(tn_interval_set(map, start, 7) == there, "set wants the exact start");
    if (there) m->entry[i].value = 7;
}

static void ask_point(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t at = address(in);
    size_t i = model_seek(m, at);
    struct tn_interval_entry e;
    bool there = i < m->count;
    require(tn_interval_next(map, at, &e) == there, "next finds what ends above");
    require(!there || same(&e, &m->entry[i]), "next gives the first such entry");
    struct tn_interval_cursor cursor = tn_interval_seek(map, at);
    require(tn_interval_cursor_prev(&cursor, &e) == (i > 0), "a cursor has those below behind it");
    require(i == 0 || same(&e, &m->entry[i - 1]), "and the last of them next to it");
    there = there && m->entry[i].start <= at;
    require(tn_interval_find(map, at, &e) == there, "find finds just what contains");
    require(!there || same(&e, &m->entry[i]), "find gives the entry");
    while (i < m->count && m->entry[i].start < at) i++;
    require(tn_interval_prev(map, at, &e) == (i > 0), "prev finds what starts below");
    require(i == 0 || same(&e, &m->entry[i - 1]), "prev gives the last such entry");
}

static void ask_range(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t lo = address(in);
    uint64_t hi = lo + byte(in);
    uint64_t count = 0;
    size_t i = model_seek(m, lo);
    bool whole = model_covers_whole(m, lo, hi);
    require(tn_interval_covers(map, lo, hi) == model_covers(m, lo, hi), "covers");
    require(tn_interval_covers_whole(map, lo, hi, &count) == whole, "covers_whole");
    require(!whole || count == model_count_inside(m, lo, hi), "covers_whole counts");
    require(tn_interval_overlaps(map, lo, hi) ==
                (lo < hi && i < m->count && m->entry[i].start < hi),
            "overlaps");
}

static void ask_gap(struct tn_interval *map, struct model *m, struct input *in) {
    uint64_t lo = address(in);
    uint64_t hi = lo + byte(in);
    uint64_t size = 1 + (byte(in) & 31);
    uint64_t alignment = (uint64_t)1 << (byte(in) & 7);
    uint64_t found = 0;
    uint64_t wanted = 0;
    bool there = model_gap(m, lo, hi, size, alignment, &wanted);
    require(tn_interval_gap(map, lo, hi, size, alignment, &found) == there, "gap finds one");
    require(found == wanted, "gap finds the lowest");
}

static void compare_all(const struct tn_interval *map, const struct model *m) {
    struct tn_interval_cursor at = tn_interval_seek(map, 0);
    struct tn_interval_entry e;
    size_t i = 0;
    while (tn_interval_step(&at, &e)) {
        require(i < m->count && same(&e, &m->entry[i]), "a walk gives every entry in order");
        i++;
    }
    require(i == m->count && tn_interval_count(map) == m->count, "the count is right");
    require(tn_interval_check(map), "the invariants hold");
}

typedef void step_function(struct tn_interval *map, struct model *m, struct input *in);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static step_function *const step[] = {insert,    insert,    insert_run, remove_one, remove_many,
                                          set_value, ask_point, ask_range,  ask_gap};
    static struct model model;
    struct tn_interval map;
    struct input in = {data, size};
    model.count = 0;
    tn_interval_init(&map);
    while (in.left > 0) {
        step[byte(&in) % (sizeof step / sizeof step[0])](&map, &model, &in);
        compare_all(&map, &model);
    }
    tn_interval_fini(&map);
    return 0;
}
