// SPDX-License-Identifier: Apache-2.0
// See vector_clock.h. A thread holds the lock of one clock or one stamp at a time, and makes no
// call under it.
#include "core/work/vector_clock.h"

#include <stdlib.h>
#include <string.h>

static _Atomic(bool) started;
static _Atomic(uint64_t) current_era = 1;
static _Atomic(uint64_t) last_id;

void tn_clock_start(void) { tn_store_relaxed(&started, true); }

bool tn_clock_started(void) { return tn_load_relaxed(&started); }

// ---- clocks

tn_vector_clock *tn_vector_clock_new(void) {
    tn_vector_clock *clock = (tn_vector_clock *)calloc(1, sizeof *clock);
    if (clock != NULL) {
        tn_store_relaxed(&clock->refs, 1);
        tn_store_relaxed(&clock->next, 1);
        clock->id = tn_add_relaxed(&last_id, 1) + 1;
        tn_spin_init(&clock->lock, TN_RANK_CLOCK, "vector clock");
    }
    return clock;
}

tn_vector_clock *tn_vector_clock_keep(tn_vector_clock *clock) {
    uint32_t before = tn_add_relaxed(&clock->refs, 1);
    TARN_ASSERT(before != 0); // a clock without references is freed
    (void)before;
    return clock;
}

void tn_vector_clock_put(tn_vector_clock *clock) {
    if (clock != NULL && tn_sub_acq_rel(&clock->refs, 1) == 1) free(clock);
}

// ---- tables

// Empties a table of an earlier era.
static void table_renew(tn_clock_table *table) {
    uint64_t era = tn_load_acquire(&current_era);
    if (table->era != era) *table = (tn_clock_table){.era = era};
}

static void table_add(tn_clock_table *table, uint64_t clock, uint64_t record) {
    unsigned i = 0;
    while (i < table->count && table->entries[i].clock != clock) i++;
    if (i < table->count && table->entries[i].record >= record) return;
    if (i == TN_CLOCK_FOLLOWED)
        i = table->oldest++ % TN_CLOCK_FOLLOWED;
    else if (i == table->count)
        table->count++;
    table->entries[i].clock = clock;
    table->entries[i].record = record;
    TARN_ASSERT(tn_clock_table_check(table));
}

static void table_copy(tn_clock_table *to, const tn_clock_table *from) {
    to->era = from->era;
    to->oldest = from->oldest;
    to->count = from->count;
    TARN_ASSERT(from->count <= TN_CLOCK_FOLLOWED);
    memcpy(to->entries, from->entries, from->count * sizeof from->entries[0]);
}

bool tn_clock_follows(tn_vector_clock *clock, const tn_vector_clock *first, uint64_t record) {
    bool follows = false;
    TN_SPIN_LOCKED(&clock->lock);
    table_renew(&clock->table);
    for (unsigned i = 0; i < clock->table.count && !follows; i++)
        follows =
            clock->table.entries[i].clock == first->id && clock->table.entries[i].record >= record;
    return follows;
}

bool tn_clock_follows_any(tn_vector_clock *clock) {
    TN_SPIN_LOCKED(&clock->lock);
    table_renew(&clock->table);
    return clock->table.count != 0;
}

void tn_clock_forget_all(void) { (void)tn_add_acq_rel(&current_era, 1); }

// ---- stamps

void tn_clock_stamp_init(tn_clock_stamp *stamp) {
    tn_spin_init(&stamp->lock, TN_RANK_CLOCK, "record of an event");
}

void tn_clock_stamp_fini(tn_clock_stamp *stamp) {
    TARN_ASSERT(stamp->recorders == 0);
    tn_vector_clock_put(stamp->clock);
}

// The number is taken before the backend's call, so that a free that sees it precedes the record.
void tn_clock_record_begin(tn_clock_stamp *stamp, tn_vector_clock *clock, tn_clock_record *record) {
    record->clock = clock;
    record->number = clock != NULL ? tn_add_acq_rel(&clock->next, 1) : 0;
    record->table.count = 0;
    if (clock != NULL) {
        tn_spin_lock(&clock->lock);
        table_renew(&clock->table);
        table_copy(&record->table, &clock->table);
        tn_spin_unlock(&clock->lock);
    }
    tn_spin_lock(&stamp->lock);
    stamp->changes++;
    stamp->overlapped = stamp->recorders != 0;
    stamp->recorders++;
    tn_spin_unlock(&stamp->lock);
}

void tn_clock_record_end(tn_clock_stamp *stamp, tn_clock_record *record, bool succeeded) {
    tn_spin_lock(&stamp->lock);
    tn_vector_clock *before = stamp->clock;
    TARN_ASSERT(stamp->recorders != 0 && stamp->changes >= stamp->recorders);
    stamp->recorders--;
    bool known = succeeded && stamp->recorders == 0 && !stamp->overlapped;
    stamp->clock = known && record->clock != NULL ? tn_vector_clock_keep(record->clock) : NULL;
    stamp->record = record->number;
    table_copy(&stamp->table, &record->table);
    tn_spin_unlock(&stamp->lock);
    tn_vector_clock_put(before);
}

uint64_t tn_clock_wait_begin(tn_clock_stamp *stamp) {
    TN_SPIN_LOCKED(&stamp->lock);
    return stamp->recorders == 0 && stamp->clock != NULL ? stamp->changes : 0;
}

void tn_clock_wait_end(tn_clock_stamp *stamp, tn_vector_clock *clock, uint64_t change) {
    tn_clock_record seen = {.clock = NULL};
    tn_spin_lock(&stamp->lock);
    if (change != 0 && clock != NULL &&
        stamp->changes == change) { // the event was not recorded again meanwhile
        seen.clock = tn_vector_clock_keep(stamp->clock);
        seen.number = stamp->record;
        table_copy(&seen.table, &stamp->table);
    }
    tn_spin_unlock(&stamp->lock);
    TARN_ASSERT(seen.clock == NULL ||
                (seen.number != 0 && seen.number < tn_clock_next(seen.clock)));
    if (seen.clock == NULL || seen.clock == clock) {
        tn_vector_clock_put(seen.clock);
        return;
    }
    tn_raise_relaxed(&seen.clock->waited, seen.number);
    tn_spin_lock(&clock->lock);
    table_renew(&clock->table);
    if (clock->table.era == seen.table.era) {
        for (unsigned i = 0; i < seen.table.count; i++)
            table_add(&clock->table, seen.table.entries[i].clock, seen.table.entries[i].record);
        table_add(&clock->table, seen.clock->id, seen.number);
    }
    tn_spin_unlock(&clock->lock);
    tn_vector_clock_put(seen.clock);
}
