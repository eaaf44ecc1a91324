// SPDX-License-Identifier: Apache-2.0
// An entry of the interval map is one span, or a group of spans that touched each other when they
// were added. A group is not split each time a span leaves, because gaps inside it are harmless. It
// is rebuilt when half of its spans have left and dissolved when one remains, so that a past
// overlap costs nothing.
#include "check/cover.h"

#include <stdlib.h>

#include "base/assert.h"

struct group {
    struct tn_check_span *first; // the newest
    uint64_t count;
    uint64_t gone; // spans that left since the last rebuild
};

static bool is_group(uint64_t value) { return (value & 1) != 0; }

static struct group *group_of(uint64_t value) {
    return (struct group *)(uintptr_t)(value & ~UINT64_C(1));
}

static struct tn_check_span *first_of(uint64_t value) {
    return is_group(value) ? group_of(value)->first : (struct tn_check_span *)(uintptr_t)value;
}

void tn_check_cover_init(struct tn_check_cover *cover) {
    tn_interval_init(&cover->entries);
    cover->count = 0;
}

void tn_check_cover_fini(struct tn_check_cover *cover) {
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&cover->entries, 0), UINT64_MAX)
        if (is_group(entry.value)) free(group_of(entry.value));
    tn_interval_fini(&cover->entries);
}

// ---- adding

// Appends the spans of an entry to the group, whose oldest span is *tail.
static void absorb_entry(struct group *group, struct tn_check_span **tail, uint64_t value) {
    struct tn_check_span *span = first_of(value);
    (*tail)->next = span;
    for (; span != NULL; span = span->next) {
        group->count++;
        *tail = span;
    }
    if (is_group(value)) {
        group->gone += group_of(value)->gone;
        free(group_of(value));
    }
}

// Merges `span` and everything that it touches into one entry.
static bool add_to_group(struct tn_check_cover *cover, struct tn_check_span *span) {
    struct group *group = malloc(sizeof *group);
    if (group == NULL || !tn_interval_reserve(&cover->entries, 1)) {
        free(group);
        return false;
    }
    *group = (struct group){.first = span, .count = 1};
    span->next = NULL;
    struct tn_check_span *tail = span;
    uint64_t lo = span->lo;
    uint64_t hi = span->hi;
    struct tn_interval_entry entry;
    while (tn_interval_next(&cover->entries, lo, &entry) && entry.start < hi) {
        (void)tn_interval_remove(&cover->entries, entry.start, NULL);
        absorb_entry(group, &tail, entry.value);
        lo = entry.start < lo ? entry.start : lo;
        hi = entry.end > hi ? entry.end : hi;
    }
    tarn_status status =
        tn_interval_insert(&cover->entries, lo, hi, (uint64_t)(uintptr_t)group | 1);
    TARN_ASSERT(status == TARN_OK);
    (void)status;
    return true;
}

bool tn_check_cover_add(struct tn_check_cover *cover, struct tn_check_span *span) {
    span->next = NULL;
    tarn_status status =
        tn_interval_insert(&cover->entries, span->lo, span->hi, (uint64_t)(uintptr_t)span);
    if (status == TARN_BUSY) status = add_to_group(cover, span) ? TARN_OK : TARN_NO_HOST_MEMORY;
    cover->count += status == TARN_OK;
    return status == TARN_OK;
}

// ---- removing

// Adds the spans again, oldest first, so that their order stays. Removing the group has just freed
// the memory that their entries need.
static void add_again(struct tn_check_cover *cover, struct tn_check_span *newest) {
    struct tn_check_span *oldest_first = NULL;
    while (newest != NULL) {
        struct tn_check_span *older = newest->next;
        newest->next = oldest_first;
        oldest_first = newest;
        newest = older;
    }
    while (oldest_first != NULL) {
        struct tn_check_span *next = oldest_first->next;
        if (!tn_check_cover_add(cover, oldest_first))
            abort(); // the checker cannot continue without memory
        cover->count--;
        oldest_first = next;
    }
}

