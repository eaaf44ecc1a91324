// SPDX-License-Identifier: Apache-2.0
// Pools of every kind under random replacement: each thread keeps blocks alive and repeatedly
// replaces a random one. Runs use one thread and two. Small blocks are also measured with the C
// library's malloc, which may write into its blocks and so serves only as a reference. Figures are
// medians over rounds. Usage: bench_pool [--json]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

#include "measure.h"

enum { BLOCKS = 4000, PAIRS = 200000, ROUNDS = 5, THREADS = 2 };

#define GIB (UINT64_C(1) << 30)

struct mix {
    const char *name;
    uint64_t least, most; // bytes; evenly over the powers of two in between
};

static const struct mix mixes[] = {
    {"small", 64, 16 << 10},
    {"medium", 16 << 10, 1 << 20},
    {"large", 1 << 20, 16 << 20},
    {"mixed", 256, 8 << 20},
};

enum kind { MALLOC, FIXED, SEGMENTS, EXPANDABLE, TIME, KINDS };

static const char *const kind_names[KINDS] = {"malloc", "fixed", "segments", "expandable",
                                              "expandable, time"};

struct subject {
    enum kind kind;
    tarn_device *device; // NULL for malloc and fixed
    tarn_pool *pool;     // NULL for malloc
};

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

// Selects each power of two with the same probability, and then each size up to the next one.
static uint64_t size_of(const struct mix *mix, uint64_t *seed) {
    unsigned low = 63u - (unsigned)__builtin_clzll(mix->least);
    unsigned high = 63u - (unsigned)__builtin_clzll(mix->most);
    uint64_t power = UINT64_C(1) << (low + next(seed) % (high - low));
    return power + next(seed) % power;
}

static uint64_t get(const struct subject *s, uint64_t bytes) {
    tarn_addr addr = 0;
    if (s->pool == NULL) {
        void *block = malloc(bytes);
        __asm__ volatile("" : : "r"(block) : "memory"); // keeps the pair from being left out
        return (uint64_t)(uintptr_t)block;
    }
    check(tarn_pool_alloc(s->pool, bytes, 0, &addr), "alloc");
    return addr;
}

static void give(const struct subject *s, uint64_t block) {
    if (s->pool == NULL) {
        free((void *)(uintptr_t)block);
        return;
    }
    check(tarn_pool_free(s->pool, block), "free");
}

// ---- a thread's work

struct worker {
    const struct subject *subject;
    const struct mix *mix;
    uint64_t seed;
    pthread_barrier_t *start;
    double begun, ended;
};

static void *work(void *arg) {
    struct worker *w = (struct worker *)arg;
    uint64_t *blocks = (uint64_t *)calloc(BLOCKS, sizeof *blocks);
    if (blocks == NULL) exit(1);
    for (int i = 0; i < BLOCKS; i++) blocks[i] = get(w->subject, size_of(w->mix, &w->seed));
    (void)pthread_barrier_wait(w->start);
    w->begun = (double)now_ns();
    for (int i = 0; i < PAIRS; i++) {
        uint64_t k = next(&w->seed) % BLOCKS;
        give(w->subject, blocks[k]);
        blocks[k] = get(w->subject, size_of(w->mix, &w->seed));
    }
    w->ended = (double)now_ns();
    for (int i = 0; i < BLOCKS; i++) give(w->subject, blocks[i]);
    free(blocks);
    return NULL;
}

// Returns the nanoseconds from the first thread's start to the last one's end, divided by all
// pairs.
static double round_of(const struct subject *s, const struct mix *mix, int threads, uint64_t seed) {
    pthread_barrier_t start;
    pthread_t thread[THREADS];
    struct worker worker[THREADS];
    double begun = 0;
    double ended = 0;
    (void)pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        worker[i] = (struct worker){s, mix, seed + (uint64_t)i * 77, &start, 0, 0};
        if (pthread_create(&thread[i], NULL, work, &worker[i]) != 0) exit(1);
    }
    for (int i = 0; i < threads; i++) {
        (void)pthread_join(thread[i], NULL);
        begun = i == 0 || worker[i].begun < begun ? worker[i].begun : begun;
        ended = i == 0 || worker[i].ended > ended ? worker[i].ended : ended;
    }
    (void)pthread_barrier_destroy(&start);
    return (ended - begun) / ((double)threads * PAIRS);
}

