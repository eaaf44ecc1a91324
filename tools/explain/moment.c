// SPDX-License-Identifier: Apache-2.0
// Answers about one moment: the failure, the peak, who holds memory there and why so much is
// reserved. Each is one line; see explain.h.
#include <inttypes.h>

#include "tools/explain/explain.h"
#include "trace/study/name.h"

// Prints that no request failed, if none did.
static bool has_no_failure(const struct tn_explain *explain, FILE *out) {
    if (explain->verdict.failure != NULL) return false;
    if (explain->is_state)
        fprintf(out, "cannot be told: %s, so it has no failed request", tn_explain_lack(explain));
    else
        fputs("no request failed on this device in this recording", out);
    return true;
}

#define CAUSE_TEXT(name, json, text) text,
static const char *const cause_texts[] = {TN_VERDICT_LIST(CAUSE_TEXT)};

void tn_answer_failure(const struct tn_explain *explain, FILE *out) {
    const struct tn_verdict *verdict = &explain->verdict;
    if (has_no_failure(explain, out)) return;
    fprintf(out, "device %" PRIu32 ", event %s of %s", explain->device->number,
            tn_count(verdict->event), tn_count(explain->device->event_count));
    if (explain->trace->format == TN_TRACE_SNAPSHOT)
        fprintf(out, " (device_traces[%" PRIu32 "][%" PRIu64 "])", explain->device->number,
                verdict->where);
    fprintf(out, ": %s (%s bytes) asked, ", tn_bytes(verdict->failure->size),
            tn_count(verdict->failure->size));
    if (verdict->device_free != UINT64_MAX)
        fprintf(out, "%s free on the device, ", tn_bytes(verdict->device_free));
    fprintf(out, "%s live", tn_bytes(explain->levels.live[verdict->at]));
    if (explain->levels.reserved != NULL)
        fprintf(out, " in %s reserved", tn_bytes(explain->levels.reserved[verdict->at]));
    fprintf(out, ": %s", cause_texts[verdict->cause]);
    if (explain->failures > 1)
        fprintf(out, " (the first of %s failures)", tn_count(explain->failures));
    if (verdict->retried != 0)
        fprintf(out, "; the same size was granted later, at event %s", tn_count(verdict->retried));
}

void tn_answer_fragmentation(const struct tn_explain *explain, FILE *out) {
    const struct tn_verdict *verdict = &explain->verdict;
    if (has_no_failure(explain, out)) return;
    if (tn_explain_cannot(!explain->moment.has_places,
                          "the recording has no addresses of blocks and segments", out))
        return;
    fprintf(out, "%s free inside the allocator, largest piece %s; ", tn_bytes(verdict->usable),
            tn_bytes(verdict->largest));
    if (verdict->missing > 0)
        fprintf(out, "even perfectly packed %s would not fit, %s are missing%s",
                tn_bytes(verdict->failure->size), tn_bytes(verdict->missing),
                verdict->device_free == UINT64_MAX
                    ? " on a device without free memory, which is not recorded"
                    : "");
    else
        fprintf(out, "perfectly packed %s would fit; at most %s would have fitted as it was",
                tn_bytes(verdict->failure->size), tn_bytes(verdict->fits));
}

void tn_answer_holders(const struct tn_explain *explain, FILE *out) {
    const struct tn_holders *holders = &explain->holders[TN_HOLD_BY_FUNCTION];
    char text[TN_OWNER_TEXT];
    if (tn_explain_cannot(explain->moment.block_count == 0, "no block is live at this moment", out))
        return;
    fprintf(out, "of %s live %s: ", tn_bytes(explain->moment.live), tn_explain_when(explain, text));
    for (size_t i = 0; i < holders->count && i < 3; i++)
        fprintf(out, "%s%s %s, %s", i == 0 ? "" : "; then ", tn_bytes(holders->list[i].bytes),
                tn_explain_key(explain, TN_HOLD_BY_FUNCTION, holders->list[i].key, text),
                tn_number(holders->list[i].count, "block"));
    if ((explain->trace->lacks & TN_TRACE_NO_STACKS) != 0)
        fputs(" (the recording has no stacks: start it with them)", out);
}

