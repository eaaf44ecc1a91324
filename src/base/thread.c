// SPDX-License-Identifier: Apache-2.0
// Starting threads that get no signal of the program, and looking at all threads. See thread.h.
#include "base/thread.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_file.h"

int tn_thread_create(pthread_t *thread, void *(*run)(void *), void *arg) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) (void)sigdelset(&all, faults[i]);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, NULL, run, arg);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

// Returns true if a thread runs, is about to, or waits for a disk.
static bool thread_runs(const char *id) {
    char path[300], text[300];
    (void)snprintf(path, sizeof path, "/proc/self/task/%s/stat", id);
    if (!tn_text_file_read(path, text, sizeof text)) return false; // it has ended
    const char *state = strrchr(text, ')'); // the name before it may have brackets
    return state != NULL && (strncmp(state, ") R", 3) == 0 || strncmp(state, ") D", 3) == 0);
}

bool tn_threads_sleep(const pid_t *without, size_t count) {
    DIR *threads = opendir("/proc/self/task");
    pid_t own = gettid();
    bool sleeps = true;
    for (struct dirent *entry; threads != NULL && sleeps && (entry = readdir(threads)) != NULL;) {
        pid_t id = (pid_t)atoi(entry->d_name);
        size_t i = 0;
        while (i < count && without[i] != id) i++;
        if (id != 0 && id != own && i == count) sleeps = !thread_runs(entry->d_name);
    }
    if (threads != NULL) (void)closedir(threads);
    return sleeps;
}
