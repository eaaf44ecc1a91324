// SPDX-License-Identifier: Apache-2.0
// The sweep over one program, see round.h. TARN_TEST_STARVE=all runs every point, a number runs that
// one; otherwise a spread of at most POINTS runs. Each point is a child, so each begins at first use.
#include "starve/support/round.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define POINTS      24
#define CHILD_LIMIT 900 // seconds
#define REFERENCES  5

// Blocks that a round may keep for later ones. A tree keeps up to 16 spare nodes, and how many it
// has depends on the order of changes: after a failed mmap() the tree of past addresses
// (core/address/past.c) keeps three more than without the failure, in all later rounds.
// AddressSanitizer reports blocks that nothing refers to.
#define KEPT_BLOCKS 3

// The functions of preload.h in the preloaded library.
static struct {
    void (*begin)(long point);
    long (*end)(void);
    const char *(*failed)(void);
    long (*live_blocks)(void);
} preload;

static bool find_preload(void) {
    *(void **)&preload.begin = dlsym(RTLD_DEFAULT, "starve_begin");
    *(void **)&preload.end = dlsym(RTLD_DEFAULT, "starve_end");
    *(void **)&preload.failed = dlsym(RTLD_DEFAULT, "starve_failed");
    *(void **)&preload.live_blocks = dlsym(RTLD_DEFAULT, "starve_live_blocks");
    return preload.begin != NULL && preload.end != NULL && preload.failed != NULL &&
           preload.live_blocks != NULL;
}

// The resources that a process holds when a round is over.
struct holdings {
    long descriptors, mappings, blocks;
};

struct shared {
    long calls;               // of a round in which none fails
    struct holdings expected; // after three rounds in which none fails: the most of REFERENCES runs
    char failed[32];
};

static struct shared *shared;

enum starve_kind starve_classify(bool is_shortage, const char *step, const char *name) {
    if (!is_shortage) (void)fprintf(stderr, "%s: %s\n", step, name);
    return is_shortage ? STARVE_SHORT : STARVE_WRONG;
}

static bool is_failing; // during the round in which a call fails

bool starve_has_failed(void) { return is_failing && preload.failed() != NULL; }

// ---- holdings

static long count_descriptors(void) {
    long count = 0;
    DIR *all = opendir("/proc/self/fd");
    while (all != NULL && readdir(all) != NULL) count++;
    (void)closedir(all);
    return count;
}

static long count_mappings(void) {
    char line[512];
    long count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, "memfd:tarn") != NULL;
    (void)fclose(maps);
    return count;
}

static struct holdings hold_now(void) {
    struct holdings now;
    now.blocks = preload.live_blocks();
    now.descriptors = count_descriptors();
    now.mappings = count_mappings();
    return now;
}

static long larger(long a, long b) { return a > b ? a : b; }

static struct holdings most_of(struct holdings a, struct holdings b) {
    return (struct holdings){larger(a.descriptors, b.descriptors), larger(a.mappings, b.mappings),
                             larger(a.blocks, b.blocks)};
}

static bool is_back(const char *what, long now, long expected) {
    if (now > expected) (void)fprintf(stderr, "%s: %ld instead of %ld\n", what, now, expected);
    return now <= expected;
}

// ---- one point, in a child

static bool run_point(long point) {
    preload.begin(point);
    is_failing = true;
    enum starve_kind first = starve_round();
    is_failing = false;
    long calls = preload.end();
    (void)snprintf(shared->failed, sizeof shared->failed, "%s",
                   preload.failed() != NULL ? preload.failed() : "no call");
    if (point == 0) shared->calls = calls;
    if (first == STARVE_WRONG || (first == STARVE_SHORT && preload.failed() == NULL)) return false;
    starve_provoke();
    for (int i = 0; i < 2; i++) {
        if (starve_round() != STARVE_DONE) {
            (void)fprintf(stderr, "round %d afterwards does not succeed\n", i + 1);
            return false;
        }
    }
    struct holdings now = hold_now();
    if (point == 0) shared->expected = most_of(shared->expected, now);
    return is_back("descriptors", now.descriptors, shared->expected.descriptors) &
           is_back("mappings", now.mappings, shared->expected.mappings) &
           is_back("blocks of memory", now.blocks, shared->expected.blocks + KEPT_BLOCKS);
}

static bool point_passes(long point) {
    int status = 0;
    shared->failed[0] = '\0';
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(CHILD_LIMIT);
        exit(run_point(point) ? 0 : 1);
    }
    bool good = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    if (!good) {
        (void)fprintf(stderr, "point %ld (%s): %s %d\n", point, shared->failed,
                      WIFSIGNALED(status) ? "signal" : "exit status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    return good;
}

// ---- all points

static long sweep_points(const char *choice) {
    long failures = 0;
    long step = shared->calls / POINTS + 1;
    if (choice != NULL && strcmp(choice, "all") != 0 && atol(choice) > 0)
        return point_passes(atol(choice)) ? 0 : 1;
    if (choice != NULL && strcmp(choice, "all") == 0) step = 1;
    for (long point = 1; point <= shared->calls; point += step) failures += !point_passes(point);
    return failures;
}

int main(void) {
    if (!find_preload()) {
        (void)fprintf(stderr, "this program needs the library of tests/starve, preloaded\n");
        return 2;
    }
    shared = (struct shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    // The ranges of past addresses that the library remembers depend on where the kernel places
    // mappings.
    for (int i = 0; i < REFERENCES; i++)
        if (!point_passes(0)) return 1;
    long failures = sweep_points(getenv("TARN_TEST_STARVE"));
    (void)printf("%ld points, %ld failures\n", shared->calls, failures);
    return failures == 0 ? 0 : 1;
}
