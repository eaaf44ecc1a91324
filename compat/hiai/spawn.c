// SPDX-License-Identifier: Apache-2.0
// The device process, as the host sees it: started, waited for, met; and its end. Which program it
// is, the environment says, or the program, or else it is the one beside this library.
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

#include "compat/hiai/graph.h"

#define LOOK_NS (50 * TN_HIAI_MS) // how often a process is asked whether it is there
#define NAP_NS  (2 * TN_HIAI_MS)
#define REAP_MS 5000u // that a process has to end, once its host is gone for it

extern char **environ;

static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;
static char *program;                 // guard: program_lock; NULL: none was set
static _Atomic(uint32_t) spawn_count; // makes addresses differ

// ---- which program

HIAI_StatusT HIAIX_SetDeviceProgram(const char *path) {
    char *copy = path != NULL ? strdup(path) : NULL;
    if (path != NULL && copy == NULL) {
        return tn_hiai_leave(tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "a path"), __func__);
    }
    (void)pthread_mutex_lock(&program_lock);
    char *before = program;
    program = copy;
    (void)pthread_mutex_unlock(&program_lock);
    free(before);
    return tn_hiai_leave(HIAI_OK, __func__);
}

// The program that lies beside this library.
static void beside_library(char *path, size_t bytes) {
    static const char name[] = "tarn-hiai-device";
    Dl_info info;
    const char *slash = NULL;
    if (dladdr(&program_lock, &info) != 0) {
        slash = strrchr(info.dli_fname, '/');
    }
    int folder = slash != NULL ? (int)(slash - info.dli_fname) + 1 : 0;
    (void)snprintf(path, bytes, "%.*s%s", folder, slash != NULL ? info.dli_fname : "", name);
}

static void find_program(char *path, size_t bytes) {
    const char *wanted = getenv("TARN_HIAI_DEVICE_PROGRAM");
    (void)pthread_mutex_lock(&program_lock);
    if (wanted == NULL || wanted[0] == '\0') {
        wanted = program;
    }
    if (wanted != NULL) {
        (void)snprintf(path, bytes, "%s", wanted);
    } else {
        beside_library(path, bytes);
    }
    (void)pthread_mutex_unlock(&program_lock);
}

void tn_hiai_spawn_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&program_lock);
    } else {
        (void)pthread_mutex_unlock(&program_lock);
    }
}

void tn_hiai_fixed_address(uint32_t graph_id, char *address, size_t bytes) {
    (void)snprintf(address, bytes, "@tarn-hiai-%u-%u", (unsigned)getuid(), graph_id);
}

// The host's process is in it: who cannot connect looks whether that is still there.
static void own_address(uint32_t graph_id, char *address, size_t bytes) {
    uint32_t count = atomic_fetch_add_explicit(&spawn_count, 1, memory_order_relaxed);
    (void)snprintf(address, bytes, "@tarn-hiai-of-%d-%u-%u", (int)getpid(), graph_id, count);
}

// ---- starting

static HIAI_StatusT start(struct tn_hiai_graph *graph, char *path, char *address) {
    static char option[] = "--hiaix-device";
    char id[16];
    (void)snprintf(id, sizeof id, "%u", graph->id);
    char *arguments[] = {path, option, address, graph->file->path, id, NULL};
    int code = posix_spawnp(&graph->link.pid, path, NULL, NULL, arguments, environ);
    if (code != 0) {
        graph->link.pid = 0;
        return tn_hiai_fail(HIAI_HDC_SESSION_DEAD, "device program \"%s\": %s", path,
                            strerror(code));
    }
    return HIAI_OK;
}

// Has our child ended? Then it is forgotten.
static bool has_ended(struct tn_hiai_graph *graph) {
    if (graph->link.pid == 0) {
        return false;
    }
    pid_t got = waitpid(graph->link.pid, NULL, WNOHANG);
    bool ended = got == graph->link.pid || (got < 0 && errno == ECHILD);
    if (ended) {
        graph->link.pid = 0;
    }
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
        if (status == TARN_OK) {
            return HIAI_OK;
        }
        if (status == TARN_NO_HOST_MEMORY || status == TARN_NO_HANDLES ||
            status == TARN_NO_ADDRESS_SPACE) {
            return tn_hiai_fail_tarn(HIAI_MEMORY_EXHAUSTED);
        }
        if (own_child && has_ended(graph)) {
            return tn_hiai_fail(HIAI_HDC_SESSION_DEAD,
                                "the device process of graph %u ended before it connected",
                                graph->id);
        }
        if (left == 0) {
            return tn_hiai_fail(HIAI_GRAPH_START_TIMEOUT,
                                "no device process for graph %u has connected", graph->id);
        }
    }
}

HIAI_StatusT tn_hiai_spawn(struct tn_hiai_graph *graph, uint64_t deadline) {
    char path[PATH_MAX];
    char address[100];
    tarn_listener *listener;
    find_program(path, sizeof path);
    bool by_user = strcmp(path, "none") == 0;
    if (by_user) {
        tn_hiai_fixed_address(graph->id, address, sizeof address);
    } else {
        own_address(graph->id, address, sizeof address);
    }
    tarn_status listening = tarn_channel_listen(address, &listener);
    if (listening != TARN_OK) {
        return tn_hiai_fail_tarn(listening == TARN_BUSY ? HIAI_ALREADY_USED_IN_ANOTHER_PROCESS
                                                        : HIAI_MEMORY_EXHAUSTED);
    }
    HIAI_StatusT status = by_user ? HIAI_OK : start(graph, path, address);
    if (status == HIAI_OK) {
        status = accept_device(graph, listener, deadline);
    }
    tarn_listener_close(listener);
    return status;
}

// ---- the end

void tn_hiai_reap(struct tn_hiai_graph *graph) {
    struct timespec nap = {0, (long)NAP_NS};
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(REAP_MS));
    while (graph->link.pid != 0 && !has_ended(graph)) {
        if (tn_hiai_time_left(deadline) == 0) {
            (void)kill(graph->link.pid, SIGKILL);
            deadline = TARN_FOREVER; // it cannot be long
        }
        (void)nanosleep(&nap, NULL);
    }
}
