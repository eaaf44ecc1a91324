// SPDX-License-Identifier: Apache-2.0
// Runs seeds, each in a process of its own, and reduces a seed that fails: first to the shortest
// prefix of its steps that still fails, then by leaving out steps. See README.md.
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system/world.h"

enum { STEPS_MAX = 300, OPENS = 1000000, CLOSES = 1000001, HANG_SECONDS = 300, TRIES_FREE = 4 };
enum mode { BY_SEED, TURNS, FREE };

struct plan {
    uint64_t seed;
    enum mode mode;
    unsigned steps;
    bool kept[STEPS_MAX];
    bool verbose;
    bool compare;          // after each step, in the mode "turns"
    bool alone;            // no tool with threads or files of its own is in the process
    unsigned hang_seconds; // a run that takes longer is killed, as one that hangs
};

static uint64_t now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// ---- one seed, in its own process

struct runner {
    struct world *world;
    const struct plan *plan;
    pthread_mutex_t lock;
    pthread_cond_t passed;
    unsigned turn; // the step that may run
};

static struct step step_of(struct world *w, unsigned number, unsigned thread) {
    struct step step = {.world = w, .number = number, .thread = thread};
    step.draw = draw_of(w->seed, number);
    (void)draw_next(&step.draw); // the number of the thread
    if (draw_one_in(&step.draw, 6)) step.starve = 1 + draw_below(&step.draw, 10);
    return step;
}

static unsigned thread_of(const struct world *w, unsigned number) {
    struct draw d = draw_of(w->seed, number);
    return draw_below(&d, THREADS);
}

static void run_step(struct step *step) {
    unsigned kind = draw_below(&step->draw, 100);
    if (kind < 58)
        pool_step(step);
    else if (kind < 74)
        vmm_step(step);
    else if (kind < 86)
        memory_step(step);
    else if (kind < 94)
        peer_step(step);
    else if (kind < 98 || !step->world->turns)
        stream_step(step);
    else
        world_compare(step);
}

struct worker {
    struct runner *runner;
    unsigned number;
    pthread_t thread;
};

static void next_turn(struct runner *r) {
    do r->turn++;
    while (r->turn < r->plan->steps && !r->plan->kept[r->turn]);
}

static void *run_worker(void *arg) {
    const struct worker *worker = (const struct worker *)arg;
    struct runner *r = worker->runner;
    struct world *w = r->world;
    for (unsigned i = 0; i < r->plan->steps; i++) {
        if (!r->plan->kept[i] || thread_of(w, i) != worker->number) continue;
        struct step step = step_of(w, i, worker->number);
        if (!w->turns) {
            run_step(&step);
            continue;
        }
        (void)pthread_mutex_lock(&r->lock);
        while (r->turn != i) (void)pthread_cond_wait(&r->passed, &r->lock);
        run_step(&step);
        if (r->plan->compare) world_compare(&step);
        next_turn(r);
        (void)pthread_cond_broadcast(&r->passed);
        (void)pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

static unsigned count_entries(const char *path) {
    unsigned count = 0;
    DIR *folder = opendir(path);
    while (folder != NULL && readdir(folder) != NULL) count++;
    if (folder != NULL) (void)closedir(folder);
    return count;
}

// Threads that have ended may need a moment until the system no longer lists them: here, and also
// before the step, when the threads were counted. A minute is for a thread that stays.
static void check_process(struct step *step, unsigned files, unsigned threads) {
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 60000 && count_entries("/proc/self/task") > threads; i++)
        (void)nanosleep(&pause, NULL);
    CHECK(step, count_entries("/proc/self/task") <= threads);
    CHECK(step, count_entries("/proc/self/fd") == files);
}

static void *do_nothing(void *arg) { return arg; }

// A sanitizer starts a thread of its own beside the first one.
static void start_first_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, do_nothing, NULL) != 0) abort();
    (void)pthread_join(thread, NULL);
}

static void run_seed(const struct plan *plan) {
    static struct world world;
    struct runner runner = {.world = &world, .plan = plan};
    struct worker workers[THREADS];
    unsigned files = count_entries("/proc/self/fd"), threads;
    world.seed = plan->seed;
    world.turns = plan->mode == TURNS;
    world.verbose = plan->verbose;
    peer_start(&world);
    start_first_thread();
    threads = count_entries("/proc/self/task");
    struct step step = step_of(&world, OPENS, 0);
    step.starve = 0;
    world_open(&step);
    (void)pthread_mutex_init(&runner.lock, NULL);
    (void)pthread_cond_init(&runner.passed, NULL);
    if (!plan->kept[0]) next_turn(&runner);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.runner = &runner, .number = i};
        CHECK(&step, pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) (void)pthread_join(workers[i].thread, NULL);
    step = step_of(&world, CLOSES, 0);
    world_close(&step);
    if (plan->alone) check_process(&step, files, threads);
    if (!plan->alone) // for a comparison with what a tool has counted
        (void)printf("%llu blocks of %llu bytes\n", (unsigned long long)world.blocks,
                     (unsigned long long)world.block_bytes);
    if (plan->verbose)
        (void)fprintf(stderr, "%llu comparisons, %llu injected failures\n",
                      (unsigned long long)world.checks, (unsigned long long)world.excuses);
}

