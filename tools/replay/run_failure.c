// SPDX-License-Identifier: Apache-2.0
// Records the failure of a replay: its place in the trace and the state of the memory. One thread.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "tools/replay/run.h"

void tn_replay_fail(struct tn_replay *replay, enum tn_exit exit_code, tarn_status status,
                    const char *format, ...) {
    struct tn_failure *failure = &replay->failure;
    if (failure->exit_code != TN_EXIT_OK) return; // the first failure is the cause of the others
    tarn_error error = {.message = ""};
    (void)tarn_last_error(&error);
    char text[TN_MESSAGE];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, TN_MESSAGE, format, args);
    va_end(args);
    bool known = error.status == status && error.message[0] != '\0';
    if (length >= 0 && length < TN_MESSAGE && known)
        (void)snprintf(text + length, TN_MESSAGE - (size_t)length, "%s%s", length > 0 ? ": " : "",
                       error.message);
    tn_printable_copy(text, failure->message, TN_MESSAGE);
    failure->exit_code = exit_code == TN_EXIT_FAILED ? tn_exit_of(status, exit_code) : exit_code;
    failure->status = status;
}

static void format_place(const struct tn_replay_run *run, size_t index, char text[TN_MESSAGE / 2]) {
    const char *path = run->replay->path;
    const struct tn_trace_device *part = run->part;
    uint64_t repeat = run->replay->options->repeat;
    char pass[64] = "";
    if (repeat > 1)
        (void)snprintf(pass, sizeof pass, " in pass %" PRIu64 " of %" PRIu64,
                       run->round % repeat + 1, repeat);
    if (index == TN_NO_EVENT) {
        (void)snprintf(text, TN_MESSAGE / 2, "%s: before the first event%s", path, pass);
        return;
    }
    uint64_t number = tn_trace_event_number(run->trace, part, index);
    uint64_t where = run->trace->events[index].where;
    if (run->trace->format == TN_TRACE_TEXT)
        (void)snprintf(text, TN_MESSAGE / 2, "%s:%" PRIu64 ": event %" PRIu64 "%s", path, where,
                       number, pass);
    else if (run->trace->format != TN_TRACE_SNAPSHOT)
        (void)snprintf(text, TN_MESSAGE / 2, "%s: device %" PRIu32 ", event %" PRIu64 "%s", path,
                       part->number, number, pass);
    else
        (void)snprintf(text, TN_MESSAGE / 2,
                       "%s: device_traces[%" PRIu32 "][%" PRIu64 "]: event %" PRIu64 "%s", path,
                       part->number, where, number, pass);
}

bool tn_replay_run_is_no_fit(tarn_status status) {
    return status == TARN_NO_DEVICE_MEMORY || status == TARN_NO_ADDRESS_SPACE ||
           status == TARN_NO_MAPPINGS || status == TARN_NO_HANDLES;
}

void tn_replay_run_fail_alloc(struct tn_replay_run *run, uint32_t block, size_t index,
                              tarn_status status) {
    char where[TN_MESSAGE / 2];
    struct tn_failure *failure = &run->replay->failure;
    tarn_pool_report *report = &failure->report;
    bool no_fit = tn_replay_run_is_no_fit(status);
    format_place(run, index, where);
    *report = (tarn_pool_report){.struct_size = sizeof *report, .cause_name = ""};
    failure->asked = tn_replay_run_size(run, block);
    failure->live = run->live;
    tn_target_explain(&run->target, report);
    if (no_fit) tarn_clear_error(); // the report has the same numbers
    tn_replay_fail(run->replay, no_fit ? TN_EXIT_NO_FIT : TN_EXIT_FAILED, status,
                   "%s: %s bytes %s: live %s, free %s, largest free block %s (%s)", where,
                   tn_count(failure->asked), no_fit ? "do not fit" : "could not be allocated",
                   tn_count(failure->live), tn_count(report->free_bytes),
                   tn_count(report->largest_free),
                   no_fit ? report->cause_name : tarn_status_text(status));
    failure->at_event = true;
    failure->pass = run->round % run->replay->options->repeat + 1;
    failure->event = index == TN_NO_EVENT ? 0 : tn_trace_event_number(run->trace, run->part, index);
    failure->where = index == TN_NO_EVENT ? 0 : run->trace->events[index].where;
}

// Records a failure of a block, whose text follows the place, the block and its address.
static void TARN_PRINTF(6, 7)
    fail_block(struct tn_replay_run *run, uint32_t block, size_t index, enum tn_exit exit_code,
               tarn_status status, const char *format, ...) {
    char where[TN_MESSAGE / 2], text[TN_MESSAGE / 4];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    format_place(run, index, where);
    tn_replay_fail(run->replay, exit_code, status, "%s: block %" PRIu64 " at 0x%" PRIx64 "%s",
                   where, run->trace->blocks[block].id, run->addresses[block], text);
}

void tn_replay_run_fail_at(struct tn_replay_run *run, uint32_t block, size_t index,
                           tarn_status status, const char *what) {
    // A live block that the target does not know, or that has other bytes, is corruption.
    bool damage = status == TARN_CORRUPT || status == TARN_BAD_ADDRESS;
    fail_block(run, block, index, damage ? TN_EXIT_CORRUPT : TN_EXIT_FAILED, status, ": %s", what);
}

void tn_replay_run_fail_mismatch(struct tn_replay_run *run, uint32_t block, size_t index,
                                 const struct tn_mismatch *mismatch) {
    tarn_clear_error();
    fail_block(run, block, index, TN_EXIT_CORRUPT, TARN_CORRUPT,
               " of %" PRIu64 " bytes: byte %" PRIu64 " is 0x%02x, 0x%02x was written",
               tn_replay_run_size(run, block), mismatch->offset, mismatch->found,
               mismatch->expected);
}

void tn_replay_run_fail_overlap(struct tn_replay_run *run, uint32_t block, size_t index) {
    struct tn_interval_entry other = {.value = block};
    (void)tn_interval_next(&run->claims, run->addresses[block], &other);
    tarn_clear_error();
    fail_block(run, block, index, TN_EXIT_CORRUPT, TARN_CORRUPT,
               " of %" PRIu64 " bytes overlaps block %" PRIu64 " at 0x%" PRIx64
               ", which occupies %" PRIu64,
               tn_replay_run_size(run, block), run->trace->blocks[other.value].id, other.start,
               other.end - other.start);
}