static void print_phase(const struct tn_explain *explain, size_t moment, FILE *out) {
    char text[TN_OWNER_TEXT];
    uint32_t phase = explain->phases.at[moment];
    if (phase == 0) {
        fputs(explain->phases.count == 0 ? "no phases are recorded" : "outside every phase", out);
        return;
    }
    const struct tn_phase_span *span = &explain->phases.spans[phase - 1];
    const struct tn_event *events = explain->trace->events + explain->device->first_event;
    (void)tn_explain_key(explain, TN_HOLD_BY_PHASE, span->name, text);
    if ((explain->trace->lacks & TN_TRACE_NO_TIMES) != 0)
        fprintf(out, "in %s", text);
    else
        fprintf(out, "%.3f s into %s",
                (double)(events[moment - 1].time_us - events[span->begin - 1].time_us) / 1e6, text);
}

// The peak of a recording without events, or of one that has sums in place of blocks.
static void print_sampled_peak(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace_device *device = explain->device;
    const struct tn_trace_sample *samples = explain->trace->samples + device->first_sample;
    const struct tn_trace_sample *peak = tn_explain_peak_sample(explain->trace, device);
    if (peak == NULL)
        fprintf(out, "cannot be told: %s; %s are live in it", tn_explain_lack(explain),
                tn_bytes(explain->moment.live));
    else
        fprintf(out, "peak %s in sample %s of %s, %.3f s after the first (%s)",
                tn_bytes(peak->live), tn_count((uint64_t)(peak - samples) + 1),
                tn_count(device->sample_count), (double)(peak->time_us - samples[0].time_us) / 1e6,
                tn_explain_lack(explain));
}

void tn_answer_peak(const struct tn_explain *explain, FILE *out) {
    size_t peak = explain->levels.peak;
    if (explain->is_state) {
        print_sampled_peak(explain, out);
        return;
    }
    fprintf(out, "peak %s ", tn_bytes(explain->levels.live[peak]));
    if (peak == 0)
        fputs("at the start of the recording, of which nothing earlier is known", out);
    else
        fprintf(out, "at event %s of %s, ", tn_count(peak), tn_count(explain->device->event_count));
    if (peak > 0) print_phase(explain, peak, out);
    if ((explain->trace->lacks & TN_TRACE_NO_TIMES) != 0)
        fputs(" (no times in this recording)", out);
}

// Prints the owner of a stack and the next two calls of the program, or all calls.
static void print_stack(const struct tn_explain *explain, uint32_t stack, FILE *out) {
    const struct tn_trace *trace = explain->trace;
    char text[TN_OWNER_TEXT];
    size_t length = 0;
    uint32_t owner = explain->owners.calls[stack];
    uint32_t most = explain->options->all_frames ? UINT32_MAX : 2;
    const char *called = tn_owner_operator(&explain->owners, stack, &length);
    fputs(tn_name_call(explain->trace, explain->owners.detail, owner, true, text), out);
    for (uint32_t at = trace->calls[owner].caller, shown = 0; at != 0 && shown < most;
         at = trace->calls[at].caller) {
        if (explain->owners.own[at] == 0) continue;
        fprintf(out, " < %s",
                tn_name_function_of(explain->trace, explain->owners.detail, at, text));
        shown++;
    }
    if (called != NULL) fprintf(out, ", operator aten::%.*s", (int)length, called);
}

void tn_answer_line(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace *trace = explain->trace;
    bool failed = explain->kind == TN_EXPLAIN_FAILURE;
    uint32_t stack = failed ? explain->verdict.failure->stack : 0;
    if (stack != 0) {
        fputs("asked by ", out);
        print_stack(explain, stack, out);
        return;
    }
    for (size_t i = explain->moment.at; i-- > 0;) {
        const struct tn_event *event = &trace->events[explain->device->first_event + i];
        if (event->kind != TN_EVENT_ALLOC) continue;
        stack = trace->blocks[event->item].stack;
        if (stack == 0) break;
        fputs(failed ? "the failed request has no stack; the allocation before it is by "
                     : "the last allocation up to this moment is by ",
              out);
        print_stack(explain, stack, out);
        return;
    }
    (void)tn_explain_cannot(true, "no stack is recorded for it", out);
}

// Snapshots of pools of Tarn state how each followed its plan.
static void print_plans(const struct tn_explain *explain, FILE *out) {
    static const char prefix[] = "tarn_plan_";
    const struct tn_trace *trace = explain->trace;
    for (size_t i = 0; i < trace->setting_count; i++)
        if (strncmp(trace->texts[trace->settings[i].name], prefix, sizeof prefix - 1) == 0)
            fprintf(out, ". Pool %s followed a plan: %s",
                    trace->texts[trace->settings[i].name] + sizeof prefix - 1,
                    trace->texts[trace->settings[i].value]);
}

