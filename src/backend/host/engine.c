// SPDX-License-Identifier: Apache-2.0
// The engine itself: its lock, the wake-ups that are due when the lock is released, opening,
// closing and fork. One engine belongs to one platform.
#include "backend/host/engine.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/host/engine_parts.h"
#include "base/assert.h"
#include "base/atomic.h"
#include "base/error.h"

// Looks at a gate before parking; a look costs some 10 to 40 ns. A worker and a thread that waits
// for it then pass work to and fro in 1 us on two CPUs; with both parking at once it takes 70 us.
// On one CPU every look is lost, so the waiter, which keeps its worker from running, looks less.
#define WORKER_SPINS 500u
#define WAITER_SPINS 150u

void tn_host_engine_lock(struct tn_host_engine *engine) {
    tn_spin_lock(&engine->lock);
}

// True: somebody slept and has been woken.
static bool unlock_and_wake(struct tn_host_engine *engine) {
    tn_host_settle(engine);
    tn_host_workers_send(engine);
    struct tn_host_waiter *wake = engine->wakes;
    bool woke = false;
    engine->wakes = NULL;
    tn_spin_unlock(&engine->lock);
    while (wake != NULL) {
        // Read first: an awakened waiter is gone.
        struct tn_host_waiter *next = wake->next;
        woke |= tn_host_gate_open(&wake->gate);
        wake = next;
    }
    return woke;
}

void tn_host_engine_unlock(struct tn_host_engine *engine) {
    (void)unlock_and_wake(engine);
}

void tn_host_wake(struct tn_host_engine *engine, struct tn_host_waiter *waiter) {
    waiter->woken = true;
    waiter->next = engine->wakes;
    engine->wakes = waiter;
}

void tn_host_engine_sleep(struct tn_host_engine *engine, struct tn_host_waiter *waiter,
                          unsigned spins) {
    // Whom we woke may be meant for this CPU: then spinning would only keep it waiting.
    tn_host_gate_wait(&waiter->gate, unlock_and_wake(engine) ? 0 : spins);
    tn_host_engine_lock(engine);
}

static void take_out(struct tn_host_waiter **list, const struct tn_host_waiter *waiter) {
    while (*list != waiter) {
        list = &(*list)->next;
    }
    *list = waiter->next;
}

bool tn_host_engine_await(struct tn_host_engine *engine, struct tn_host_waiter **list,
                          uint64_t target, uint64_t deadline_ns) {
    struct tn_host_waiter waiter = {.next = *list, .target = target};
    tn_host_gate_close(&waiter.gate);
    *list = &waiter;
    unsigned spins = unlock_and_wake(engine) ? 0 : engine->waiter_spins;
    bool open = tn_host_gate_wait_until(&waiter.gate, spins, deadline_ns);
    tn_host_engine_lock(engine);
    if (!open && waiter.woken) { // who opens the gate is on the way: it must last till then
        tn_host_engine_unlock(engine);
        tn_host_gate_wait(&waiter.gate, engine->waiter_spins);
        tn_host_engine_lock(engine);
        open = true;
    }
    if (!open) {
        take_out(list, &waiter);
    }
    return open;
}

// Threads beyond four add nothing: memory is the limit.
#define HELPERS 3u

// How many CPUs this process may use; at least 1.
static unsigned allowed_cpus(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    // More CPUs than the set can hold.
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (unsigned)online : 1;
}

tarn_status tn_host_engine_open(struct tn_host_engine *engine, void *platform, int device_count,
                                unsigned workers) {
    unsigned cpus = allowed_cpus();
    memset(engine, 0, sizeof *engine);
    engine->platform = platform;
    engine->device_count = device_count;
    engine->worker_spins = cpus > 1 ? WORKER_SPINS : 0;
    engine->waiter_spins = cpus > 1 ? WAITER_SPINS : 0;
    engine->helpers_max = cpus - 1 < HELPERS ? cpus - 1 : HELPERS;
    engine->workers_max = workers != 0 ? workers : cpus;
    engine->devices =
        (struct tn_host_engine_device *)calloc((size_t)device_count, sizeof *engine->devices);
    engine->workers = (struct tn_host_worker *)calloc(engine->workers_max, sizeof *engine->workers);
    if (engine->devices == NULL || engine->workers == NULL) {
        free(engine->devices);
        free(engine->workers);
        return tn_fail(TARN_NO_HOST_MEMORY,
                       "no host memory for an engine of %d devices, %u workers", device_count,
                       engine->workers_max);
    }
    tn_spin_init(&engine->lock, TN_RANK_BACKEND_STREAM, "engine");
    return TARN_OK;
}

void tn_host_engine_close(struct tn_host_engine *engine) {
    TARN_ASSERT(engine->streams == NULL);
    tn_host_workers_stop(engine);
    while (engine->spare_ops != NULL) {
        struct tn_host_op *op = engine->spare_ops;
        engine->spare_ops = op->next;
        free(op);
    }
    free(engine->workers);
    free(engine->devices);
}

void tn_host_engine_fork_prepare(struct tn_host_engine *engine) {
    tn_spin_lock_for_fork(&engine->lock);
}

void tn_host_engine_fork_parent(struct tn_host_engine *engine) {
    tn_spin_unlock_after_fork(&engine->lock);
}

// The workers and everybody who waited stayed with the parent, which also does the queued work.
void tn_host_engine_fork_child(struct tn_host_engine *engine) {
    engine->forked = true;
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next) {
        tn_host_stream_forget(s);
    }
    for (int i = 0; i < engine->device_count; i++) {
        struct tn_host_engine_device *device = &engine->devices[i];
        device->busy_first = device->busy_last = NULL;
        tn_store_release(&device->pending, (uint64_t)0);
    }
    engine->ready = engine->settle = (struct tn_host_streams){NULL, NULL};
    engine->ready_count = 0;
    engine->shares = NULL;
    engine->share_places = 0;
    engine->worker_count = 0;
    engine->idle = NULL;
    engine->waking = 0;
    engine->wakes = NULL;
    tn_spin_unlock_after_fork(&engine->lock);
}
