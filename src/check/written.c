// SPDX-License-Identifier: Apache-2.0
// Written bytes. Programs write from one end to the other, so that two runs nearly always suffice.
// The rows of a box become runs when another box is written, or when a question about bytes outside
// the runs is asked.
#include "check/written.h"

#include <stdlib.h>

void tn_check_written_fini(struct tn_check_written *written) {
    if (written->more != NULL) {
        tn_interval_fini(written->more);
        free(written->more);
    }
    free(written->rows);
    free(written->carried);
    *written = (struct tn_check_written){0};
}

static bool make_set(struct tn_check_written *written) {
    struct tn_interval *more = malloc(sizeof *more);
    if (more == NULL) return false;
    tn_interval_init(more);
    for (unsigned i = 0; i < TN_CHECK_RUNS; i++) {
        const struct tn_check_run *run = &written->run[i];
        if (run->lo < run->hi && tn_interval_insert(more, run->lo, run->hi, 0) != TARN_OK) {
            tn_interval_fini(more);
            free(more);
            return false;
        }
    }
    written->more = more;
    return true;
}

// Merges the run with all runs that it touches.
static bool add_to_set(struct tn_interval *set, uint64_t lo, uint64_t hi) {
    if (!tn_interval_reserve(set, 1)) return false;
    struct tn_interval_entry entry;
    if (tn_interval_prev(set, lo, &entry) && entry.end >= lo) {
        lo = entry.start;
        hi = entry.end > hi ? entry.end : hi;
    }
    while (tn_interval_next(set, lo, &entry) && entry.start <= hi) {
        hi = entry.end > hi ? entry.end : hi;
        (void)tn_interval_remove(set, entry.start, NULL);
    }
    return tn_interval_insert(set, lo, hi, 0) == TARN_OK;
}

// Adds a run to the runs without a set. Returns false, without a change, if there is no place for it.
static bool add_to_runs(struct tn_check_written *written, struct tn_check_run added) {
    struct tn_check_run *place = NULL;
    for (unsigned i = 0; i < TN_CHECK_RUNS; i++) {
        struct tn_check_run *run = &written->run[i];
        if (run->lo < run->hi && (added.lo > run->hi || added.hi < run->lo))
            continue; // they do not touch
        if (run->lo < run->hi) {
            added.lo = run->lo < added.lo ? run->lo : added.lo;
            added.hi = run->hi > added.hi ? run->hi : added.hi;
        }
        *run = (struct tn_check_run){0};
        place = place != NULL ? place : run;
    }
    if (place != NULL) *place = added;
    return place != NULL;
}

// Without memory, bytes between runs count as written.
static void fill_gaps(struct tn_check_written *written, struct tn_check_run added) {
    struct tn_check_run all = {0, UINT64_MAX};
    if (written->more == NULL) {
        all = added;
        for (unsigned i = 0; i < TN_CHECK_RUNS; i++) {
            all.lo = written->run[i].lo < all.lo ? written->run[i].lo : all.lo;
            all.hi = written->run[i].hi > all.hi ? written->run[i].hi : all.hi;
        }
    }
    struct tn_check_carried *carried = written->carried;
    written->carried = NULL;
    tn_check_written_fini(written);
    written->run[0] = all;
    written->carried = carried;
}

void tn_check_written_add(struct tn_check_written *written, uint64_t lo, uint64_t hi) {
    const struct tn_check_run added = {lo, hi};
    if (lo >= hi || (written->more == NULL && add_to_runs(written, added))) return;
    if ((written->more == NULL && !make_set(written)) || !add_to_set(written->more, lo, hi))
        fill_gaps(written, added);
}

static void add_each_row(struct tn_check_written *written, const struct tn_check_rows *rows) {
    for (uint64_t i = 0; i < rows->count; i++) {
        uint64_t lo = rows->lo + i * rows->pitch;
        tn_check_written_add(written, lo, lo + rows->bytes);
    }
}

static void settle_rows(struct tn_check_written *written) {
    struct tn_check_rows *rows = written->rows;
    written->rows = NULL;
    if (rows != NULL) {
        add_each_row(written, rows);
        free(rows);
    }
}

void tn_check_written_remove(struct tn_check_written *written, uint64_t lo, uint64_t hi) {
    struct tn_interval_entry entry;
    settle_rows(written);
    if (!tn_check_written_touches(written, lo, hi)) return;
    if ((written->more == NULL && !make_set(written)) || !tn_interval_reserve(written->more, 2))
        return;
    while (tn_interval_prev(written->more, hi, &entry) && entry.end > lo) {
        (void)tn_interval_remove(written->more, entry.start, NULL);
        if (entry.start < lo) (void)tn_interval_insert(written->more, entry.start, lo, 0);
        if (entry.end > hi) (void)tn_interval_insert(written->more, hi, entry.end, 0);
    }
}

