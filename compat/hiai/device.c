// SPDX-License-Identifier: Apache-2.0
// The life of a device process. It has one graph, which lives until the host stops it or the host
// ends. HIAIX_DeviceMain() runs on one thread.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/face/scope.h"
#include "compat/hiai/graph.h"

#define CONNECT_NS (900 * TN_HIAI_MS) // limit of one attempt, including its handshake
#define POLL_NS    (100 * TN_HIAI_MS) // how often the host is checked while engines end
#define AFTER_NS   (500 * TN_HIAI_MS) // the time that engines have after the host has ended

static char address[108]; // from the arguments; "" selects the fixed address

// ---- arguments

static bool read_id(const char *text, uint32_t *id) {
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number > UINT32_MAX) return false;
    *id = (uint32_t)number;
    return true;
}

int HIAIX_IsDevice(int argc, char *const argv[], const char **configFile, uint32_t *graphId) {
    if (argc != 5 || argv == NULL || configFile == NULL || graphId == NULL ||
        strcmp(argv[1], "--hiaix-device") != 0 || strlen(argv[2]) >= sizeof address ||
        !read_id(argv[4], graphId))
        return 0;
    (void)snprintf(address, sizeof address, "%s", argv[2]);
    *configFile = argv[3];
    return 1;
}

// ---- connecting

// Returns true if the host has ended. The address that a host makes for its child names the host's
// process.
static bool host_is_gone(void) {
    int pid;
    return sscanf(address, "@tarn-hiai-of-%d-", &pid) == 1 && pid > 0 && kill((pid_t)pid, 0) != 0 &&
           errno == ESRCH;
}

static HIAI_StatusT connect_to_host(struct tn_hiai_graph *graph) {
    tarn_channel_desc desc = tn_hiai_link_desc(graph);
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(tn_hiai_face.start_ms));
    for (;;) {
        uint64_t left = tn_hiai_time_left(deadline);
        tarn_status status = tarn_channel_connect(
            address, &desc, left < CONNECT_NS ? left : CONNECT_NS, &graph->link.channel);
        if (status == TARN_OK) return HIAI_OK;
        TN_HIAI_REFUSE(host_is_gone(), HIAI_HDC_SESSION_DEAD, "the host of graph %u is gone",
                       graph->id);
        if (left == 0) return tn_hiai_fail_tarn(HIAI_GRAPH_START_TIMEOUT);
    }
}

static HIAI_StatusT prepare_engines(struct tn_hiai_graph *graph) {
    TN_HIAI_TRY(tn_hiai_plan_check(graph));
    TN_HIAI_TRY(tn_hiai_link_open_ports(graph));
    TN_HIAI_TRY(tn_hiai_graph_enter(graph)); // each engine's messages look it up
    TN_HIAI_TRY(tn_hiai_instances_init(graph));
    return tn_hiai_engines_start(graph);
}

// Exchanges handshakes and starts the engines. `own` is this side's status before it connected; a
// failure is reported to the host.
static HIAI_StatusT exchange_handshakes(struct tn_hiai_graph *graph, HIAI_StatusT own) {
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(tn_hiai_face.start_ms));
    HIAI_StatusT status = tn_hiai_link_begin(graph);
    if (status == HIAI_OK && own == HIAI_OK) {
        status = tn_hiai_link_wait_handshake(graph, deadline);
        own = status == HIAI_OK ? prepare_engines(graph) : HIAI_OK;
    }
    if (status == HIAI_OK) status = tn_hiai_link_send_handshake(graph, own);
    return own != HIAI_OK ? own : status;
}

// ---- running

// Runs updates until the host requests a stop, or is gone. Returns true if it requests one.
static bool wait_for_stop_request(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&graph->lock);
    while (!graph->link.gone && !graph->link.stop_requested) {
        struct tn_hiai_update *update = tn_hiai_update_take(graph);
        if (update == NULL) {
            (void)tn_hiai_cond_wait(&graph->changed, &graph->lock, TARN_FOREVER);
            continue;
        }
        (void)pthread_mutex_unlock(&graph->lock);
        tn_hiai_update_run(graph, update);
        (void)pthread_mutex_lock(&graph->lock);
    }
    bool asked = graph->link.stop_requested;
    (void)pthread_mutex_unlock(&graph->lock);
    return asked;
}

static bool host_lives(struct tn_hiai_graph *graph) {
    TN_FACE_LOCKED(&graph->lock);
    return !graph->link.gone;
}

// The engines have as much time as the host waits for them.
static void end_engines(struct tn_hiai_graph *graph) {
    bool ended = false;
    tn_hiai_engines_stop(graph);
    while (!ended && host_lives(graph))
        ended = tn_hiai_engines_wait(graph, tn_hiai_deadline(POLL_NS));
    if (!ended && !tn_hiai_engines_wait(graph, tn_hiai_deadline(AFTER_NS))) {
        tn_hiai_warn("graph %u: an engine has not ended, and the host is gone", graph->id);
        (void)kill(getpid(), SIGKILL); // exit handlers could wait for that engine
    }
}

static HIAI_StatusT run_graph(struct tn_hiai_graph *graph, HIAI_StatusT own) {
    HIAI_StatusT status = connect_to_host(graph);
    if (status != HIAI_OK) return own != HIAI_OK ? own : status;
    status = exchange_handshakes(graph, own);
    bool asked = status == HIAI_OK && wait_for_stop_request(graph);
    end_engines(graph);
    if (status == HIAI_OK && !asked)
        status = tn_hiai_fail(HIAI_HDC_SESSION_DEAD, "the host of graph %u is gone", graph->id);
    return status;
}

static HIAI_StatusT run_file(struct tn_hiai_file *file, uint32_t graph_id) {
    size_t at = 0;
    while (at < file->config.graphs.count &&
           tn_hiai_config_graph(&file->config, at)->id != graph_id)
        at++;
    TN_HIAI_REFUSE(at == file->config.graphs.count, HIAI_GRAPH_NOT_EXIST, "\"%s\" has no graph %u",
                   file->path, graph_id);
    struct tn_hiai_graph *graph = NULL;
    HIAI_StatusT status = tn_hiai_plan(file, at, TN_HIAI_DEVICE, &graph);
    if (graph == NULL) return status;
    if (address[0] == '\0') tn_hiai_fixed_address(graph_id, address, sizeof address);
    status = run_graph(graph, status);
    tn_hiai_graph_close(graph);
    return status;
}

TN_HIAI_FUNCTION(HIAIX_DeviceMain, const char *, configFile, uint32_t, graphId) {
    struct tn_hiai_file *file;
    TN_HIAI_REFUSE(configFile == NULL, HIAI_GRAPH_INVALID_VALUE, "configFile is NULL");
    TN_HIAI_TRY(tn_hiai_become_device());
    TN_HIAI_TRY(tn_hiai_open());
    TN_HIAI_REFUSE(tn_hiai_face.rc, HIAIX_WRONG_SIDE, "in RC mode there is no other side");
    TN_HIAI_TRY(tn_hiai_file_open(configFile, &file));
    HIAI_StatusT status = run_file(file, graphId);
    tn_hiai_file_put(file);
    return status;
}
