// SPDX-License-Identifier: Apache-2.0
// `tarn view`: reads a recording, replays it under each pool and writes a page that shows both. One
// thread.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/replay/card.h"
#include "tools/replay/replay.h"
#include "tools/result.h"
#include "tools/view/view.h"
#include "trace/write/output.h"

enum view_kind { VIEW_BY_NAME, VIEW_PAGE, VIEW_SVG, VIEW_PNG };

struct view_options {
    const char *trace;
    const char *output;
    const char *device;
    struct tn_trace_limits limits;
    enum view_kind kind;
    bool skips_replay;
    bool all_frames;
};

static const char doc[] =
    "Writes a page that shows a recording: live memory over time by the code that allocated it, "
    "the allocator's segments, a flame graph of the peak, the largest holders, and the result of a "
    "replay under each pool. The page is one file that needs no network. RECORDING is any that "
    "`tarn replay` reads.\v" TN_EXIT_HELP;

static const struct tn_arg_option rows[] = {
    {"output", 'o', "FILE",
     "Write to FILE; \"-\" is standard output. A name that ends with .svg or .png selects that "
     "format",
     TN_STRING(struct view_options, output)},
    {"device", 'd', "URI",
     "Replay on this device. The default is a device of addresses without bytes that has the "
     "memory of the recorded card, or no limit if the recording does not tell it",
     TN_STRING(struct view_options, device)},
    {"svg", 0, NULL, "Write a picture of the device with the highest peak as SVG",
     TN_IS(struct view_options, kind, VIEW_SVG)},
    {"png", 0, NULL, "Write that picture as PNG, by the library Cairo",
     TN_IS(struct view_options, kind, VIEW_PNG)},
    TN_ALL_FRAMES_OPTION(struct view_options),
    {"no-replay", 0, NULL, "Do not replay the recording",
     TN_FLAG(struct view_options, skips_replay)},
    {0},
};

// Returns the kind that the end of the name promises, or VIEW_BY_NAME.
static enum view_kind kind_of_name(const char *name) {
    static const struct {
        const char *suffix;
        enum view_kind kind;
    } known[] = {{".svg", VIEW_SVG}, {".png", VIEW_PNG}, {".html", VIEW_PAGE}, {".htm", VIEW_PAGE}};
    const char *point = strrchr(name, '.');
    for (size_t i = 0; point != NULL && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(point, known[i].suffix) == 0) return known[i].kind;
    return VIEW_BY_NAME;
}

static error_t parse_view(int key, char *text, struct argp_state *state, void *input) {
    struct view_options *view = (struct view_options *)input;
    (void)text;
    if (key != ARGP_KEY_END) return ARGP_ERR_UNKNOWN;
    if (view->output == NULL) argp_error(state, "expected --output FILE");
    enum view_kind kind = kind_of_name(view->output);
    if (view->kind != VIEW_BY_NAME && kind != VIEW_BY_NAME && kind != view->kind)
        argp_error(state, "--%s: the name \"%s\" ends as that of another format",
                   view->kind == VIEW_SVG ? "svg" : "png", view->output);
    if (view->kind == VIEW_BY_NAME) view->kind = kind == VIEW_BY_NAME ? VIEW_PAGE : kind;
    return ARGP_ERR_UNKNOWN;
}

// ---- the replays

// Takes the results that the page shows, without those that differ from run to run. Releases `all`.
static json_t *select_results(json_t *all) {
    static const char *const names[] = {
        "pool",      "peak_live_bytes", "peak_reserved_bytes",          "utilisation",
        "device_ns", "moved_bytes",     "recorded_peak_reserved_bytes", "recorded_virtual_ns",
        "error"};
    json_t *selected = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_object_get(all, names[i]) != NULL)
            (void)json_object_set(selected, names[i], json_object_get(all, names[i]));
    json_decref(all);
    return selected;
}

static void add_curves(struct tn_view_data *data, const struct tn_replay *replay) {
    char name[64];
    for (size_t i = 0; replay->curves != NULL && i < tn_trace_accelerators(replay->trace); i++) {
        (void)snprintf(name, sizeof name, "replays[%d].held[%zu]", (int)replay->kind, i);
        tn_view_data_numbers(data, name, replay->curves[i].held, replay->curves[i].count);
    }
}

static enum tn_exit replay_kind(struct tn_view_data *data, json_t *replays,
                                const struct tn_replay_options *options,
                                const struct tn_trace *trace, enum tn_target_kind kind,
                                tarn_device *device) {
    struct tn_replay *replay = tn_replay_create(options->traces[0], options->device, kind, options);
    replay->trace = trace;
    tn_replay_run(replay, device, 0.4 + 0.3 * (kind + 1) / TN_TARGET_KINDS);
    add_curves(data, replay);
    tn_list_add(replays, select_results(tn_json_replay(replay)));
    // A pool may lack memory, or devices. Another failure fails the page.
    enum tn_exit exit_code = replay->failure.exit_code;
    if (exit_code == TN_EXIT_NO_FIT || exit_code == TN_EXIT_BAD_INPUT) exit_code = TN_EXIT_OK;
    if (exit_code != TN_EXIT_OK)
        (void)tn_complain("%s: %s", tn_target_name(replay->kind), replay->failure.message);
    tn_replay_free(replay);
    return exit_code;
}