// Returns true if the seed passes. `report` receives what it printed.
static bool try_plan(const struct plan *plan, FILE *report) {
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (report != NULL) (void)dup2(fileno(report), STDERR_FILENO);
        if (report != NULL) (void)fclose(report);
        (void)alarm(plan->hang_seconds);
        run_seed(plan);
        exit(0); // a leak checker runs here
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (report != NULL && WIFSIGNALED(status))
        (void)dprintf(fileno(report), "signal %d (%s)\n", WTERMSIG(status),
                      WTERMSIG(status) == SIGALRM ? "it hangs" : strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ---- seeds that fail

static FILE *report_new(void) {
    int file = memfd_create("report", MFD_CLOEXEC);
    FILE *report = file >= 0 ? fdopen(file, "w+") : NULL;
    if (report == NULL) abort();
    return report;
}

static void report_print(FILE *report) {
    char line[2048];
    rewind(report);
    while (fgets(line, sizeof line, report) != NULL)
        if (strncmp(line, "tarn: injected", 14) != 0) (void)fputs(line, stdout);
}

// In the mode "free" a failure may need another try.
static bool fails(const struct plan *plan) {
    FILE *report = report_new();
    bool failed = false;
    for (int i = 0; i < (plan->mode == FREE ? TRIES_FREE : 1) && !failed; i++)
        failed = !try_plan(plan, report);
    (void)fclose(report);
    return failed;
}

static void reduce(struct plan *plan, unsigned seconds) {
    uint64_t end = now_ns() + seconds * UINT64_C(1000000000);
    unsigned low = 0, high = plan->steps;
    plan->hang_seconds = seconds;
    while (low < high && now_ns() < end) { // the shortest prefix that fails
        struct plan shorter = *plan;
        shorter.steps = (low + high) / 2;
        if (fails(&shorter))
            high = shorter.steps;
        else
            low = shorter.steps + 1;
    }
    plan->steps = high;
    for (unsigned size = plan->steps / 2; size > 0; size /= 2)
        for (unsigned at = 0; at < plan->steps && now_ns() < end; at += size) {
            struct plan fewer = *plan;
            memset(fewer.kept + at, 0, size <= plan->steps - at ? size : plan->steps - at);
            if (memcmp(fewer.kept, plan->kept, sizeof fewer.kept) != 0 && fails(&fewer))
                *plan = fewer;
        }
}

static void print_command(const struct plan *plan) {
    const char *comma = "";
    (void)printf("repeat: system_seeds --seed %llu --%s --steps ", (unsigned long long)plan->seed,
                 plan->mode == FREE ? "free" : "turns");
    for (unsigned i = 0; i < plan->steps; i++) {
        unsigned first = i;
        if (!plan->kept[i]) continue;
        while (i + 1 < plan->steps && plan->kept[i + 1]) i++;
        (void)printf(first == i ? "%s%u" : "%s%u-%u", comma, first, i);
        comma = ",";
    }
    (void)printf("%s -v\n", *comma == 0 ? "none" : "");
}

static struct plan plan_of(uint64_t seed, enum mode mode) {
    struct draw d = draw_of(seed, OPENS + 7);
    struct plan plan = {.seed = seed, .mode = mode, .alone = true, .hang_seconds = HANG_SECONDS};
    bool free_threads = draw_one_in(&d, 4);
    if (mode == BY_SEED) plan.mode = free_threads ? FREE : TURNS;
    plan.steps = 60 + draw_below(&d, STEPS_MAX - 60);
    for (unsigned i = 0; i < plan.steps; i++) plan.kept[i] = true;
    return plan;
}

static bool run_one(uint64_t seed, enum mode mode, unsigned reduce_seconds) {
    struct plan plan = plan_of(seed, mode);
    FILE *report = report_new();
    bool passed = try_plan(&plan, report);
    if (!passed) {
        (void)printf("seed %llu fails, %s, %u steps:\n", (unsigned long long)seed,
                     plan.mode == FREE ? "free" : "turns", plan.steps);
        report_print(report);
        reduce(&plan, reduce_seconds);
        print_command(&plan);
        (void)fflush(stdout);
    }
    (void)fclose(report);
    return passed;
}

// ---- the command line

// Reads "0-5,9" into the steps that run.
static void read_steps(struct plan *plan, const char *text) {
    memset(plan->kept, 0, sizeof plan->kept);
    plan->steps = 0;
    while (*text >= '0' && *text <= '9') {
        char *end;
        unsigned long first = strtoul(text, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long i = first; i <= last && i < STEPS_MAX; i++) {
            plan->kept[i] = true;
            plan->steps = (unsigned)i + 1;
        }
        text = *end == ',' ? end + 1 : end;
    }
}

static int usage(void) {
    (void)fprintf(stderr,
                  "usage: system_seeds [--turns|--free] [--first] [--reduce SECONDS] FIRST COUNT\n"
                  "       system_seeds [--turns|--free] --time SECONDS [FIRST]\n"
                  "       system_seeds [--turns|--free] --seed SEED [--steps LIST] [-v] "
                  "[--compare] [--inside]\n");
    return 2;
}

// How many seeds run.
struct extent {
    uint64_t first, count, seconds;
    bool until_failure;
};

static int run_many(const struct extent *extent, enum mode mode, unsigned reduce_seconds) {
    uint64_t start = now_ns(), failed = 0, first = extent->first, seed = first;
    (void)printf("system: seeds from %llu\n", (unsigned long long)first);
    (void)fflush(stdout);
    while ((extent->seconds > 0 ? now_ns() - start < extent->seconds * UINT64_C(1000000000)
                                : seed < first + extent->count) &&
           (failed == 0 || !extent->until_failure))
        failed += !run_one(seed++, mode, reduce_seconds);
    (void)printf("system: %llu seeds, %llu failed, %.1f s\n", (unsigned long long)(seed - first),
                 (unsigned long long)failed, (double)(now_ns() - start) / 1e9);
    return failed > 0;
}

// Addresses are the same in each run of a seed.
static void fix_addresses(char **argv) {
    int now = personality(0xffffffff);
    if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0) return;
    if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1)
        (void)execv("/proc/self/exe", argv);
}

