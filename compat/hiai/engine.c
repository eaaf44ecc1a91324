// SPDX-License-Identifier: Apache-2.0
// Local engines: queues and threads. Messages wait in one queue, in the order of arrival. Each
// input port has a number of places for local messages. Remote ones are bounded by credits, so the
// receiving thread never waits. An engine's thread takes a message, releases its place or credit,
// and calls the engine without a lock.
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"
#include "src/base/list.h"

_Thread_local struct tn_hiai_graph *tn_hiai_current_graph;

// ---- waiting

bool tn_hiai_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline) {
    TN_FACE_UNCANCELLED;
    if (deadline == TARN_FOREVER) return pthread_cond_wait(cond, lock) == 0;
    if (deadline == 0) return false;
    uint64_t second = 1000 * TN_HIAI_MS;
    struct timespec at = {(time_t)(deadline / second), (long)(deadline % second)};
    return pthread_cond_timedwait(cond, lock, &at) != ETIMEDOUT;
}

// ---- the queue

static bool port_is_full(const struct HIAIX_Engine *engine, uint32_t in_port) {
    return engine->places_used[in_port] >= engine->config->queue_size;
}

HIAI_StatusT tn_hiai_engine_reserve(struct HIAIX_Engine *engine, uint32_t in_port,
                                    uint64_t deadline) {
    bool in_time = true;
    bool waited = false;
    (void)pthread_mutex_lock(&engine->lock);
    while (port_is_full(engine, in_port) && !engine->stopping && in_time) {
        waited = waited || deadline != 0;
        in_time = tn_hiai_cond_wait(&engine->room, &engine->lock, deadline);
    }
    bool full = port_is_full(engine, in_port);
    bool stopping = engine->stopping;
    if (!full && !stopping) engine->places_used[in_port]++;
    (void)pthread_mutex_unlock(&engine->lock);
    if (waited) tn_hiai_count(&engine->graph->counters.waits);
    TN_HIAI_REFUSE(stopping, HIAI_QUEUE_STOPPED, "graph %u is being destroyed", engine->graph->id);
    if (full) {
        tn_hiai_count(&engine->graph->counters.timeouts);
        return tn_hiai_fail(HIAI_QUEUE_FULL, "port %u of engine %u is full: it has %u messages",
                            in_port, engine->config->id, engine->config->queue_size);
    }
    return HIAI_OK;
}

void tn_hiai_engine_unreserve(struct HIAIX_Engine *engine, uint32_t in_port) {
    TN_FACE_LOCKED(&engine->lock);
    engine->places_used[in_port]--;
    (void)pthread_cond_broadcast(&engine->room);
}

void tn_hiai_engine_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued) {
    queued->next = NULL;
    TN_FACE_LOCKED(&engine->lock);
    if (engine->first == NULL)
        engine->first = queued;
    else
        engine->last->next = queued;
    engine->last = queued;
    engine->queued_count[queued->in_port]++;
    (void)pthread_cond_signal(&engine->came);
}

// Waits for the next message and removes it. Returns NULL when the engine stops.
static struct tn_hiai_queued *take_message(struct HIAIX_Engine *engine) {
    TN_FACE_LOCKED(&engine->lock);
    while ((engine->first == NULL || !engine->open) && !engine->stopping)
        (void)pthread_cond_wait(&engine->came, &engine->lock);
    if (engine->stopping) return NULL;
    struct tn_hiai_queued *queued = engine->first;
    engine->first = queued->next;
    engine->queued_count[queued->in_port]--;
    if (!queued->remote) {
        engine->places_used[queued->in_port]--;
        (void)pthread_cond_broadcast(&engine->room);
    }
    return queued;
}

void tn_hiai_queued_free(struct tn_hiai_queued *queued) {
    tn_hiai_unshare(&queued->message);
    free(queued);
}

void tn_hiai_credit_release(struct tn_hiai_graph *graph, struct tn_hiai_credit *credit) {
    if (atomic_fetch_sub_explicit(&credit->pending, 1, memory_order_acq_rel) != 1) return;
    if (graph != NULL) (void)tarn_channel_grant(graph->link.channel, credit->port, 1);
    free(credit);
}

void tn_hiai_engine_discard(struct HIAIX_Engine *engine) {
    (void)pthread_mutex_lock(&engine->lock);
    struct tn_hiai_queued *first = engine->first;
    engine->first = NULL;
    (void)pthread_mutex_unlock(&engine->lock);
    TN_CHAIN_DRAIN(struct tn_hiai_queued, queued, first, next) {
        if (queued->remote) tn_hiai_credit_release(NULL, queued->credit);
        tn_hiai_queued_free(queued);
    }
}

// ---- threads

static void process_message(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued) {
    if (queued->remote) tn_hiai_credit_release(engine->graph, queued->credit);
    HIAI_StatusT status =
        engine->process != NULL
            ? engine->process(engine, queued->in_port, queued->message.msg, engine->arg)
            : engine->hooks.process(engine, queued->in_port, &queued->message, engine->object);
    if (status != HIAI_OK) {
        tn_hiai_count(&engine->graph->counters.failures);
        tn_hiai_warn("engine %u returned 0x%08x (%s) for a message at port %u", engine->config->id,
                     status, HIAIX_StatusStr(status), queued->in_port);
    }
    tn_hiai_queued_free(queued);
}

static void *run_engine(void *arg) {
    struct HIAIX_Engine *engine = (struct HIAIX_Engine *)arg;
    struct tn_hiai_queued *queued;
    tn_hiai_current_graph = engine->graph;
    while ((queued = take_message(engine)) != NULL) process_message(engine, queued);
    TN_FACE_LOCKED(&engine->lock);
    engine->running--;
    (void)pthread_cond_broadcast(&engine->ended);
    return NULL;
}

