// SPDX-License-Identifier: Apache-2.0
// See decide.h. A line of the log is one write(), so that lines of threads and processes do not mix.
#include "base/decide.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/options.h"

// A decision that TARN_DECISIONS fixes.
struct forced {
    unsigned kind, decider, choice;
    uint64_t nth;
};

struct tn_decider tn_process_decider;
_Atomic int tn_decide_state; // the store with release publishes what read_environment() wrote

static const char *const kinds[TN_DECISION_KINDS] = {
#define NAME(name, text) #text,
    TN_DECISIONS(NAME)};

static pthread_once_t reading = PTHREAD_ONCE_INIT;
static bool faults, threads, is_forced;
static char why[300]; // a variable is wrong
static struct forced *fixed;
static size_t fixed_count;
static int log_file = -1;
static _Atomic unsigned deciders;

// ---- the environment

// "N", then words with a colon before each.
static void read_seed(const char *text) {
    size_t length = strcspn(text, ":");
    const char *rest = text + length;
    bool good = tn_parse_unsigned(text, length, &tn_process_decider.seed);
    for (; good && *rest != '\0'; rest += length) {
        length = 1 + strcspn(rest + 1, ":");
        bool is_faults = length == 7 && strncmp(rest, ":faults", length) == 0;
        bool is_threads = length == 8 && strncmp(rest, ":threads", length) == 0;
        faults |= is_faults;
        threads |= is_threads;
        good = is_faults || is_threads;
    }
    if (!good)
        (void)snprintf(why, sizeof why,
                       "environment variable TARN_SEED: expected a number, or one with :faults or "
                       ":threads behind it, not \"%.100s\"",
                       text);
}

static bool read_fixed(const char *line) {
    char kind[16];
    struct forced one;
    unsigned long long nth;
    if (sscanf(line, "%15[a-z].%u.%llu %u", kind, &one.decider, &nth, &one.choice) != 4)
        return false;
    one.nth = nth;
    for (one.kind = 0; one.kind < TN_DECISION_KINDS && strcmp(kinds[one.kind], kind) != 0;)
        one.kind++;
    struct forced *more = realloc(fixed, (fixed_count + 1) * sizeof *fixed);
    if (one.kind == TN_DECISION_KINDS || more == NULL) return false;
    fixed = more;
    fixed[fixed_count++] = one;
    return true;
}

// One decision in each line, "KIND.SOURCE.NUMBER CHOICE".
static void read_decisions(const char *path) {
    char line[200];
    FILE *file = fopen(path, "re");
    is_forced = true;
    if (file == NULL)
        (void)snprintf(why, sizeof why, "environment variable TARN_DECISIONS: %.200s: %s", path,
                       strerror(errno));
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (!read_fixed(line))
            (void)snprintf(why, sizeof why, "environment variable TARN_DECISIONS: %.200s", line);
    if (file != NULL) (void)fclose(file);
}

static void read_environment(void) {
    const char *seed = secure_getenv("TARN_SEED"), *list = secure_getenv("TARN_DECISIONS");
    const char *log = secure_getenv("TARN_DECISION_LOG");
    int error = errno;
    if (seed != NULL && *seed != '\0') read_seed(seed);
    if (list != NULL && *list != '\0') read_decisions(list);
    int failure = log != NULL && *log != '\0'
                      ? tn_named_file_open(log, O_WRONLY | O_APPEND | O_CREAT, &log_file)
                      : -1;
    if (failure != 0) log_file = -1;
    if (failure > 0)
        (void)snprintf(why, sizeof why, "environment variable TARN_DECISION_LOG is \"%.100s\": %s",
                       log, tn_named_file_error(failure));
    bool on = (seed != NULL && *seed != '\0') || is_forced;
    errno = error;
    tn_store_release(&tn_decide_state, on ? TN_DECIDE_ON : TN_DECIDE_OFF);
}

bool tn_decide_read(void) {
    (void)pthread_once(&reading, read_environment);
    return tn_load_acquire(&tn_decide_state) == TN_DECIDE_ON;
}

tarn_status tn_decide_status(void) {
    (void)tn_decides(); // reads the environment
    return why[0] == '\0' ? TARN_OK : tn_fail(TARN_BAD_CONFIG, "%s", why);
}

bool tn_decide_faults(void) { return tn_decides() && faults; }

bool tn_decide_threads(void) { return tn_decides() && threads; }