// ---- measurements

static struct subject make(enum kind kind) {
    struct subject s = {kind, NULL, NULL};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    if (kind == MALLOC) return s;
    desc.kind = kind == FIXED      ? TARN_POOL_FIXED
                : kind == SEGMENTS ? TARN_POOL_SEGMENTS
                                   : TARN_POOL_EXPANDABLE;
    desc.policy = kind == TIME ? TARN_POOL_TIME : TARN_POOL_BALANCED;
    if (kind == FIXED) {
        desc.base = GIB;
        desc.bytes = 160 * GIB;
    } else {
        check(tarn_device_open("sim:0,memory=160G", &s.device), "open");
        desc.device = s.device;
    }
    check(tarn_pool_create(&desc, &s.pool), "create");
    return s;
}

static void unmake(struct subject *s) {
    check(tarn_pool_destroy(s->pool), "destroy");
    check(tarn_device_close(s->device), "close");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

struct result {
    double ns[THREADS];  // per pair, with one thread and with more
    double driver_calls; // per 1000 pairs, with one thread
};

static uint64_t driver_calls(const struct subject *s) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    if (s->pool != NULL) check(tarn_pool_query_stats(s->pool, &stats), "statistics");
    return stats.driver_calls;
}

static struct result measure(enum kind kind, const struct mix *mix) {
    struct result result = {{0, 0}, 0};
    for (int threads = 1; threads <= THREADS; threads++) {
        double ns[ROUNDS];
        struct subject s = make(kind);
        (void)round_of(&s, mix, threads, 1); // warms up
        uint64_t before = driver_calls(&s);
        for (int r = 0; r < ROUNDS; r++) ns[r] = round_of(&s, mix, threads, 100 + (uint64_t)r);
        if (threads == 1)
            result.driver_calls = (double)(driver_calls(&s) - before) * 1000 / PAIRS / ROUNDS;
        unmake(&s);
        qsort(ns, ROUNDS, sizeof ns[0], compare);
        result.ns[threads - 1] = ns[ROUNDS / 2];
    }
    return result;
}

static void print(const struct mix *mix, enum kind kind, const struct result *r, int json) {
    const char *form = json ? "%s  {\"mix\": \"%s\", \"pool\": \"%s\", \"ns_per_pair\": %.1f, "
                              "\"ns_per_pair_2_threads\": %.1f, \"scaling\": %.2f, "
                              "\"driver_calls_per_1000_pairs\": %.2f}"
                            : "%s%-8s %-24s %10.1f %10.1f %9.2fx %12.2f\n";
    static const char *between = "";
    (void)printf(form, json ? between : "", mix->name, kind_names[kind], r->ns[0], r->ns[1],
                 r->ns[0] / r->ns[1], r->driver_calls);
    between = ",\n";
}

int main(int argc, char **argv) {
    int json = argc > 1 && strcmp(argv[1], "--json") == 0;
    (void)printf(json ? "[\n"
                      : "ns per free and allocation, %d blocks alive in each thread\n\n"
                        "blocks   pool                       1 thread  2 threads   scaling"
                        "  calls/1000\n",
                 BLOCKS);
    for (size_t m = 0; m < sizeof mixes / sizeof mixes[0]; m++) {
        for (int kind = m == 0 ? MALLOC : FIXED; kind < KINDS; kind++) {
            struct result r = measure((enum kind)kind, &mixes[m]);
            print(&mixes[m], (enum kind)kind, &r, json);
        }
    }
    (void)printf(json ? "\n]\n" : "");
    return 0;
}
