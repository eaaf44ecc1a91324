// SPDX-License-Identifier: Apache-2.0
// The cost to wake a process: the call of the waking side, and the time until the other process
// runs. The methods are a futex, an eventfd, a pipe, a byte on a local socket, and a send over a
// Tarn channel. Each is measured without a sleeper, with a sleeper on the same CPU, and with one on
// another CPU. Then a channel runs at several rates, with and without polling before it sleeps.
// Prints medians, with the 99th percentile in brackets.
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/channel.h>

#include "measure.h"

enum { ROUNDS = 1000 };
#define PATIENCE UINT64_C(10000000000)

// Memory shared by both sides.
static struct shared {
    _Alignas(64) _Atomic uint32_t word; // of the futex
    _Alignas(64) _Atomic uint64_t awake_at;
    _Alignas(64) _Atomic uint32_t heard;
} * shared;

struct ends {
    int waker, sleeper; // descriptors
    tarn_channel *channel;
};

static void pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

// ---- methods: open before the fork, sleep until woken, wake

struct way {
    const char *name;
    void (*open)(struct ends *ends);
    void (*sleep)(struct ends *ends);
    void (*wake)(struct ends *ends);
};

static void open_futex(struct ends *ends) { ends->waker = ends->sleeper = -1; }

static void sleep_futex(struct ends *ends) {
    (void)ends;
    uint32_t word = 0;
    while (!atomic_compare_exchange_strong(&shared->word, &(uint32_t){1}, 0))
        (void)syscall(SYS_futex, &shared->word, FUTEX_WAIT, word, NULL, NULL, 0);
}

static void wake_futex(struct ends *ends) {
    (void)ends;
    atomic_store(&shared->word, 1);
    (void)syscall(SYS_futex, &shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void open_eventfd(struct ends *ends) {
    ends->waker = ends->sleeper = eventfd(0, EFD_NONBLOCK);
}

static void open_pipe(struct ends *ends) {
    int fds[2];
    if (pipe(fds) != 0) exit(1);
    ends->sleeper = fds[0];
    ends->waker = fds[1];
}

static void open_socket(struct ends *ends) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0) exit(1);
    ends->sleeper = fds[0];
    ends->waker = fds[1];
}

static void sleep_on_descriptor(struct ends *ends) {
    uint64_t word;
    struct pollfd p = {ends->sleeper, POLLIN, 0};
    (void)poll(&p, 1, -1);
    (void)!read(ends->sleeper, &word, sizeof word);
}

static void wake_by_write(struct ends *ends) {
    uint64_t one = 1;
    (void)!write(ends->waker, &one, sizeof one);
}

static void join_process(struct ends *ends, int socket, bool sleeps_at_once) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    check(tarn_arena_create(&arena_desc, &desc.arena), "arena");
    desc.flags = sleeps_at_once ? TARN_CHANNEL_NO_SPIN : 0;
    check(tarn_channel_attach(socket, &desc, PATIENCE, &ends->channel), "attach");
    check(tarn_channel_open_port(ends->channel, 0, 1024, 0), "port");
}

static void sleep_on_channel(struct ends *ends) {
    const tarn_delivery *d;
    check(tarn_channel_receive(ends->channel, PATIENCE, &d), "receive");
    check(tarn_channel_done(ends->channel, d), "done");
}

static void wake_by_send(struct ends *ends) {
    tarn_message message = TARN_INIT(tarn_message);
    check(tarn_channel_send(ends->channel, &message, PATIENCE), "send");
}

static const struct way ways[] = {
    {"futex", open_futex, sleep_futex, wake_futex},
    {"eventfd", open_eventfd, sleep_on_descriptor, wake_by_write},
    {"pipe", open_pipe, sleep_on_descriptor, wake_by_write},
    {"byte on a local socket", open_socket, sleep_on_descriptor, wake_by_write},
    {"send over a channel", open_socket, sleep_on_channel, wake_by_send},
};
enum { WAYS = sizeof ways / sizeof *ways, CHANNEL = WAYS - 1 };

