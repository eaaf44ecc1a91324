// SPDX-License-Identifier: Apache-2.0
// `tarn replay`: reads the traces one after another, replays each on the requested kinds of pool,
// and prints the results after each replay (the table) or at the end (JSON). One thread.
#include "tools/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/check.h"
#include "tools/progress.h"
#include "tools/result.h"
#include "tools/terminal.h"

// The part of the work on a trace that reading it is, for the progress.
#define READING_SHARE 0.3

struct session {
    struct tn_replay_options options;
    const char *device_name;
    tarn_device *device; // NULL if it could not be opened
    json_t *runs;        // with --json
    bool heading_shown;
    bool any_done;
    uint64_t timer_ns;
    enum tn_exit exit_code; // the most severe so far
};

static enum tn_exit worse_exit(enum tn_exit a, enum tn_exit b) {
    static const int rank[] = {
        [TN_EXIT_OK] = 0,     [TN_EXIT_NO_FIT] = 1,    [TN_EXIT_BAD_INPUT] = 2,
        [TN_EXIT_FAILED] = 3, [TN_EXIT_NO_MEMORY] = 4, [TN_EXIT_CORRUPT] = 5};
    return rank[a] >= rank[b] ? a : b;
}

// Stores the result for the JSON, and prints a failure.
static void record_result(struct session *session, const struct tn_replay *replay) {
    session->exit_code = worse_exit(session->exit_code, replay->failure.exit_code);
    if (session->options.json) tn_list_add(session->runs, tn_json_replay(replay));
    if (replay->failure.exit_code != TN_EXIT_OK) {
        (void)fflush(stdout);
        (void)tn_complain("%s%s%s", replay->trace != NULL ? tn_target_name(replay->kind) : "",
                          replay->trace != NULL ? ": " : "", replay->failure.message);
    }
}

// Returns false.
static bool fail_early(struct session *session, const char *path, enum tn_exit exit_code,
                       tarn_status status, const char *text) {
    struct tn_replay *replay =
        tn_replay_create(path, session->device_name, session->options.kind, &session->options);
    tn_replay_fail(replay, exit_code, status, "%s", text);
    record_result(session, replay);
    tn_replay_free(replay);
    return false;
}

static void print_result(struct session *session, const struct tn_replay *replay, bool first,
                         bool last) {
    if (!tn_result_shows_text()) return;
    if (!session->heading_shown) tn_table_heading(&session->options, session->device_name);
    session->heading_shown = true;
    if (first) tn_table_trace(replay);
    tn_table_replay(replay);
    if (last) tn_table_recording(replay);
    (void)fflush(stdout);
}

static void replay_kinds(struct session *session, const char *path, double begun,
                         const struct tn_trace *trace) {
    bool all = session->options.compare;
    int from = all ? 0 : (int)session->options.kind;
    int to = all ? TN_TARGET_KINDS - 1 : from;
    double share = READING_SHARE, traces = session->options.trace_count;
    for (int kind = from; kind <= to; kind++) {
        struct tn_replay *replay = tn_replay_create(path, session->device_name,
                                                    (enum tn_target_kind)kind, &session->options);
        replay->trace = trace;
        double part = share + (1 - share) * (kind - from + 1) / (to - from + 1);
        tn_replay_run(replay, session->device, begun + part / traces);
        tn_progress_hide();
        print_result(session, replay, kind == from, kind == to);
        record_result(session, replay);
        session->any_done |= replay->failure.exit_code == TN_EXIT_OK;
        session->timer_ns = replay->timer_ns;
        tn_replay_free(replay);
    }
}

static void print_notes(const char *path, const struct tn_trace *trace) {
    if (trace->note_count == 0) return;
    (void)tn_complain("%s: the recording contradicts itself %zu times:", tn_shown(path),
                      trace->note_count);
    for (size_t i = 0; i < TN_TRACE_NOTES; i++)
        if (trace->notes[i] != NULL) fprintf(stderr, "    %s\n", trace->notes[i]);
}

// A software device has as many siblings as its name asks for. A name that does not say gets as
// many as the recording needs.
static void add_siblings(struct session *session, int ordinal, size_t count) {
    char name[512];
    tarn_device *last = NULL, *more = NULL;
    bool found = tarn_device_sibling(session->device, ordinal + (int)count - 1, &last) == TARN_OK;
    (void)tarn_device_close(last);
    tarn_clear_error();
    if (found || strstr(session->device_name, "devices=") != NULL) return;
    int length = snprintf(name, sizeof name, "%s,devices=%zu", session->device_name,
                          (size_t)ordinal + count);
    if (length < (int)sizeof name && tarn_device_open(name, &more) == TARN_OK) {
        (void)tarn_device_close(session->device);
        session->device = more;
    }
    tarn_clear_error(); // the replay reports the devices that are missing
}