void tn_answer_reserved(const struct tn_explain *explain, FILE *out) {
    const struct tn_moment *moment = &explain->moment;
    const struct tn_fragments *fragments = &explain->fragments;
    if (tn_explain_cannot(!moment->has_places,
                          explain->levels.reserved == NULL
                              ? "the recording does not contain the reserved memory"
                              : "the addresses of blocks and segments are not recorded",
                          out) ||
        tn_explain_cannot(tn_explain_contradicts(explain, moment->at),
                          "the recording contradicts itself: more is live than reserved", out))
        return;
    fprintf(out,
            "reserved %s, live %s: %s in %s between live blocks, %s in empty segments, %s "
            "rounding, %s waiting for other streams",
            tn_bytes(moment->reserved), tn_bytes(moment->live), tn_bytes(fragments->holes),
            tn_number(fragments->hole_count, "hole"), tn_bytes(fragments->empty),
            tn_bytes(fragments->rounding), tn_bytes(moment->waiting));
    if (fragments->private_free > 0)
        fprintf(out, ", %s free in private pools", tn_bytes(fragments->private_free));
    print_plans(explain, out);
}

void tn_answer_saving(const struct tn_explain *explain, FILE *out) {
    const struct tn_verdict *verdict = &explain->verdict;
    const struct tn_holders *sizes = &explain->holders[TN_HOLD_BY_SIZE];
    if (has_no_failure(explain, out)) return;
    uint64_t live = explain->levels.live[verdict->at], asked = verdict->failure->size;
    if (verdict->device_free == UINT64_MAX)
        fputs("cannot be told: the free memory of the device is not recorded", out);
    else if (verdict->missing > live)
        fprintf(out, "more than all that was live (%s): the request itself is too large by %s",
                tn_bytes(live), tn_bytes(verdict->missing - live));
    else if (verdict->missing > 0)
        fprintf(out,
                "%s less live at event %s is the least that lets it pass, %s if no free piece "
                "can be joined",
                tn_bytes(verdict->missing), tn_count(verdict->event),
                tn_bytes(asked - verdict->fits));
    else
        fprintf(out, "nothing, if the free memory were in one piece; %s less in one piece else",
                tn_bytes(verdict->fits < asked ? asked - verdict->fits : 0));
    if (sizes->count > 0 && sizes->list[0].count > 1)
        fprintf(out, "; %s blocks of one size (%s bytes) hold %s of the %s",
                tn_count(sizes->list[0].count), tn_count(sizes->list[0].key),
                tn_bytes(sizes->list[0].bytes), tn_bytes(explain->moment.live));
}

// Prints the bytes of each role that has some. Bytes of an `open` role are a lower bound.
static void print_roles(const uint64_t bytes[TN_CATEGORY_COUNT], unsigned open, bool inferred,
                        FILE *out) {
    const char *between = "";
    for (int i = TN_CATEGORY_COUNT; i-- > 0;) {
        if (bytes[i] == 0) continue;
        fprintf(out, "%s%s %s%s", between, tn_role_name(i, inferred),
                (open >> i & 1) != 0 ? "at least " : "", tn_bytes(bytes[i]));
        between = ", ";
    }
}

static void print_role_group(const struct tn_role_group *group, FILE *out) {
    const char *between = "";
    fprintf(out, "%s of ", tn_bytes(group->bytes));
    for (int i = TN_CATEGORY_COUNT; i-- > 0;) {
        if ((group->roles >> i & 1) == 0) continue;
        bool last = (group->roles & ((1U << i) - 1)) == 0;
        fprintf(out, "%s%s", last ? " or " : between, tn_role_name(i, true));
        between = ", ";
    }
}

const char *tn_explain_role_lack(enum tn_role_lack lack) {
    static const char *const texts[] = {
        [TN_ROLES_TOLD] = "",
        [TN_ROLES_NO_HISTORY] = "it names no categories and has no history to infer them from",
        [TN_ROLES_NO_STACKS] = "it names no categories and has no stacks to infer them from",
        [TN_ROLES_NO_BACKWARD] = "it names no categories, and its stacks show no backward pass: "
                                 "either the program does not train, or C++ is not on its stacks",
        [TN_ROLES_NO_STEP] = "it names no categories, and no step of an optimizer follows a "
                             "backward pass, so that gradients and temporary blocks look alike",
        [TN_ROLES_SHARDED] = "it names no categories, and the program flattens or divides its "
                             "parameters among devices",
        [TN_ROLES_UNCERTAIN] = "it names no categories, and no live block has a life and a stack "
                               "that only one of them would have"};
    return texts[lack];
}

