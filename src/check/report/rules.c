// SPDX-License-Identifier: Apache-2.0
// Reads suppressions; see rules.h.
#include "check/report/rules.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "check/report/kinds.h"

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

bool tn_check_rule_parse(const char *line, struct tn_check_rule *rule) {
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

// Returns false, so that a caller can return the result.
static bool refuse(const char *path, size_t line, const char *reason, char *why, size_t room) {
    char shown[600];
    tn_printable_copy(path, shown, sizeof shown);
    if (line == 0)
        (void)snprintf(why, room, "suppressions %s: %s", shown, reason);
    else
        (void)snprintf(why, room, "suppressions %s: line %zu: %s", shown, line, reason);
    return false;
}

// The file is short and read once, so the list grows by one.
static bool add_rule(struct tn_check_rules *rules, const struct tn_check_rule *rule) {
    struct tn_check_rule *more =
        (struct tn_check_rule *)realloc(rules->all, (rules->count + 1) * sizeof *more);
    if (more == NULL) return false;
    rules->all = more;
    more[rules->count++] = *rule;
    return true;
}

static bool read_lines(FILE *file, const char *path, struct tn_check_rules *rules, char *why,
                       size_t room) {
    char line[1024];
    struct tn_check_rule rule;
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (strchr(line, '\n') == NULL && strlen(line) == sizeof line - 1)
            return refuse(path, number, "longer than 1023 bytes", why, room);
        if (!tn_check_rule_parse(line, &rule))
            return refuse(path, number, "not kind:function[:domain] with a kind that exists", why,
                          room);
        if (rule.kind[0] != '\0' && !add_rule(rules, &rule))
            return refuse(path, number, "no memory", why, room);
    }
    return !ferror(file) || refuse(path, 0, strerror(errno), why, room); // a folder, for one
}

bool tn_check_rules_read(const char *path, struct tn_check_rules *rules, char *why, size_t room) {
    *rules = (struct tn_check_rules){NULL, 0};
    FILE *file = fopen(path, "re");
    if (file == NULL) return refuse(path, 0, strerror(errno), why, room);
    bool good = read_lines(file, path, rules, why, room);
    (void)fclose(file);
    if (!good) {
        free(rules->all);
        *rules = (struct tn_check_rules){NULL, 0};
    }
    return good;
}
