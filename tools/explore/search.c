// SPDX-License-Identifier: Apache-2.0
// The runs of `tarn explore`: the plain order, the seeds, and the second run of each finding. One
// thread.
#include <inttypes.h>
#include <sys/wait.h>

#include "tools/explore/explore.h"
#include "tools/progress.h"

const struct tn_explore_class_text tn_explore_class_texts[TN_EXPLORE_CLASS_COUNT] = {
#define CLASS(name, finding, text) {#name, finding, text},
    TN_EXPLORE_CLASSES(CLASS)};

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
    const struct tn_run_outcome *base = &explore->base;
    tn_explore_log_read(log, folder);
    outcome->fired |= has_lost(log);
    bool leaks = outcome->leaks > base->leaks || outcome->leaked_bytes > base->leaked_bytes;
    bool other = explore->same_output && outcome->exact != base->exact;
    outcome->class = outcome->timed_out                ? TN_EXPLORE_hang
                     : outcome->sanitizer              ? TN_EXPLORE_sanitizer
                     : WIFSIGNALED(outcome->status)    ? TN_EXPLORE_crash
                     : outcome->errors > base->errors  ? TN_EXPLORE_checker
                     : outcome->fired                  ? TN_EXPLORE_good
                     : outcome->status != base->status ? TN_EXPLORE_fails
                     : leaks                           ? TN_EXPLORE_leak
                     : other                           ? TN_EXPLORE_output
                                                       : TN_EXPLORE_good;
    if (outcome->fired && outcome->class == TN_EXPLORE_good && outcome->status != base->status)
        outcome->class = TN_EXPLORE_refused;
    char *detail = outcome->detail;
    size_t room = sizeof outcome->detail;
    switch (outcome->class) {
    case TN_EXPLORE_crash: tn_run_describe_signal(outcome); break;
    case TN_EXPLORE_hang:
        (void)snprintf(detail, room, "killed after %.1f s", outcome->seconds);
        break;
    case TN_EXPLORE_leak: (void)snprintf(detail, room, "%s", outcome->leak); break;
    case TN_EXPLORE_checker:
    case TN_EXPLORE_sanitizer: break; // that of the first report
    case TN_EXPLORE_output:
        (void)snprintf(detail, room, "other output than in the plain order");
        break;
    default: (void)snprintf(detail, room, "status %d", WEXITSTATUS(outcome->status)); break;
    }
}

// ---- the plain order

static bool next_plain(void *context, size_t *item) {
    struct tn_explore *explore = (struct tn_explore *)context;
    *item = 0;
    return explore->begun++ == 0;
}

static bool prepare_plain(void *context, size_t item, const char *folder) {
    (void)item, (void)folder;
    return tn_explore_set_seed((const struct tn_explore *)context, 0, "/dev/null");
}

static bool finish_plain(void *context, size_t item, const char *folder,
                         struct tn_run_outcome *outcome) {
    struct tn_explore *explore = (struct tn_explore *)context;
    struct tn_explore_log log;
    (void)item;
    explore->base = *outcome;
    tn_explore_log_read(&log, folder);
    explore->decided += log.count;
    tn_explore_orders_add(&explore->orders, &log);
    tn_explore_log_free(&log);
    return true;
}

bool tn_explore_plain(struct tn_explore *explore) {
    struct tn_runs *runs = &explore->runs;
    runs->launch = &explore->launch;
    runs->context = explore;
    runs->keeps_log = true;
    runs->next = next_plain;
    runs->prepare = prepare_plain;
    runs->finished = finish_plain;
    if (!tn_runs_all(runs)) return false;
    if (runs->limit == 0) runs->limit = 10 + 10 * explore->base.seconds;
    return true;
}

// ---- the seeds

static bool next_seed(void *context, size_t *item) {
    struct tn_explore *explore = (struct tn_explore *)context;
    *item = (size_t)explore->begun;
    return explore->begun < explore->number && explore->begun++ < UINT64_MAX;
}

static bool prepare_seed(void *context, size_t item, const char *folder) {
    const struct tn_explore *explore = (const struct tn_explore *)context;
    (void)folder;
    return tn_explore_set_seed(explore, explore->first + item, NULL);
}

// Numbers in what a checker or a sanitizer says differ from run to run.
static bool is_same_end(const struct tn_run_outcome *a, const struct tn_run_outcome *b) {
    const char *one = a->detail, *two = b->detail;
    bool reported = a->class == TN_EXPLORE_checker || a->class == TN_EXPLORE_leak ||
                    a->class == TN_EXPLORE_sanitizer;
    if (a->class != b->class || a->class == TN_EXPLORE_hang) return a->class == b->class;
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
    if (tn_explore_class_texts[outcome->class].finding)
        return add_finding(explore, explore->first + item, folder, outcome);
    free(outcome->text);
    return true;
}

// ---- each finding again

static bool next_finding(void *context, size_t *item) {
    struct tn_explore *explore = (struct tn_explore *)context;
    *item = (size_t)explore->begun;
    return explore->begun < explore->finding_count && explore->begun++ < UINT64_MAX;
}

static bool prepare_finding(void *context, size_t item, const char *folder) {
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
    struct tn_runs *runs = &explore->runs;
    explore->begun = 0;
    runs->next = next_seed;
    runs->prepare = prepare_seed;
    runs->finished = finish_seed;
    if (!tn_runs_all(runs)) return false;
    explore->begun = 0;
    runs->next = next_finding;
    runs->prepare = prepare_finding;
    runs->finished = finish_finding;
    return tn_runs_all(runs);
}
