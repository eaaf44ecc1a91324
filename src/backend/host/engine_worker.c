// SPDX-License-Identifier: Apache-2.0
// The threads of an engine. A worker takes the stream that has been ready the longest, runs one
// operation of it, and looks again, so streams share the workers in turn. A worker that finds
// nothing parks at its own gate; whoever makes a stream ready opens as many gates as are needed.
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "backend/host/engine_parts.h"
#include "base/error.h"

static void park(struct tn_host_worker *worker) {
    struct tn_host_engine *engine = worker->engine;
    tn_host_gate_close(&worker->sleep.gate);
    worker->idle_next = engine->idle;
    engine->idle = worker;
    tn_host_engine_sleep(engine, &worker->sleep, engine->worker_spins);
    engine->waking--;
}

static void *worker_main(void *arg) {
    struct tn_host_worker *worker = (struct tn_host_worker *)arg;
    struct tn_host_engine *engine = worker->engine;
    tn_host_engine_lock(engine);
    engine->waking--;
    for (;;) {
        struct tn_host_stream *s = tn_host_next_ready(engine);
        if (s != NULL) {
            tn_host_run_head(s);
            if (engine->forked) {
                break; // a host function forked, and returned in the child
            }
        } else if (tn_host_share_help(engine)) {
            continue;
        } else if (engine->stopping) {
            break;
        } else {
            park(worker);
        }
    }
    tn_host_engine_unlock(engine);
    return NULL;
}

// Workers take no signals but those of their own faults: a program's handlers run on its threads.
static int create_thread(struct tn_host_worker *worker) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&worker->thread, NULL, worker_main, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

// Under the lock, since it happens a handful of times in the life of an engine.
static int start(struct tn_host_engine *engine) {
    struct tn_host_worker *worker = &engine->workers[engine->worker_count];
    worker->engine = engine;
    int code = create_thread(worker);
    if (code == 0) {
        (void)pthread_setname_np(worker->thread, "tarn-host");
        engine->worker_count++;
        engine->waking++;
    }
    return code;
}

tarn_status tn_host_workers_need(struct tn_host_engine *engine) {
    if (engine->worker_count != 0) {
        return TARN_OK;
    }
    int code = start(engine);
    if (code != 0) {
        return tn_fail_native(TARN_SYSTEM, "pthread_create", code, "no worker thread: %s",
                              strerror(code));
    }
    return TARN_OK;
}

static void wake_idle(struct tn_host_engine *engine) {
    struct tn_host_worker *worker = engine->idle;
    engine->idle = worker->idle_next;
    engine->waking++;
    tn_host_wake(engine, &worker->sleep);
}

void tn_host_workers_send(struct tn_host_engine *engine) {
    while (engine->ready_count + engine->share_places > engine->waking) {
        if (engine->idle != NULL) {
            wake_idle(engine);
        } else if (engine->worker_count == engine->workers_max) {
            break;
        } else if (start(engine) != 0) {
            engine->workers_max = engine->worker_count; // the ones there are must do
        }
    }
}

void tn_host_workers_stop(struct tn_host_engine *engine) {
    tn_host_engine_lock(engine);
    engine->stopping = true;
    while (engine->idle != NULL) {
        wake_idle(engine);
    }
    tn_host_engine_unlock(engine);
    for (unsigned i = 0; i < engine->worker_count; i++) {
        pthread_join(engine->workers[i].thread, NULL);
    }
}
