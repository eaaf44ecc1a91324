// SPDX-License-Identifier: Apache-2.0
// Written bytes. Programs write from one end to the other, so that one run nearly always suffices.
#include "check/written.h"

#include <stdlib.h>

void tn_check_written_fini(struct tn_check_written *written) {
    if (written->more != NULL) {
        tn_interval_fini(written->more);
        free(written->more);
    }
    *written = (struct tn_check_written){0};
}

static bool make_set(struct tn_check_written *written) {
    struct tn_interval *more = malloc(sizeof *more);
    if (more == NULL) {
        return false;
    }
    tn_interval_init(more);
    if (tn_interval_insert(more, written->lo, written->hi, 0) != TARN_OK) {
        tn_interval_fini(more);
        free(more);
        return false;
    }
    written->more = more;
    return true;
}

// Merges the run with all runs that it touches.
static bool add_to_set(struct tn_interval *set, uint64_t lo, uint64_t hi) {
    if (!tn_interval_reserve(set, 1)) {
        return false;
    }
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

void tn_check_written_add(struct tn_check_written *written, uint64_t lo, uint64_t hi) {
    if (lo >= hi) {
        return;
    }
    if (written->more == NULL) {
        if (written->lo == written->hi) {
            written->lo = lo;
            written->hi = hi;
            return;
        }
        bool touches = lo <= written->hi && hi >= written->lo;
        if (touches || !make_set(written)) {
            written->lo = lo < written->lo ? lo : written->lo;
            written->hi = hi > written->hi ? hi : written->hi;
            return;
        }
    }
    if (!add_to_set(written->more, lo, hi)) {
        tn_interval_fini(written->more);
        free(written->more);
        written->more = NULL;
        *written = (struct tn_check_written){0, UINT64_MAX, NULL};
    }
}

static void count_missed(uint64_t lo, uint64_t hi, uint64_t *first, uint64_t *count) {
    if (lo < hi) {
        if (*count == 0) {
            *first = lo;
        }
        *count += hi - lo;
    }
}

// Counts the part of [*at, hi) before the run as missed, and moves *at behind the run.
static void pass_run(uint64_t *at, uint64_t hi, uint64_t run_lo, uint64_t run_hi, uint64_t *first,
                     uint64_t *count) {
    if (run_hi <= *at || run_lo >= hi) {
        return;
    }
    count_missed(*at, run_lo, first, count);
    *at = run_hi < hi ? run_hi : hi;
}

bool tn_check_written_covers(const struct tn_check_written *written, uint64_t lo, uint64_t hi,
                             uint64_t *first, uint64_t *count) {
    uint64_t missed = 0;
    uint64_t missed_first = 0;
    uint64_t at = lo;
    if (written->more == NULL) {
        pass_run(&at, hi, written->lo, written->hi, &missed_first, &missed);
    } else {
        struct tn_interval_cursor cursor = tn_interval_seek(written->more, lo);
        struct tn_interval_entry run;
        while (tn_interval_step(&cursor, &run) && run.start < hi) {
            pass_run(&at, hi, run.start, run.end, &missed_first, &missed);
        }
    }
    count_missed(at, hi, &missed_first, &missed);
    if (missed != 0 && first != NULL) {
        *first = missed_first;
    }
    if (missed != 0 && count != NULL) {
        *count = missed;
    }
    return missed == 0;
}

bool tn_check_written_touches(const struct tn_check_written *written, uint64_t lo, uint64_t hi) {
    return written->more != NULL ? tn_interval_overlaps(written->more, lo, hi)
                                 : written->lo < hi && lo < written->hi;
}
