// SPDX-License-Identifier: Apache-2.0
// The cost of the memory checker and of the recorder for pools: an allocation and a free among 100,000 live blocks, and
// threads that have a pool each. Each case runs in a child, because a process loads its tool once.
// Figures are medians over rounds. Usage: bench_pool_check [--json]
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "measure.h"

enum { ROUNDS = 21, PAIRS = 20000, BLOCK = 512, AWAY = 64, MANY = 100000, MAX_THREADS = 2 };

struct way {
    const char *name;
    const char *library;  // of the tool, or NULL
    const char *variable; // a setting of the tool
    const char *value;
};

static const struct way ways[] = {
    {"no tool", NULL, NULL, NULL},
    {"checker, no stacks", TARN_CHECK_LIBRARY, "TARN_CHECK_OPTIONS",
     "stack_depth=0:log_path=/dev/null"},
    {"checker, stacks of 16", TARN_CHECK_LIBRARY, "TARN_CHECK_OPTIONS",
     "stack_depth=16:log_path=/dev/null"},
    {"recorder, no stacks", TARN_RECORD_LIBRARY, "TARN_RECORD_STACKS", "0"},
    {"recorder, stacks of 24", TARN_RECORD_LIBRARY, "TARN_RECORD_STACKS", "24"},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct result {
    double few_ns;               // a pair, among few live blocks
    double many_ns;              // among MANY
    double million[MAX_THREADS]; // pairs a second, all threads together
};

static tarn_pool *open_pool(tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = UINT64_C(1) << 30;
    check(tarn_pool_create(&desc, &pool), "tarn_pool_create");
    return pool;
}

// A program frees blocks some time after their allocation, not at once.
static void do_pairs(tarn_pool *pool, tarn_addr *away) {
    for (unsigned i = 0; i < PAIRS; i++) {
        tarn_addr *block = &away[i * 7 % AWAY];
        if (*block != 0) check(tarn_pool_free(pool, *block), "tarn_pool_free");
        check(tarn_pool_alloc(pool, BLOCK, TARN_STREAM_NONE, block), "tarn_pool_alloc");
    }
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double measure_pairs(tarn_pool *pool) {
    double ns[ROUNDS];
    tarn_addr away[AWAY] = {0};
    do_pairs(pool, away);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t began = now_ns();
        do_pairs(pool, away);
        ns[i] = (double)(now_ns() - began) / PAIRS;
    }
    for (unsigned i = 0; i < AWAY; i++) check(tarn_pool_free(pool, away[i]), "tarn_pool_free");
    qsort(ns, ROUNDS, sizeof ns[0], compare);
    return ns[ROUNDS / 2];
}

// ---- threads

// Each thread takes the time itself: one that only waits at the barriers may leave them late.
struct worker {
    tarn_pool *pool;
    pthread_barrier_t *barrier;
    uint64_t began[ROUNDS], ended[ROUNDS];
};

static void *work(void *argument) {
    struct worker *worker = argument;
    tarn_addr away[AWAY] = {0};
    do_pairs(worker->pool, away);
    for (unsigned i = 0; i < ROUNDS; i++) {
        (void)pthread_barrier_wait(worker->barrier);
        worker->began[i] = now_ns();
        do_pairs(worker->pool, away);
        worker->ended[i] = now_ns();
    }
    for (unsigned i = 0; i < AWAY; i++)
        check(tarn_pool_free(worker->pool, away[i]), "tarn_pool_free");
    return NULL;
}

// Returns the nanoseconds of a round, from its first thread's begin to its last thread's end.
static uint64_t round_ns(const struct worker *worker, unsigned threads, unsigned round) {
    uint64_t began = worker[0].began[round];
    uint64_t ended = worker[0].ended[round];
    for (unsigned i = 1; i < threads; i++) {
        if (worker[i].began[round] < began) began = worker[i].began[round];
        if (worker[i].ended[round] > ended) ended = worker[i].ended[round];
    }
    return ended - began;
}

// Returns millions of pairs a second.
static double measure_threads(tarn_device *device, unsigned threads) {
    pthread_t thread[MAX_THREADS];
    struct worker worker[MAX_THREADS];
    double rate[ROUNDS];
    pthread_barrier_t barrier;
    (void)pthread_barrier_init(&barrier, NULL, threads);
    for (unsigned i = 0; i < threads; i++) {
        worker[i].pool = open_pool(device);
        worker[i].barrier = &barrier;
        (void)pthread_create(&thread[i], NULL, work, &worker[i]);
    }
    for (unsigned i = 0; i < threads; i++) (void)pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < ROUNDS; i++)
        rate[i] = 1e3 * PAIRS * threads / (double)round_ns(worker, threads, i);
    for (unsigned i = 0; i < threads; i++)
        check(tarn_pool_destroy(worker[i].pool), "tarn_pool_destroy");
    (void)pthread_barrier_destroy(&barrier);
    qsort(rate, ROUNDS, sizeof rate[0], compare);
    return rate[ROUNDS / 2];
}

