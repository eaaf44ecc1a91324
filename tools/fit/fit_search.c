// SPDX-License-Identifier: Apache-2.0
// The search of `tarn fit`: bisection of the limit, one device of the recording and one kind of
// pool at a time. Each search runs in a process of its own, which sends its result through a pipe.
// One thread in each process.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/fit/fit.h"
#include "tools/progress.h"

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

static uint64_t round_up(uint64_t bytes, uint64_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

// What a search sends after each replay, and at its end with the need; shorter than what a pipe takes at
// once.
struct message {
    size_t index; // of the need
    unsigned steps;
    bool ended;
    struct tn_fitting_need need;
};

enum { STEPS = 1000, FIRST_TRIES = 20 }; // of the progress for each search; replays, about

struct search {
    const struct tn_fitting *fit;
    const struct tn_trace_device *part;
    enum tn_target_kind kind;
    tarn_device *device;
    struct tn_replay *replay;
    struct tn_fitting_need *need;
    struct message *message; // that contains `need`
    int out;
    unsigned tries;   // replays that are still to come, about
    unsigned to_come; // steps of the progress
};

static bool send_message(struct search *search, unsigned steps) {
    search->message->steps = steps;
    search->to_come -= steps;
    return write(search->out, search->message, sizeof *search->message) ==
           (ssize_t)sizeof *search->message;
}

static bool try_limit(struct search *search, uint64_t limit) {
    bool fits = tn_fitting_try(search->fit->options, search->fit->trace, search->part, search->kind,
                               limit, search->device, search->replay);
    if (!fits)
        keep_refusal(search->need, &search->replay->failure);
    (void)send_message(search, search->to_come / search->tries);
    search->tries -= search->tries > 1;
    return fits;
}

// The pool fits where it was not limited. Less may suffice, down to what its blocks occupy. A pool
// at its limit decides differently, so the least limit that completes is above one that does not,
// but one further below might complete again: the search finds one such boundary.
static void bisect(struct search *search) {
    uint64_t granule = search->fit->granule;
    uint64_t high = round_up(search->replay->totals.peak_reserved_bytes, granule);
    uint64_t low = round_up(search->replay->totals.peak_used_bytes, granule);
    low = low > granule ? low - granule : 0; // never completes
    search->tries = 3;
    for (uint64_t rest = (high - low) / granule; rest > 0; rest /= 2)
        search->tries++;
    while (!try_limit(search, high)) {
        if (search->replay->failure.exit_code != TN_EXIT_NO_FIT)
            return;
        low = high;
        high = round_up(high + high / 64 + granule, granule);
    }
    while (high - low > granule) {
        uint64_t middle = low + (high - low) / 2 / granule * granule;
        if (try_limit(search, middle))
            high = middle;
        else if (search->replay->failure.exit_code != TN_EXIT_NO_FIT)
            return;
        else
            low = middle;
    }
    search->need->bytes = high;
    search->need->known = true;
    // The last failure may have been at another limit.
    search->need->refused = false;
    if (low > 0)
        (void)try_limit(search, low);
}

static bool search_need(const struct tn_fitting *fit, struct message *message, int out) {
    struct search search = {.fit = fit,
                            .part = &fit->trace->devices[message->index / TN_TARGET_KINDS],
                            .kind = (enum tn_target_kind)(message->index % TN_TARGET_KINDS),
                            .replay = (struct tn_replay *)malloc(sizeof *search.replay),
                            .need = &message->need,
                            .message = message,
                            .out = out,
                            .tries = FIRST_TRIES,
                            .to_come = STEPS};
    if (search.replay == NULL ||
        tarn_device_open(fit->options->device, &search.device) != TARN_OK) {
        (void)snprintf(search.need->text, sizeof search.need->text, "the device cannot be opened");
    } else if (try_limit(&search, 0)) {
        bisect(&search);
    }
    (void)tarn_device_close(search.device);
    free(search.replay);
    message->ended = true;
    return send_message(&search, search.to_come);
}

// ---- several searches

static bool start_search(const struct tn_fitting *fit, size_t index, int out) {
    pid_t child = fork();
    if (child == 0) {
        struct message message = {.index = index};
        _exit(search_need(fit, &message, out) ? 0 : 1);
    }
    return child > 0;
}

// Waits until a search has ended, and takes the messages meanwhile. A search that ended without its last
// message leaves its need unknown.
static void await_search(struct tn_fitting *fit, int in) {
    enum { PAUSE_MS = 20 };
    struct pollfd pipe = {.fd = in, .events = POLLIN};
    struct message message;
    pid_t child;
    do {
        child = waitpid(-1, NULL, WNOHANG); // before its messages, which are then in the pipe
        while (poll(&pipe, 1, child == 0 ? PAUSE_MS : 0) > 0 &&
               read(in, &message, sizeof message) == (ssize_t)sizeof message) {
            if (message.ended)
                fit->needs[message.index] = message.need;
            tn_progress_step(message.steps);
            if (child == 0)
                break;
        }
        tn_progress_step(0); // shows the bar when it is due
    } while (child == 0);
}

static bool is_wanted(const struct tn_fitting *fit, size_t index) {
    return !fit->options->one_kind || index % TN_TARGET_KINDS == (size_t)fit->options->kind;
}

enum tn_exit tn_fitting_search(struct tn_fitting *fit) {
    size_t count = tn_trace_accelerators(fit->trace) * TN_TARGET_KINDS;
    unsigned running = 0;
    int ends[2];
    enum tn_exit exit_code = TN_EXIT_OK;
    if (pipe(ends) != 0) {
        fprintf(stderr, "tarn fit: pipe: %s\n", strerror(errno));
        return TN_EXIT_FAILED;
    }
    (void)fflush(stdout);
    tn_progress_phase("searching", 1,
                      STEPS * count / (fit->options->one_kind ? TN_TARGET_KINDS : 1));
    for (size_t i = 0; i < count && exit_code == TN_EXIT_OK; i++) {
        (void)snprintf(fit->needs[i].text, sizeof fit->needs[i].text, "the search was ended");
        if (!is_wanted(fit, i))
            continue;
        if (running == fit->options->jobs) {
            await_search(fit, ends[0]);
            running--;
        }
        if (start_search(fit, i, ends[1])) {
            running++;
        } else {
            fprintf(stderr, "tarn fit: fork: %s\n", strerror(errno));
            exit_code = TN_EXIT_FAILED;
        }
    }
    for (; running > 0; running--)
        await_search(fit, ends[0]);
    tn_progress_hide();
    (void)close(ends[0]);
    (void)close(ends[1]);
    return exit_code;
}