static void remove_from_group(struct tn_check_cover *cover, struct tn_check_span *span) {
    struct tn_interval_entry entry;
    if (!tn_interval_find(&cover->entries, span->lo, &entry) || !is_group(entry.value)) {
        TARN_ASSERT(false);
        return;
    }
    struct group *group = group_of(entry.value);
    struct tn_check_span **link = &group->first;
    while (*link != span) {
        TARN_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = span->next;
    group->count--;
    group->gone++;
    if (group->count > 1 && group->gone < group->count) return;
    struct tn_check_span *left = group->first;
    (void)tn_interval_remove(&cover->entries, entry.start, NULL);
    free(group);
    add_again(cover, left);
}

void tn_check_cover_remove(struct tn_check_cover *cover, struct tn_check_span *span) {
    if (!tn_interval_remove_value(&cover->entries, span->lo, (uint64_t)(uintptr_t)span))
        remove_from_group(cover, span);
    cover->count--;
    span->next = NULL;
}

// ---- queries

static bool span_contains(const struct tn_check_span *span, uint64_t address) {
    return span->lo <= address && address < span->hi;
}

struct tn_check_span *tn_check_cover_older(const struct tn_check_span *span, uint64_t address) {
    struct tn_check_span *older = span->next;
    while (older != NULL && !span_contains(older, address)) older = older->next;
    return older;
}

struct tn_check_span *tn_check_cover_at(const struct tn_check_cover *cover, uint64_t address) {
    struct tn_interval_entry entry;
    if (!tn_interval_find(&cover->entries, address, &entry)) return NULL;
    struct tn_check_span *first = first_of(entry.value);
    return span_contains(first, address) ? first : tn_check_cover_older(first, address);
}

struct tn_check_span *tn_check_cover_alone(const struct tn_check_cover *cover, uint64_t lo,
                                           uint64_t hi) {
    struct tn_interval_entry entry;
    return tn_interval_find(&cover->entries, lo, &entry) && entry.end >= hi &&
                   !is_group(entry.value)
               ? first_of(entry.value)
               : NULL;
}

struct tn_check_span *tn_check_cover_after(const struct tn_check_cover *cover, uint64_t address) {
    struct tn_interval_cursor at = tn_interval_seek(&cover->entries, address);
    struct tn_interval_entry entry;
    struct tn_check_span *lowest = NULL;
    while (lowest == NULL && tn_interval_step(&at, &entry)) {
        for (struct tn_check_span *s = first_of(entry.value); s != NULL; s = s->next)
            if (s->lo > address && (lowest == NULL || s->lo < lowest->lo)) lowest = s;
    }
    return lowest;
}

struct tn_check_span *tn_check_cover_before(const struct tn_check_cover *cover, uint64_t address) {
    struct tn_interval_entry entry;
    uint64_t below = address;
    struct tn_check_span *highest = NULL;
    while (highest == NULL && tn_interval_prev(&cover->entries, below, &entry)) {
        for (struct tn_check_span *s = first_of(entry.value); s != NULL; s = s->next)
            if (s->hi <= address && (highest == NULL || s->hi > highest->hi)) highest = s;
        below = entry.start;
    }
    return highest;
}

struct tn_check_span *tn_check_cover_any(const struct tn_check_cover *cover) {
    struct tn_interval_entry entry;
    return tn_interval_next(&cover->entries, 0, &entry) ? first_of(entry.value) : NULL;
}

static bool keep_one(struct tn_check_span *span, void *context) {
    *(struct tn_check_span **)context = span;
    return false;
}

struct tn_check_span *tn_check_cover_touches(const struct tn_check_cover *cover, uint64_t lo,
                                             uint64_t hi) {
    struct tn_check_span *found = NULL;
    tn_check_cover_walk(cover, lo, hi, keep_one, &found);
    return found;
}

void tn_check_cover_walk(const struct tn_check_cover *cover, uint64_t lo, uint64_t hi,
                         bool (*visit)(struct tn_check_span *span, void *context), void *context) {
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&cover->entries, lo), hi) {
        struct tn_check_span *next = NULL;
        for (struct tn_check_span *s = first_of(entry.value); s != NULL; s = next) {
            next = s->next;
            if (s->lo < hi && s->hi > lo && !visit(s, context)) return;
        }
    }
}
