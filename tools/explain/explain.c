// SPDX-License-Identifier: Apache-2.0
// `tarn explain`: reads a recording, and prints what it holds, when memory was highest, who held
// it, why a request failed, and the answers to the questions that users ask. One thread.
#include "tools/explain/explain.h"

#include <stdlib.h>

#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/result.h"

static const char doc[] =
    "Explains a recording of memory: one verdict and one remedy, the peak, who holds memory there, "
    "why a request failed, and what grows from step to step.\n"
    "\n"
    "The moment that is explained is the one before the first request that was refused, or else "
    "the peak of live bytes. The device is the one where that was, or else the one with the "
    "highest peak. FILE is any recording that `tarn replay` reads; - is standard "
    "input.\v" TN_EXIT_HELP;

static const struct tn_arg_option rows[] = {
    {"device", 0, "N", "Explain this device of the recording",
     TN_NUMBER(struct tn_explain_options, device, 0, UINT16_MAX)},
    {"at", 0, "N", "Explain the moment after event N of the device; 0 is the start",
     TN_NUMBER(struct tn_explain_options, at, 0, UINT32_MAX)},
    {"top", 0, "N", "List N holders of memory one by one (default: 10)",
     TN_NUMBER(struct tn_explain_options, top, 1, UINT32_MAX)},
    {"question", 0, "N", "Print only the answer to question N, 1 to 20",
     TN_NUMBER(struct tn_explain_options, question, 1, TN_QUESTIONS)},
    {"no-replay", 0, NULL, "Do not replay the recording on other pools (questions 12, 13 and 14)",
     TN_NO_FLAG(struct tn_explain_options, replays)},
    TN_ALL_FRAMES_OPTION(struct tn_explain_options),
    TN_JSON_OPTION(struct tn_explain_options, "Print one JSON object with all numbers, or with the "
                                              "answer of --question, to FILE if it is given"),
    {0},
};

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

int tn_command_explain(int argc, char **argv) {
    static const struct tn_command_line line = {
        {rows, NULL},
        "FILE",
        doc,
        TN_READS(struct tn_explain_options, limits),
        TN_WORDS(struct tn_explain_options, path, "a recording")};
    struct tn_explain_options options = {
        .device = UINT64_MAX, .at = UINT64_MAX, .top = 10, .replays = true};
    struct tn_trace trace = {.note_count = 0};
    struct tn_explain *explain = (struct tn_explain *)calloc(1, sizeof *explain);
    tn_arguments_parse(&line, argc, argv, 0, &options);
    if (explain == NULL) return (int)tn_exit_with(TN_EXIT_NO_MEMORY, "out of memory");
    enum tn_exit code = tn_reading_open(options.path, 0.4, &options.limits, &trace);
    if (code == TN_EXIT_OK) {
        // Everything is computed before the first line is printed.
        bool needs_replays =
            options.question == 0 || (options.question >= 12 && options.question <= 14);
        tarn_status status = tn_explain_make(&trace, &options, explain);
        if (status == TARN_OK && options.replays && needs_replays)
            status = tn_explain_replay(explain);
        if (status == TARN_OK) tn_explain_open(explain, &explain->opening);
        if (status == TARN_OK) status = tn_explain_answer(explain);
        if (status == TARN_OK)
            print_explanation(explain);
        else // a device or a moment that does not exist is invalid input
            code = tn_exit_with(tn_exit_of(status, status == TARN_BAD_ARGUMENT ? TN_EXIT_BAD_INPUT
                                                                               : TN_EXIT_FAILED),
                                "%s", tn_text_of(status));
        tn_explain_release(explain);
    }
    free(explain);
    tn_trace_release(&trace);
    return (int)code;
}
