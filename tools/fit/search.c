// SPDX-License-Identifier: Apache-2.0
// The search of `tarn fit`: one device of the recording and one kind of pool at a time. Each search
// runs in a process of its own, which writes its need to shared memory, and sends its progress
// through a pipe. trials.h chooses the sizes. One thread in each process.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/fit/fit.h"
#include "tools/fit/trials.h"
#include "tools/progress.h"
#include "tools/replay/recorded.h"

// ---- one search

bool tn_fitting_try(const struct tn_fitting_options *options, const struct tn_trace *trace,
                    const struct tn_trace_device *part, enum tn_target_kind kind, uint64_t limit,
                    tarn_device *device, struct tn_replay *replay) {
    const struct tn_replay_options own = {.device = options->device,
                                          .kind = kind,
                                          .rule_name = options->rule_name,
                                          .settings = options->settings,
                                          .scale = 1,
                                          .repeat = 1,
                                          .limit = {.bytes = limit},
                                          .ignore_streams = options->ignore_streams,
                                          .memory_only = true};
    memset(replay, 0, sizeof *replay);
    replay->path = options->path;
    replay->device = options->device;
    replay->kind = kind;
    replay->options = &own;
    replay->trace = trace;
    tn_replay_run_device(replay, part, device);
    replay->options = NULL;
    return replay->failure.exit_code == TN_EXIT_OK;
}

static void keep_refusal(struct tn_fitting_need *need, const struct tn_failure *failure) {
    need->refused = true;
    need->event = failure->event;
    need->where = failure->where;
    need->asked = failure->asked;
    (void)snprintf(need->cause, sizeof need->cause, "%s",
                   failure->report.cause_name != NULL ? failure->report.cause_name : "");
    (void)snprintf(need->text, sizeof need->text, "%.*s", (int)sizeof need->text - 1,
                   failure->message);
}

enum {
    STEPS = 1000,     // of the progress for each search
    TRIES_MIN = 30,   // replays of a search, unless the user says otherwise: so many,
    TRIES_MAX = 400,  // and up to so many,
    EVENTS = 2000000, // as long as they have no more events than this
    RESERVE = 4,      // replays that are to come at least
};

struct search {
    const struct tn_fitting *fit;
    const struct tn_trace_device *part;
    tarn_device *device;
    struct tn_replay *replay;
    struct tn_fitting_need *need;
    struct tn_fitting_trials trials;
    int out;
    uint64_t tries;    // replays at most, as far as borders do not need more
    uint64_t expected; // replays, about
    unsigned to_come;  // steps of the progress
};

static void send_steps(struct search *search, unsigned steps) {
    if (write(search->out, &steps, sizeof steps) == (ssize_t)sizeof steps) search->to_come -= steps;
}

// Records why the need is not known. Returns false.
static bool fail_search(struct search *search, enum tn_exit exit_code, const char *text) {
    search->need->known = false;
    search->need->exit_code = exit_code;
    (void)snprintf(search->need->text, sizeof search->need->text, "%.*s",
                   (int)sizeof search->need->text - 1, text);
    return false;
}

// Returns false if the replay failed by something else than its limit.
static bool replay_size(struct search *search, uint64_t size) {
    const struct tn_failure *failure = &search->replay->failure;
    (void)tn_fitting_try(search->fit->options, search->fit->trace, search->part,
                         search->trials.kind, size, search->device, search->replay);
    uint64_t done = ++search->need->replays, expected = search->expected;
    uint64_t left = expected > done + RESERVE ? expected - done : RESERVE;
    send_steps(search, search->to_come / (unsigned)left); // the part of this one, about
    if (failure->exit_code == TN_EXIT_OK || (failure->exit_code == TN_EXIT_NO_FIT && size > 0))
        return true;
    return fail_search(search, failure->exit_code, failure->message);
}

static bool try_size(struct search *search, uint64_t size) {
    if (!replay_size(search, size)) return false;
    return tn_fitting_trials_add(&search->trials, search->replay, size) ||
           fail_search(search, TN_EXIT_NO_MEMORY, "out of memory for the search");
}

