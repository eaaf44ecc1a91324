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
//   instance.c     objects of engines
//   plan.c         engines and connections of a graph
//   message.c, remote_send.c, send.c, fan_out.c   sends
//   receiver.c     functions that get the messages of output ports
//   link.c         the channel to the other side: handshake, receiving, the end
//   update.c       new configurations for engines
//   spawn.c        the device process, from the host's view
//   graph.c        creation and destruction
//   device.c       the device process itself
//   stats.c
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <hiaiengine/hiaix_hooks.h>

#include "compat/hiai/config.h"
#include "compat/hiai/face.h"

// A message in an engine's queue.
struct tn_hiai_queued {
    struct tn_hiai_queued *next;
    struct HIAIX_Message message; // with a share of this entry
    uint32_t in_port;
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

// A receiver of the messages of an output port.
struct tn_hiai_receiver {
    struct tn_hiai_receiver *next; // one that was replaced
    HIAI_RecvDataCallbackT plain;  // NULL: receive
    HIAIX_ReceiveT receive;
    void *arg;
    void (*drop)(void *arg); // may be NULL
};

struct tn_hiai_output {
    // The last of a list. Replaced ones stay until the graph ends, because a send may use them.
    _Atomic(struct tn_hiai_receiver *) receiver;
    struct tn_hiai_target *targets;
    size_t count;
    uint32_t remote_port; // port of the channel for all remote targets, or 0
};

struct HIAIX_Engine {
    struct tn_hiai_graph *graph;
    const struct tn_hiai_engine_config *config;
    bool is_local;
    uint32_t inputs, outputs; // for a remote engine: known after its handshake
    HIAIX_ProcessT process;   // NULL: `hooks`
    void *arg;
    struct HIAIX_EngineClass hooks;
    void *object; // of the hooks; NULL before it is created
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
    bool open; // messages may be taken
    bool stopping;
};

// Returns true if the port is declared or a connection of the graph file begins at it.
static inline bool tn_hiai_has_output(const struct HIAIX_Engine *engine, uint32_t port) {
    return port < engine->outputs || (port < TN_HIAI_PORTS && engine->output[port].count != 0);
}

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
    uint32_t update_count;
    struct tn_hiai_update *updates; // in the order of arrival, or those that are waited for
};

// A call of HIAIX_UpdateEngine() for the other side: of the host while it waits, and of the device
// until it has run.
struct tn_hiai_update {
    struct tn_hiai_update *next;
    uint32_t token, engine;
    HIAI_StatusT status;
    bool done;
    size_t length;
    char text[];
};

// An argument that the graph keeps for functions of the program.
struct tn_hiai_kept {
    struct tn_hiai_kept *next;
    void (*drop)(void *arg);
    void *arg;
};

struct tn_hiai_counters {
    _Atomic(uint64_t) local_sends, waits, timeouts, rejected, failures;
};

// A parsed graph file.
struct tn_hiai_file {
    struct tn_hiai_config config;
    char *path;
    int fd; // of a text without a file, inherited by the device process, or -1
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
    struct tn_hiai_kept *kept;
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

// Returns false if the deadline has passed.
bool tn_hiai_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);

// ---- graph_file.c

// The folder of the path by which a device process opens an inherited text.
#define TN_HIAI_INHERITED "/proc/self/fd/"

// Reads a file and returns it with one reference.
HIAI_StatusT tn_hiai_file_open(const char *path, struct tn_hiai_file **file);
// The same of a text. The device process opens it by a descriptor.
HIAI_StatusT tn_hiai_file_of_text(const char *text, size_t length, struct tn_hiai_file **file);
void tn_hiai_file_put(struct tn_hiai_file *file);

// ---- graph_list.c

// Returns GRAPH_ID_EXIST if a graph has the id.
HIAI_StatusT tn_hiai_graph_check_new(uint32_t id);
// Inserts a graph into the list, being created: it cannot be destroyed until
// tn_hiai_graph_stop_destroying(). Returns GRAPH_ID_EXIST if the id exists.
HIAI_StatusT tn_hiai_graph_enter(struct tn_hiai_graph *graph);

// Returns the graph with one more user, or NULL after recording GRAPH_NOT_EXIST.
struct tn_hiai_graph *tn_hiai_graph_get(uint32_t id);
void tn_hiai_graph_put(struct tn_hiai_graph *graph);

static inline void tn_hiai_graph_scope_put(struct tn_hiai_graph *const *graph) {
    if (*graph != NULL) tn_hiai_graph_put(*graph);
}

// Stands before the declaration of a pointer to a graph or NULL. The end of the block puts it.
#define TN_HIAI_HELD __attribute__((cleanup(tn_hiai_graph_scope_put)))