// ---- one run

struct figure {
    double median, late; // ns; late: the 99th percentile
};

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct figure summarise(double *values) {
    qsort(values, ROUNDS, sizeof *values, compare_times);
    return (struct figure){values[ROUNDS / 2], values[ROUNDS * 99 / 100]};
}

static void be_woken(const struct way *way, struct ends *ends, int cpu, bool sleeps_at_once) {
    pin_to(cpu);
    if (way == &ways[CHANNEL]) join_process(ends, ends->sleeper, sleeps_at_once);
    for (;;) {
        way->sleep(ends);
        atomic_store(&shared->awake_at, now_ns());
        atomic_fetch_add(&shared->heard, 1);
    }
}

// Waits. Sleeps if the time suffices, so that the other side gets the CPU.
static void pass_time(uint64_t gap_ns) {
    struct timespec time = {0, (long)gap_ns};
    uint64_t until = now_ns() + gap_ns;
    if (gap_ns >= 200000) (void)nanosleep(&time, NULL);
    while (now_ns() < until) {
    }
}

static void run_method(const struct way *way, int cpu, bool sleeps_at_once, uint64_t gap_ns,
                       struct figure *call, struct figure *until) {
    static double calls[ROUNDS], untils[ROUNDS];
    struct ends ends;
    *shared = (struct shared){0};
    way->open(&ends);
    pid_t child = fork();
    if (child == 0) be_woken(way, &ends, cpu, sleeps_at_once);
    pin_to(0);
    if (way == &ways[CHANNEL]) join_process(&ends, ends.waker, sleeps_at_once);
    for (uint32_t i = 0; i < ROUNDS + 10; i++) {
        pass_time(gap_ns);
        uint64_t before = now_ns();
        way->wake(&ends);
        uint64_t after = now_ns();
        while (atomic_load(&shared->heard) == i)
            if (cpu == 0) (void)sched_yield();
        if (i >= 10) { // skips the cold rounds
            calls[i - 10] = (double)(after - before);
            untils[i - 10] = (double)(atomic_load(&shared->awake_at) - before);
        }
    }
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    *call = summarise(calls);
    *until = summarise(untils);
}

static double alone_ns(const struct way *way) {
    struct ends ends;
    double values[ROUNDS];
    way->open(&ends);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t word;
        uint64_t before = now_ns();
        way->wake(&ends);
        values[i] = (double)(now_ns() - before);
        if (ends.sleeper >= 0) (void)!read(ends.sleeper, &word, sizeof word);
    }
    return summarise(values).median;
}

static void print_quantiles(const struct figure *call, const struct figure *until) {
    printf("  %6.0f (%6.0f) %8.0f (%6.0f)", call->median, call->late, until->median, until->late);
}

int main(void) {
    static const uint64_t gaps[] = {2000, 10000, 50000, 200000, 2000000};
    int other = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 1 : 0;
    struct figure call, until;
    shared = (struct shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    printf("ns                       nobody     the same CPU                    another CPU\n"
           "                         sleeps     the call        until it runs   the call        "
           "until it runs\n");
    for (int i = 0; i < WAYS; i++) {
        printf("%-24s", ways[i].name);
        if (i == CHANNEL)
            printf("      -");
        else
            printf(" %6.0f", alone_ns(&ways[i]));
        run_method(&ways[i], 0, true, 300000, &call, &until);
        print_quantiles(&call, &until);
        run_method(&ways[i], other, true, 300000, &call, &until);
        print_quantiles(&call, &until);
        printf("\n");
    }
    printf("\na channel, another CPU      asleep at once                  as it comes\n"
           "a message every             the call        until it runs   the call        until it "
           "runs\n");
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        printf("%7.0f us              ", (double)gaps[i] / 1000);
        run_method(&ways[CHANNEL], other, true, gaps[i], &call, &until);
        print_quantiles(&call, &until);
        run_method(&ways[CHANNEL], other, false, gaps[i], &call, &until);
        print_quantiles(&call, &until);
        printf("\n");
    }
    return 0;
}