static void count_missed(uint64_t lo, uint64_t hi, uint64_t *first, uint64_t *count) {
    if (lo < hi) {
        if (*count == 0) *first = lo;
        *count += hi - lo;
    }
}

// Counts the part of [*at, hi) before the run as missed, and moves *at behind the run.
static void pass_run(uint64_t *at, uint64_t hi, uint64_t run_lo, uint64_t run_hi, uint64_t *first,
                     uint64_t *count) {
    if (run_hi <= *at || run_lo >= hi) return;
    count_missed(*at, run_lo, first, count);
    *at = run_hi < hi ? run_hi : hi;
}

static bool runs_cover(const struct tn_check_written *written, uint64_t lo, uint64_t hi,
                       uint64_t *first, uint64_t *count) {
    uint64_t missed = 0;
    uint64_t missed_first = 0;
    uint64_t at = lo;
    if (written->more == NULL) {
        unsigned lower = written->run[1].lo < written->run[0].lo;
        for (unsigned i = 0; i < TN_CHECK_RUNS; i++) {
            const struct tn_check_run *run = &written->run[i ^ lower];
            pass_run(&at, hi, run->lo, run->hi, &missed_first, &missed);
        }
    } else {
        struct tn_interval_cursor cursor = tn_interval_seek(written->more, lo);
        struct tn_interval_entry run;
        while (tn_interval_step(&cursor, &run) && run.start < hi)
            pass_run(&at, hi, run.start, run.end, &missed_first, &missed);
    }
    count_missed(at, hi, &missed_first, &missed);
    if (missed != 0 && first != NULL) *first = missed_first;
    if (missed != 0 && count != NULL) *count = missed;
    return missed == 0;
}

bool tn_check_written_covers(struct tn_check_written *written, uint64_t lo, uint64_t hi,
                             uint64_t *first, uint64_t *count) {
    if (written->rows != NULL && !runs_cover(written, lo, hi, NULL, NULL)) settle_rows(written);
    return runs_cover(written, lo, hi, first, count);
}

uint64_t tn_check_written_gap_end(const struct tn_check_written *written, uint64_t at,
                                  uint64_t hi) {
    struct tn_interval_entry entry;
    if (written->more != NULL && tn_interval_next(written->more, at, &entry) && entry.start < hi)
        hi = entry.start;
    for (unsigned i = 0; i < TN_CHECK_RUNS && written->more == NULL; i++) {
        const struct tn_check_run *run = &written->run[i];
        hi = run->lo < run->hi && run->lo > at && run->lo < hi ? run->lo : hi;
    }
    return hi;
}

static bool rows_touch(const struct tn_check_rows *rows, uint64_t lo, uint64_t hi) {
    // The number of rows that end at or below `lo`.
    uint64_t passed =
        lo < rows->lo + rows->bytes ? 0 : (lo - rows->lo - rows->bytes) / rows->pitch + 1;
    return passed < rows->count && rows->lo + passed * rows->pitch < hi;
}

bool tn_check_written_touches(const struct tn_check_written *written, uint64_t lo, uint64_t hi) {
    bool in_run = written->more != NULL && tn_interval_overlaps(written->more, lo, hi);
    for (unsigned i = 0; i < TN_CHECK_RUNS && written->more == NULL; i++)
        in_run = in_run || (written->run[i].lo < hi && lo < written->run[i].hi);
    return in_run || (written->rows != NULL && rows_touch(written->rows, lo, hi));
}

// ---- rows

static uint64_t end_of_rows(const struct tn_check_rows *rows) {
    return rows->lo + (rows->count - 1) * rows->pitch + rows->bytes;
}

// Returns true if each of the rows lies in one of `all`.
static bool are_rows_among(const struct tn_check_rows *rows, const struct tn_check_rows *all) {
    return rows->lo >= all->lo && end_of_rows(rows) <= end_of_rows(all) &&
           (rows->count == 1 || rows->pitch == all->pitch) &&
           (rows->lo - all->lo) % all->pitch + rows->bytes <= all->bytes;
}

bool tn_check_written_covers_rows(const struct tn_check_written *written,
                                  const struct tn_check_rows *rows) {
    return (written->rows != NULL && are_rows_among(rows, written->rows)) ||
           runs_cover(written, rows->lo, end_of_rows(rows), NULL, NULL);
}

void tn_check_written_add_rows(struct tn_check_written *written, const struct tn_check_rows *rows) {
    if (rows->bytes == 0 || rows->count == 0 || tn_check_written_covers_rows(written, rows)) return;
    if (rows->count == 1 || rows->pitch == rows->bytes) {
        tn_check_written_add(written, rows->lo, end_of_rows(rows));
        return;
    }
    struct tn_check_rows *kept = malloc(sizeof *kept);
    settle_rows(written);
    if (kept == NULL) {
        add_each_row(written, rows);
        return;
    }
    *kept = *rows;
    written->rows = kept;
}
