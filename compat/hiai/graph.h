// SPDX-License-Identifier: Apache-2.0
// A graph in one process: its engines, local ones with queues and threads, its connections, and the
// link to the other side if that has engines. The list of graphs counts the users of each graph.
// Locks, in the order in which they are taken: list, graph, engine. Each file uses only those above
// it:
//
//   graph_file.c   graph files
//   graph_list.c   the list of graphs
//   engine.c       queues and threads of engines
//   load.c         shared objects of engines
//   plan.c         engines and connections of a graph
//   message.c, remote_send.c, send.c, fan_out.c   sends
//   link.c         the channel to the other side: handshake, receiving, the end
//   spawn.c        the device process, from the host's view
//   graph.c        creation and destruction
//   device.c       the device process itself
//   stats.c
#ifndef TARN_COMPAT_HIAI_GRAPH_H
#define TARN_COMPAT_HIAI_GRAPH_H

#include <pthread.h>
#include <sys/types.h>

#include "compat/hiai/config.h"
#include "compat/hiai/face.h"

// A message in an engine's queue.
struct tn_hiai_queued {
    struct tn_hiai_queued *next;
    void *msg;
    uint32_t in_port;
    bool managed; // object.c manages the message, and this entry has one reference to it
    bool remote;
    struct tn_hiai_credit *credit; // of a remote message
};

// A credit of a port of the channel. It is granted again when all engines have taken the message.
struct tn_hiai_credit {
    _Atomic(uint32_t) pending; // engines that have not taken it yet
    uint32_t port;
};

// A target of an output port.
struct tn_hiai_target {
    struct HIAIX_Engine *engine; // NULL if it is in another graph
    uint32_t graph_id, engine_id, port;
};

struct tn_hiai_output {
    _Atomic(HIAI_RecvDataCallbackT) callback;
    struct tn_hiai_target *targets;
    size_t count;
    uint32_t remote_port; // port of the channel for all remote targets, or 0
};

struct HIAIX_Engine {
    struct tn_hiai_graph *graph;
    const struct tn_hiai_engine_config *config;
    bool is_local;
    uint32_t inputs, outputs; // for a remote engine: known after its handshake
    HIAIX_ProcessT process;
    void *arg;
    struct tn_hiai_output output[TN_HIAI_PORTS];

    // For a local engine.
    pthread_t *threads;
    uint32_t started;
    pthread_mutex_t lock; // guards the following
    pthread_cond_t came;  // signalled for a message, or the end
    pthread_cond_t room;  // signalled for a free place, or the end
    pthread_cond_t ended; // signalled when a thread has ended
    struct tn_hiai_queued *first, *last;
    uint32_t places_used[TN_HIAI_PORTS];  // by local messages, including reserved places
    uint32_t queued_count[TN_HIAI_PORTS]; // number of messages
    uint32_t running;
    bool stopping;
};

// An output port with several remote targets: one message for all, with its own channel port.
struct tn_hiai_group {
    struct HIAIX_Engine *src;
    uint32_t src_port;
};

// Guard: the graph's lock, except for `channel`, which is set before the graph is in the list.
struct tn_hiai_link {
    tarn_channel *channel; // NULL if the other side has no engines
    pid_t pid;             // of a device process that is a child, or 0
    bool has_handshake;
    HIAI_StatusT handshake; // status of the other side
    char why[TN_HIAI_TEXT]; // the error text of its failure
    bool stop_requested;
    bool gone;
};

struct tn_hiai_counters {
    _Atomic(uint64_t) local_sends, waits, timeouts, rejected, failures;
};

// A parsed graph file.
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

// The graph whose engine or channel the calling thread serves, or NULL.
extern _Thread_local struct tn_hiai_graph *tn_hiai_current_graph;

static inline bool tn_hiai_graph_stops(struct tn_hiai_graph *graph) {
    return atomic_load_explicit(&graph->stopping, memory_order_relaxed);
}

