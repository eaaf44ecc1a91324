// SPDX-License-Identifier: Apache-2.0
// See turns.h. Threads that wait for a turn look at the others in /proc, because a thread may block in
// the program's own code: a turn begins when all other threads of the process wait here or sleep.
#include "fail/turns.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/decide.h"
#include "base/hostfn.h"
#include "base/thread.h"

enum {
    THREADS_MAX = 256,
    LOOKS_ASLEEP = 2,     // in a row, before a turn begins
    LOOKS_BLOCKED = 20,   // before the thread at its turn counts as blocked
    LOOKS_AT_WORK = 5000, // before it is left to itself
    TURNS_MAX = 64        // in a row for a thread while others wait
};

#define LOOK_NS 200000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registering = PTHREAD_ONCE_INIT;
static pid_t waiting[THREADS_MAX];
static size_t waiting_count;
static pid_t holder; // the thread at its turn
static unsigned turns_in_a_row, turn;

// Returns true if the address lies in this image, so that Tarn itself calls.
static bool is_own(const void *caller) {
    Dl_info own, other;
    return dladdr((const void *)&holder, &own) != 0 && dladdr(caller, &other) != 0 &&
           own.dli_fbase == other.dli_fbase;
}

static int compare_threads(const void *a, const void *b) {
    return *(const pid_t *)a - *(const pid_t *)b;
}

// Chooses the thread whose turn begins. In the plain order the thread at its turn goes on, or else
// the one that was created first.
static void choose_holder(void) {
    size_t first = waiting_count;
    qsort(waiting, waiting_count, sizeof *waiting, compare_threads);
    for (size_t i = 0; i < waiting_count; i++)
        if (waiting[i] == holder) first = i;
    bool tired = first < waiting_count && turns_in_a_row >= TURNS_MAX;
    if (first == waiting_count) first = 0;
    size_t choice = waiting_count < 2 ? 0
                    : tired
                        ? 1
                        : tn_decide(&tn_process_decider, TN_DECIDE_TURN, (unsigned)waiting_count,
                                    "one of %zu threads calls next", waiting_count);
    size_t chosen = (first + choice) % waiting_count;
    turns_in_a_row = waiting[chosen] == holder ? turns_in_a_row + 1 : 0;
    holder = waiting[chosen];
    turn++;
    waiting[chosen] = waiting[--waiting_count];
}

static bool is_waiting(pid_t thread) {
    size_t i = 0;
    while (i < waiting_count && waiting[i] != thread) i++;
    return i < waiting_count;
}

// Waits until it is the calling thread's turn. A turn begins when all other threads wait here or
// sleep. The lock is held, and released between two looks.
static void await_turn(pid_t own) {
    static const struct timespec pause = {0, LOOK_NS};
    unsigned asleep = 0, at_work = 0, seen = turn;
    while (is_waiting(own)) {
        bool sleep = tn_threads_sleep(waiting, waiting_count);
        if (seen != turn) asleep = at_work = 0;
        seen = turn;
        asleep = sleep ? asleep + 1 : 0;
        at_work += !sleep;
        if (at_work == LOOKS_AT_WORK)
            tn_decide_log("time", true, "a thread was at work for a time without a call");
        bool came = holder == 0 || is_waiting(holder);
        if (asleep >= (came ? LOOKS_ASLEEP : LOOKS_BLOCKED) || at_work >= LOOKS_AT_WORK)
            choose_holder();
        if (!is_waiting(own)) return;
        (void)pthread_mutex_unlock(&lock);
        (void)nanosleep(&pause, NULL);
        (void)pthread_mutex_lock(&lock);
    }
}

// The child of a fork() has one thread.
static void begin_child(void) {
    (void)pthread_mutex_init(&lock, NULL);
    waiting_count = 0;
    holder = 0;
}

static void register_child(void) { (void)pthread_atfork(NULL, NULL, begin_child); }

void tn_turns_take(const char *name, const void *caller) {
    if (tn_hostfn_inside(NULL) || (caller != NULL && is_own(caller))) return;
    (void)pthread_once(&registering, register_child);
    (void)pthread_mutex_lock(&lock);
    if (waiting_count < THREADS_MAX) {
        waiting[waiting_count++] = gettid();
        await_turn(gettid());
    }
    tn_decide_log("turn", true, "%s", name);
    (void)pthread_mutex_unlock(&lock);
}
