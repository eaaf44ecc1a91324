// SPDX-License-Identifier: Apache-2.0
// See past.h.
#include "core/address/past.h"

enum { MAX_RANGES = 1 << 14, CHECKED = 64 };

// For assertions: checks a set of few ranges completely.
static bool is_sound(const struct tn_past *past) {
    return tn_interval_count(&past->map) <= CHECKED ? tn_past_check(past)
                                                    : tn_interval_count(&past->map) <= MAX_RANGES;
}

// Simulated devices hand out numbers from 2^60 on and leave gaps between allocations. No memory can
// be in such a gap, so it counts as handed out: the ranges around it stay one.
static const uint64_t NUMBERS = UINT64_C(1) << 60;
static const uint64_t NUMBERS_GAP = UINT64_C(64) << 20;

// Moves the range that was added last into the map, merged with the entries that it touches.
static void flush_last(struct tn_past *past) {
    struct tn_interval *map = &past->map;
    struct tn_interval_entry entry;
    uint64_t lo = past->lo;
    uint64_t hi = past->hi;
    past->lo = past->hi = 0;
    if (tn_interval_covers(map, lo, hi) || !tn_interval_reserve(map, 1)) return;
    if (tn_interval_prev(map, lo, &entry) && entry.end >= lo) lo = entry.start;
    if (tn_interval_prev(map, hi + 1, &entry) && entry.end > hi) hi = entry.end;
    if (tn_interval_remove_range(map, lo, hi) != 0 || tn_interval_count(map) < MAX_RANGES)
        (void)tn_interval_insert(map, lo, hi, 0);
    TARN_ASSERT(is_sound(past));
}

void tn_past_add(struct tn_past *past, uint64_t lo, uint64_t hi) {
    uint64_t gap = lo >= NUMBERS ? NUMBERS_GAP : 0;
    TARN_ASSERT(lo < hi && hi <= UINT64_MAX - gap);
    if (lo > past->hi + gap || hi + gap < past->lo) {
        flush_last(past);
        past->lo = lo;
        past->hi = hi;
    } else {
        past->lo = lo < past->lo ? lo : past->lo;
        past->hi = hi > past->hi ? hi : past->hi;
    }
}

void tn_past_remove(struct tn_past *past, uint64_t lo, uint64_t hi) {
    struct tn_interval_entry entry;
    TARN_ASSERT(lo < hi);
    flush_last(past);
    while (tn_interval_next(&past->map, lo, &entry) && entry.start < hi) {
        // Without host memory for the remainders, the complete entry is lost.
        bool prepared = tn_interval_reserve(&past->map, 2);
        (void)tn_interval_remove(&past->map, entry.start, NULL);
        if (prepared && entry.start < lo) (void)tn_interval_insert(&past->map, entry.start, lo, 0);
        if (prepared && entry.end > hi) (void)tn_interval_insert(&past->map, hi, entry.end, 0);
    }
    TARN_ASSERT(is_sound(past) && !tn_past_overlaps(past, lo, hi));
}

bool tn_past_overlaps(const struct tn_past *past, uint64_t lo, uint64_t hi) {
    return (lo < past->hi && past->lo < hi) || tn_interval_overlaps(&past->map, lo, hi);
}