static inline void tn_hiai_count(_Atomic(uint64_t) *counter) {
    (void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// ---- waiting, in engine.c; deadlines as in face.h

void tn_hiai_cond_init(pthread_cond_t *cond);
// Returns false if the deadline has passed.
bool tn_hiai_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);

// ---- graph_file.c

// Reads a file and returns it with one reference.
HIAI_StatusT tn_hiai_file_open(const char *path, struct tn_hiai_file **file);
void tn_hiai_file_put(struct tn_hiai_file *file);

// ---- graph_list.c

// Returns GRAPH_ID_EXIST if a graph has the id.
HIAI_StatusT tn_hiai_graph_check_new(uint32_t id);
// Inserts a graph into the list. Returns GRAPH_ID_EXIST if the id exists.
HIAI_StatusT tn_hiai_graph_enter(struct tn_hiai_graph *graph);

// Returns the graph with one more user, or NULL after recording GRAPH_NOT_EXIST.
struct tn_hiai_graph *tn_hiai_graph_get(uint32_t id);
void tn_hiai_graph_put(struct tn_hiai_graph *graph);

// Makes the calling thread the only one that destroys the graph, until it stops or removes it.
HIAI_StatusT tn_hiai_graph_start_destroying(uint32_t id, struct tn_hiai_graph **graph);
void tn_hiai_graph_stop_destroying(struct tn_hiai_graph *graph);
// Removes a graph from the list, if the list contains it, and waits until it has no users.
void tn_hiai_graph_remove(struct tn_hiai_graph *graph);

// Returns the engine, or NULL after recording ENGINE_NOT_EXIST.
struct HIAIX_Engine *tn_hiai_graph_engine(struct tn_hiai_graph *graph, uint32_t id);

// ---- engine.c

// For the local engines of a graph. A failed start may have started some, so stop and wait after
// it. Stopping refuses sends, and lets threads finish their message. The wait returns false if a
// thread still runs at the deadline.
HIAI_StatusT tn_hiai_engines_start(struct tn_hiai_graph *graph);
void tn_hiai_engines_stop(struct tn_hiai_graph *graph);
bool tn_hiai_engines_wait(struct tn_hiai_graph *graph, uint64_t deadline);

// Destroys queued messages. The threads have ended and the channel is closed.
void tn_hiai_engine_discard(struct HIAIX_Engine *engine);

// Reserves a place for a local message. Returns QUEUE_FULL or QUEUE_STOPPED on failure. The place
// is used by a push, or unreserved.
HIAI_StatusT tn_hiai_engine_reserve(struct HIAIX_Engine *engine, uint32_t in_port,
                                    uint64_t deadline);
void tn_hiai_engine_unreserve(struct HIAIX_Engine *engine, uint32_t in_port);
// Queues a message, which has a place or a credit.
void tn_hiai_engine_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued);

// Releases the share of one engine in the credit: it has taken the message, or never will. `graph`
// is NULL if the channel is closed.
void tn_hiai_credit_release(struct tn_hiai_graph *graph, struct tn_hiai_credit *credit);

// ---- plan.c

// Makes the engines and connections of a graph, which has a reference to the file. Starts nothing.
// `side` is this process' side; in RC mode all engines are local. A failure may set *graph too,
// because a device process needs it to report to its host. If out of memory, *graph is unchanged.
HIAI_StatusT tn_hiai_plan(struct tn_hiai_file *file, size_t at, enum tn_hiai_side side,
                          struct tn_hiai_graph **graph);

// Checks that the ports of all connections exist. The ports of both sides must be known.
HIAI_StatusT tn_hiai_plan_check(struct tn_hiai_graph *graph);

// Return ports of the channel: of an engine's input port, of a group, and their number.
uint32_t tn_hiai_plan_port(const struct HIAIX_Engine *engine, uint32_t in_port);
uint32_t tn_hiai_plan_group_port(const struct tn_hiai_graph *graph, size_t group);
uint32_t tn_hiai_plan_ports(const struct tn_hiai_graph *graph);

// Frees a graph in which nothing runs.
void tn_hiai_plan_free(struct tn_hiai_graph *graph);

// Opens the shared objects of an engine. A failure is described in `why`.
void tn_hiai_load(const struct tn_hiai_engine_config *engine, const char *path, char *why,
                  size_t bytes);

// ---- link.c

// Returns the description of a side's channel.
tarn_channel_desc tn_hiai_link_desc(const struct tn_hiai_graph *graph);
// Starts receiving over link.channel.
HIAI_StatusT tn_hiai_link_begin(struct tn_hiai_graph *graph);
// Sends the ports of the local engines, or, unless `own` is HIAI_OK, the reason of a failure.
HIAI_StatusT tn_hiai_link_send_handshake(struct tn_hiai_graph *graph, HIAI_StatusT own);
// Waits for the other side's handshake. Returns START_TIMEOUT, HDC_SESSION_DEAD, or its failure.
HIAI_StatusT tn_hiai_link_wait_handshake(struct tn_hiai_graph *graph, uint64_t deadline);
// Opens the ports of local engines, so that the other side may send.
HIAI_StatusT tn_hiai_link_open_ports(struct tn_hiai_graph *graph);
// Asks the other side to stop.
void tn_hiai_link_request_stop(struct tn_hiai_graph *graph);
void tn_hiai_link_close(struct tn_hiai_graph *graph);

// ---- spawn.c

// Starts the device process, or waits for one, and sets link.channel and link.pid.
HIAI_StatusT tn_hiai_spawn(struct tn_hiai_graph *graph, uint64_t deadline);
// Waits for the end of the device process, and kills it if it does not end.
void tn_hiai_reap(struct tn_hiai_graph *graph);
// Writes the address at which the host listens if the user starts the device process.
void tn_hiai_fixed_address(uint32_t graph_id, char *address, size_t bytes);

// ---- graph.c

// Closes a graph whose engines have ended: removes it from the list, closes its link, frees it.
void tn_hiai_graph_close(struct tn_hiai_graph *graph);

#endif