// Tries the unlimited peak, which usually completes, and larger sizes until one does. A pool that
// moves memory has no size from which on it surely does what it does without a limit. A fixed one
// does so where the hole at its end is larger than all before it.
static bool try_top(struct search *search, uint64_t peak) {
    enum tn_target_kind kind = search->trials.kind;
    uint64_t granule = search->fit->granule, high = tn_fitting_round_up(peak, granule);
    bool is_certain = kind < TN_TARGET_BALANCED;
    if (kind == TN_TARGET_FIXED)
        high = tn_fitting_round_up(2 * high + high / 16, granule);
    else if (!is_certain)
        high = 2 * high;
    if (!try_size(search, tn_fitting_round_up(peak, granule)) || !try_size(search, high))
        return false;
    while (search->replay->failure.exit_code != TN_EXIT_OK) {
        high = tn_fitting_round_up(high + high / 64 + granule, granule);
        if (!try_size(search, high)) return false;
    }
    bool moved = kind == TN_TARGET_TIME && search->replay->totals.work.moved_bytes > 0;
    search->trials.top = search->need->tried_to = high;
    search->need->certain = is_certain && !moved ? high : 0;
    return true;
}

// Sizes of the table of cards are tried themselves, as far as they are not known.
static bool try_cards(struct search *search, uint64_t low) {
    struct tn_card cards[TN_CARDS + 1];
    size_t count = tn_fitting_choose_cards(search->fit->options, cards);
    cards[count++] = search->fit->recorded;
    for (size_t i = 0; i < count; i++) {
        uint64_t size = tn_card_usable(&cards[i], search->fit->options->context);
        size = size / search->fit->granule * search->fit->granule;
        bool known = search->need->certain != 0 && size >= search->need->certain;
        if (size > low && !known && !try_size(search, size)) return false;
    }
    return true;
}

// No size below the bytes that the blocks occupy can suffice.
static bool search_sizes(struct search *search) {
    uint64_t granule = search->fit->granule, next;
    uint64_t peak = search->replay->totals.peak_reserved_bytes;
    uint64_t low = tn_fitting_round_up(search->replay->totals.peak_used_bytes, granule);
    low = low > granule ? low - granule : 0;
    if (peak == 0) { // nothing is allocated
        search->need->known = true;
        search->need->certain = granule;
        return true;
    }
    if (!tn_fitting_trials_exclude(&search->trials, low))
        return fail_search(search, TN_EXIT_NO_MEMORY, "out of memory for the search");
    if (!try_top(search, peak) || !try_cards(search, low)) return false;
    while ((next = tn_fitting_trials_next(&search->trials,
                                          search->need->replays < search->tries)) != 0)
        if (!try_size(search, next)) return false;
    tn_fitting_trials_sum(&search->trials, search->need);
    // The failure with one granule less.
    next = search->need->bytes - granule;
    if (next > 0 && !replay_size(search, next)) return false;
    if (next > 0 && search->replay->failure.exit_code != TN_EXIT_OK)
        keep_refusal(search->need, &search->replay->failure);
    return true;
}

// Makes the plan that all replays follow.
static tarn_status plan_search(struct tn_fitting_options *options, const struct tn_trace *trace,
                               const struct tn_trace_device *part, struct tn_recorded_plan *plan) {
    const struct tn_recorded_want want = {.rule = options->settings.rule,
                                          .scale = 1,
                                          .ignore_streams = options->ignore_streams ||
                                                            trace->format == TN_TRACE_TEXT};
    tarn_status status = tn_recorded_plan_make(trace, part, &want, plan);
    options->settings.plan = plan->handle;
    return status;
}

