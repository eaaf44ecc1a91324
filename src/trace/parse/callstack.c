// SPDX-License-Identifier: Apache-2.0
// Reads stacks from text; see callstack.h. A call is "FILE:LINE FUNCTION", "FILE(LINE): FUNCTION"
// (Python), "FUNCTION (FILE:LINE)" (Tarn), "(N) FILE:LINE:FUNCTION" (SnapViewer),
// "OBJECT(FUNCTION+0xOFFSET) [0xADDRESS]" (backtrace_symbols()), or a function.
#include "trace/parse/callstack.h"

#include "base/error.h"

static struct tn_cell slice(const char *from, const char *to) {
    return (struct tn_cell){from, (size_t)(to - from)};
}

static bool is_separator(char byte) { return byte == '\n' || byte == '\r' || byte == ';'; }

// Finds a line number: the digits before `end`, behind `mark`. Returns where `mark` stands, or
// NULL.
static const char *find_number(const char *from, const char *end, char mark, uint32_t *number) {
    const char *at = end;
    uint64_t value;
    while (at > from && at[-1] >= '0' && at[-1] <= '9') at--;
    if (at == end || at <= from + 1 || at[-1] != mark || !tn_cell_unsigned(slice(at, end), &value))
        return NULL;
    *number = value <= UINT32_MAX ? (uint32_t)value : 0;
    return at - 1;
}

// The parts of a call, within the text.
struct parts {
    struct tn_cell file;
    struct tn_cell function;
    uint32_t line;
};

// Splits "FILE:LINE FUNCTION" or "FILE(LINE): FUNCTION".
static bool split_python(struct tn_cell call, struct parts *parts) {
    const char *end = call.text + call.length;
    const char *blank = (const char *)memchr(call.text, ' ', call.length);
    const char *mark, *last = blank != NULL ? blank : end;
    if (last - call.text > 2 && last[-1] == ':' && last[-2] == ')')
        mark = find_number(call.text, last - 2, '(', &parts->line);
    else
        mark = find_number(call.text, last, ':', &parts->line);
    if (mark == NULL) return false;
    parts->file = slice(call.text, mark);
    parts->function = tn_cell_trim(slice(last, end));
    return true;
}

// Splits "OBJECT(FUNCTION+0xOFFSET)"; what follows is an address.
static bool split_symbol(struct tn_cell call, struct parts *parts) {
    const char *open = (const char *)memchr(call.text, '(', call.length);
    if (open == NULL || open == call.text || call.text[0] != '/') return false;
    size_t left = (size_t)(call.text + call.length - open - 1);
    const char *close = (const char *)memchr(open + 1, ')', left);
    if (close == NULL) return false;
    const char *plus = (const char *)memchr(open + 1, '+', (size_t)(close - open - 1));
    parts->file = slice(call.text, open);
    parts->function = slice(open + 1, plus != NULL ? plus : close);
    return true;
}

// Splits "FUNCTION (FILE:LINE)".
static bool split_named(struct tn_cell call, struct parts *parts) {
    const char *end = call.text + call.length - 1;
    const char *open = (const char *)memrchr(call.text, '(', call.length);
    if (*end != ')' || open == NULL || open < call.text + 2 || open[-1] != ' ') return false;
    const char *mark = find_number(open, end, ':', &parts->line);
    if (mark == NULL) return false;
    parts->file = slice(open + 1, mark);
    parts->function = slice(call.text, open - 1);
    return true;
}

// Splits "(N) FILE:LINE:FUNCTION". The function may have colons, too.
static bool split_numbered(struct tn_cell call, struct parts *parts) {
    const char *end = call.text + call.length, *mark = NULL, *from = call.text;
    if (*from++ != '(') return false;
    while (from < end && *from >= '0' && *from <= '9') from++;
    if (end - from < 2 || from[0] != ')' || from[1] != ' ') return false;
    from += 2;
    for (const char *at = from; at < end && mark == NULL; at++)
        if (*at == ':' && (mark = find_number(from, at, ':', &parts->line)) != NULL) {
            parts->file = slice(from, mark);
            parts->function = slice(at + 1, end);
        }
    return mark != NULL;
}

static tarn_status add_call(struct tn_builder *builder, struct tn_cell text, uint32_t *stack) {
    struct parts parts = {.file = {"", 0}, .function = text};
    struct tn_trace_call call = {.caller = *stack};
    if (!split_numbered(text, &parts) && !split_python(text, &parts) &&
        !split_named(text, &parts) && !split_symbol(text, &parts))
        parts.function = text;
    call.line = parts.line;
    TN_TRY(tn_builder_text(builder, parts.function.text, parts.function.length, &call.function));
    TN_TRY(tn_builder_text(builder, parts.file.text, parts.file.length, &call.file));
    return tn_builder_stack(builder, &call, stack);
}

// Returns true if "FILE:LINE" begins here, behind a blank.
static bool begins_call(const char *at, const char *end) {
    const char *to = at;
    uint32_t line;
    while (to < end && *to != ' ' && !is_separator(*to)) to++;
    return to < end && *to == ' ' && find_number(at, to, ':', &line) != NULL;
}

// Returns the end of the call that begins at `at`.
static const char *find_call_end(const char *at, const char *end) {
    for (at++; at < end && !is_separator(*at); at++)
        if (at[-1] == ' ' && begins_call(at, end)) break;
    return at;
}

tarn_status tn_callstack_add(struct tn_builder *builder, struct tn_cell text, uint32_t caller,
                             uint32_t *stack) {
    struct tn_cell calls[TN_CALLSTACK_DEPTH];
    const char *end = text.text + text.length;
    size_t count = 0;
    for (const char *at = text.text; at < end && count < TN_CALLSTACK_DEPTH;) {
        const char *to = is_separator(*at) ? at : find_call_end(at, end);
        struct tn_cell call = tn_cell_trim(slice(at, to));
        if (call.length > 0) calls[count++] = call;
        at = to + (to < end && is_separator(*to));
    }
    *stack = caller;
    while (count > 0) TN_TRY(add_call(builder, calls[--count], stack));
    return TARN_OK;
}