// ---- one case

static struct result measure_way(void) {
    struct result result;
    tarn_device *device = NULL;
    check(tarn_device_open("host:0,memory=4G", &device), "tarn_device_open");
    tarn_pool *pool = open_pool(device);
    tarn_addr *live = calloc(MANY, sizeof *live);
    if (live == NULL) exit(1);
    result.few_ns = measure_pairs(pool);
    for (unsigned i = 0; i < MANY; i++)
        check(tarn_pool_alloc(pool, BLOCK, TARN_STREAM_NONE, &live[i]), "tarn_pool_alloc");
    result.many_ns = measure_pairs(pool);
    for (unsigned i = 0; i < MANY; i++) check(tarn_pool_free(pool, live[i]), "tarn_pool_free");
    free(live);
    check(tarn_pool_destroy(pool), "tarn_pool_destroy");
    for (unsigned i = 0; i < MAX_THREADS; i++) result.million[i] = measure_threads(device, i + 1);
    check(tarn_device_close(device), "tarn_device_close");
    return result;
}

static bool run_child(const struct way *way, struct result *result) {
    int ends[2];
    int status = 1;
    if (pipe(ends) != 0) return false;
    pid_t pid = fork();
    if (pid == 0) {
        if (way->library != NULL) {
            (void)setenv(way->variable, way->value, 1);
            (void)setenv("TARN_RECORD_FILE", "/dev/null", 1);
            (void)setenv("MSTX_INJECTION_PATH", way->library, 1);
        }
        const struct result own = measure_way();
        _exit(write(ends[1], &own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
    }
    (void)close(ends[1]);
    bool done = pid > 0 && read(ends[0], result, sizeof *result) == (ssize_t)sizeof *result;
    (void)close(ends[0]);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && done;
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    (void)unsetenv("MSTX_INJECTION_PATH");
    if (!json) {
        printf("allocation and free of %d bytes, ns a pair; threads with a pool each\n", BLOCK);
        printf("%-24s %8s %12s %14s %14s %6s\n", "", "few live", "100000 live", "1: M pairs/s",
               "2: M pairs/s", "scale");
    }
    for (unsigned i = 0; i < WAYS; i++) {
        struct result r;
        if (!run_child(&ways[i], &r)) {
            (void)fprintf(stderr, "%s: the child failed\n", ways[i].name);
            return 1;
        }
        printf(json ? "%s{\"way\": \"%s\", \"few_ns\": %.1f, \"many_ns\": %.1f, "
                      "\"one_thread_mpairs\": %.2f, \"two_threads_mpairs\": %.2f, \"scale\": %.2f}"
                    : "%s%-24s %8.0f %12.0f %14.2f %14.2f %6.2f\n",
               json && i == 0 ? "["
               : json         ? ",\n "
                              : "",
               ways[i].name, r.few_ns, r.many_ns, r.million[0], r.million[1],
               r.million[1] / r.million[0]);
        (void)fflush(stdout);
    }
    (void)fputs(json ? "]\n" : "", stdout);
    return 0;
}
