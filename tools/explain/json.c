// SPDX-License-Identifier: Apache-2.0
// The explanation as JSON, with all numbers; see explain.h. An out-of-memory of jansson ends the
// command, see main.c.

#include "tools/explain/explain.h"
#include "tools/result.h"

// The names of enumerators.
#define CAUSE_NAME(name, json, text) json,
static const char *const verdict_names[] = {TN_VERDICT_LIST(CAUSE_NAME)};
static const char *const steps_names[] = {TN_STEPS_LIST(TN_TEXT_OF)};
static const char *const leak_names[] = {TN_LEAK_LIST(TN_TEXT_OF)};
static const char *const holder_names[] = {TN_HOLDER_LIST(TN_TEXT_OF)};

// Names functions with lines of `lines`, or if it is NULL with those of the moment.
static void set_holders(json_t *object, const struct tn_explain *explain,
                        const struct tn_holders *holders, enum tn_holder_kind kind,
                        const struct tn_holders *lines) {
    json_t *list = tn_member_list(object, "holders");
    const struct tn_holder rest = tn_explain_rest(explain, holders);
    char text[TN_OWNER_TEXT];
    for (size_t i = 0; i < holders->count && i < explain->options->top; i++) {
        const struct tn_holder *holder = &holders->list[i];
        json_t *entry = tn_list_object(list);
        tn_member_text(entry, "name",
                       lines != NULL ? tn_explain_function(explain, lines, holder->key, text)
                                     : tn_explain_key(explain, kind, holder->key, text));
        tn_member_number(entry, "bytes", holder->bytes);
        tn_member_number(entry, "blocks", holder->count);
    }
    tn_member_number(object, "rest_bytes", rest.bytes);
    tn_member_number(object, "rest_blocks", rest.count);
}

static void set_moment(json_t *object, const struct tn_explain *explain) {
    static const char *const kinds[] = {"peak", "failure", "event"};
    const struct tn_moment *moment = &explain->moment;
    const struct tn_fragments *fragments = &explain->fragments;
    tn_member_text(object, "kind", kinds[explain->kind]);
    if (moment->at > 0) tn_member_number(object, "event", moment->at);
    tn_member_number(object, "live_bytes", moment->live);
    tn_member_number(object, "live_blocks", moment->block_count);
    tn_member_number(object, "waiting_bytes", moment->waiting);
    tn_member_number(object, "active_bytes", moment->occupied);
    if (explain->levels.reserved != NULL)
        tn_member_number(object, "reserved_bytes", explain->levels.reserved[moment->at]);
    if (!moment->has_places) return;
    tn_member_number(object, "segments", moment->segment_count);
    tn_member_number(object, "rounding_bytes", fragments->rounding);
    tn_member_number(object, "hole_bytes", fragments->holes);
    tn_member_number(object, "holes", fragments->hole_count);
    tn_member_number(object, "empty_segment_bytes", fragments->empty);
    tn_member_number(object, "private_free_bytes", fragments->private_free);
    tn_member_number(object, "largest_free_bytes", fragments->largest);
}

static void set_failure(json_t *object, const struct tn_explain *explain) {
    const struct tn_verdict *verdict = &explain->verdict;
    tn_member_text(object, "cause", verdict_names[verdict->cause]);
    tn_member_number(object, "failures", explain->failures);
    tn_member_number(object, "event", verdict->event);
    tn_member_number(object, "position", verdict->where);
    tn_member_number(object, "asked_bytes", verdict->failure->size);
    if (verdict->device_free != UINT64_MAX)
        tn_member_number(object, "device_free_bytes", verdict->device_free);
    tn_member_number(object, "live_bytes", explain->levels.live[verdict->at]);
    tn_member_number(object, "usable_free_bytes", verdict->usable);
    tn_member_number(object, "largest_free_bytes", verdict->largest);
    tn_member_number(object, "would_have_fitted_bytes", verdict->fits);
    tn_member_number(object, "missing_bytes", verdict->missing);
}

static void set_levels(json_t *object, const struct tn_explain *explain) {
    const struct tn_levels *levels = &explain->levels;
    tn_member_number(object, "events", explain->device->event_count);
    tn_member_number(object, "live_at_start_bytes", levels->live[0]);
    tn_member_number(object, "starting_blocks", explain->device->starting_count);
    tn_member_number(object, "peak_live_bytes", tn_explain_peak(explain->trace, explain->device));
    if (levels->peak > 0) tn_member_number(object, "peak_event", levels->peak);
    tn_member_number(object, "live_at_end_bytes", levels->live[levels->count - 1]);
    if (levels->reserved == NULL) return;
    tn_member_number(object, "reserved_at_start_bytes", levels->reserved[0]);
    tn_member_number(object, "peak_reserved_bytes", levels->reserved[levels->peak_reserved]);
    tn_member_number(object, "reserved_at_end_bytes", levels->reserved[levels->count - 1]);
    tn_member_number(object, "segments_taken", explain->calls.taken);
    tn_member_number(object, "segments_returned", explain->calls.returned);
    tn_member_number(object, "segments_taken_again", explain->calls.again);
}

