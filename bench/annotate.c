// SPDX-License-Identifier: Apache-2.0
// The cost of events: the branch without a subscriber, and the allocation and free of a small block
// without a subscriber and with a tool that does nothing. This program is that tool (it exports
// InitInjectionMstx), and a child process loads it. Results are medians over rounds.
// Usage: bench_annotate [--json]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "annotate/annotate.h"
#include "annotate/extension.h"
#include "measure.h"

enum { ROUNDS = 21, CHECKS = 20000000, PAIRS = 200000, BLOCK = 1000, RANGE = 64 << 20 };

// ---- the tool

static bool willing;
static uint64_t events;

static void count_event(const struct tn_mem_event *event) { events += event->kind != 0; }

typedef int (*get_table)(int module, void (****table)(void), unsigned *size);
__attribute__((visibility("default"))) int InitInjectionMstx(get_table get);
int InitInjectionMstx(get_table get) {
    void (***table)(void) = NULL;
    unsigned size = 0;
    if (!willing || get(TN_EXTENSION_MODULE, &table, &size) != 0) return 1;
    *table[TN_EXTENSION_EVENT] = (void (*)(void))count_event;
    return 0;
}

// ---- measurements

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *ns) {
    qsort(ns, ROUNDS, sizeof ns[0], compare_doubles);
    return ns[ROUNDS / 2];
}

// CPU time of this thread, because the machine may have other work.
static uint64_t cpu_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The check in a call: a load, and a branch that is not taken. The compiler must assume a change.
static inline __attribute__((always_inline)) void once(bool branch, uint64_t *told) {
    if (branch && tn_subscribed()) ++*told;
    __asm__ volatile("" : "+r"(*told) : : "memory");
}

// Runs sixteen checks in a loop, or none.
static inline __attribute__((always_inline)) double loop(bool branch) {
    uint64_t told = 0;
    uint64_t begun = cpu_ns();
    for (int i = 0; i < CHECKS; i += 16) {
        once(branch, &told), once(branch, &told), once(branch, &told), once(branch, &told);
        once(branch, &told), once(branch, &told), once(branch, &told), once(branch, &told);
        once(branch, &told), once(branch, &told), once(branch, &told), once(branch, &told);
        once(branch, &told), once(branch, &told), once(branch, &told), once(branch, &told);
    }
    return (double)(cpu_ns() - begun) / CHECKS;
}

static double branch_ns(void) {
    double ns[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        double empty = loop(false);
        ns[r] = loop(true) - empty;
    }
    return median_of(ns);
}

static tarn_pool *make_pool(void) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = UINT64_C(1) << 32;
    desc.bytes = RANGE;
    check(tarn_pool_create(&desc, &pool), "create");
    return pool;
}

static double pair_ns(uint64_t bytes) {
    double ns[ROUNDS];
    tarn_pool *pool = make_pool();
    for (int r = 0; r < ROUNDS; r++) {
        uint64_t begun = cpu_ns();
        for (int i = 0; i < PAIRS; i++) {
            tarn_addr addr = 0;
            check(tarn_pool_alloc(pool, bytes, 0, &addr), "alloc");
            check(tarn_pool_free(pool, addr), "free");
        }
        ns[r] = (double)(cpu_ns() - begun) / PAIRS;
    }
    check(tarn_pool_destroy(pool), "destroy");
    return median_of(ns);
}

struct result {
    double branch;
    double small;
    double large;
};

static struct result measure_rounds(void) {
    // The first event finds the subscribers; later events do not.
    (void)make_pool();
    return (struct result){branch_ns(), pair_ns(BLOCK), pair_ns(UINT64_C(1) << 20)};
}

// The same measurements in a child in which the tool subscribes.
static struct result measure_told(void) {
    struct result result = {0, 0, 0};
    int way[2];
    if (pipe(way) != 0) exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        willing = true;
        result = measure_rounds();
        bool sent = events != 0 && write(way[1], &result, sizeof result) == sizeof result;
        _exit(sent ? 0 : 1);
    }
    int status = 1;
    bool got = read(way[0], &result, sizeof result) == sizeof result;
    if (waitpid(pid, &status, 0) != pid || status != 0 || !got) {
        (void)fprintf(stderr, "the child that is told of everything failed\n");
        exit(1);
    }
    return result;
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    struct result told = measure_told(); // before the first event here
    struct result alone = measure_rounds();
    (void)printf(
        json ? "{\"branch_ns\": %.2f, \"small_pair_ns\": %.1f, \"small_pair_told_ns\": %.1f, "
               "\"large_pair_ns\": %.1f, \"large_pair_told_ns\": %.1f}\n"
             : "the branch when nobody listens        %8.2f ns\n"
               "alloc and free of 1000 bytes          %8.1f ns\n"
               "  with a tool that does nothing       %8.1f ns\n"
               "alloc and free of 1 MiB               %8.1f ns\n"
               "  with a tool that does nothing       %8.1f ns\n",
        alone.branch, alone.small, told.small, alone.large, told.large);
    return 0;
}