// Uses the configured priority, if the system allows it.
static int start_thread(struct HIAIX_Engine *engine, pthread_t *thread) {
    int priority = (int)engine->config->thread_priority;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_t attributes;
    int code = EPERM;
    (void)pthread_attr_init(&attributes);
    if (priority != 0 && pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0 &&
        pthread_attr_setschedpolicy(&attributes, SCHED_RR) == 0 &&
        pthread_attr_setschedparam(&attributes, &parameters) == 0) {
        code = pthread_create(thread, &attributes, run_engine, engine);
        if (code != 0) {
            tn_hiai_warn("engine %u runs without its thread_priority %d", engine->config->id,
                         priority);
        }
    }
    (void)pthread_attr_destroy(&attributes);
    return code == 0 ? 0 : pthread_create(thread, NULL, run_engine, engine);
}

static HIAI_StatusT start_engine(struct HIAIX_Engine *engine) {
    uint32_t count = engine->config->threads;
    engine->threads = (pthread_t *)calloc(count, sizeof *engine->threads);
    TN_HIAI_REFUSE(engine->threads == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for %u threads",
                   count);
    for (; engine->started < count; engine->started++) {
        (void)pthread_mutex_lock(&engine->lock);
        engine->running++;
        (void)pthread_mutex_unlock(&engine->lock);
        if (start_thread(engine, &engine->threads[engine->started]) != 0) {
            (void)pthread_mutex_lock(&engine->lock);
            engine->running--;
            (void)pthread_mutex_unlock(&engine->lock);
            return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "thread %u of engine %u cannot be created",
                                engine->started, engine->config->id);
        }
        char name[16]; // the system's limit, so long ids are cut off
        (void)snprintf(name, sizeof name, "e%u_w%u", engine->config->id, engine->started);
        (void)pthread_setname_np(engine->threads[engine->started], name);
    }
    return HIAI_OK;
}

static bool wait_for_end(struct HIAIX_Engine *engine, uint64_t deadline) {
    bool in_time = true;
    (void)pthread_mutex_lock(&engine->lock);
    while (engine->running != 0 && in_time)
        in_time = tn_hiai_cond_wait(&engine->ended, &engine->lock, deadline);
    bool ended = engine->running == 0;
    (void)pthread_mutex_unlock(&engine->lock);
    TN_FACE_UNCANCELLED;
    while (ended && engine->started > 0)
        (void)pthread_join(engine->threads[--engine->started], NULL);
    return ended;
}

// ---- all of a graph

HIAI_StatusT tn_hiai_engines_start(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->count; i++)
        if (graph->engines[i].is_local) TN_HIAI_TRY(start_engine(&graph->engines[i]));
    return HIAI_OK;
}

void tn_hiai_engines_open(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        struct HIAIX_Engine *engine = &graph->engines[i];
        if (engine->is_local) {
            TN_FACE_LOCKED(&engine->lock);
            engine->open = true;
            (void)pthread_cond_broadcast(&engine->came);
        }
    }
}

void tn_hiai_engines_stop(struct tn_hiai_graph *graph) {
    atomic_store_explicit(&graph->stopping, true, memory_order_relaxed);
    for (size_t i = 0; i < graph->count; i++) {
        struct HIAIX_Engine *engine = &graph->engines[i];
        if (engine->is_local) {
            TN_FACE_LOCKED(&engine->lock);
            engine->stopping = true;
            (void)pthread_cond_broadcast(&engine->came);
            (void)pthread_cond_broadcast(&engine->room);
        }
    }
}

bool tn_hiai_engines_wait(struct tn_hiai_graph *graph, uint64_t deadline) {
    bool all = true;
    for (size_t i = 0; i < graph->count && all; i++)
        all = !graph->engines[i].is_local || wait_for_end(&graph->engines[i], deadline);
    return all;
}

// ---- queries by engines

const char *HIAIX_GetConfig(const HIAIX_Engine *self, const char *name) {
    if (self == NULL || name == NULL) return NULL;
    const struct tn_hiai_list *items = &self->config->items;
    for (size_t i = 0; i < items->count; i++) {
        const struct tn_hiai_item *item = (const struct tn_hiai_item *)items->at[i];
        if (strcmp(item->name, name) == 0) return item->value;
    }
    return NULL;
}

const char *HIAIX_GetEngineName(const HIAIX_Engine *self) {
    return self != NULL ? self->config->name : NULL;
}

const char *HIAIX_GetEngineText(const HIAIX_Engine *self) {
    return self != NULL ? self->config->text : NULL;
}

HIAI_PortID_t HIAIX_GetEngineId(const HIAIX_Engine *self) {
    return self != NULL ? (HIAI_PortID_t){self->graph->id, self->config->id, 0}
                        : (HIAI_PortID_t){0, 0, 0};
}

uint32_t HIAIX_GetQueueMaxSize(const HIAIX_Engine *self) {
    return self != NULL ? self->config->queue_size : 0;
}

uint32_t HIAIX_GetQueueCurrentSize(const HIAIX_Engine *self, uint32_t inPort) {
    // The caller's view is constant, but the lock is not.
    struct HIAIX_Engine *engine = (struct HIAIX_Engine *)(uintptr_t)self;
    if (engine == NULL || inPort >= TN_HIAI_PORTS) return 0;
    TN_FACE_LOCKED(&engine->lock);
    return engine->queued_count[inPort];
}