static void set_steps(json_t *object, const struct tn_explain *explain) {
    const struct tn_steps *steps = &explain->steps;
    const struct tn_leak *leak = &explain->leak;
    tn_member_text(object, "leak", leak_names[leak->verdict]);
    tn_member_number(object, "leak_steps", leak->steps);
    tn_member_number(object, "leak_bytes", leak->bytes);
    tn_member_text(object, "found_by", steps_names[steps->kind]);
    json_t *live = tn_member_list(object, "live_at_begins");
    for (size_t i = 0; i < steps->begin_count; i++)
        tn_list_add(live, json_integer((json_int_t)explain->levels.live[steps->begins[i]]));
    tn_member_number(object, "period_allocations", steps->period);
    tn_member_set(object, "grows", json_boolean(leak->verdict == TN_LEAK_YES));
    tn_member_set(object, "growth_bytes", json_integer(leak->growth));
    set_holders(tn_member_object(object, "grown_by_function"), explain, &explain->grown.functions,
                TN_HOLD_BY_FUNCTION, &explain->grown.lines);
}

static void set_role_group(json_t *object, const struct tn_role_group *group) {
    json_t *names = tn_member_list(object, "roles");
    for (int i = 0; i < TN_CATEGORY_COUNT; i++)
        if ((group->roles >> i & 1) != 0) tn_list_add(names, json_string(tn_role_name(i, true)));
    tn_member_number(object, "bytes", group->bytes);
    tn_member_number(object, "blocks", group->count);
}

// Members of a role are its bytes. Those that more blocks may have are in "at_least".
static void set_roles(json_t *object, const struct tn_explain *explain) {
    const struct tn_roles *roles = &explain->roles;
    json_t *least = json_object();
    tn_member_set(object, "inferred", json_boolean(roles->inferred && roles->known));
    if (!roles->known) tn_member_text(object, "lack", tn_explain_role_lack(roles->lack));
    for (int i = 0; i < TN_CATEGORY_COUNT && roles->known; i++)
        if (roles->bytes[i] != 0)
            tn_member_number((roles->open >> i & 1) != 0 ? least : object,
                             tn_role_name(i, roles->inferred), roles->bytes[i]);
    tn_member_set(object, "at_least", least);
    json_t *groups = tn_member_list(object, "not_told_apart");
    for (size_t i = 0; i < roles->group_count && roles->known; i++)
        set_role_group(tn_list_object(groups), &roles->groups[i]);
}

static void set_answers(json_t *object, const struct tn_explain *explain) {
    json_t *list = tn_member_list(object, "questions");
    for (unsigned i = 1; i <= TN_QUESTIONS; i++) {
        if (explain->answers[i - 1] == NULL) continue;
        json_t *entry = tn_list_object(list);
        tn_member_number(entry, "number", i);
        tn_member_text(entry, "question", tn_explain_question(i));
        tn_member_text(entry, "answer", explain->answers[i - 1]);
    }
}

// Sets all numbers.
static void set_whole(json_t *object, const struct tn_explain *explain) {
    tn_member_text(object, "verdict_kind", explain->opening.kind);
    tn_member_text(object, "verdict", explain->opening.verdict);
    tn_member_text(object, "remedy", explain->opening.remedy);
    set_levels(tn_member_object(object, "whole"), explain);
    if (explain->verdict.failure != NULL)
        set_failure(tn_member_object(object, "failure"), explain);
    else
        tn_member_set(object, "failure", json_null());
    set_moment(tn_member_object(object, "moment"), explain);
    for (int kind = 0; kind < TN_HOLDER_KINDS; kind++)
        set_holders(tn_member_object(object, holder_names[kind]), explain, &explain->holders[kind],
                    (enum tn_holder_kind)kind, NULL);
    set_roles(tn_member_object(object, "by_role"), explain);
    set_holders(tn_member_object(object, "never_freed"), explain, &explain->kept.functions,
                TN_HOLD_BY_FUNCTION, &explain->kept.lines);
    set_steps(tn_member_object(object, "steps"), explain);
    json_t *replays = tn_member_object(object, "replay_peak_reserved_bytes");
    for (size_t i = 0; i < TN_EXPLAIN_REPLAYS; i++)
        if (explain->replays[i].pool != NULL)
            tn_member_number(replays, explain->replays[i].pool, explain->replays[i].peak);
    if (explain->expandable.with_room != 0) {
        json_t *option = tn_member_object(object, "expandable_segments");
        tn_member_number(option, "reserved_with_room_bytes", explain->expandable.with_room);
        tn_member_number(option, "least_card_bytes", explain->expandable.least);
    }
    tn_explain_set_cards(tn_member_object(object, "cards"), explain);
    if (explain->replays[0].pool != NULL) // 0: without a limit
        tn_member_number(object, "replay_memory_bytes", explain->card.bytes);
}

json_t *tn_explain_json(const struct tn_explain *explain) {
    json_t *object = json_object();
    tn_member_text(object, "recording", explain->options->path);
    tn_member_text(object, "format", tn_trace_format_name(explain->trace->format));
    tn_member_number(object, "devices", tn_trace_accelerators(explain->trace));
    tn_member_number(object, "contradictions", explain->trace->note_count);
    tn_member_number(object, "device", explain->device->number);
    if (explain->options->question == 0) set_whole(object, explain);
    set_answers(object, explain);
    return object;
}
