// SPDX-License-Identifier: Apache-2.0
// A graph as this process sees it: its engines, those that run here with queues and threads, the
// others with what the other side said of them; what is connected with what; and the link to the
// other side, if it has engines. The parts are
//
//   graph.c    the list of graphs, creation and the end
//   plan.c     engines and connections of a graph file
//   engine.c   queues and threads
//   link.c     the channel to the other side: greeting, receiving, the end
//   spawn.c    the device process
//   device.c   its life
//   message.c  what travels: serialized, raw
//   send.c     sends to one engine; remote_send.c: over the channel; fan_out.c: from an output port
//   stats.c    numbers
//
// The list has references of users: whoever works with a graph that it found there. Locks, in the
// order in which they are taken: list, graph, engine.
#ifndef TARN_COMPAT_HIAI_GRAPH_H
#define TARN_COMPAT_HIAI_GRAPH_H

#include <pthread.h>
#include <sys/types.h>

#include "compat/hiai/config.h"
#include "compat/hiai/face.h"

// A message that waits at an engine.
struct tn_hiai_queued {
    struct tn_hiai_queued *next;
    void *msg;
    uint32_t in_port;
    bool managed; // an object of which this note has a reference
    bool remote;
    struct tn_hiai_credit *credit; // of a remote one
};

// A credit of a port of the channel, which goes back when all its notes were taken.
struct tn_hiai_credit {
    _Atomic(uint32_t) pending;
    uint32_t port;
};

// Where an output port leads to.
struct tn_hiai_target {
    struct HIAIX_Engine *engine; // NULL: of another graph
    uint32_t graph_id, engine_id, port;
};

struct tn_hiai_output {
    _Atomic(HIAI_RecvDataCallbackT) callback;
    struct tn_hiai_target *targets;
    size_t count;
    uint32_t
        remote_port; // port of the channel for all targets on the other side; 0: there are none
};

struct HIAIX_Engine {
    struct tn_hiai_graph *graph;
    const struct tn_hiai_engine_config *config;
    bool is_local;
    uint32_t inputs, outputs; // of an engine of the other side: once it has greeted
    HIAIX_ProcessT process;
    void *arg;
    struct tn_hiai_output output[TN_HIAI_PORTS];

    // Of an engine here.
    pthread_t *threads;
    uint32_t started;
    pthread_mutex_t lock; // guards the following
    pthread_cond_t came;  // a queued, or the end
    pthread_cond_t room;  // a place, or the end
    pthread_cond_t ended; // a thread
    struct tn_hiai_queued *first, *last;
    uint32_t taken[TN_HIAI_PORTS];        // places of notes of this side, reserved ones included
    uint32_t queued_count[TN_HIAI_PORTS]; // notes
    uint32_t running;
    bool stopping;
};

// Several engines on one side that an output port on the other is connected to: one message for
// all, with a port of the channel of its own.
struct tn_hiai_group {
    struct HIAIX_Engine *src;
    uint32_t src_port;
};

// Guard: the graph's lock, but for `channel`, which is set before anybody else sees the graph.
struct tn_hiai_link {
    tarn_channel *channel; // NULL: nothing is on the other side
    pid_t pid;             // of a device process that is our child; 0: none
    bool greeted;
    HIAI_StatusT greeting; // what the other side said
    char why[256];         // of what was wrong
    bool stop_requested;
    bool gone;
};

struct tn_hiai_counters {
    _Atomic(uint64_t) local_sends, waits, timeouts, rejected, failures;
};

// A graph file that graphs were made from.
struct tn_hiai_file {
    struct tn_hiai_config config;
    char *path;
    _Atomic(uint32_t) refs;
};

struct tn_hiai_graph {
    struct tn_hiai_graph *next; // guard: list
    uint32_t users;             // guard: list
    bool destroying;            // guard: list
    uint32_t id;
    struct tn_hiai_file *file;
    const struct tn_hiai_graph_config *config;
    struct HIAIX_Engine *engines;
    size_t count;
    struct tn_hiai_group *groups;
    size_t group_count;
    bool has_other_side;
    _Atomic(bool) stopping;
    struct tn_hiai_counters counters;

    pthread_mutex_t lock; // guards the following
    pthread_cond_t changed;
    struct tn_hiai_link link;
    HIAI_StatusT (*on_disconnect)(uint32_t graph_id, void *arg);
    void *on_disconnect_arg;
};

// The graph whose engine or channel the calling thread serves; NULL: none.
extern _Thread_local struct tn_hiai_graph *tn_hiai_current_graph;

static inline bool tn_hiai_graph_stops(struct tn_hiai_graph *graph) {
    return atomic_load_explicit(&graph->stopping, memory_order_relaxed);
}