// A declaration: the graph with that id, held until the end of the block. Returns GRAPH_NOT_EXIST
// from the function if there is none.
#define TN_HIAI_GRAPH(graph, id)                                                                   \
    TN_HIAI_HELD struct tn_hiai_graph *graph = tn_hiai_graph_get(id);                              \
    if (graph == NULL) return HIAI_GRAPH_NOT_EXIST

// Makes the calling thread the only one that destroys the graph, until it stops or removes it.
HIAI_StatusT tn_hiai_graph_start_destroying(uint32_t id, struct tn_hiai_graph **graph);
void tn_hiai_graph_stop_destroying(struct tn_hiai_graph *graph);
// Removes a graph from the list, if the list contains it, and waits until it has no users.
void tn_hiai_graph_remove(struct tn_hiai_graph *graph);

// Returns the engine, or NULL after recording ENGINE_NOT_EXIST.
struct HIAIX_Engine *tn_hiai_graph_engine(struct tn_hiai_graph *graph, uint32_t id);

// ---- engine.c

// For the local engines of a graph. A failed start may have started some, so stop and wait after
// it. Threads take messages once the engines are open. Stopping refuses sends, and lets threads finish their message. The wait returns false if a
// thread still runs at the deadline.
HIAI_StatusT tn_hiai_engines_start(struct tn_hiai_graph *graph);
void tn_hiai_engines_open(struct tn_hiai_graph *graph);
void tn_hiai_engines_stop(struct tn_hiai_graph *graph);
bool tn_hiai_engines_wait(struct tn_hiai_graph *graph, uint64_t deadline);

// Frees an entry and its share of the message.
void tn_hiai_queued_free(struct tn_hiai_queued *queued);
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

// ---- instance.c

// Creates the object of a local engine whose class has hooks, and learns its ports.
HIAI_StatusT tn_hiai_instance_create(struct HIAIX_Engine *engine);
// Initialises the objects of a side. Returns ENGINE_INIT_FAILED.
HIAI_StatusT tn_hiai_instances_init(struct tn_hiai_graph *graph);
// Destroys the objects. The threads of the engines have ended.
void tn_hiai_instances_destroy(struct tn_hiai_graph *graph);
// Calls `update`. Returns ENGINE_ID_NOT_EXIST or UPDATE_CONFIG_FAILED.
HIAI_StatusT tn_hiai_instance_update(struct tn_hiai_graph *graph, uint32_t engine, const char *text,
                                     size_t length);

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

// The port of the channel for messages between the sides themselves, and their codes.
#define TN_HIAI_OWN_PORT 0u
enum {
    TN_HIAI_HANDSHAKE = 1,
    TN_HIAI_STOP,
    TN_HIAI_START,
    TN_HIAI_UPDATE,
    TN_HIAI_UPDATED, // the result of an update
};

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
// Lets the other side take messages: both sides are initialised.
HIAI_StatusT tn_hiai_link_start_engines(struct tn_hiai_graph *graph);
// Asks the other side to stop.
void tn_hiai_link_request_stop(struct tn_hiai_graph *graph);
void tn_hiai_link_close(struct tn_hiai_graph *graph);

// ---- receiver.c

// Calls the receiver of an output port, if there is one.
void tn_hiai_receiver_call(struct HIAIX_Engine *engine, const struct tn_hiai_output *output,
                           const struct HIAIX_Message *message);
// Returns true if the only target is in another graph.
bool tn_hiai_leads_to_other_graph(const struct tn_hiai_output *output);
void tn_hiai_receivers_free(struct tn_hiai_output *output);

// ---- spawn.c

// Starts the device process, or waits for one, and sets link.channel and link.pid.
HIAI_StatusT tn_hiai_spawn(struct tn_hiai_graph *graph, uint64_t deadline);
// Waits for the end of the device process, and kills it if it does not end.
void tn_hiai_reap(struct tn_hiai_graph *graph);
// Writes the address at which the host listens if the user starts the device process.
void tn_hiai_fixed_address(uint32_t graph_id, char *address, size_t bytes);

// ---- update.c

// Handles a message about an update. With the graph's lock.
void tn_hiai_update_receive(struct tn_hiai_graph *graph, bool result,
                            const struct tn_hiai_update *update);
// On the device: removes the first update, or returns NULL. With the graph's lock.
struct tn_hiai_update *tn_hiai_update_take(struct tn_hiai_graph *graph);
// Runs it, without the lock, sends the result, and frees it.
void tn_hiai_update_run(struct tn_hiai_graph *graph, struct tn_hiai_update *update);

// ---- graph.c

// Closes a graph whose engines have ended, or were never started: removes it from the list, if it
// is there, destroys the objects of its engines, closes its link, frees it.
void tn_hiai_graph_close(struct tn_hiai_graph *graph);
