// SPDX-License-Identifier: Apache-2.0
// `tarn plan`: makes a plan of a recording, for pools that follow it. One thread.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "base/named_file.h"
#include "base/replacement.h"
#include "tools/arguments.h"
#include "tools/bytes.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/reading.h"
#include "tools/replay/recorded.h"
#include "tools/result.h"
#include "tools/terminal.h"
#include "tools/timing.h"

static const char doc[] =
    "Makes a plan of a recording: a place for each large request, so that the blocks need little "
    "more memory than live at one moment. A pool follows it (tarn_pool_desc.plan).\v"
    "If the recording has marks, and two passes between marks in a row made the same requests, the "
    "plan is that of the pass. Otherwise, and with --whole, it is that of the complete recording.\n"
    "\n"
    "The command prints the bound, which is the most memory that the blocks occupy at one moment, "
    "the memory that the plan needs, and their ratio. No plan needs less than the bound, so a "
    "ratio of 1.0050 proves that the plan is at most 0.5 % above the best one.\n"
    "\n"
    "The search ends when it reaches the bound, or after a number of steps. Until then it makes "
    "the same plan on every machine. A million steps take about 20 ms.\n"
    "\n" TN_EXIT_HELP;

#define MILLION UINT64_C(1000000)

struct request {
    const char *path;
    const char *output;
    const char *rule_name;
    uint64_t seconds;
    uint64_t steps; // millions
    uint64_t part;  // number of the device as recorded; UINT64_MAX: the only one
    bool ignore_streams;
    bool whole;
    bool json;
    struct tn_trace_limits limits;
};

static const struct tn_arg_option rows[] = {
    {"output", 'o', "FILE", "Write the plan to FILE; otherwise it is only described",
     TN_STRING(struct request, output)},
    {"steps", 0, "N", "Search for a better placement in N million steps (default: 200)",
     TN_NUMBER(struct request, steps, 1, 100000000)},
    {"time-limit", 't', "SECONDS",
     "End the search after SECONDS. The plan then depends on the speed of the machine",
     TN_NUMBER(struct request, seconds, 1, 1000000)},
    {"whole", 0, NULL, "Plan the complete recording", TN_FLAG(struct request, whole)},
    {"gpu", 0, "N", "Plan device N of a recording of several",
     TN_NUMBER(struct request, part, 0, UINT32_MAX)},
    {"rule", 'r', "RULE", "Placement rule of the pool, as in `tarn replay` (default: gpu)",
     TN_NAME(struct request, rule_name)},
    {"streams", 0, "honour|ignore", "Honour (the default) or ignore recorded streams",
     TN_CHOICE(struct request, ignore_streams)},
    TN_JSON_OPTION(struct request, "Print one JSON object, to FILE if it is given"),
    {0},
};

// The course of a search.
struct course {
    uint64_t begun; // time
    uint64_t steps;
    uint64_t shown; // millions of steps that the progress bar has
};

static bool show_progress(const tarn_plan_info *best, void *arg) {
    struct course *course = (struct course *)arg;
    course->steps = best->steps;
    if (best->steps / MILLION > course->shown) {
        tn_progress_step(best->steps / MILLION - course->shown);
        course->shown = best->steps / MILLION;
    }
    return true;
}

// Returns the device to plan, or NULL with a message.
static const struct tn_trace_device *find_part(const struct request *request,
                                               const struct tn_trace *trace) {
    size_t count = tn_trace_accelerators(trace);
    const struct tn_trace_device *part = tn_trace_find_device(trace, request->part);
    if (part != NULL) return part;
    if (count == 1 && request->part == UINT64_MAX) return &trace->devices[0];
    if (request->part != UINT64_MAX)
        (void)tn_complain("%s: no device has number %" PRIu64, tn_shown(request->path),
                          request->part);
    else
        (void)tn_complain("%s: the recording has %zu devices; --gpu N selects one",
                          tn_shown(request->path), count);
    return NULL;
}

static enum tn_exit write_plan(const char *path, const struct tn_recorded_plan *plan) {
    struct tn_replacement place;
    size_t done = 0;
    ssize_t written = 0;
    int failure = tn_replacement_open(path, O_TRUNC, &place);
    if (failure == 0) {
        for (; done < plan->info.byte_count && written >= 0; done += (size_t)written)
            written = write(place.file, (const char *)plan->info.bytes + done,
                            plan->info.byte_count - done);
        failure = tn_replacement_close(&place, written < 0 ? errno : 0);
    }
    if (failure == 0) return TN_EXIT_OK;
    return tn_exit_with(TN_EXIT_FAILED, "%s: %s", tn_shown(path), tn_named_file_error(failure));
}

