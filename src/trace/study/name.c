// SPDX-License-Identifier: Apache-2.0
// Short names of calls; see name.h.
#include "trace/study/name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/study/owner.h"

static const char *copy_name(const char *from, size_t length, char *name, size_t room) {
    length = length < room ? length : room - 1;
    for (size_t i = 0; i < length; i++)
        name[i] = (unsigned char)from[i] < 0x20 || from[i] == 0x7f ? '?' : from[i];
    name[length] = '\0';
    return name;
}

const char *tn_name_text(const char *text, char *name, size_t room) {
    return copy_name(text, strlen(text), name, room);
}

// Finds the last two parts of "space::Class::function(arguments)". Colons and parentheses within
// brackets, as of templates, divide nothing, nor does "(anonymous namespace)".
static const char *find_parts(const char *at, const char **end) {
    const char *last = at, *before = at;
    int depth = 0;
    for (; *at != '\0'; at++) {
        if (*at == '(' && depth == 0 && at != last)
            break;
        if (*at == '<' || *at == '(') {
            depth++;
        } else if ((*at == '>' || *at == ')') && depth > 0) {
            depth--;
        } else if (depth == 0 && strncmp(at, "::", 2) == 0) {
            before = last;
            last = at++ + 2;
        }
    }
    *end = at;
    return before;
}

const char *tn_name_function(const char *function, char *name, size_t room) {
    const char *from = function[0] != '\0' ? function : "?";
    const char *end = from + strlen(from);
    if (strstr(from, "::") != NULL)
        from = find_parts(from, &end);
    return copy_name(from, (size_t)(end - from), name, room);
}

const char *tn_name_file(const char *path, char *name, size_t room) {
    const char *base = tn_owner_base_name(path);
    return tn_name_text(strcmp(base, "??") != 0 ? base : "", name, room);
}

const char *tn_name_call(const struct tn_trace *trace, uint64_t call, bool with_line,
                         char name[TN_NAME_CALL]) {
    const struct tn_trace_call *it = &trace->calls[call];
    char file[TN_NAME_PART];
    (void)tn_name_function(trace->texts[it->function], name, TN_NAME_PART);
    (void)tn_name_file(trace->texts[it->file], file, sizeof file);
    char *end = name + strlen(name);
    if (file[0] != '\0' && with_line && it->line != 0)
        (void)snprintf(end, TN_NAME_CALL - TN_NAME_PART, " (%s:%" PRIu32 ")", file, it->line);
    else if (file[0] != '\0')
        (void)snprintf(end, TN_NAME_CALL - TN_NAME_PART, " (%s)", file);
    return name;
}
