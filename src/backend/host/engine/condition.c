// SPDX-License-Identifier: Apache-2.0
// Conditions in streams: when a condition that has not passed is called again. All of them are
// called together, at intervals that double while none passes. One sleeping worker at a time has
// the watch, and wakes when the conditions are due; workers that are busy look at the clock between
// two operations. Under the engine's lock. See parts.h.
#include "backend/host/engine/parts.h"
#include "base/clock.h"

#define POLL_MAX_NS ((uint64_t)1000000)

void tn_host_polls_hasten(struct tn_host_engine *engine) {
    engine->poll_interval_ns = TN_HOST_POLL_NS;
    if (tn_host_schedule_holds(engine)) engine->poll_due_ns = 0;
}

void tn_host_polls_add(struct tn_host_stream *s) {
    struct tn_host_engine *engine = s->engine;
    if (tn_host_schedule_holds(engine))
        engine->poll_interval_ns = engine->awaited ? POLL_MAX_NS : TN_HOST_TICK_NS;
    if (engine->polls.first == NULL) engine->poll_due_ns = tn_now_ns() + engine->poll_interval_ns;
    tn_host_stream_set_polling(s);
}

void tn_host_polls_release(struct tn_host_engine *engine) {
    if (engine->polls.first == NULL || tn_now_ns() < engine->poll_due_ns) return;
    if (engine->poll_interval_ns < POLL_MAX_NS) engine->poll_interval_ns *= 2;
    while (engine->polls.first != NULL) tn_host_stream_poll_again(engine->polls.first);
}

bool tn_host_polls_unwatched(const struct tn_host_engine *engine) {
    return engine->polls.first != NULL && !engine->poll_watched;
}
