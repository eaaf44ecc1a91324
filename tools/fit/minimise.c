// SPDX-License-Identifier: Apache-2.0
// `tarn fit --minimise`: takes blocks out of a recording while the rest still fails in the limit
// (delta debugging: halves first, then ever smaller parts). One thread.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fit/fit.h"
#include "tools/progress.h"
#include "tools/result.h"
#include "tools/terminal.h"
#include "trace/builder.h"
#include "trace/write/write.h"

struct minimiser {
    const struct tn_fitting *fit;
    const struct tn_trace_device *part;
    tarn_device *device;
    struct tn_replay *replay;
    uint64_t limit;
    uint64_t tries;
    enum tn_exit broken; // a try failed with it, and not by the limit; a message was printed
    uint32_t *kept;      // blocks, in the order of their allocations
    size_t kept_count;
    uint8_t *chosen; // by block: part of the recording that is tried
    uint32_t *moved; // by block: its number there
};

// ---- a recording with some of the blocks

static tarn_status copy_event(const struct minimiser *m, const struct tn_event *event,
                              struct tn_builder *builder) {
    if ((event->kind != TN_EVENT_ALLOC && event->kind != TN_EVENT_FREE) || !m->chosen[event->item])
        return TARN_OK;
    if (event->kind == TN_EVENT_ALLOC) {
        struct tn_block block = {.id = event->item,
                                 .size = m->fit->trace->blocks[event->item].size};
        tarn_status status = tn_builder_block(builder, &block, &m->moved[event->item]);
        if (status != TARN_OK) return status;
    }
    return tn_builder_event(builder, (enum tn_event_kind)event->kind, event->time_us, event->where,
                            m->moved[event->item]);
}

static tarn_status copy_blocks(const struct minimiser *m, struct tn_builder *builder) {
    const struct tn_trace *trace = m->fit->trace;
    struct tn_trace_device *device = NULL;
    uint32_t stream;
    tarn_status status = tn_builder_device(builder, 0, &device);
    if (status == TARN_OK) status = tn_builder_stream(builder, 0, &stream);
    for (size_t i = 0; i < m->part->starting_count && status == TARN_OK; i++) {
        uint32_t from = (uint32_t)(m->part->first_starting + i);
        struct tn_block block = {.id = from, .size = trace->blocks[from].size};
        if (m->chosen[from]) status = tn_builder_starting(builder, &block, &m->moved[from]);
    }
    for (size_t i = 0; i < m->part->event_count && status == TARN_OK; i++)
        status = copy_event(m, &trace->events[m->part->first_event + i], builder);
    return status;
}

// Makes a recording of the chosen blocks.
static tarn_status make_chosen(const struct minimiser *m, struct tn_trace *trace) {
    struct tn_builder builder;
    tarn_status status = tn_builder_begin(&builder, m->fit->options->path, TN_TRACE_TEXT, NULL);
    if (status == TARN_OK) status = copy_blocks(m, &builder);
    return tn_builder_end(&builder, status, trace);
}

static bool break_off(struct minimiser *m, enum tn_exit exit_code, const char *text) {
    m->broken = tn_exit_with(exit_code, "%s", text);
    return false;
}

// Returns true if the recording of the chosen blocks still fails for lack of memory.
static bool still_fails(struct minimiser *m) {
    struct tn_trace trace = {.note_count = 0};
    tarn_status status = make_chosen(m, &trace);
    if (status != TARN_OK)
        return break_off(m, tn_exit_of(status, TN_EXIT_FAILED), tn_text_of(status));
    bool fits = tn_fitting_try(m->fit->options, &trace, &trace.devices[0], m->fit->options->kind,
                               m->limit, m->device, m->replay);
    bool fails = !fits && m->replay->failure.exit_code == TN_EXIT_NO_FIT;
    tn_trace_release(&trace);
    if (!fits && !fails)
        (void)break_off(m, m->replay->failure.exit_code, m->replay->failure.message);
    m->tries++;
    tn_progress_step(0);
    return fails;
}

static void choose(struct minimiser *m, size_t from, size_t count, bool chosen) {
    for (size_t i = from; i < from + count; i++) m->chosen[m->kept[i]] = chosen;
}

// ---- the search

static void list_blocks(struct minimiser *m) {
    const struct tn_trace *trace = m->fit->trace;
    for (size_t i = 0; i < m->part->starting_count; i++)
        m->kept[m->kept_count++] = (uint32_t)(m->part->first_starting + i);
    for (size_t i = 0; i < m->part->event_count; i++) {
        const struct tn_event *event = &trace->events[m->part->first_event + i];
        if (event->kind == TN_EVENT_ALLOC) m->kept[m->kept_count++] = event->item;
    }
}

// Takes out one part. Returns true if the rest still fails.
static bool drop_part(struct minimiser *m, size_t from, size_t count) {
    choose(m, from, count, false);
    if (!still_fails(m)) {
        choose(m, from, count, true);
        return false;
    }
    memmove(m->kept + from, m->kept + from + count,
            (m->kept_count - from - count) * sizeof *m->kept);
    m->kept_count -= count;
    return true;
}

