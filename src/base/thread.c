// SPDX-License-Identifier: Apache-2.0
// Starting threads that get no signal of the program. See thread.h.
#include "base/thread.h"

#include <signal.h>

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
