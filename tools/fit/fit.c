// SPDX-License-Identifier: Apache-2.0
// `tarn fit`: finds the least memory in which a recording completes, for each kind of pool, and the
// cards that have it. One thread.
#include "tools/fit/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/arguments.h"
#include "tools/cards.h"
#include "tools/reading.h"
#include "tools/result.h"
#include "tools/terminal.h"
#include "trace/study/card.h"

static const char doc[] =
    "Finds the least memory in which a recording completes, for each kind of pool, the larger "
    "sizes that fail, and which cards have enough.\n"
    "\n"
    "The search repeats the recording with one limit after another, down to the granularity of the "
    "device, so the figures are those of `tarn replay --limit`. A pool at its limit decides "
    "differently, so it may fail in more memory than it completes in: the command prints from "
    "where on every size completes, and how close the sizes are that it tried. The recorded "
    "allocator's own peak stands beside them. A device of the recording is searched on its own.\v"
    "With --minimise the command takes blocks out of the recording as long as the rest still fails "
    "in --limit, and writes what is left as a text trace: a small case to look at and to report. "
    "Streams do not count there.\n"
    "\n" TN_EXIT_HELP;

#define OPTIONS struct tn_fitting_options

static const struct tn_arg_option rows[] = {
    {"device", 'd', "URI",
     "Device to search on; the default sim:0,memory=16T has room for everything",
     TN_STRING(OPTIONS, device)},
    {"pool", 'p', "POOL", "Only this kind of pool, as in `tarn replay`",
     TN_PARSED(OPTIONS, kind, tn_replay_parse_pool)},
    {"rule", 'r', "RULE", "Placement rule, as in `tarn replay` (default: gpu)",
     TN_NAME(OPTIONS, rule_name)},
    {"streams", 0, TN_REPLAY_STREAMS, "Honour (the default) or ignore recorded streams",
     TN_CHOICE(OPTIONS, ignore_streams)},
    {"as-recorded", 0, NULL,
     "Leave out the requests that were refused while the recording was made. Otherwise the memory "
     "must suffice for each of them too",
     TN_FLAG(OPTIONS, as_recorded)},
    {"context", 0, "SIZE",
     "Memory of a card that the pool does not get: the context of the program, libraries, other "
     "programs (default: 512M)",
     TN_SIZE(OPTIONS, context, 0)},
    {"card", 0, "NAME",
     "Only cards whose name contains NAME, or one card with the given memory, such as 24G; none: "
     "only the recorded card",
     TN_STRING(OPTIONS, card)},
    {"jobs", 'j', "N", "Search N pools at a time (default: the number of CPUs)",
     TN_NUMBER(OPTIONS, jobs, 1, UINT32_MAX)},
    {"minimise", 0, "FILE",
     "Write the smallest recording found that still fails in --limit, for --pool (default: "
     "expandable:balanced)",
     TN_STRING(OPTIONS, minimise)},
    {"limit", 0, "SIZE", "For --minimise: 20G, 1.02x or +48M, as in `tarn replay`",
     TN_PARSED(OPTIONS, limit, tn_replay_parse_limit)},
    {"tries", 0, "N",
     "About N replays for each pool (default: 30 to 400, fewer for more events), and more where a "
     "border needs them; with --minimise at most N (default: 5000)",
     TN_NUMBER(OPTIONS, tries, 1, UINT32_MAX)},
    TN_JSON_OPTION(OPTIONS, "Print one JSON object, to FILE if it is given"),
    {0},
};

static error_t parse_fit(int key, char *text, struct argp_state *state, void *input) {
    const struct tn_fitting_options *options = (const struct tn_fitting_options *)input;
    struct tn_card chosen[TN_CARDS];
    (void)text;
    if (key == ARGP_KEY_END && tn_fitting_choose_cards(options, chosen) == 0 &&
        strcmp(options->card, "none") != 0)
        argp_error(state, "--card: no card in the table is called \"%s\"", tn_shown(options->card));
    if (key == ARGP_KEY_END && (options->minimise != NULL) != (options->limit.text != NULL))
        argp_error(state, "--minimise and --limit go together");
    return ARGP_ERR_UNKNOWN;
}

static enum tn_exit fail_fit(const struct tn_fitting_options *options, enum tn_exit exit_code,
                             const char *text) {
    return tn_exit_with(exit_code, "%s: %s", tn_shown(options->path), text);
}

static void find_refusal(const struct tn_trace *trace, const struct tn_trace_device *part,
                         struct tn_fitting_refusal *refused) {
    uint64_t live = tn_trace_live_at_start(trace, part);
    for (size_t i = 0; i < part->event_count; i++) {
        const struct tn_event *event = &trace->events[part->first_event + i];
        live = tn_trace_live_after(trace, event, live);
        if (event->kind == TN_EVENT_FAILURE &&
            trace->failures[event->item].size + live > refused->size + refused->live)
            *refused = (struct tn_fitting_refusal){trace->failures[event->item].size, live};
    }
}

