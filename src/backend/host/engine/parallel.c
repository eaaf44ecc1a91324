// SPDX-License-Identifier: Apache-2.0
// Several threads on one operation. The thread that runs the operation offers places to idle
// workers, takes parts itself, and waits for the last helper. Ready streams come first: only a
// worker without a ready stream helps.
#include "backend/host/engine/parts.h"

void tn_host_parallel_run(struct tn_host_engine *engine, struct tn_host_parallel *parallel) {
    if (parallel->places == 0) {
        parallel->run(parallel);
        return;
    }
    parallel->helpers = 0;
    parallel->awaited = false;
    tn_host_engine_lock(engine);
    parallel->next = engine->parallels;
    engine->parallels = parallel;
    engine->parallel_places += parallel->places;
    tn_host_engine_unlock(engine);
    parallel->run(parallel);
    tn_host_engine_lock(engine);
    struct tn_host_parallel **link = &engine->parallels;
    while (*link != NULL && *link != parallel) link = &(*link)->next;
    if (*link == parallel) {
        TARN_ASSERT(parallel->places != 0 && parallel->places <= engine->parallel_places);
        *link = parallel->next;
        engine->parallel_places -= parallel->places;
    }
    if (parallel->helpers != 0 && !engine->forked) {
        tn_host_gate_close(&parallel->last.gate);
        parallel->awaited = true;
        (void)tn_host_engine_sleep(engine, &parallel->last, engine->waiter_spins,
                                   TN_HOST_NO_DEADLINE);
    }
    tn_host_engine_unlock(engine);
}

bool tn_host_parallel_help(struct tn_host_engine *engine) {
    struct tn_host_parallel *parallel = engine->parallels;
    if (parallel == NULL) return false;
    TARN_ASSERT(parallel->places != 0 && !parallel->awaited);
    parallel->helpers++;
    parallel->places--;
    engine->parallel_places--;
    if (parallel->places == 0) engine->parallels = parallel->next;
    tn_host_engine_unlock(engine);
    parallel->run(parallel);
    tn_host_engine_lock(engine);
    if (engine->forked) return true; // the owner stayed with the parent
    TARN_ASSERT(parallel->helpers != 0);
    if (--parallel->helpers == 0 && parallel->awaited) tn_host_wake(engine, &parallel->last);
    return true;
}
