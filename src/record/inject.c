// SPDX-License-Identifier: Apache-2.0
// The entries of the recorder: MSTX's handshake, as in check/inject.c, and the functions by which a
// process ends or becomes another program. Any thread.
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "record/events.h"
#include "record/images.h"
#include "record/mstx.h"
#include "record/options.h"
#include "record/recorder.h"

#define EXPORT __attribute__((visibility("default")))

// ---- the handshake

EXPORT int InitInjectionMstx(mstxGetModuleFuncTableFunc get) {
    if (get == NULL || !tn_record_start()) return MSTX_FAIL;
    if (tn_mstx_connect(get, tn_record_receive, tn_record_mstx_slots, TN_RECORD_MSTX_SLOTS))
        tn_record_image_add((const void *)(uintptr_t)get);
    return MSTX_SUCCESS;
}

// ---- the process

static void handle_signal(int number) {
    (void)number;
    tn_record_toggle();
}

// The signal keeps the program's own action, if it has one.
__attribute__((constructor)) static void begin_process(void) {
    const struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    struct sigaction old;
    if (!tn_record_options_read()) return;
    int number = tn_record_options.signal;
    if (number > 0 && sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        (void)sigaction(number, &action, NULL);
    (void)at_quick_exit(tn_record_finish);
}

__attribute__((destructor)) static void end_process(void) { tn_record_finish(); }

// Returns the C library's own function of this name.
static void find_next(const char *name, void *function, size_t size) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, size);
}

// The program calls these by name, because the library is preloaded.
EXPORT void _exit(int status) {
    void (*next)(int) __attribute__((noreturn)) = NULL;
    tn_record_finish();
    find_next("_exit", &next, sizeof next);
    next(status);
}

EXPORT void _Exit(int status) { _exit(status); }

EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
    int (*next)(const char *, char *const[], char *const[]) = NULL;
    tn_record_flush();
    find_next("execve", &next, sizeof next);
    return next(path, arguments, environment);
}

EXPORT int execv(const char *path, char *const arguments[]) {
    return execve(path, arguments, environ);
}

EXPORT int execvp(const char *name, char *const arguments[]) {
    int (*next)(const char *, char *const[]) = NULL;
    tn_record_flush();
    find_next("execvp", &next, sizeof next);
    return next(name, arguments);
}
