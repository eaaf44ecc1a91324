// SPDX-License-Identifier: Apache-2.0
// The runs of `tarn explore`: the plain order, the seeds, and the second run of each finding. One
// thread.
#include <inttypes.h>
#include <sys/wait.h>

#include "tools/explore/explore.h"
#include "tools/progress.h"

bool tn_explore_set_seed(const struct tn_explore *explore, uint64_t seed, const char *decisions) {
    char text[64];
    (void)snprintf(text, sizeof text, "%" PRIu64 "%s%s", seed, explore->faults ? ":faults" : "",
                   explore->threads ? ":threads" : "");
    return setenv("TARN_SEED", text, 1) == 0 &&
           (decisions == NULL || setenv("TARN_DECISIONS", decisions, 1) == 0);
}

// ---- the class of a run

// Returns true if the program may end with another status for want of memory, or because another
// process of it died.
static bool has_lost(const struct tn_explore_log *log) {
    bool lost = false;
    for (size_t i = 0; i < log->count && !lost; i++) {
        const struct tn_explore_entry *entry = &log->entries[i];
        lost = (strncmp(entry->key, "free.", 5) == 0 && entry->choice > 0) ||
               (strncmp(entry->key, "peer.", 5) == 0 && entry->choice > 1);
    }
    return lost;
}

void tn_explore_judge(const struct tn_explore *explore, const char *folder,
                      struct tn_explore_log *log, struct tn_run_outcome *outcome) {
    const struct tn_run_outcome *base = &explore->runs.base;
    tn_explore_log_read(log, folder);
    outcome->fired |= has_lost(log);
    bool thrown = tn_run_find_exception(outcome);
    bool signaled = WIFSIGNALED(outcome->status);
    tn_run_compare(base, outcome);
    bool other = explore->same_output && outcome->exact != base->exact;
    outcome->class = outcome->timed_out                ? TN_RUN_hang
                     : outcome->sanitizer              ? TN_RUN_sanitizer
                     : signaled && !thrown             ? TN_RUN_crash
                     : outcome->errors > 0             ? TN_RUN_checker
                     : thrown                          ? TN_RUN_exception
                     : outcome->fired                  ? TN_RUN_good
                     : outcome->status != base->status ? TN_RUN_fails
                     : outcome->leaks > 0              ? TN_RUN_leak
                     : other                           ? TN_RUN_output
                                                       : TN_RUN_good;
    if (outcome->fired && outcome->class == TN_RUN_good && outcome->status != base->status)
        outcome->class = TN_RUN_refused;
    tn_run_describe(outcome);
    tn_run_shorten(outcome);
}

// ---- the plain order

static bool prepare_plain(const void *context, size_t item, const char *folder) {
    (void)item, (void)folder;
    return tn_explore_set_seed((const struct tn_explore *)context, 0, "/dev/null");
}

static bool finish_plain(void *context, size_t item, const char *folder,
                         struct tn_run_outcome *outcome) {
    struct tn_explore *explore = (struct tn_explore *)context;
    struct tn_explore_log log;
    (void)item;
    explore->runs.base = *outcome;
    tn_explore_log_read(&log, folder);
    explore->decided += log.count;
    tn_explore_orders_add(&explore->orders, &log);
    tn_explore_log_free(&log);
    return true;
}

bool tn_explore_plain(struct tn_explore *explore) {
    static const struct tn_run_step step = {prepare_plain, finish_plain, NULL};
    explore->runs.keeps_log = true;
    return tn_runs_base(&explore->runs, &step, explore);
}

// ---- the seeds

static bool prepare_seed(const void *context, size_t item, const char *folder) {
    const struct tn_explore *explore = (const struct tn_explore *)context;
    (void)folder;
    return tn_explore_set_seed(explore, explore->first + item, NULL);
}

// Numbers in what a checker or a sanitizer says differ from run to run.
static bool is_same_end(const struct tn_run_outcome *a, const struct tn_run_outcome *b) {
    const char *one = a->detail, *two = b->detail;
    bool reported =
        a->class == TN_RUN_checker || a->class == TN_RUN_leak || a->class == TN_RUN_sanitizer;
    if (a->class != b->class || a->class == TN_RUN_hang) return a->class == b->class;
    return reported ? strcspn(one, ":0123456789") == strcspn(two, ":0123456789") &&
                          strncmp(one, two, strcspn(one, ":0123456789")) == 0
                    : strcmp(one, two) == 0;
}