// Puts an allocation that is freed at once before each refused request: a card is large enough if
// it has that memory too.
static bool demand_refused(struct tn_trace *trace) {
    if (trace->failure_count == 0) return true;
    struct tn_block *blocks = (struct tn_block *)realloc(
        trace->blocks, (trace->block_count + trace->failure_count) * sizeof *blocks);
    if (blocks != NULL) trace->blocks = blocks;
    struct tn_event *events = (struct tn_event *)realloc(
        trace->events, (trace->event_count + 2 * trace->failure_count) * sizeof *events);
    if (events != NULL) trace->events = events;
    if (blocks == NULL || events == NULL) return false;
    size_t to = trace->event_count + 2 * trace->failure_count, last = to;
    for (size_t d = trace->device_count; d-- > 0;) {
        struct tn_trace_device *part = &trace->devices[d];
        size_t end = to;
        for (size_t i = part->first_event + part->event_count; i-- > part->first_event;) {
            struct tn_event event = trace->events[i];
            trace->events[--to] = event;
            if (event.kind != TN_EVENT_FAILURE || trace->failures[event.item].size == 0) continue;
            const struct tn_trace_failure *failure = &trace->failures[event.item];
            trace->blocks[trace->block_count] =
                (struct tn_block){.size = failure->size, .stream = failure->stream};
            event.item = (uint32_t)trace->block_count++;
            trace->made_count++;
            event.kind = TN_EVENT_FREE;
            trace->events[--to] = event;
            event.kind = TN_EVENT_ALLOC;
            trace->events[--to] = event;
        }
        part->first_event = to;
        part->event_count = end - to;
    }
    trace->event_count = last - to;
    memmove(trace->events, trace->events + to, trace->event_count * sizeof *trace->events);
    for (size_t d = 0; d < trace->device_count; d++) trace->devices[d].first_event -= to;
    return true;
}

// Measures the granularity, the peak of the live bytes of each device, and the largest card of the
// recording. Where the recording has only what a program could get, the context is not in that.
static enum tn_exit measure_fit(struct tn_fitting *fit) {
    tarn_device *device = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_status status = tarn_device_open(fit->options->device, &device);
    if (status == TARN_OK) status = tarn_device_query(device, &info);
    (void)tarn_device_close(device);
    if (status != TARN_OK)
        return fail_fit(fit->options, tn_exit_of(status, TN_EXIT_BAD_INPUT), tn_text_of(status));
    fit->granule = info.granularity_minimum;
    fit->recorded.name = "the recording's card";
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++) {
        const struct tn_trace_device *part = &fit->trace->devices[i];
        struct tn_recorded_card card = tn_recorded_card(fit->trace, part);
        if (card.bytes != 0 && !card.is_whole) card.bytes += fit->options->context;
        if (card.bytes > fit->recorded.bytes) fit->recorded.bytes = card.bytes;
        fit->peak_live[i] = tn_trace_peak(fit->trace, part).live;
        find_refusal(fit->trace, part, &fit->refused[i]);
    }
    return TN_EXIT_OK;
}

static enum tn_exit run_fit(struct tn_fitting *fit) {
    enum tn_exit exit_code = measure_fit(fit);
    if (exit_code != TN_EXIT_OK) return exit_code;
    if (fit->options->minimise != NULL) return tn_fitting_minimise(fit);
    exit_code = tn_fitting_search(fit);
    if (exit_code != TN_EXIT_OK) return exit_code;
    if (fit->options->json) tn_fitting_print_json(fit);
    if (tn_result_shows_text()) tn_fitting_print(fit);
    return TN_EXIT_OK;
}

static enum tn_exit fit_trace(const struct tn_fitting_options *options,
                              const struct tn_trace *trace) {
    size_t devices = tn_trace_accelerators(trace);
    struct tn_fitting fit = {.options = options, .trace = trace};
    size_t bytes = (devices * TN_TARGET_KINDS + 1) * sizeof *fit.needs;
    if ((trace->lacks & TN_TRACE_NO_BLOCKS) != 0)
        return fail_fit(options, TN_EXIT_BAD_INPUT,
                        "the recording has sums and no blocks, so nothing can be repeated");
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fit.needs = shared != MAP_FAILED ? (struct tn_fitting_need *)shared : NULL;
    fit.peak_live = (uint64_t *)calloc(devices, sizeof *fit.peak_live);
    fit.refused = (struct tn_fitting_refusal *)calloc(devices, sizeof *fit.refused);
    enum tn_exit exit_code = fit.needs != NULL && fit.peak_live != NULL && fit.refused != NULL
                                 ? run_fit(&fit)
                                 : fail_fit(options, TN_EXIT_NO_MEMORY, "out of memory");
    if (fit.needs != NULL) (void)munmap(shared, bytes);
    free(fit.peak_live);
    free(fit.refused);
    return exit_code;
}

int tn_command_fit(int argc, char **argv) {
    static const struct tn_command_line line = {
        {rows, parse_fit},
        "RECORDING",
        doc,
        TN_READS(struct tn_fitting_options, limits),
        TN_WORDS(struct tn_fitting_options, path, "a recording")};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct tn_fitting_options options = {.device = "sim:0,memory=16T",
                                         .rule_name = "gpu",
                                         .kind = TN_TARGET_KINDS,
                                         .context = TN_CARD_CONTEXT,
                                         .jobs = cpus > 0 ? (unsigned)cpus : 1};
    struct tn_trace trace = {.note_count = 0};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    if (options.minimise != NULL && options.kind == TN_TARGET_KINDS)
        options.kind = TN_TARGET_BALANCED;
    if (options.minimise != NULL && options.tries == 0) options.tries = 5000;
    (void)tarn_rule_find(options.rule_name, &options.settings.rule);
    enum tn_exit exit_code = tn_reading_open(options.path, 0.1, &options.limits, &trace);
    if (exit_code != TN_EXIT_OK) return (int)exit_code;
    options.vendor = tn_vendor_find(&trace);
    exit_code = options.as_recorded || demand_refused(&trace)
                    ? fit_trace(&options, &trace)
                    : fail_fit(&options, TN_EXIT_NO_MEMORY, "out of memory");
    tn_trace_release(&trace);
    return (int)exit_code;
}
