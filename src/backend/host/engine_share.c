// SPDX-License-Identifier: Apache-2.0
// Shares: work of one operation that idle workers lend a hand with. The thread that runs the
// operation offers places, does what it can itself, and leaves when the last helper has. Ready
// streams come first: only a worker without one takes a place.
#include "backend/host/engine_parts.h"

static void remove_from_list(struct tn_host_engine *engine, struct tn_host_share *share) {
    struct tn_host_share **link = &engine->shares;
    while (*link != NULL && *link != share) {
        link = &(*link)->next;
    }
    if (*link == share) {
        *link = share->next;
        engine->share_places -= share->places;
    }
}

static void await_helpers(struct tn_host_engine *engine, struct tn_host_share *share) {
    if (share->helpers != 0) {
        tn_host_gate_close(&share->last.gate);
        share->awaited = true;
        tn_host_engine_sleep(engine, &share->last, engine->waiter_spins);
    }
}

void tn_host_share_run(struct tn_host_engine *engine, struct tn_host_share *share) {
    share->helpers = 0;
    share->awaited = false;
    tn_host_engine_lock(engine);
    share->next = engine->shares;
    engine->shares = share;
    engine->share_places += share->places;
    tn_host_engine_unlock(engine);
    share->run(share);
    tn_host_engine_lock(engine);
    remove_from_list(engine, share);
    await_helpers(engine, share);
    tn_host_engine_unlock(engine);
}

bool tn_host_share_help(struct tn_host_engine *engine) {
    struct tn_host_share *share = engine->shares;
    if (share == NULL) {
        return false;
    }
    share->helpers++;
    share->places--;
    engine->share_places--;
    if (share->places == 0) {
        engine->shares = share->next;
    }
    tn_host_engine_unlock(engine);
    share->run(share);
    tn_host_engine_lock(engine);
    if (--share->helpers == 0 && share->awaited) {
        tn_host_wake(engine, &share->last);
    }
    return true;
}
