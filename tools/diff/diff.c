// SPDX-License-Identifier: Apache-2.0
// `tarn diff`: compares two recordings at the peaks of their live bytes. One thread.
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/replay/peak.h"
#include "tools/result.h"
#include "tools/runs/runs.h"
#include "tools/terminal.h"
#include "tools/value.h"

static const char doc[] =
    "Says what changed between two recordings: the peaks, who holds the memory there, and the "
    "peaks of the phases.\n"
    "\n"
    "Holders and phases are matched by their names. A device of one recording is compared with the "
    "device of the same number in the other.\v" TN_EXIT_HELP
    " 77 with --fail-over or --fail-over-holder: a figure grew by more.";

static void parse_kind(struct argp_state *state, const struct tn_arg_option *option, char *text,
                       void *input) {
    static const enum tn_holder_kind kinds[] = {TN_HOLD_BY_FUNCTION, TN_HOLD_BY_LINE,
                                                TN_HOLD_BY_PHASE, TN_HOLD_BY_TAG, TN_HOLD_BY_SIZE};
    *(enum tn_holder_kind *)tn_arg_field(option, input) =
        kinds[tn_choice_parse(state, "--by", option->arg, text, strlen(text))];
}

static void parse_limit(struct argp_state *state, const struct tn_arg_option *option, char *text,
                        void *input) {
    size_t length = strlen(text);
    double *limit = (double *)tn_arg_field(option, input);
    if (length < 2 || text[length - 1] != '%' || !tn_parse_double(text, length - 1, limit) ||
        !(*limit >= 0 && *limit <= 1e6))
        argp_error(state, "--%s takes a percentage from 0%% to 1000000%%, not \"%s\"", option->name,
                   text);
}

static const struct tn_arg_option rows[] = {
    {"by", 0, "function|line|phase|tag|size",
     "Sum blocks by function (the default), line, phase of birth, tag or size",
     TN_PARSED(struct tn_diff_options, kind, parse_kind)},
    {"top", 0, "N", "Show at most N changes of a kind (default: 10)",
     TN_NUMBER(struct tn_diff_options, top, 0, UINT32_MAX)},
    {"device", 0, "N", "Only this device of the recordings",
     TN_NUMBER(struct tn_diff_options, device, 0, UINT32_MAX)},
    {"pool", 'p', "POOL",
     "Compare the peaks of reserved bytes under this kind of pool, as in `tarn replay`, too",
     TN_PARSED(struct tn_diff_options, pool, tn_replay_parse_pool)},
    {"fail-over", 0, "PERCENT",
     "End with 77 if the peak of live bytes of a device, or that under the pool of --pool, grew by "
     "more, such as 1%",
     TN_PARSED(struct tn_diff_options, limit, parse_limit)},
    {"fail-over-holder", 0, "PERCENT",
     "End with 77 if a holder grew by more of the peak of live bytes before",
     TN_PARSED(struct tn_diff_options, holder_limit, parse_limit)},
    TN_ALL_FRAMES_OPTION(struct tn_diff_options),
    TN_JSON_OPTION(struct tn_diff_options, "Print one JSON object, to FILE if it is given"),
    {0},
};

static enum tn_exit open_side(struct tn_diff *diff, int index) {
    const struct tn_diff_options *options = diff->options;
    struct tn_diff_side *side = &diff->side[index];
    const char *path = side->path = options->path[index];
    enum tn_exit read = tn_reading_open(path, 0.4 * (index + 1), &options->limits, &side->trace);
    if (read != TN_EXIT_OK) return read;
    if (side->trace.block_count == 0)
        return tn_exit_with(TN_EXIT_BAD_INPUT, "%s: the recording has no blocks to compare",
                            tn_shown(path));
    side->lives = tn_lives_make(&side->trace);
    if (side->lives == NULL ||
        tn_owners_make_by(&side->trace, options->all_frames, &side->owners) != TARN_OK)
        return tn_exit_with(TN_EXIT_NO_MEMORY, "%s: out of memory", tn_shown(path));
    return TN_EXIT_OK;
}

static void close_side(struct tn_diff_side *side) {
    tn_owners_release(&side->owners);
    free(side->lives);
    tn_trace_release(&side->trace);
}

// Chooses the device, and computes its peak.
static tarn_status look_at_device(struct tn_diff_side *side, const struct tn_trace_device *device) {
    side->device = device;
    tn_progress_step(1);
    TN_TRY(tn_levels_make(&side->trace, device, &side->levels));
    TN_TRY(tn_phases_make(&side->trace, device, &side->phases));
    return tn_moment_make(&side->trace, device, side->lives, side->levels.peak, &side->peak);
}