static inline void tn_hiai_count(_Atomic(uint64_t) *counter) {
    (void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// ---- waiting; deadlines as in face.h

void tn_hiai_cond_init(pthread_cond_t *cond);
// False: the deadline is over.
bool tn_hiai_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);

// ---- graph.c

// Reads a file. HIAI_OK: one reference.
HIAI_StatusT tn_hiai_file_open(const char *path, struct tn_hiai_file **file);
void tn_hiai_file_put(struct tn_hiai_file *file);

// Enters a graph into the list, where others find it. GRAPH_ID_EXIST.
HIAI_StatusT tn_hiai_graph_enter(struct tn_hiai_graph *graph);

// The graph by its id, with one more user; NULL, with GRAPH_NOT_EXIST decided: none.
struct tn_hiai_graph *tn_hiai_graph_get(uint32_t id);
void tn_hiai_graph_put(struct tn_hiai_graph *graph);

// Ends a graph whose engines have ended: takes it out of the list, if it is there, waits for its
// users, closes its link, frees it.
void tn_hiai_graph_close(struct tn_hiai_graph *graph);

// The engine by its id; NULL, with ENGINE_NOT_EXIST decided: none.
struct HIAIX_Engine *tn_hiai_graph_engine(struct tn_hiai_graph *graph, uint32_t id);

// ---- plan.c

// Makes a graph of a file, with a reference to it: engines and connections, nothing running. `side`
// is this process' own; in RC mode both are. On failure *graph may be set all the same: a device
// process needs it to tell its host. NULL: no memory.
HIAI_StatusT tn_hiai_plan(struct tn_hiai_file *file, size_t at, enum tn_hiai_side side,
                          struct tn_hiai_graph **graph);

// Looks whether connections lead from and to ports that there are, once both sides are known.
HIAI_StatusT tn_hiai_plan_check(struct tn_hiai_graph *graph);

// Ports of the channel: of an engine's input port, of a group, and how many there are.
uint32_t tn_hiai_plan_port(const struct HIAIX_Engine *engine, uint32_t in_port);
uint32_t tn_hiai_plan_group_port(const struct tn_hiai_graph *graph, size_t group);
uint32_t tn_hiai_plan_ports(const struct tn_hiai_graph *graph);

// Frees a graph of which nothing runs.
void tn_hiai_plan_free(struct tn_hiai_graph *graph);

// Opens the shared objects of an engine; what cannot be opened is told in `why`.
void tn_hiai_load(const struct tn_hiai_engine_config *engine, const char *path, char *why,
                  size_t bytes);

// ---- engine.c

// Those of a graph that run here. A start that failed may have started some: stop and wait.
// Stopping refuses sends, and lets threads end the message they are at. The wait, false: the
// deadline is over and some thread still runs.
HIAI_StatusT tn_hiai_engines_start(struct tn_hiai_graph *graph);
void tn_hiai_engines_stop(struct tn_hiai_graph *graph);
bool tn_hiai_engines_wait(struct tn_hiai_graph *graph, uint64_t deadline);

// Destroys what waits, when the threads have ended and the channel is closed.
void tn_hiai_engine_discard(struct HIAIX_Engine *engine);

// A place for a message of this side: QUEUE_FULL, QUEUE_STOPPED. It is used, or given back.
HIAI_StatusT tn_hiai_engine_reserve(struct HIAIX_Engine *engine, uint32_t in_port,
                                    uint64_t deadline);
void tn_hiai_engine_unreserve(struct HIAIX_Engine *engine, uint32_t in_port);
// Takes a note over, whose place is reserved or which has a credit.
void tn_hiai_engine_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued);

// ---- link.c

// What a side asks of its channel.
tarn_channel_desc tn_hiai_link_desc(const struct tn_hiai_graph *graph);
// Begins to receive over link.channel.
HIAI_StatusT tn_hiai_link_begin(struct tn_hiai_graph *graph);
// Tells the other side which ports there are here, or, if `own` is not HIAI_OK, that it failed and
// why; and hears what it says. Hearing: START_TIMEOUT, HDC_SESSION_DEAD, or its failure.
HIAI_StatusT tn_hiai_link_send_handshake(struct tn_hiai_graph *graph, HIAI_StatusT own);
HIAI_StatusT tn_hiai_link_wait_handshake(struct tn_hiai_graph *graph, uint64_t deadline);
// Opens the ports of engines that are here, so that the other side may send.
HIAI_StatusT tn_hiai_link_open_ports(struct tn_hiai_graph *graph);
// Asks the other side to stop.
void tn_hiai_link_request_stop(struct tn_hiai_graph *graph);
// One note of a credit was taken, or dropped. `graph` NULL: the channel is closed.
void tn_hiai_credit_release(struct tn_hiai_graph *graph, struct tn_hiai_credit *credit);
void tn_hiai_link_close(struct tn_hiai_graph *graph);

// ---- spawn.c

// Starts a device process, or waits for one, and makes graph->link.channel and pid.
HIAI_StatusT tn_hiai_spawn(struct tn_hiai_graph *graph, uint64_t deadline);
// The device process must be gone, or go, now.
void tn_hiai_reap(struct tn_hiai_graph *graph);
// The address at which the host waits when the user starts the device process.
void tn_hiai_fixed_address(uint32_t graph_id, char *address, size_t bytes);

#endif
