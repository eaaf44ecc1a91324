// SPDX-License-Identifier: Apache-2.0
// Suppressions, in the order of the file.
#include "check/report/suppress.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"

static struct {
    bool read;
    struct tn_check_suppression *rules;
    size_t count;
} list;

// ---- reading

static bool keep_part(char *to, size_t room, const char *from, size_t length) {
    while (length > 0 && isspace((unsigned char)from[length - 1])) length--;
    if (length >= room) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

// Returns the length of the function: up to the last colon, unless that is part of a C++ name.
static size_t function_length(const char *text, size_t length) {
    for (size_t i = length; i-- > 0;)
        if (text[i] == ':') return i > 0 && text[i - 1] == ':' ? length : i;
    return length;
}

// A rule with an unknown kind would suppress nothing, so it is an error.
static bool is_kind(const char *pattern) {
    for (unsigned kind = 0; kind < TN_CHECK_KIND_COUNT; kind++)
        if (fnmatch(pattern, tn_check_kind_texts[kind].name, 0) == 0) return true;
    return false;
}

bool tn_check_suppress_parse(const char *line, struct tn_check_suppression *rule) {
    memset(rule, 0, sizeof *rule);
    while (isspace((unsigned char)*line)) line++;
    size_t length = strcspn(line, "#\n"), kind = strcspn(line, ":#\n");
    while (length > 0 && isspace((unsigned char)line[length - 1])) length--;
    if (length == 0) return true;
    if (kind >= length || !keep_part(rule->kind, sizeof rule->kind, line, kind)) return false;
    line += kind + 1;
    length -= kind + 1;
    size_t function = function_length(line, length);
    return keep_part(rule->function, sizeof rule->function, line, function) &&
           (function == length || keep_part(rule->domain, sizeof rule->domain, line + function + 1,
                                            length - function - 1)) &&
           rule->function[0] != '\0' && is_kind(rule->kind);
}

__attribute__((noreturn)) static void give_up(const char *path, const char *why, size_t line) {
    (void)dprintf(STDERR_FILENO, "tarn check: suppressions %s: line %zu: %s\n", path, line, why);
    _exit(125);
}

static void read_file(const char *path) {
    char line[1024];
    struct tn_check_suppression rule;
    FILE *file = fopen(path, "re");
    if (file == NULL) give_up(path, strerror(errno), 0);
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (!tn_check_suppress_parse(line, &rule))
            give_up(path, "not kind:function[:domain] with a kind that exists", number);
        if (rule.kind[0] == '\0') continue;
        // The file is short and read once, so the list grows by one.
        struct tn_check_suppression *more = realloc(list.rules, (list.count + 1) * sizeof *more);
        if (more == NULL) give_up(path, "no memory", number);
        list.rules = more;
        list.rules[list.count++] = rule;
    }
    (void)fclose(file);
}

// ---- matching

struct match {
    const char *pattern;
    bool found;
};

static bool compare_function(void *context, const struct tn_stack_symbol *symbol) {
    struct match *match = context;
    const char *name = symbol->function;
    match->found = name != NULL && fnmatch(match->pattern, name, 0) == 0;
    return !match->found;
}

static bool rule_matches(const struct tn_check_suppression *rule,
                         const struct tn_check_report *report) {
    const char *domain = report->heap.domain == NULL ? "" : report->heap.domain;
    struct match match = {rule->function, strcmp(rule->function, "*") == 0};
    if (fnmatch(rule->kind, tn_check_kind_texts[report->kind].name, 0) != 0 ||
        (rule->domain[0] != '\0' && fnmatch(rule->domain, domain, 0) != 0))
        return false;
    if (!match.found && report->stack_count > 0)
        tn_stack_walk(report->stacks[0].stack, compare_function, &match);
    return match.found;
}

bool tn_check_suppress_matches(const struct tn_check_report *report) {
    const char *path = tn_check_options()->suppressions;
    if (!list.read && *path != '\0') read_file(path);
    list.read = true;
    for (size_t i = 0; i < list.count; i++)
        if (rule_matches(&list.rules[i], report)) return true;
    return false;
}