void tn_answer_roles(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace_sample *sample = tn_explain_peak_sample(explain->trace, explain->device);
    const struct tn_roles *roles = &explain->roles;
    bool has_categories = false;
    for (int i = 0; sample != NULL && i < TN_CATEGORY_COUNT; i++)
        has_categories = has_categories || sample->by_category[i] != 0;
    if (roles->known && roles->inferred) {
        print_roles(roles->bytes, roles->open, true, out);
        for (size_t i = 0; i < roles->group_count; i++) {
            fputs(i == 0 ? "; not told apart: " : "; ", out);
            print_role_group(&roles->groups[i], out);
        }
        fputs(" (inferred from lives, sizes and stacks, not recorded)", out);
    } else if (roles->known) {
        print_roles(roles->bytes, 0, false, out);
        fputs(" (as recorded)", out);
    } else if (has_categories) {
        print_roles(sample->by_category, 0, false, out);
        fputs(" (sums of the highest sample, as recorded)", out);
    } else {
        fprintf(out, "cannot be told from this recording: %s%s", tn_explain_role_lack(roles->lack),
                tn_explain_is_torch(explain)
                    ? " (record from before the model is built, for some steps, with stacks of all "
                      "kinds; or export_memory_timeline() of PyTorch's profiler, which names them)"
                    : "");
    }
}

void tn_answer_others(const struct tn_explain *explain, FILE *out) {
    const struct tn_verdict *verdict = &explain->verdict;
    uint64_t card = explain->device->memory_bytes, left = verdict->device_free;
    if (tn_explain_cannot(verdict->failure == NULL || left == UINT64_MAX ||
                              explain->levels.reserved == NULL,
                          "only a failed request records the free memory of the device", out))
        return;
    uint64_t reserved = explain->levels.reserved[verdict->at], known = left + reserved;
    if (card < known)
        fprintf(out,
                "the size of the card is not recorded: others hold it less %s (%s free, %s "
                "reserved), for the context, libraries and other processes",
                tn_bytes(known), tn_bytes(left), tn_bytes(reserved));
    else
        fprintf(out,
                "card %s - free %s - reserved %s = %s held by others (context, libraries, other "
                "processes)",
                tn_bytes(card), tn_bytes(left), tn_bytes(reserved), tn_bytes(card - known));
}

void tn_answer_apart(const struct tn_explain *explain, FILE *out) {
    const struct tn_holders *streams = &explain->holders[TN_HOLD_BY_STREAM];
    const struct tn_moment *moment = &explain->moment;
    char text[TN_OWNER_TEXT];
    uint64_t private_bytes = 0;
    if (tn_explain_cannot((explain->trace->lacks & TN_TRACE_NO_STREAMS) != 0,
                          "the recording has no streams", out))
        return;
    for (size_t i = 0; i < streams->count && i < 3; i++) {
        uint64_t reserved = 0;
        for (size_t k = 0; k < moment->segment_count; k++)
            reserved +=
                moment->segments[k].stream == streams->list[i].key ? moment->segments[k].bytes : 0;
        fprintf(out, "%s%s holds %s reserved, %s live", i == 0 ? "" : "; ",
                tn_explain_key(explain, TN_HOLD_BY_STREAM, streams->list[i].key, text),
                tn_bytes(reserved), tn_bytes(streams->list[i].bytes));
    }
    for (size_t i = 0; i < moment->segment_count; i++)
        private_bytes += moment->segments[i].is_private ? moment->segments[i].bytes : 0;
    if (private_bytes > 0)
        fprintf(out, "; private pools hold %s, of which %s are free but not for others",
                tn_bytes(private_bytes), tn_bytes(explain->fragments.private_free));
    else
        fputs(streams->count > 0 ? "; no private pools" : "no block is live at this moment", out);
}

void tn_answer_late(const struct tn_explain *explain, FILE *out) {
    const struct tn_moment *moment = &explain->moment;
    uint64_t bytes = 0, count = 0;
    size_t before = moment->at - moment->at / 10;
    if (tn_explain_cannot(explain->is_state, tn_explain_lack(explain), out)) return;
    for (size_t i = 0; i < moment->block_count; i++) {
        const struct tn_life *life = &explain->lives[moment->blocks[i]];
        if (life->born == 0 || life->born > before || life->freed == TN_NEVER) continue;
        bytes += moment->trace->blocks[moment->blocks[i]].size;
        count++;
    }
    fprintf(out,
            "%s in %s had been freed but waited for other streams; %s in %s had been allocated "
            "earlier than the last tenth of the events before, and were freed only after (use is "
            "not recorded)",
            tn_bytes(moment->waiting), tn_number(moment->waiting_count, "block"), tn_bytes(bytes),
            tn_number(count, "block"));
}
