// SPDX-License-Identifier: Apache-2.0
// The cost of the checker for a complete program. Replays the bundled traces and touches their
// memory: without the checker, with it, with stacks, with fences, and with AddressSanitizer if such
// a command was built. Prints wall time (the best of three rounds, or of as many as the argument
// gives) and memory. Usage: bench_replay_check [--json] [ROUNDS]
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static unsigned rounds = 3;
static bool json;

struct way {
    const char *name;
    const char *command;
    const char *options; // of the checker; NULL: no checker
    const char *fence;
};

static const struct way ways[] = {
    {"plain", TARN_COMMAND, NULL, NULL},
    {"check, no stacks", TARN_COMMAND, "stack_depth=0", NULL},
    {"check", TARN_COMMAND, "", NULL},
    {"fence", TARN_COMMAND, NULL, "1"},
    {"ASan build", TARN_ASAN_COMMAND, NULL, NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void start_program(const struct way *way, const char *trace) {
    char *arguments[] = {(char *)way->command, "replay", "--touch", (char *)trace, "--check", NULL};
    if (way->options == NULL)
        arguments[4] = NULL;
    else
        (void)setenv("TARN_CHECK_OPTIONS", way->options, 1);
    if (way->fence != NULL) (void)setenv("TARN_POOL_FENCE", way->fence, 1);
    (void)setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
        _exit(126);
    (void)execv(way->command, arguments);
    _exit(127);
}

// Returns the seconds, or a negative number if the command failed.
static double run_program(const struct way *way, const char *trace, long *kib) {
    struct rusage usage;
    int status = 0;
    uint64_t began = now_ns();
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) start_program(way, trace);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return -1;
    *kib = usage.ru_maxrss;
    return (double)(now_ns() - began) * 1e-9;
}

static unsigned results; // printed as JSON

static void measure_replay(const struct way *way, const char *trace, double *plain) {
    double best = -1;
    long kib = 0;
    for (unsigned i = 0; i < rounds; i++) {
        double seconds = run_program(way, trace, &kib);
        best = best < 0 || (seconds >= 0 && seconds < best) ? seconds : best;
    }
    const char *name = strrchr(trace, '/') + 1;
    *plain = way == ways ? best : *plain;
    if (json && best >= 0) {
        printf("%s{\"trace\": \"%s\", \"way\": \"%s\", \"seconds\": %.3f, \"of_plain\": %.2f, "
               "\"mib\": %ld}",
               results++ == 0 ? "[" : ",\n ", name, way->name, best, best / *plain, kib / 1024);
    } else if (best >= 0) {
        printf("%-26s %-18s %8.2f s %6.2fx %8ld MiB\n", name, way->name, best, best / *plain,
               kib / 1024);
    } else if (!json) {
        printf("%-26s %-18s          -\n", name, way->name);
    }
    (void)fflush(stdout);
}

int main(int argc, char **argv) {
    glob_t traces;
    json = argc > 1 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 + json && atoi(argv[1 + json]) > 0) rounds = (unsigned)atoi(argv[1 + json]);
    if (!json) printf("replay --touch, best of %u   wall time  of plain    memory\n", rounds);
    if (glob("traces/*.trace.gz", 0, NULL, &traces) != 0) {
        fprintf(stderr, "run it where traces/ is\n");
        return 1;
    }
    for (size_t i = 0; i < traces.gl_pathc; i++) {
        double plain = 1;
        for (unsigned k = 0; k < WAYS; k++)
            if (access(ways[k].command, X_OK) == 0)
                measure_replay(&ways[k], traces.gl_pathv[i], &plain);
    }
    if (json) printf("%s]\n", results == 0 ? "[" : "");
    globfree(&traces);
    return 0;
}