struct options {
    struct extent extent;
    enum mode mode;
    const char *steps;
    bool single, inside, verbose, compare;
    unsigned reduce_seconds;
    int numbers; // that were given: the first seed, and how many
};

// Returns true if the word is an option without a value.
static bool read_flag(struct options *o, const char *word) {
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-v", &o->verbose},
                 {"--inside", &o->inside},
                 {"--compare", &o->compare},
                 {"--first", &o->extent.until_failure}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(word, flags[i].name) != 0) continue;
        *flags[i].flag = true;
        return true;
    }
    if (strcmp(word, "--turns") == 0)
        o->mode = TURNS;
    else if (strcmp(word, "--free") == 0)
        o->mode = FREE;
    else
        return false;
    return true;
}

// Returns true if the word is an option with this value.
static bool read_value(struct options *o, const char *word, const char *value) {
    uint64_t number = strtoull(value, NULL, 10);
    if (strcmp(word, "--steps") == 0)
        o->steps = value;
    else if (strcmp(word, "--time") == 0)
        o->extent.seconds = number;
    else if (strcmp(word, "--reduce") == 0)
        o->reduce_seconds = (unsigned)number;
    else if (strcmp(word, "--seed") == 0) {
        o->single = true;
        o->extent.first = number;
    } else
        return false;
    return true;
}

static bool read_options(struct options *o, char **argv) {
    while (*++argv != NULL) {
        if (**argv >= '0' && **argv <= '9' && o->numbers < 2)
            *(o->numbers++ == 0 ? &o->extent.first : &o->extent.count) = strtoull(*argv, NULL, 10);
        else if (!read_flag(o, *argv)) {
            if (argv[1] == NULL || !read_value(o, argv[0], argv[1])) return false;
            argv++;
        }
    }
    return o->single || o->extent.seconds > 0 || o->numbers == 2;
}

int main(int argc, char **argv) {
    struct options o = {.extent = {.first = (uint64_t)time(NULL) * 1000}, .reduce_seconds = 60};
    (void)argc;
    fix_addresses(argv);
    if (!read_options(&o, argv)) return usage();
    if (!o.single) return run_many(&o.extent, o.mode, o.reduce_seconds);
    struct plan plan = plan_of(o.extent.first, o.mode);
    plan.verbose = o.verbose;
    plan.compare = o.compare;
    plan.alone = !o.inside;
    if (o.steps != NULL) read_steps(&plan, o.steps);
    if (o.inside) run_seed(&plan);
    return o.inside || try_plan(&plan, NULL) ? 0 : 1;
}
