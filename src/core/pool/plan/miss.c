// SPDX-License-Identifier: Apache-2.0
// Requests of a pool with a plan that got no place: their counts, which ones they were, and the
// statistics of the plan. Any thread.
#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"

#include <stdio.h>
#include <string.h>

static uint64_t bytes_of(const tarn_plan_miss *miss) { return miss->bytes * miss->requests; }

// Counts a request in the table. A new kind of request replaces the entry with the fewest bytes in
// total.
static void count_request(tarn_plan_miss *misses, const tarn_plan_miss *request) {
    tarn_plan_miss *least = misses;
    for (tarn_plan_miss *m = misses; m < misses + TARN_POOL_SHARES; m++) {
        if (m->bytes == request->bytes && m->tag == request->tag && m->late == request->late &&
            m->stream == request->stream) {
            m->requests++;
            return;
        }
        if (bytes_of(m) < bytes_of(least)) least = m;
    }
    *least = *request;
}

void tn_plan_miss(tarn_pool *pool, const tn_pool_want *want, bool late) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_plan_counts *now = &pool->plan->now;
    if (pool->plan->follow == NULL) return;
    *(late ? &now->late : &now->unplanned) += 1;
    *(late ? &now->late_bytes : &now->unplanned_bytes) += want->bytes;
    const tarn_plan_miss request = {want->bytes, 1,
                                    tn_load_relaxed(&tn_pool_slot_at(pool, want->slot)->stream),
                                    want->mark, late};
    count_request(pool->plan->misses, &request);
}

typedef unsigned long long number;

static void write_text(const struct tn_plan_counts *c, tarn_pool_report *r) {
    const tarn_plan_miss *most = &r->misses[0];
    (void)snprintf(
        r->text, sizeof r->text,
        "plan: %llu of %llu large requests, %llu of %llu bytes, got no place: the plan does not "
        "have "
        "%llu, and the places of %llu were taken; most: %llu of %llu bytes with tag %u, %s",
        (number)(c->unplanned + c->late), (number)(c->planned + c->unplanned + c->late),
        (number)(c->unplanned_bytes + c->late_bytes),
        (number)(c->planned_bytes + c->unplanned_bytes + c->late_bytes), (number)c->unplanned,
        (number)c->late, (number)most->requests, (number)most->bytes, most->tag,
        most->late != 0 ? "whose places were taken" : "which it does not have");
}

bool tn_plan_explain(tarn_pool *pool, tarn_pool_report *report) {
    const struct tn_pool_plan *plan = pool->plan;
    if (plan == NULL) return false;
    TN_FIT_LOCKED(pool);
    for (int i = 0; i < TARN_POOL_SHARES; i++) { // the most first
        tarn_plan_miss miss = plan->misses[i];
        int k = i;
        for (; k > 0 && bytes_of(&report->misses[k - 1]) < bytes_of(&miss); k--)
            report->misses[k] = report->misses[k - 1];
        report->misses[k] = miss;
    }
    if (report->misses[0].requests == 0) return false;
    if (report->refusals == 0) write_text(&plan->now, report);
    return true;
}

// ---- statistics

void tn_plan_stats(tarn_pool *pool, tarn_pool_stats *stats) {
    const struct tn_pool_plan *plan = pool->plan;
    if (plan == NULL) return;
    TN_FIT_LOCKED(pool);
    stats->planned = plan->now.planned;
    stats->unplanned = plan->now.unplanned;
    stats->late = plan->now.late;
    stats->planned_bytes = plan->now.planned_bytes;
    stats->unplanned_bytes = plan->now.unplanned_bytes;
    stats->late_bytes = plan->now.late_bytes;
    stats->plans = plan->plans;
    stats->passes = plan->passes;
    stats->planned_passes = plan->planned_passes;
    if (plan->state == TN_PLAN_READY) stats->plan_bytes = plan->follow->units << pool->unit_shift;
}