static void leave_device(struct tn_diff_side *side) {
    tn_moment_release(&side->peak);
    tn_phases_release(&side->phases);
    tn_levels_release(&side->levels);
}

// Replays a device on the pool, without a limit, so that each run has the same result.
static tarn_status replay_side(struct tn_diff_side *side, enum tn_target_kind pool) {
    struct tn_totals totals;
    tarn_device *device = NULL;
    tarn_status status = tarn_device_open("sim:0,memory=16T", &device);
    if (status == TARN_OK)
        status = tn_replay_peak(&side->trace, side->device, device, pool, &totals);
    (void)tarn_device_close(device);
    TN_REFUSE(status != TARN_OK, status, "%s: %s", tn_shown(side->path), tn_text_of(status));
    side->reserved = totals.peak_reserved_bytes;
    return TARN_OK;
}

static enum tn_exit compare_device(struct tn_diff *diff, const struct tn_trace_device *before,
                                   const struct tn_trace_device *after) {
    tarn_status status = look_at_device(&diff->side[0], before);
    if (status == TARN_OK) status = look_at_device(&diff->side[1], after);
    tn_progress_step(1);
    if (status == TARN_OK) status = tn_diff_compare(diff);
    bool replays = diff->options->pool != TN_TARGET_KINDS;
    for (int side = 0; side < 2 && replays && status == TARN_OK; side++)
        status = replay_side(&diff->side[side], diff->options->pool);
    tn_progress_hide();
    if (status == TARN_OK) {
        json_t *object = tn_list_object(diff->results);
        tn_diff_describe(object, diff);
        if (tn_result_shows_text()) tn_diff_print(diff);
        diff->is_over |= tn_diff_check(object, diff);
    }
    tn_diff_release(diff);
    leave_device(&diff->side[0]);
    leave_device(&diff->side[1]);
    return status == TARN_OK ? TN_EXIT_OK
                             : tn_exit_with(TN_EXIT_NO_MEMORY, "%s", tn_text_of(status));
}

static enum tn_exit compare_devices(struct tn_diff *diff) {
    const struct tn_trace *before = &diff->side[0].trace;
    const uint64_t only = diff->options->device;
    enum tn_exit exit_code = TN_EXIT_OK;
    size_t compared = 0;
    for (size_t i = 0; i < tn_trace_accelerators(before) && exit_code == TN_EXIT_OK; i++) {
        const struct tn_trace_device *device = &before->devices[i];
        const struct tn_trace_device *other =
            tn_trace_find_device(&diff->side[1].trace, device->number);
        if (other == NULL || (only != UINT64_MAX && device->number != only)) continue;
        if (tn_result_shows_text() && tn_trace_accelerators(before) > 1)
            printf("%sdevice %u\n", compared > 0 ? "\n" : "", device->number);
        tn_progress_phase("comparing",
                          0.8 + 0.2 * (double)(i + 1) / (double)tn_trace_accelerators(before), 4);
        exit_code = compare_device(diff, device, other);
        compared++;
    }
    if (compared == 0)
        return tn_exit_with(TN_EXIT_BAD_INPUT,
                            "%s: no device has the number of one of the other recording",
                            tn_shown(diff->options->path[1]));
    return exit_code;
}

int tn_command_diff(int argc, char **argv) {
    static const struct tn_command_line line = {
        {rows, NULL},
        "BEFORE AFTER",
        doc,
        TN_READS(struct tn_diff_options, limits),
        TN_WORDS(struct tn_diff_options, path, "two recordings")};
    struct tn_diff_options options = {.kind = TN_HOLD_BY_FUNCTION,
                                      .top = 10,
                                      .device = UINT64_MAX,
                                      .limit = NAN,
                                      .holder_limit = NAN,
                                      .pool = TN_TARGET_KINDS};
    tn_arguments_parse(&line, argc, argv, 0, &options);
    struct tn_diff diff = {.options = &options, .results = json_array()};
    enum tn_exit exit_code = open_side(&diff, 0);
    if (exit_code == TN_EXIT_OK) exit_code = open_side(&diff, 1);
    if (exit_code == TN_EXIT_OK) exit_code = compare_devices(&diff);
    if (exit_code == TN_EXIT_OK && options.json)
        tn_result_print(json_pack("{sO}", "devices", diff.results));
    json_decref(diff.results);
    close_side(&diff.side[0]);
    close_side(&diff.side[1]);
    return exit_code == TN_EXIT_OK && diff.is_over ? TN_RUNS_FINDINGS : (int)exit_code;
}
