// SPDX-License-Identifier: Apache-2.0
// `tarn explain`: reads a recording, and prints what it holds, when memory was highest, who held
// it, why a request failed, and the answers to the questions that users ask. One thread.
#include "tools/explain/explain.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "tools/arguments.h"
#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/result.h"
#include "tools/shown.h"
#include "tools/value.h"

enum {
    OPTION_DEVICE = 0x200,
    OPTION_AT,
    OPTION_TOP,
    OPTION_QUESTION,
    OPTION_NO_REPLAY,
    OPTION_ALL_FRAMES,
    OPTION_JSON
};

static const char doc[] =
    "Explains a recording of memory: one verdict and one remedy, the peak, who holds memory there, "
    "why a request failed, and what grows from step to step.\n"
    "\n"
    "The moment that is explained is the one before the first request that was refused, or else "
    "the peak of live bytes. The device is the one where that was, or else the one with the "
    "highest peak. FILE is any recording that `tarn replay` reads; - is standard "
    "input.\v" TN_EXIT_HELP;

static const struct argp_option options_table[] = {
    {"device", OPTION_DEVICE, "N", 0, "Explain this device of the recording", 0},
    {"at", OPTION_AT, "N", 0, "Explain the moment after event N of the device; 0 is the start", 0},
    {"top", OPTION_TOP, "N", 0, "List N holders of memory one by one (default: 10)", 0},
    {"question", OPTION_QUESTION, "N", 0, "Print only the answer to question N, 1 to 20", 0},
    {"no-replay", OPTION_NO_REPLAY, NULL, 0,
     "Do not replay the recording on other pools (questions 12, 13 and 14)", 0},
    TN_ALL_FRAMES_OPTION(OPTION_ALL_FRAMES),
    TN_RESULT_OPTION(OPTION_JSON, "Print one JSON object with all numbers, or with the answer of "
                                  "--question, to FILE if it is given"),
    {0},
};

static error_t parse_explain(int key, char *text, struct argp_state *state) {
    struct tn_explain_options *options = (struct tn_explain_options *)state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &options->limits; return 0;
    case OPTION_DEVICE:
        options->device = (long)tn_value_number(state, "--device", text, 0, UINT16_MAX);
        return 0;
    case OPTION_TOP: options->top = tn_value_number(state, "--top", text, 1, UINT32_MAX); return 0;
    case OPTION_AT:
        options->at = tn_value_number(state, "--at", text, 0, UINT32_MAX);
        options->has_at = true;
        return 0;
    case OPTION_QUESTION:
        options->question = (unsigned)tn_value_number(state, "--question", text, 1, TN_QUESTIONS);
        return 0;
    case OPTION_NO_REPLAY: options->replays = false; return 0;
    case OPTION_ALL_FRAMES: options->all_frames = true; return 0;
    case OPTION_JSON: options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->path != NULL)
            argp_error(state, "expected one recording, found \"%s\" too", tn_shown(text));
        options->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "expected a recording"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// Computes everything before the first line is printed.
static tarn_status explain_trace(struct tn_explain *explain, const struct tn_trace *trace,
                                 const struct tn_explain_options *options) {
    bool needs_replays =
        options->question == 0 || (options->question >= 12 && options->question <= 14);
    tarn_status status = tn_explain_make(trace, options, explain);
    if (status == TARN_OK && options->replays && needs_replays) status = tn_explain_replay(explain);
    if (status == TARN_OK) tn_explain_open(explain, &explain->opening);
    return status == TARN_OK ? tn_explain_answer(explain) : status;
}

static void print_explanation(const struct tn_explain *explain) {
    const struct tn_explain_options *options = explain->options;
    tn_progress_hide();
    if (options->json) tn_result_print(tn_explain_json(explain));
    if (!tn_result_shows_text()) return;
    if (options->question != 0)
        puts(explain->answers[options->question - 1]);
    else
        tn_explain_print(explain, stdout);
}

static void print_explain_problem(const char *text) {
    tarn_error error = {.message = ""};
    (void)tarn_last_error(&error);
    tn_progress_hide();
    fprintf(stderr, "tarn explain: %s\n", text[0] != '\0' ? text : error.message);
}

// A device or a moment that does not exist is invalid input.
static enum tn_exit exit_code(tarn_status status) {
    if (status == TARN_OK) return TN_EXIT_OK;
    return tn_exit_of(status, status == TARN_BAD_ARGUMENT ? TN_EXIT_BAD_INPUT : TN_EXIT_FAILED);
}

int tn_command_explain(int argc, char **argv) {
    struct tn_explain_options options = {.device = -1, .top = 10, .replays = true};
    static const struct argp_child children[] = TN_READING_CHILDREN;
    static const struct argp argp = {options_table, parse_explain, "FILE", doc,
                                     children,      NULL,          NULL};
    struct tn_trace trace = {.note_count = 0};
    struct tn_explain *explain = (struct tn_explain *)calloc(1, sizeof *explain);
    tn_arguments_parse(&argp, argc, argv, 0, &options);
    if (explain == NULL) {
        print_explain_problem("out of memory");
        return TN_EXIT_NO_MEMORY;
    }
    enum tn_exit code = tn_reading_open("explain", options.path, 0.4, &options.limits, &trace);
    if (code == TN_EXIT_OK) {
        tarn_status status = explain_trace(explain, &trace, &options);
        code = exit_code(status);
        if (status == TARN_OK)
            print_explanation(explain);
        else
            print_explain_problem(explain->problem);
        tn_explain_release(explain);
    }
    free(explain);
    tn_trace_release(&trace);
    return (int)code;
}