// Later blocks go first: those behind the failure are not needed at all.
static void drop_parts(struct minimiser *m) {
    for (size_t size = (m->kept_count + 1) / 2; size > 0 && m->kept_count > 1;) {
        bool dropped = false;
        size_t end = m->kept_count;
        while (end > 0 && m->tries < m->fit->options->tries && m->broken == TN_EXIT_OK) {
            size_t count = size < end ? size : end;
            if (count < m->kept_count) dropped |= drop_part(m, end - count, count);
            end -= count;
        }
        if (m->tries >= m->fit->options->tries || m->broken != TN_EXIT_OK) return;
        if (size == 1 && !dropped) return;
        if ((!dropped || size > m->kept_count) && size > 1) {
            size /= 2;
            tn_progress_step(1);
        }
    }
}

// ---- the result

static bool write_chosen(struct minimiser *m) {
    const struct tn_write_options all = {.device = TN_WRITE_ALL_DEVICES};
    struct tn_trace trace = {.note_count = 0};
    tarn_status status = make_chosen(m, &trace);
    if (status == TARN_OK)
        status = tn_trace_write(&trace, m->fit->options->minimise, TN_WRITER_TEXT, &all);
    tn_trace_release(&trace);
    return status == TARN_OK ||
           break_off(m, tn_exit_of(status, TN_EXIT_FAILED), tn_text_of(status));
}

// `before` is the number of blocks of the recording.
static void print_minimised(const struct minimiser *m, size_t before) {
    const struct tn_fitting_options *options = m->fit->options;
    bool fails = m->replay->failure.status != TARN_OK;
    if (options->json) {
        json_t *result = json_object();
        tn_member_text(result, "recording", options->path);
        tn_member_text(result, "minimised", options->minimise);
        tn_member_number(result, "blocks", before);
        tn_member_number(result, "minimised_blocks", m->kept_count);
        tn_member_number(result, "limit_bytes", m->limit);
        tn_member_number(result, "replays", m->tries);
        tn_member_text(result, "failure", fails ? m->replay->failure.message : "");
        tn_result_print(result);
    }
    if (!tn_result_shows_text()) return;
    printf("%s: %zu of %zu blocks still fail in %s (%" PRIu64 " replays%s)\n%s\n",
           tn_shown(options->minimise), m->kept_count, before, tn_count(m->limit), m->tries,
           m->tries >= options->tries ? ", the most allowed" : "",
           fails ? m->replay->failure.message : "");
}

static enum tn_exit minimise_device(struct minimiser *m, double until) {
    uint64_t halvings = 0;
    list_blocks(m);
    size_t before = m->kept_count;
    for (size_t size = before; size > 1; size /= 2) halvings++;
    tn_progress_phase("minimising", until, halvings);
    choose(m, 0, m->kept_count, true);
    bool fails = still_fails(m);
    if (fails) drop_parts(m);
    // Again, for the message of the failure.
    choose(m, 0, m->kept_count, true);
    if (fails && m->broken == TN_EXIT_OK) (void)still_fails(m);
    if (m->broken != TN_EXIT_OK || (fails && !write_chosen(m))) return m->broken;
    tn_progress_hide();
    if (fails) print_minimised(m, before);
    return fails ? TN_EXIT_NO_FIT : TN_EXIT_OK; // the caller tries the next device
}

enum tn_exit tn_fitting_minimise(struct tn_fitting *fit) {
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++) {
        size_t blocks = fit->trace->block_count + 1;
        struct minimiser m = {.fit = fit,
                              .part = &fit->trace->devices[i],
                              .limit =
                                  tn_replay_limit_bytes(&fit->options->limit, fit->peak_live[i]),
                              .replay = (struct tn_replay *)malloc(sizeof *m.replay),
                              .kept = (uint32_t *)malloc(blocks * sizeof *m.kept),
                              .chosen = (uint8_t *)calloc(blocks, 1),
                              .moved = (uint32_t *)malloc(blocks * sizeof *m.moved)};
        bool ready = m.replay != NULL && m.kept != NULL && m.chosen != NULL && m.moved != NULL;
        tarn_status status =
            ready ? tarn_device_open(fit->options->device, &m.device) : TARN_NO_HOST_MEMORY;
        enum tn_exit exit_code =
            status == TARN_OK
                ? minimise_device(&m, (double)(i + 1) / (double)tn_trace_accelerators(fit->trace))
                : tn_exit_with(tn_exit_of(status, TN_EXIT_FAILED), "%s", tn_text_of(status));
        tn_progress_hide();
        (void)tarn_device_close(m.device);
        free(m.replay);
        free(m.kept);
        free(m.chosen);
        free(m.moved);
        if (exit_code != TN_EXIT_OK) return exit_code == TN_EXIT_NO_FIT ? TN_EXIT_OK : exit_code;
    }
    return tn_exit_with(
        TN_EXIT_BAD_INPUT, "%s completes in %s on %s without streams; nothing was written",
        tn_shown(fit->options->path), fit->options->limit.text, tn_target_name(fit->options->kind));
}
