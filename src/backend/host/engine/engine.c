// SPDX-License-Identifier: Apache-2.0
// Opening and closing an engine, and fork. See engine.h.
#include "backend/host/engine/engine.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/host/engine/parts.h"
#include "base/error.h"
#include "base/list.h"

// Polls of a gate before sleeping. One poll takes 10 to 40 ns. On two CPUs a worker and a waiting
// thread then exchange work in 1 us; if both slept at once it would take 70 us. On one CPU polling
// only delays the other thread, so the waiting thread, which holds up its worker, polls less.
#define WORKER_SPINS 500u
#define WAITER_SPINS 150u

// In a schedule that holds work back, each call waits for the worker. The two take turns, often on one CPU.
#define TURN_SPINS  30u
#define TURN_YIELDS 30u

// More than four threads do not copy faster: memory is the limit.
#define HELPERS 3u

// Returns the number of CPUs that this process may use, at least 1.
static unsigned allowed_cpus(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
    // The machine has more CPUs than the set can hold.
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (unsigned)online : 1;
}

tarn_status tn_host_engine_open(struct tn_host_engine *engine, void *platform, int device_count,
                                unsigned workers) {
    unsigned cpus = allowed_cpus();
    memset(engine, 0, sizeof *engine);
    engine->platform = platform;
    engine->worker_main = tn_host_worker_main;
    engine->device_count = device_count;
    engine->worker_spins = cpus > 1 ? WORKER_SPINS : 0;
    engine->waiter_spins = cpus > 1 ? WAITER_SPINS : 0;
    engine->helpers_max = cpus - 1 < HELPERS ? cpus - 1 : HELPERS;
    engine->workers_max = workers != 0 ? workers : cpus;
    engine->devices = calloc((size_t)device_count, sizeof *engine->devices);
    engine->workers =
        (struct tn_host_worker *)calloc(engine->workers_max + 1u, sizeof *engine->workers);
    if (engine->devices == NULL || engine->workers == NULL) {
        free(engine->devices);
        free(engine->workers);
        return tn_fail(TARN_NO_HOST_MEMORY,
                       "out of host memory for an engine of %d devices, %u workers", device_count,
                       engine->workers_max);
    }
    tn_spin_init(&engine->lock, TN_RANK_BACKEND_STREAM, "engine");
    return TARN_OK;
}

void tn_host_engine_set_schedule(struct tn_host_engine *engine, enum tn_host_schedule schedule,
                                 uint64_t seed) {
    TARN_ASSERT(engine->streams == NULL && engine->worker_count == 0);
    engine->schedule = schedule;
    tn_decider_init(&engine->decider, seed);
    if (!tn_host_schedule_holds(engine)) return;
    engine->workers_max = 1;
    engine->helpers_max = 0;
    engine->worker_spins = engine->waiter_spins = TURN_SPINS;
    engine->yields = TURN_YIELDS;
}

void tn_host_engine_close(struct tn_host_engine *engine) {
    TARN_ASSERT(engine->streams == NULL);
    tn_host_workers_stop(engine);
    TARN_ASSERT(engine->ready_count == 0 && engine->parallel_places == 0);
    TARN_ASSERT(engine->wakes == NULL && engine->polls.first == NULL);
    TN_CHAIN_DRAIN(struct tn_host_op, op, engine->spare_ops, next) free(op);
    free(engine->workers);
    free(engine->devices);
}

void tn_host_engine_fork_prepare(struct tn_host_engine *engine) {
    tn_spin_lock_for_fork(&engine->lock);
}

void tn_host_engine_fork_parent(struct tn_host_engine *engine) {
    tn_spin_unlock_after_fork(&engine->lock);
}

// Workers and waiting threads exist only in the parent, which also runs the queued operations.
void tn_host_engine_fork_child(struct tn_host_engine *engine) {
    engine->forked = true;
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next)
        tn_host_stream_forget(s);
    for (int i = 0; i < engine->device_count; i++) {
        struct tn_host_engine_device *device = &engine->devices[i];
        device->busy_first = device->busy_last = NULL;
        tn_store_release(&device->pending, (uint64_t)0);
    }
    engine->ready = engine->changed = engine->polls = (struct tn_host_streams){NULL, NULL};
    engine->poll_watched = false;
    engine->ready_count = 0;
    engine->parallels = NULL;
    engine->parallel_places = 0;
    engine->worker_count = 0;
    engine->idle = NULL;
    engine->waking = 0;
    engine->wakes = engine->settlers = NULL;
    engine->busy = engine->blocked = 0;
    tn_spin_unlock_after_fork(&engine->lock);
}
