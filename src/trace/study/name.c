// SPDX-License-Identifier: Apache-2.0
// Short names of calls; see name.h.
#include "trace/study/name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

// Returns true within a letter of UTF-8, which begins with another byte.
static bool is_inside_letter(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

static const char *copy_name(const char *from, size_t length, char *name, size_t room) {
    bool is_cut = length >= room;
    length = is_cut ? room - 1 : length;
    while (is_cut && length > 0 && is_inside_letter(from[length])) length--;
    memcpy(name, from, length);
    name[length] = '\0';
    for (char *at = name; *at != '\0';) {
        size_t printable = tn_printable_length(at);
        if (printable == 0) *at = '?';
        at += printable > 0 ? printable : 1;
    }
    return name;
}

const char *tn_name_text(const char *text, char *name, size_t room) {
    return copy_name(text, strlen(text), name, room);
}

const char *tn_name_base(const char *path) {
    const char *base = path;
    for (; *path != '\0'; path++)
        if (*path == '/' || *path == '\\') base = path + 1;
    return base;
}

// ---- functions

static bool is_letter(char letter) { return isalnum((unsigned char)letter) || letter == '_'; }

// Returns the end of the name of an operator, such as "operator<<" and "operator new[]". "at" is
// returned if there is none. Brackets in the name open nothing.
static const char *skip_operator(const char *from, const char *at) {
    static const char word[] = "operator";
    const char *end = at + strlen(word);
    if ((at != from && at[-1] != ':') || strncmp(at, word, strlen(word)) != 0 || is_letter(*end))
        return at;
    return strncmp(end, "()", 2) == 0 ? end + 2 : end + strcspn(end, "(");
}

// Returns the change of depth by a bracket. Colons, spaces and parentheses within brackets, as of
// templates, divide nothing.
static int bracket_step(const char *from, const char *at) {
    if (strchr("<({[", *at) != NULL) return 1;
    return *at == '>' && at != from && at[-1] == '-' ? 0 : strchr(">)}]", *at) != NULL ? -1 : 0;
}

// Finds the name of a function, and where its last two parts begin, as in "space::Class::function".
static const char *find_scope(const char *function, size_t *length, const char **parts) {
    const char *from = function, *at = function, *last = function;
    *parts = function;
    for (int depth = 0; *at != '\0'; at++) {
        const char *end = depth == 0 ? skip_operator(from, at) : at;
        if (end != at) {
            at = end - 1;
            continue;
        }
        // "(anonymous namespace)" is a part of the name
        if (depth == 0 &&
            ((*at == '(' && at != from && at[-1] != ':') || strncmp(at, " [", 2) == 0))
            break;
        if (depth == 0 && *at == ' ') *parts = last = from = at + 1;
        if (depth == 0 && strncmp(at, "::", 2) == 0) {
            *parts = last;
            last = at++ + 2;
        }
        depth += bracket_step(function, at);
        depth = depth < 0 ? 0 : depth;
    }
    *length = (size_t)(at - from);
    return from;
}

const char *tn_name_scope(const char *function, size_t *length) {
    const char *parts;
    return find_scope(function, length, &parts);
}

const char *tn_name_operator(const char *function, size_t *length) {
    static const char prefix[] = "at::_ops::";
    if (strncmp(function, prefix, strlen(prefix)) != 0) return NULL;
    const char *name = function + strlen(prefix), *end = strstr(name, "::");
    if (end == NULL) return NULL;
    *length = (size_t)(end - name);
    return name;
}

const char *tn_name_function(const char *function, char *name, size_t room) {
    const char *from = function[0] != '\0' ? function : "?";
    size_t length = strlen(from);
    const char *operation = tn_name_operator(from, &length);
    if (operation != NULL && room > 6) {
        memcpy(name, "aten::", 6);
        (void)copy_name(operation, length, name + 6, room - 6);
        return name;
    }
    if (strstr(from, "::") != NULL) {
        const char *parts, *scope = find_scope(from, &length, &parts);
        length -= (size_t)(parts - scope);
        from = parts;
    }
    return copy_name(from, length, name, room);
}

// Copies as much of the end of a text as there is room for.
static const char *copy_end(const char *text, char *name, size_t room) {
    size_t length = strlen(text);
    const char *from = length < room ? text : text + length + 1 - room;
    while (from != text && is_inside_letter(*from)) from++;
    return tn_name_text(from, name, room);
}

const char *tn_name_whole(const char *function, char *name, size_t room) {
    size_t length = strlen(function), half = (room - 4) / 2;
    if (length < room) return copy_name(function, length, name, room);
    (void)copy_name(function, length, name, half + 1);
    char *end = name + strlen(name);
    memcpy(end, "...", 4);
    (void)copy_end(function, end + 3, half + 1);
    return name;
}

const char *tn_name_path(const char *path, unsigned folders, char *name, size_t room) {
    const char *base = tn_name_base(path);
    if (strcmp(base, "??") == 0) return tn_name_text("", name, room);
    for (; folders > 0 && base > path; folders--)
        for (base--; base > path && base[-1] != '/' && base[-1] != '\\';) base--;
    return copy_end(base, name, room);
}

// ---- calls

const char *tn_name_function_of(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                                char name[TN_NAME_PART]) {
    uint32_t text = trace->calls[call].function;
    return detail != NULL && detail[text] != 0
               ? tn_name_whole(trace->texts[text], name, TN_NAME_PART)
               : tn_name_function(trace->texts[text], name, TN_NAME_PART);
}

const char *tn_name_file_of(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                            char name[TN_NAME_PART]) {
    uint32_t text = trace->calls[call].file;
    return tn_name_path(trace->texts[text], detail != NULL ? detail[text] : 0, name, TN_NAME_PART);
}

const char *tn_name_call(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                         bool with_line, char name[TN_NAME_CALL]) {
    char file[TN_NAME_PART];
    uint32_t line = trace->calls[call].line;
    (void)tn_name_function_of(trace, detail, call, name);
    (void)tn_name_file_of(trace, detail, call, file);
    char *end = name + strlen(name);
    if (file[0] != '\0' && with_line && line != 0)
        (void)snprintf(end, TN_NAME_CALL - TN_NAME_PART, " (%s:%" PRIu32 ")", file, line);
    else if (file[0] != '\0')
        (void)snprintf(end, TN_NAME_CALL - TN_NAME_PART, " (%s)", file);
    return name;
}