// Returns false if the device does not support the options.
static bool open_device(struct session *session, const char *path, size_t count) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_status status = tarn_device_open(session->options.device, &session->device);
    if (status == TARN_OK) status = tarn_device_query(session->device, &info);
    if (status == TARN_OK) add_siblings(session, info.ordinal, count);
    if (status != TARN_OK) {
        bool name_is_wrong =
            status == TARN_BAD_CONFIG || status == TARN_BAD_DEVICE || status == TARN_UNSUPPORTED;
        return fail_early(session, path, name_is_wrong ? TN_EXIT_BAD_INPUT : TN_EXIT_FAILED, status,
                          "");
    }
    if (session->options.touch && (info.features & TARN_FEATURE_BYTES) == 0) {
        tarn_clear_error();
        return fail_early(session, path, TN_EXIT_BAD_INPUT, TARN_UNSUPPORTED,
                          "--touch needs a device whose memory stores bytes, such as host:0");
    }
    if (session->options.plan != NULL && session->options.kind == TN_TARGET_DIRECT &&
        !session->options.compare)
        return fail_early(session, path, TN_EXIT_BAD_INPUT, TARN_UNSUPPORTED,
                          "--plan needs a pool, and --pool direct has none");
    return true;
}

static void fail_no_blocks(struct session *session, const char *path,
                           const struct tn_trace *trace) {
    char text[TN_MESSAGE];
    if ((trace->lacks & TN_TRACE_NO_BLOCKS) != 0)
        (void)snprintf(text, sizeof text, "%s: %s: sums without blocks, so nothing can be repeated",
                       path, tn_trace_format_text(trace->format));
    else
        (void)snprintf(text, sizeof text,
                       "%s: no allocation is recorded, so nothing can be repeated", path);
    tarn_clear_error();
    (void)fail_early(session, path, TN_EXIT_BAD_INPUT, TARN_UNSUPPORTED, text);
}

// A trace that cannot be read is invalid input, unless memory is exhausted. Returns false if no trace
// can be replayed.
// `begun` is the part of the session that is done.
static bool replay_trace(struct session *session, const char *path, double begun) {
    struct tn_trace trace = {.note_count = 0};
    tn_progress_phase(NULL, begun + READING_SHARE / session->options.trace_count, 0);
    tarn_status status = tn_trace_read(path, &session->options.limits, &trace);
    tn_progress_hide();
    if (status != TARN_OK) {
        (void)fail_early(session, path, tn_exit_of(status, TN_EXIT_BAD_INPUT), status, "");
        return true;
    }
    print_notes(path, &trace);
    bool has_blocks = trace.block_count > 0;
    if (!has_blocks) fail_no_blocks(session, path, &trace);
    bool opened = !has_blocks || open_device(session, path, tn_trace_accelerators(&trace));
    if (opened && has_blocks) replay_kinds(session, path, begun, &trace);
    (void)tarn_device_close(session->device);
    session->device = NULL;
    tn_trace_release(&trace);
    return opened;
}

// Must precede the first call of Tarn, which searches for subscribers. The checker ends this
// process itself if it finds errors. A replay accesses memory by Tarn's copies alone, so the checker
// knows the state of every byte without seals. Returns an exit status.
static int start_checker(void) {
    char library[PATH_MAX];
    char options[8192];
    const char *set = getenv("TARN_CHECK_OPTIONS");
    bool is_set = set != NULL && set[0] != '\0';
    (void)snprintf(options, sizeof options, "told_only=1%s%s", is_set ? ":" : "",
                   is_set ? set : "");
    if (!tn_check_accepts(options)) return TN_EXIT_BAD_INPUT;
    return tn_check_prepare(options, library) ? TN_EXIT_OK : TN_EXIT_FAILED;
}

int tn_command_replay(int argc, char **argv) {
    struct session session = {.exit_code = TN_EXIT_OK};
    tn_replay_parse(argc, argv, &session.options);
    int started = session.options.check ? start_checker() : TN_EXIT_OK;
    if (started != TN_EXIT_OK) return started;
    const char *name =
        session.options.device != NULL ? session.options.device : getenv("TARN_DEVICE");
    session.device_name = name != NULL && name[0] != '\0' ? name : "host:0";
    session.runs = json_array();
    for (int i = 0; i < session.options.trace_count; i++)
        if (!replay_trace(&session, session.options.traces[i],
                          (double)i / session.options.trace_count))
            break;
    bool single = session.options.trace_count == 1 && !session.options.compare;
    if (session.options.json)
        tn_result_print(single ? json_incref(json_array_get(session.runs, 0))
                               : json_pack("{sO}", "runs", session.runs));
    if (tn_result_shows_text() && session.any_done) tn_table_legend(session.timer_ns);
    json_decref(session.runs);
    return (int)session.exit_code;
}