// Adds a run to the findings. The one of the lowest seed represents those that ended in the same way.
static bool add_finding(struct tn_explore *explore, uint64_t seed, const char *folder,
                        struct tn_run_outcome *outcome) {
    struct tn_explore_finding *finding = explore->findings;
    struct tn_explore_finding *end = finding + explore->finding_count;
    while (finding < end && !is_same_end(&finding->outcome, outcome)) finding++;
    if (finding == end) {
        void *more = realloc(explore->findings, (explore->finding_count + 1) * sizeof *finding);
        if (more == NULL) return tn_launch_refuse();
        explore->findings = (struct tn_explore_finding *)more;
        finding = &explore->findings[explore->finding_count++];
        *finding = (struct tn_explore_finding){.seed = UINT64_MAX};
    }
    finding->seeds++;
    if (seed > finding->seed) {
        free(outcome->text);
        return true;
    }
    free(finding->outcome.text);
    tn_explore_log_free(&finding->log);
    finding->seed = seed;
    finding->outcome = *outcome;
    tn_explore_log_read(&finding->log, folder);
    return true;
}

static bool finish_seed(void *context, size_t item, const char *folder,
                        struct tn_run_outcome *outcome) {
    struct tn_explore *explore = (struct tn_explore *)context;
    struct tn_explore_log log;
    tn_progress_step(1);
    tn_explore_judge(explore, folder, &log, outcome);
    explore->decided += log.count;
    explore->done++;
    tn_explore_orders_add(&explore->orders, &log);
    tn_explore_log_free(&log);
    if (tn_run_class_texts[outcome->class].finding)
        return add_finding(explore, explore->first + item, folder, outcome);
    free(outcome->text);
    return true;
}

// ---- each finding again

static bool prepare_finding(const void *context, size_t item, const char *folder) {
    const struct tn_explore *explore = (const struct tn_explore *)context;
    (void)folder;
    return tn_explore_set_seed(explore, explore->findings[item].seed, NULL);
}

static bool has_time(const struct tn_explore_log *log) {
    size_t i = 0;
    while (i < log->count && log->entries[i].kind != TN_EXPLORE_TIME) i++;
    return i < log->count;
}

static bool finish_finding(void *context, size_t item, const char *folder,
                           struct tn_run_outcome *outcome) {
    struct tn_explore *explore = (struct tn_explore *)context;
    struct tn_explore_finding *finding = &explore->findings[item];
    struct tn_explore_log log;
    tn_explore_judge(explore, folder, &log, outcome);
    bool same = tn_explore_log_same(&log, &finding->log);
    size_t threads = tn_explore_log_threads(&log);
    bool end = is_same_end(outcome, &finding->outcome);
    finding->again = end ? TN_EXPLORE_REPEATS : TN_EXPLORE_DIFFERS;
    const char *what = end ? "the order of its work" : "its end";
    if (same && end)
        finding->why[0] = '\0';
    else if (threads > 1)
        (void)snprintf(finding->why, sizeof finding->why,
                       "%s depends on the program's own threads: %zu of them call Tarn%s", what,
                       threads, explore->threads ? "" : "; --threads makes them take turns");
    else if (has_time(&log) || has_time(&finding->log))
        (void)snprintf(finding->why, sizeof finding->why, "%s depends on time", what);
    else if (!end)
        (void)snprintf(finding->why, sizeof finding->why,
                       "%s depends on something that no seed decides", what);
    tn_explore_log_free(&log);
    free(outcome->text);
    return true;
}

bool tn_explore_seeds(struct tn_explore *explore) {
    static const struct tn_run_step seeds = {prepare_seed, finish_seed, NULL};
    static const struct tn_run_step again = {prepare_finding, finish_finding, NULL};
    return tn_runs_all(&explore->runs, &seeds, explore, explore->number) &&
           tn_runs_all(&explore->runs, &again, explore, explore->finding_count);
}
