// SPDX-License-Identifier: Apache-2.0
// Minimises the decisions of a finding: delta debugging over those that differ from the plain order.
// Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002. One thread.

#include "tools/explore/explore.h"

// Decisions with their choices.
struct list {
    struct wanted {
        const char *key;
        unsigned choice;
    } * decisions;
    size_t count;
};

struct minimiser {
    struct tn_explore *explore;
    const struct tn_explore_finding *finding;
    struct list whole;
    // The candidates of one step: part `item` of `parts` of the whole, or the rest without it; or
    // the whole with the choice `item` + 1 in the decision `lowered`, which is NULL otherwise.
    size_t parts;
    bool without;
    struct wanted *lowered;
    size_t failing; // the candidate with which the program ends in the same way, or SIZE_MAX
    struct tn_explore_log log; // of that run
    bool broken;
};

static size_t part_begin(const struct minimiser *m, size_t part) {
    return m->whole.count * part / m->parts;
}

static bool is_in(const struct minimiser *m, size_t part, size_t at) {
    if (m->lowered != NULL) return true;
    bool inside = at >= part_begin(m, part) && at < part_begin(m, part + 1);
    return inside != m->without;
}

// ---- the runs of one step

static bool has_failed(const void *context, size_t item) {
    (void)item;
    return ((const struct minimiser *)context)->failing != SIZE_MAX;
}

static bool prepare_candidate(const void *context, size_t item, const char *folder) {
    const struct minimiser *m = (const struct minimiser *)context;
    char path[TN_RUN_PATH];
    (void)snprintf(path, sizeof path, "%s/wanted", folder);
    FILE *file = fopen(path, "we");
    for (size_t i = 0; file != NULL && i < m->whole.count; i++) {
        const struct wanted *one = &m->whole.decisions[i];
        unsigned choice = one == m->lowered ? (unsigned)item + 1 : one->choice;
        if (is_in(m, item, i)) (void)fprintf(file, "%s %u\n", one->key, choice);
    }
    return file != NULL && fclose(file) == 0 &&
           tn_explore_set_seed(m->explore, m->finding->seed, path);
}

// Of several candidates that fail, the first one counts, so that runs at a time change nothing.
static bool finish_candidate(void *context, size_t item, const char *folder,
                             struct tn_run_outcome *outcome) {
    struct minimiser *m = (struct minimiser *)context;
    struct tn_explore_log log;
    tn_explore_judge(m->explore, folder, &log, outcome);
    free(outcome->text);
    if (outcome->class != m->finding->outcome.class || item > m->failing) {
        tn_explore_log_free(&log);
        return true;
    }
    m->failing = item;
    tn_explore_log_free(&m->log);
    m->log = log;
    return true;
}

// Runs the candidates of a step. Returns false if none fails.
static bool try_candidates(struct minimiser *m, size_t count) {
    static const struct tn_run_step step = {prepare_candidate, finish_candidate, has_failed};
    m->parts = count;
    m->failing = SIZE_MAX;
    m->broken = !tn_runs_all(&m->explore->runs, &step, m, count);
    return !m->broken && m->failing != SIZE_MAX;
}

// Keeps the first of the candidates that fails. Returns false if there is none.
static bool try_parts(struct minimiser *m, size_t parts, bool without) {
    size_t kept = 0;
    m->without = without;
    if (!try_candidates(m, parts)) return false;
    for (size_t i = 0; i < m->whole.count; i++)
        if (is_in(m, m->failing, i)) m->whole.decisions[kept++] = m->whole.decisions[i];
    m->whole.count = kept;
    return true;
}

// Lowers a choice as far as the program ends in the same way: a work that is held back less long is
// overtaken by fewer others.
static void lower(struct minimiser *m, struct wanted *decision) {
    m->lowered = decision;
    if (decision->choice > 1 && try_candidates(m, decision->choice - 1))
        decision->choice = (unsigned)m->failing + 1;
    m->lowered = NULL;
}

// ---- all steps

static bool collect(struct minimiser *m) {
    const struct tn_explore_log *log = &m->finding->log;
    m->whole.decisions = (struct wanted *)calloc(log->count + 1, sizeof *m->whole.decisions);
    if (m->whole.decisions == NULL) return tn_launch_refuse();
    for (size_t i = 0; i < log->count; i++)
        if (log->entries[i].kind == TN_EXPLORE_DECISION && log->entries[i].choice != 0)
            m->whole.decisions[m->whole.count++] =
                (struct wanted){log->entries[i].key, log->entries[i].choice};
    return true;
}

// Parts of the whole first, then wholes without a part, then smaller parts.
static void reduce(struct minimiser *m) {
    size_t parts = 2;
    while (!m->broken && m->whole.count >= 2) {
        if (parts > m->whole.count) parts = m->whole.count;
        if (try_parts(m, parts, false))
            parts = 2;
        else if (!m->broken && parts > 2 && try_parts(m, parts, true))
            parts--;
        else if (parts < m->whole.count)
            parts *= 2;
        else
            return;
    }
}

static void describe_all(const struct minimiser *m, struct tn_explore_finding *finding) {
    for (size_t i = 0; i < m->whole.count; i++) {
        size_t at = 0;
        while (at < m->log.count && strcmp(m->log.entries[at].key, m->whole.decisions[i].key) != 0)
            at++;
        if (at == m->log.count || finding->decision_count == TN_EXPLORE_DECISIONS) continue;
        tn_explore_describe(&m->log, at, finding->decisions[finding->decision_count++],
                            TN_EXPLORE_SENTENCE);
    }
    finding->decision_count = m->whole.count;
}

bool tn_explore_minimise(struct tn_explore *explore, struct tn_explore_finding *finding) {
    struct minimiser m = {.explore = explore, .finding = finding};
    if (!collect(&m)) return false;
    // One part is the whole: the list alone must repeat what the seed did.
    if (try_parts(&m, 1, false)) {
        reduce(&m);
        // A single decision that does not matter is none.
        size_t count = m.whole.count;
        if (!m.broken && count == 1 && !try_parts(&m, 1, true)) m.whole.count = count;
        for (size_t i = 0; !m.broken && i < m.whole.count && i < TN_EXPLORE_DECISIONS; i++)
            lower(&m, &m.whole.decisions[i]);
        finding->minimised = !m.broken;
        describe_all(&m, finding);
    }
    tn_explore_log_free(&m.log);
    free(m.whole.decisions);
    return !m.broken;
}