// ---- decisions

void tn_decider_init(struct tn_decider *decider, uint64_t seed) {
    memset(decider, 0, sizeof *decider);
    decider->seed = seed;
    decider->number = tn_add_relaxed(&deciders, 1) + 1;
}

static uint64_t scatter(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

// A seed is eager or reluctant to leave the plain behaviour, and differs in it from kind to kind: it
// does so in 32, 64, 128 or 192 of 256 decisions. Of calls, it lets few fail: a program often ends
// with the first failure, which should come late as often as early.
static unsigned choice_of_seed(uint64_t seed, unsigned kind, uint64_t nth, unsigned n) {
    static const unsigned eagerness[2][4] = {{32, 64, 128, 192}, {1, 4, 16, 64}};
    uint64_t of_kind = scatter(scatter(seed) ^ kind), random = scatter(of_kind ^ scatter(nth));
    if (random % 256 >= eagerness[kind == TN_DECIDE_FAIL][of_kind % 4] || n < 2) return 0;
    return 1 + (unsigned)((random >> 32) % (n - 1));
}

static unsigned fixed_choice(const struct tn_decider *decider, unsigned kind, uint64_t nth,
                             unsigned n) {
    for (size_t i = 0; i < fixed_count; i++)
        if (fixed[i].kind == kind && fixed[i].nth == nth && fixed[i].decider == decider->number)
            return fixed[i].choice < n ? fixed[i].choice : 0;
    return 0;
}

unsigned tn_decide(struct tn_decider *decider, enum tn_decision kind, unsigned n,
                   const char *format, ...) {
    bool on = tn_decides();
    uint64_t nth = tn_add_relaxed(&decider->counts[kind], 1) + 1;
    unsigned choice = on && is_forced ? fixed_choice(decider, kind, nth, n)
                                      : choice_of_seed(decider->seed, kind, nth, n);
    if (tn_decide_logs()) {
        char text[200];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        tn_decide_log("decision", true, "%s.%u.%llu %u %u %s", kinds[kind], decider->number,
                      (unsigned long long)nth, n, choice, text);
    }
    return choice;
}

// ---- the log

enum { FRAMES = 40, STACKS = 4096 };

static pthread_mutex_t stacks_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t stacks[STACKS]; // hashes of those that the log has

bool tn_decide_logs(void) { return tn_decides() && log_file >= 0; }

static void write_line(char *line, size_t used, size_t room) {
    if (used > room - 2) used = room - 2;
    line[used++] = '\n';
    (void)!write(log_file, line, used);
}

// "stack NUMBER FILE+OFFSET FILE+OFFSET ...", the innermost frame first.
static void write_stack(uint64_t number, void *const *frames, int count) {
    char line[8192];
    size_t used = (size_t)snprintf(line, sizeof line, "stack %llx", (unsigned long long)number);
    for (int i = 0; i < count && used < sizeof line; i++) {
        Dl_info info;
        if (dladdr((char *)frames[i] - 1, &info) == 0 || info.dli_fname == NULL) continue;
        used += (size_t)snprintf(
            line + used, sizeof line - used, " %s+%llx", info.dli_fname,
            (unsigned long long)((uintptr_t)frames[i] - 1 - (uintptr_t)info.dli_fbase));
    }
    write_line(line, used, sizeof line);
}

static uint64_t log_stack(void) {
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    uint64_t number = 1;
    for (int i = 2; i < count; i++) number = scatter(number ^ (uintptr_t)frames[i]);
    (void)pthread_mutex_lock(&stacks_lock);
    bool known = stacks[number % STACKS] == number;
    stacks[number % STACKS] = number;
    (void)pthread_mutex_unlock(&stacks_lock);
    if (!known && count > 2) write_stack(number, frames + 2, count - 2);
    return number;
}

void tn_decide_log(const char *word, bool stack, const char *format, ...) {
    char line[512];
    if (!tn_decide_logs()) return;
    va_list arguments;
    int error = errno;
    size_t used = (size_t)snprintf(line, sizeof line, "%s %llx %d ", word,
                                   (unsigned long long)(stack ? log_stack() : 0), (int)gettid());
    va_start(arguments, format);
    int length = vsnprintf(line + used, sizeof line - used, format, arguments);
    va_end(arguments);
    write_line(line, used + (length > 0 ? (size_t)length : 0), sizeof line);
    errno = error;
}
