// SPDX-License-Identifier: Apache-2.0
// The device process, from the host's view: its start, connection and end. The program is the one
// in the environment, the one set by HIAIX_SetDeviceProgram(), or the one beside this library.
// `program_lock` guards `program`.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "compat/face/variable.h"
#include "compat/hiai/graph.h"

#define LOOK_NS (50 * TN_HIAI_MS) // how often the child is checked while the host waits for it
#define NAP_NS  (2 * TN_HIAI_MS)
#define REAP_MS 5000u // the time that the process has to end

extern char **environ;

static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;
static char *program;                 // guard: program_lock; NULL if not set
static _Atomic(uint32_t) spawn_count; // makes addresses differ

// ---- choice of the program

TN_HIAI_FUNCTION(HIAIX_SetDeviceProgram, const char *, path) {
    char *copy = path != NULL ? strdup(path) : NULL;
    TN_HIAI_REFUSE(path != NULL && copy == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for a path");
    (void)pthread_mutex_lock(&program_lock);
    char *before = program;
    program = copy;
    (void)pthread_mutex_unlock(&program_lock);
    free(before);
    return HIAI_OK;
}

static void path_beside_library(char *path, size_t bytes) {
    static const char name[] = "tarn-hiai-device";
    Dl_info info;
    const char *slash = NULL;
    if (dladdr(&program_lock, &info) != 0) slash = strrchr(info.dli_fname, '/');
    int folder = slash != NULL ? (int)(slash - info.dli_fname) + 1 : 0;
    (void)snprintf(path, bytes, "%.*s%s", folder, slash != NULL ? info.dli_fname : "", name);
}

static void find_program(char *path, size_t bytes) {
    const char *wanted = tn_face_variable("TARN_HIAI_DEVICE_PROGRAM", NULL);
    TN_FACE_LOCKED(&program_lock);
    if (wanted == NULL) wanted = program;
    if (wanted != NULL)
        (void)snprintf(path, bytes, "%s", wanted);
    else
        path_beside_library(path, bytes);
}

TN_FACE_ON_FORK(TN_HIAI_LOCK_PROGRAM, &program_lock, NULL);

void tn_hiai_fixed_address(uint32_t graph_id, char *address, size_t bytes) {
    (void)snprintf(address, bytes, "@tarn-hiai-%u-%u", (unsigned)getuid(), graph_id);
}

// ---- starting

static HIAI_StatusT start_device(struct tn_hiai_graph *graph, char *path, char *address) {
    static char option[] = "--hiaix-device";
    char id[16];
    (void)snprintf(id, sizeof id, "%u", graph->id);
    char *arguments[] = {path, option, address, graph->file->path, id, NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0 && graph->file->fd >= 0) // a dup2() to itself lets it survive the exec()
        code = posix_spawn_file_actions_adddup2(&actions, graph->file->fd, graph->file->fd);
    if (code == 0) code = posix_spawnp(&graph->link.pid, path, &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        graph->link.pid = 0;
        return tn_hiai_fail(HIAI_HDC_SESSION_DEAD, "device program \"%s\": %s", path,
                            strerror(code));
    }
    return HIAI_OK;
}

// Returns true if the child has ended, and clears its pid.
static bool child_has_ended(struct tn_hiai_graph *graph) {
    if (graph->link.pid == 0) return false;
    pid_t got = waitpid(graph->link.pid, NULL, WNOHANG);
    bool ended = got == graph->link.pid || (got < 0 && errno == ECHILD);
    if (ended) graph->link.pid = 0;
    return ended;
}

static HIAI_StatusT accept_device(struct tn_hiai_graph *graph, tarn_listener *listener,
                                  uint64_t deadline) {
    tarn_channel_desc desc = tn_hiai_link_desc(graph);
    bool own_child = graph->link.pid != 0;
    for (;;) {
        uint64_t left = tn_hiai_time_left(deadline);
        tarn_status status = tarn_channel_accept(listener, &desc, left < LOOK_NS ? left : LOOK_NS,
                                                 &graph->link.channel);
        if (status == TARN_OK) return HIAI_OK;
        if (status == TARN_NO_HOST_MEMORY || status == TARN_NO_HANDLES ||
            status == TARN_NO_ADDRESS_SPACE)
            return tn_hiai_fail_tarn(HIAI_MEMORY_EXHAUSTED);
        TN_HIAI_REFUSE(own_child && child_has_ended(graph), HIAI_HDC_SESSION_DEAD,
                       "the device process of graph %u ended before it connected", graph->id);
        TN_HIAI_REFUSE(left == 0, HIAI_GRAPH_START_TIMEOUT,
                       "no device process for graph %u has connected in time", graph->id);
    }
}

HIAI_StatusT tn_hiai_spawn(struct tn_hiai_graph *graph, uint64_t deadline) {
    TN_FACE_UNCANCELLED;
    char path[PATH_MAX];
    char address[100];
    tarn_listener *listener;
    find_program(path, sizeof path);
    bool by_user = strcmp(path, "none") == 0;
    if (by_user)
        tn_hiai_fixed_address(graph->id, address, sizeof address);
    else
        // names this process, so that a device can check whether it still exists
        (void)snprintf(address, sizeof address, "@tarn-hiai-of-%d-%u-%u", (int)getpid(), graph->id,
                       atomic_fetch_add_explicit(&spawn_count, 1, memory_order_relaxed));
    tarn_status listening = tarn_channel_listen(address, &listener);
    if (listening != TARN_OK) {
        return tn_hiai_fail_tarn(listening == TARN_BUSY ? HIAI_ALREADY_USED_IN_ANOTHER_PROCESS
                                                        : HIAI_MEMORY_EXHAUSTED);
    }
    HIAI_StatusT status = by_user ? HIAI_OK : start_device(graph, path, address);
    if (status == HIAI_OK) status = accept_device(graph, listener, deadline);
    tarn_listener_close(listener);
    return status;
}

// ---- the end

void tn_hiai_reap(struct tn_hiai_graph *graph) {
    TN_FACE_UNCANCELLED;
    struct timespec nap = {0, (long)NAP_NS};
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(REAP_MS));
    while (graph->link.pid != 0 && !child_has_ended(graph)) {
        if (tn_hiai_time_left(deadline) == 0) {
            (void)kill(graph->link.pid, SIGKILL);
            deadline = TARN_FOREVER; // a killed process ends soon
        }
        (void)nanosleep(&nap, NULL);
    }
}