static void print_plan(const struct request *request, const struct tn_recorded_plan *plan,
                       const struct course *course, uint64_t ns) {
    const tarn_plan_info *info = &plan->info;
    const char *end = info->height == info->bound ? "no plan needs less memory"
                      : request->seconds != 0 && ns / 1000 / MILLION >= request->seconds
                          ? "--time-limit ended it, so another machine may find another plan"
                          : "--steps ended it; more may find a smaller plan";
    double ratio = info->bound != 0 ? (double)info->height / (double)info->bound : 1;
    if (request->json) {
        json_t *members = json_object();
        tn_member_number(members, "requests", info->blocks);
        tn_member_number(members, "streams", info->streams);
        tn_member_number(members, "bound_bytes", info->bound);
        tn_member_number(members, "plan_bytes", info->height);
        tn_member_set(members, "ratio", json_real(ratio));
        tn_member_number(members, "first_event", plan->first_event + 1);
        tn_member_number(members, "last_event", plan->end_event);
        tn_member_number(members, "search_steps", course->steps);
        tn_member_number(members, "search_ns", ns);
        tn_result_print(members);
    }
    if (!tn_result_shows_text()) return;
    printf("requests   %" PRIu64 " above 16 KiB, on %" PRIu64 " stream%s, of events %zu to %zu\n",
           info->blocks, info->streams, info->streams != 1 ? "s" : "", plan->first_event + 1,
           plan->end_event);
    printf("bound      %s are occupied at one moment\n", tn_bytes(info->bound));
    printf("plan       %s, %.4f times the bound\n", tn_bytes(info->height), ratio);
    printf("search     %.1f million steps, %.1f s: %s\n", (double)course->steps / 1e6,
           (double)ns / 1e9, end);
}

static enum tn_exit plan_part(const struct request *request, const struct tn_trace *trace,
                              const struct tn_trace_device *part) {
    struct tn_recorded_plan plan = {.handle = NULL};
    struct course course = {.begun = tn_timing_now()};
    struct tn_recorded_want want = {.scale = 1,
                                    .limit_ns = request->seconds * 1000 * MILLION,
                                    .limit_steps = request->steps * MILLION,
                                    .ignore_streams = request->ignore_streams,
                                    .finds_pass = !request->whole,
                                    .progress = show_progress,
                                    .arg = &course};
    (void)tarn_rule_find(request->rule_name, &want.rule);
    tn_progress_phase("planning", 1, request->steps);
    tarn_status status = tn_recorded_plan_make(trace, part, &want, &plan);
    tn_progress_hide();
    if (status != TARN_OK)
        return tn_exit_with(tn_exit_of(status, TN_EXIT_FAILED), "%s: %s", tn_shown(request->path),
                            tn_text_of(status));
    enum tn_exit exit_code =
        request->output != NULL ? write_plan(request->output, &plan) : TN_EXIT_OK;
    if (exit_code == TN_EXIT_OK)
        print_plan(request, &plan, &course, tn_timing_now() - course.begun);
    tarn_plan_destroy(plan.handle);
    return exit_code;
}

int tn_command_plan(int argc, char **argv) {
    static const struct tn_command_line line = {{rows, NULL},
                                                "RECORDING",
                                                doc,
                                                TN_READS(struct request, limits),
                                                TN_WORDS(struct request, path, "a recording")};
    struct request request = {.rule_name = "gpu", .steps = 200, .part = UINT64_MAX};
    struct tn_trace trace = {.note_count = 0};
    tn_arguments_parse(&line, argc, argv, 0, &request);
    enum tn_exit exit_code = tn_reading_open(request.path, 0.2, &request.limits, &trace);
    if (exit_code != TN_EXIT_OK) return (int)exit_code;
    const struct tn_trace_device *part = find_part(&request, &trace);
    if (part == NULL)
        exit_code = TN_EXIT_BAD_INPUT;
    else if (trace.block_count == 0)
        exit_code = tn_exit_with(TN_EXIT_BAD_INPUT, "%s: no allocation is recorded",
                                 tn_shown(request.path));
    else
        exit_code = plan_part(&request, &trace, part);
    tn_trace_release(&trace);
    return (int)exit_code;
}
