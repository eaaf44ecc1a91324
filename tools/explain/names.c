// SPDX-License-Identifier: Apache-2.0
// Names of holders and moments as text; see explain.h.
#include <inttypes.h>

#include "tools/explain/explain.h"
#include "trace/study/name.h"

const char *tn_explain_function(const struct tn_explain *explain, const struct tn_holders *lines,
                                uint64_t call, char text[TN_OWNER_TEXT]) {
    const struct tn_trace_call *it = &explain->trace->calls[call];
    char file[TN_NAME_PART];
    if (call == 0) return tn_name_text("no stack recorded", text, TN_OWNER_TEXT);
    (void)tn_name_function_of(explain->trace, explain->owners.detail, call, text);
    (void)tn_name_file_of(explain->trace, explain->owners.detail, call, file);
    if (file[0] == '\0') return text;
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, TN_OWNER_TEXT - used, " (%s", file);
    const char *between = ":";
    for (size_t i = 0, listed = 0; i < lines->count && listed < 4; i++) {
        const struct tn_trace_call *line = &explain->trace->calls[lines->list[i].key];
        if (lines->list[i].key == 0 || line->function != it->function || line->file != it->file ||
            line->line == 0)
            continue;
        used +=
            (size_t)snprintf(text + used, TN_OWNER_TEXT - used, "%s%" PRIu32, between, line->line);
        between = ", ";
        listed++;
    }
    (void)snprintf(text + used, TN_OWNER_TEXT - used, ")");
    return text;
}

// Formats a stack with its number, by its owner and the callers for which there is room.
static const char *format_stack(const struct tn_explain *explain, uint64_t stack,
                                char text[TN_OWNER_TEXT]) {
    const struct tn_owners *owners = &explain->owners;
    const struct tn_trace_call *calls = explain->trace->calls;
    char number[32], name[TN_NAME_CALL];
    int end = snprintf(number, sizeof number, " [stack %" PRIu64 "]", stack);
    size_t used = 0, room = TN_OWNER_TEXT - (size_t)end;
    for (uint32_t at = owners->calls[stack]; at != 0; at = calls[at].caller) {
        if (at != owners->calls[stack] && owners->own[at] == 0) continue;
        (void)tn_name_call(explain->trace, owners->detail, at, true, name);
        if (used + strlen(name) + sizeof " < " > room) break;
        used += (size_t)snprintf(text + used, room - used, "%s%s", used > 0 ? " < " : "", name);
    }
    (void)snprintf(text + used, TN_OWNER_TEXT - used, "%s", number);
    return text;
}

const char *tn_explain_key(const struct tn_explain *explain, enum tn_holder_kind kind, uint64_t key,
                           char text[TN_OWNER_TEXT]) {
    switch (kind) {
    case TN_HOLD_BY_FUNCTION:
        return tn_explain_function(explain, &explain->holders[TN_HOLD_BY_LINE], key, text);
    case TN_HOLD_BY_STACK:
    case TN_HOLD_BY_LINE:
        if (key == 0) return tn_name_text("no stack recorded", text, TN_OWNER_TEXT);
        return kind == TN_HOLD_BY_STACK
                   ? format_stack(explain, key, text)
                   : tn_name_call(explain->trace, explain->owners.detail, key, true, text);
    case TN_HOLD_BY_STREAM:
        (void)snprintf(text, TN_OWNER_TEXT, "stream 0x%" PRIx64,
                       explain->trace->streams[key].native);
        return text;
    case TN_HOLD_BY_TAG:
        return tn_name_text(key != 0 ? explain->trace->texts[key] : "no tag", text, TN_NAME_PART);
    case TN_HOLD_BY_PHASE:
        return tn_name_text(key != 0 ? explain->trace->texts[key] : "outside every phase", text,
                            TN_NAME_PART);
    case TN_HOLD_BY_CATEGORY:
        return tn_name_text(tn_role_name((int)key, false), text, TN_OWNER_TEXT);
    default: (void)snprintf(text, TN_OWNER_TEXT, "%s bytes", tn_count(key)); return text;
    }
}

struct tn_holder tn_explain_rest(const struct tn_explain *explain,
                                 const struct tn_holders *holders) {
    struct tn_holder rest = {.key = 0};
    for (size_t i = explain->options->top; i < holders->count; i++) {
        rest.bytes += holders->list[i].bytes;
        rest.count += holders->list[i].count;
    }
    return rest;
}

const char *tn_explain_when(const struct tn_explain *explain, char text[TN_OWNER_TEXT]) {
    if (explain->kind == TN_EXPLAIN_FAILURE)
        (void)snprintf(text, TN_OWNER_TEXT, "before the failure at event %s",
                       tn_count(explain->verdict.event));
    else if (explain->moment.at == 0 || explain->is_state)
        (void)snprintf(text, TN_OWNER_TEXT, "%s",
                       explain->is_state ? "when it was recorded" : "at the start");
    else
        (void)snprintf(text, TN_OWNER_TEXT, "%s event %s",
                       explain->kind == TN_EXPLAIN_PEAK ? "at the peak, after" : "after",
                       tn_count(explain->moment.at));
    return text;
}

bool tn_explain_contradicts(const struct tn_explain *explain, size_t at) {
    const struct tn_levels *levels = &explain->levels;
    return levels->reserved != NULL && levels->live[at] > levels->reserved[at];
}

bool tn_explain_cannot(bool cannot, const char *why, FILE *out) {
    if (cannot) fprintf(out, "cannot be told: %s", why);
    return cannot;
}

const char *tn_explain_lack(const struct tn_explain *explain) {
    return (explain->trace->lacks & TN_TRACE_NO_BLOCKS) != 0
               ? "the recording has sums of bytes, not blocks"
               : "the recording is a state without history";
}

bool tn_explain_is_on(const struct tn_explain *explain, const char *name) {
    const char *value = tn_trace_setting(explain->trace, name);
    return value != NULL && strcmp(value, "true") == 0;
}