static bool search_need(const struct tn_fitting *whole, size_t index, int out) {
    struct tn_fitting_options options = *whole->options;
    struct tn_fitting own = *whole, *fit = &own;
    struct tn_recorded_plan plan = {.handle = NULL};
    own.options = &options;
    const struct tn_trace_device *part = &fit->trace->devices[index / TN_TARGET_KINDS];
    const uint64_t events = part->event_count + part->starting_count + 1;
    uint64_t tries = EVENTS / events < TRIES_MIN   ? TRIES_MIN
                     : EVENTS / events > TRIES_MAX ? TRIES_MAX
                                                   : EVENTS / events;
    if (fit->options->tries != 0) tries = fit->options->tries;
    struct search search = {
        .fit = fit,
        .part = part,
        .replay = (struct tn_replay *)malloc(sizeof *search.replay),
        .need = &fit->needs[index],
        .trials = {.kind = (enum tn_target_kind)(index % TN_TARGET_KINDS), .granule = fit->granule},
        .out = out,
        .tries = tries,
        .to_come = STEPS};
    // Direct allocations and segments need few.
    search.expected = search.trials.kind == TN_TARGET_DIRECT     ? 4
                      : search.trials.kind == TN_TARGET_SEGMENTS ? 12
                                                                 : search.tries;
    tarn_status status = tarn_device_open(options.device, &search.device);
    if (status == TARN_OK && search.trials.kind == TN_TARGET_PLANNED)
        status = plan_search(&options, fit->trace, part, &plan);
    bool done = false;
    if (search.replay == NULL)
        (void)fail_search(&search, TN_EXIT_NO_MEMORY, "out of memory for the replay");
    else if (status != TARN_OK)
        (void)fail_search(&search, tn_exit_of(status, TN_EXIT_FAILED), tn_text_of(status));
    else
        done = replay_size(&search, 0) && search_sizes(&search);
    (void)tarn_device_close(search.device);
    tn_fitting_trials_release(&search.trials);
    free(search.replay);
    tarn_plan_destroy(plan.handle);
    send_steps(&search, search.to_come);
    return done;
}

// ---- several searches

// Waits until a search has ended, and shows the progress meanwhile.
static void await_search(int in) {
    enum { PAUSE_MS = 20 };
    struct pollfd pipe = {.fd = in, .events = POLLIN};
    unsigned steps;
    pid_t child;
    do {
        child = waitpid(-1, NULL, WNOHANG); // before its messages, which are then in the pipe
        while (poll(&pipe, 1, child == 0 ? PAUSE_MS : 0) > 0 &&
               read(in, &steps, sizeof steps) == (ssize_t)sizeof steps) {
            tn_progress_step(steps);
            if (child == 0) break;
        }
        tn_progress_step(0); // shows the bar when it is due
    } while (child == 0 || (child < 0 && errno == EINTR));
}

static bool is_wanted(const struct tn_fitting *fit, size_t index) {
    return tn_fitting_wants(fit->options, (enum tn_target_kind)(index % TN_TARGET_KINDS));
}

// A search that could not be finished, and did not find that the device is too small, is a failure.
static enum tn_exit judge_searches(const struct tn_fitting *fit, size_t count) {
    enum tn_exit exit_code = TN_EXIT_OK;
    for (size_t i = 0; i < count; i++) {
        const struct tn_fitting_need *need = &fit->needs[i];
        if (!is_wanted(fit, i) || need->known || need->exit_code == TN_EXIT_NO_FIT) continue;
        exit_code =
            tn_exit_with(need->exit_code, "%s: %s",
                         tn_target_name((enum tn_target_kind)(i % TN_TARGET_KINDS)), need->text);
    }
    return exit_code;
}

enum tn_exit tn_fitting_search(struct tn_fitting *fit) {
    size_t count = tn_trace_accelerators(fit->trace) * TN_TARGET_KINDS;
    unsigned running = 0;
    int ends[2];
    enum tn_exit exit_code = TN_EXIT_OK;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tn_exit_with(TN_EXIT_FAILED, "pipe: %s", strerror(errno));
    (void)fflush(stdout);
    size_t searches = 0;
    for (size_t i = 0; i < count; i++) searches += is_wanted(fit, i);
    tn_progress_phase("searching", 1, STEPS * searches);
    for (size_t i = 0; i < count && exit_code == TN_EXIT_OK; i++) {
        fit->needs[i].exit_code = TN_EXIT_FAILED;
        (void)snprintf(fit->needs[i].text, sizeof fit->needs[i].text, "the search was ended");
        if (!is_wanted(fit, i)) continue;
        if (running == fit->options->jobs) {
            await_search(ends[0]);
            running--;
        }
        pid_t child = fork();
        if (child == 0) _exit(search_need(fit, i, ends[1]) ? 0 : 1);
        if (child > 0)
            running++;
        else
            exit_code = tn_exit_with(TN_EXIT_FAILED, "fork: %s", strerror(errno));
    }
    for (; running > 0; running--) await_search(ends[0]);
    tn_progress_hide();
    (void)close(ends[0]);
    (void)close(ends[1]);
    return exit_code != TN_EXIT_OK ? exit_code : judge_searches(fit, count);
}
