// SPDX-License-Identifier: Apache-2.0
// The cost of registering and unregistering a region through MSTX: without a tool and with the
// memory checker, with and without stacks, among few regions and among many. Each case runs in a
// child, because a process loads its tool once. Figures are medians over rounds of the mean per
// pair of calls. Usage: bench_compat_mstx_check [--json] [libtarn-check.so]
#include <mstx/ms_tools_ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

enum { ROUNDS = 41, PAIRS = 5000, BLOCK = 512 };

struct way {
    const char *name;
    const char *options; // NULL: no tool
    size_t live;         // regions that stay registered
    int by_pointer;
};

static const struct way ways[] = {
    {"no tool", NULL, 0, 0},
    {"no stacks, by handle", "stack_depth=0", 0, 0},
    {"no stacks, by pointer", "stack_depth=0", 0, 1},
    {"no stacks, 100000 live", "stack_depth=0", 100000, 0},
    {"stacks of 16", "stack_depth=16", 0, 0},
    {"stacks of 16, 100000 live", "stack_depth=16", 100000, 0},
};

static mstxMemHeapHandle_t heap;
static char *const base = (char *)(uintptr_t)0x7f0000000000; // never touched

static mstxMemRegionHandle_t begin(size_t block) {
    mstxMemVirtualRangeDesc_t range = {0, base + block * BLOCK, BLOCK};
    mstxMemRegionHandle_t handle = NULL;
    mstxMemRegionsRegisterBatch_t batch = {heap, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &range, &handle};
    mstxMemRegionsRegister(globalDomain, &batch);
    return handle;
}

static void end(mstxMemRegionHandle_t handle, size_t block, int by_pointer) {
    mstxMemRegionRef_t ref;
    ref.refType = by_pointer ? MSTX_MEM_REGION_REF_TYPE_POINTER : MSTX_MEM_REGION_REF_TYPE_HANDLE;
    if (by_pointer)
        ref.pointer = base + block * BLOCK;
    else
        ref.handle = handle;
    mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    mstxMemRegionsUnregister(globalDomain, &batch);
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

// Registers and unregisters blocks as a pool does: some addresses repeatedly, some once.
static double round_of(const struct way *way, uint32_t *random) {
    uint64_t since = now_ns();
    for (int i = 0; i < PAIRS; i++) {
        *random = *random * 1664525u + 1013904223u;
        size_t block = way->live + (*random >> 20);
        end(begin(block), block, way->by_pointer);
    }
    return (double)(now_ns() - since) / PAIRS;
}

static void measure(const struct way *way, bool json) {
    double ns[ROUNDS];
    uint32_t random = 1;
    mstxMemVirtualRangeDesc_t range = {0, base, (way->live + 4096) * BLOCK};
    mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
                              &range};
    heap = mstxMemHeapRegister(globalDomain, &desc);
    for (size_t i = 0; i < way->live; i++) (void)begin(i);
    for (int i = 0; i < ROUNDS; i++) ns[i] = round_of(way, &random);
    qsort(ns, ROUNDS, sizeof ns[0], by_value);
    printf(json ? "{\"way\": \"%s\", \"median_ns\": %.1f, \"least_ns\": %.1f, \"most_ns\": %.1f}"
                : "%-28s %8.1f %8.1f %8.1f\n",
           way->name, ns[ROUNDS / 2], ns[0], ns[ROUNDS - 1]);
    (void)fflush(stdout);
    mstxMemHeapUnregister(globalDomain, heap);
}

static int run_child(const struct way *way, const char *library, bool json) {
    pid_t pid = fork();
    int status = 1;
    if (pid == 0) {
        if (way->options != NULL) {
            char options[128];
            (void)snprintf(options, sizeof options, "%s:log_path=/dev/null", way->options);
            (void)setenv("TARN_CHECK_OPTIONS", options, 1);
            (void)setenv("MSTX_INJECTION_PATH", library, 1);
        }
        measure(way, json);
        _exit(way->options != NULL && heap == NULL ? 2 : 0);
    }
    return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    const char *library = argc > 1 + json ? argv[1 + json] : TARN_CHECK_LIBRARY;
    (void)unsetenv("MSTX_INJECTION_PATH");
    if (!json) {
        printf("register and unregister a region of %d bytes, ns a pair\n", BLOCK);
        printf("%-28s %8s %8s %8s\n", "", "median", "least", "most");
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        printf("%s", !json ? "" : i == 0 ? "[" : ",\n ");
        (void)fflush(stdout);
        if (run_child(&ways[i], library, json)) {
            (void)fprintf(stderr, "%s: the checker %s was not met\n", ways[i].name, library);
            return 1;
        }
    }
    printf("%s", json ? "]\n" : "");
    return 0;
}
