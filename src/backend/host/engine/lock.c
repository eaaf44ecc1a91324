// SPDX-License-Identifier: Apache-2.0
// The lock of the engine, and the threads that sleep at gates: waiters and workers. Unlocking wakes
// the waiters due and as many workers as ready streams need. See parts.h.
#include <string.h>

#include "backend/host/engine/parts.h"
#include "backend/host/sys.h"
#include "base/error.h"
#include "base/thread.h"
#include "base/uncancelled.h"

// ---- workers

// Called under the lock: an engine starts only a handful of workers in its life.
static int worker_start(struct tn_host_engine *engine) {
    TARN_ASSERT(engine->worker_count <= engine->workers_max && !engine->stopping);
    struct tn_host_worker *worker = &engine->workers[engine->worker_count];
    worker->engine = engine;
    int code = tn_thread_create(&worker->thread, engine->worker_main, worker);
    if (code == 0) {
        (void)pthread_setname_np(worker->thread, "tarn-host");
        engine->worker_count++;
        engine->waking++;
    }
    return code;
}

tarn_status tn_host_workers_require(struct tn_host_engine *engine) {
    int code = engine->worker_count == 0 ? worker_start(engine) : 0;
    return code == 0 ? TARN_OK
                     : tn_fail_native(tn_host_sys_status(code), "pthread_create", code,
                                      "cannot start a worker thread: %s", strerror(code));
}

static void wake_idle(struct tn_host_engine *engine) {
    struct tn_host_worker *worker = engine->idle;
    TARN_ASSERT(!worker->sleep.woken);
    engine->idle = worker->idle_next;
    engine->waking++;
    tn_host_wake(engine, &worker->sleep);
}

// Returns the number of workers that should be awake beside those that run an operation: one for
// each ready stream and each place for a helper, and one that watches over conditions.
static unsigned workers_wanted(const struct tn_host_engine *engine) {
    unsigned watchers = tn_host_polls_unwatched(engine) ? 1 : 0;
    if (!tn_host_schedule_holds(engine))
        return engine->ready_count + engine->parallel_places + watchers;
    bool work = watchers + engine->ready_count != 0 || tn_host_streams_have_due(engine);
    return engine->busy == 0 && work ? 1 : 0;
}

// Wakes or starts as many.
static void workers_dispatch(struct tn_host_engine *engine) {
    unsigned most = engine->workers_max + (engine->blocked != 0 ? 1 : 0);
    while (workers_wanted(engine) > engine->waking)
        if (engine->idle != NULL) {
            wake_idle(engine);
        } else if (engine->worker_count >= most) {
            break;
        } else if (worker_start(engine) != 0) {
            engine->workers_max = engine->worker_count; // continue with the existing ones
            break;
        }
}

// ---- the lock

void tn_host_engine_lock(struct tn_host_engine *engine) {
    tn_spin_lock(&engine->lock);
    tn_tsan_ignore_accesses(true);
}

// Returns true if a thread slept and was woken.
static bool unlock_and_wake(struct tn_host_engine *engine) {
    tn_host_streams_advance(engine);
    workers_dispatch(engine);
    TARN_ASSERT(engine->changed.first == NULL); // no stream changes without the lock
    struct tn_host_waiter *wake = engine->wakes;
    bool woke = false;
    engine->wakes = NULL;
    tn_tsan_ignore_accesses(false);
    tn_spin_unlock(&engine->lock);
    while (wake != NULL) {
        // The waiter is freed once its gate is open.
        struct tn_host_waiter *next = wake->next;
        woke |= tn_host_gate_open(&wake->gate);
        wake = next;
    }
    return woke;
}

void tn_host_engine_unlock(struct tn_host_engine *engine) { (void)unlock_and_wake(engine); }

void tn_host_workers_stop(struct tn_host_engine *engine) {
    tn_host_engine_lock(engine);
    engine->stopping = true;
    while (engine->idle != NULL) wake_idle(engine);
    tn_host_engine_unlock(engine);
    TN_UNCANCELLED;
    for (unsigned i = 0; i < engine->worker_count; i++)
        pthread_join(engine->workers[i].thread, NULL);
}

// ---- sleeping

bool tn_host_engine_sleep(struct tn_host_engine *engine, struct tn_host_waiter *waiter,
                          unsigned spins, uint64_t deadline_ns) {
    // A thread that was just woken may need this CPU, so spinning would delay it.
    spins = unlock_and_wake(engine) ? 0 : spins;
    bool open = tn_host_gate_wait(&waiter->gate, spins, engine->yields, deadline_ns);
    tn_host_engine_lock(engine);
    return open;
}

bool tn_host_engine_await(struct tn_host_engine *engine, struct tn_host_waiter **list,
                          uint64_t target, uint64_t deadline_ns) {
    struct tn_host_waiter waiter = {.next = *list, .target = target};
    tn_host_gate_close(&waiter.gate);
    *list = &waiter;
    bool open = tn_host_engine_sleep(engine, &waiter, engine->waiter_spins, deadline_ns);
    if (!open && waiter.woken) // another thread is about to open the gate: it must stay valid
        open = tn_host_engine_sleep(engine, &waiter, engine->waiter_spins, TN_HOST_NO_DEADLINE);
    if (!open) {
        while (*list != &waiter) list = &(*list)->next;
        *list = waiter.next;
    }
    return open;
}