// A recording without blocks has nothing to replay.
static enum tn_exit add_replays(struct tn_view_data *data, json_t *head,
                                const struct view_options *view, struct tn_trace *trace) {
    struct tn_replay_options options;
    char *path = (char *)view->trace;
    tarn_device *device = NULL;
    json_t *replays = tn_member_list(head, "replays");
    if (view->skips_replay || (trace->lacks & TN_TRACE_NO_BLOCKS) != 0) return TN_EXIT_OK;
    struct tn_replay_card card;
    tn_replay_card(trace, NULL, &card);
    if (view->device == NULL) tn_member_set(head, "replayed", json_string(card.text));
    tn_replay_defaults(&options);
    options.device = view->device != NULL ? view->device : card.device;
    options.traces = &path;
    options.trace_count = 1;
    options.memory_only = true;
    options.curves = true;
    options.plan_steps = TN_REPLAY_PLAN_STEPS;
    tarn_status status = tarn_device_open(options.device, &device);
    if (status != TARN_OK)
        return tn_exit_with(tn_exit_of(status, TN_EXIT_BAD_INPUT), "%s", tn_text_of(status));
    enum tn_exit exit_code = TN_EXIT_OK;
    int kinds = trace->event_count > TN_REPLAY_PLAN_EVENTS ? TN_TARGET_PLANNED : TN_TARGET_KINDS;
    for (int kind = 0; kind < kinds && exit_code == TN_EXIT_OK; kind++)
        exit_code = replay_kind(data, replays, &options, trace, (enum tn_target_kind)kind, device);
    (void)tarn_device_close(device);
    return exit_code;
}

// ---- the page

static enum tn_exit add_head(struct tn_view_data *data, const struct view_options *options,
                             struct tn_trace *trace) {
    json_t *head = json_pack("{ss si so}", "format", tn_trace_format_text(trace->format), "lacks",
                             (int)trace->lacks, "notes", tn_json_notes(trace));
    enum tn_exit exit_code = add_replays(data, head, options, trace);
    char *text = json_dumps(head, JSON_COMPACT);
    data->failed |= text == NULL;
    if (text != NULL) tn_view_data_bytes(data, "head", text, strlen(text));
    tn_view_data_bytes(data, "path", options->trace, strlen(options->trace));
    free(text);
    json_decref(head);
    return exit_code;
}

static enum tn_exit write_page(const struct view_options *options, struct tn_trace *trace,
                               struct tn_view_data *out) {
    struct tn_view_data data = {.count = 0};
    enum tn_exit exit_code = TN_EXIT_OK;
    tn_progress_phase("collecting", 0.4, tn_view_data_steps(trace));
    tarn_status status = tn_view_data_trace(&data, trace, options->all_frames);
    if (status != TARN_OK) {
        exit_code = tn_exit_with(tn_exit_of(status, TN_EXIT_FAILED), "%s", tn_text_of(status));
    } else if ((exit_code = add_head(&data, options, trace)) == TN_EXIT_OK) {
        tn_progress_phase("packing", 1, data.count);
        tn_view_page_write(&data, out);
    }
    free(data.bytes);
    return exit_code;
}

// ---- the output

static enum tn_exit write_output(const char *path, const struct tn_view_data *content) {
    struct tn_output *output = NULL;
    tn_progress_hide();
    tarn_status status = tn_output_open(path, TN_OUTPUT_PLAIN, &output);
    if (status == TARN_OK) {
        tn_output_put(output, content->bytes, content->count);
        status = tn_output_close(output, TARN_OK);
    }
    return status == TARN_OK
               ? TN_EXIT_OK
               : tn_exit_with(tn_exit_of(status, TN_EXIT_FAILED), "%s", tn_text_of(status));
}

static enum tn_exit view_trace(const struct view_options *options, struct tn_trace *trace) {
    struct tn_view_data out = {.count = 0};
    enum tn_exit exit_code =
        options->kind == VIEW_PAGE
            ? write_page(options, trace, &out)
            : tn_view_picture_write(trace, options->trace, options->kind == VIEW_PNG,
                                    options->all_frames, &out);
    if (exit_code == TN_EXIT_OK)
        exit_code = out.failed ? tn_exit_with(TN_EXIT_NO_MEMORY, "out of memory")
                               : write_output(options->output, &out);
    free(out.bytes);
    return exit_code;
}

int tn_command_view(int argc, char **argv) {
    static const struct tn_command_line line = {
        {rows, parse_view},
        "RECORDING",
        doc,
        TN_READS(struct view_options, limits),
        TN_WORDS(struct view_options, trace, "a recording")};
    struct view_options options = {.trace = NULL};
    struct tn_trace trace = {.note_count = 0};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    enum tn_exit exit_code = tn_reading_open(options.trace, 0.25, &options.limits, &trace);
    if (exit_code == TN_EXIT_OK) exit_code = view_trace(&options, &trace);
    tn_trace_release(&trace);
    return (int)exit_code;
}
