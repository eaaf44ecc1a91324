// SPDX-License-Identifier: Apache-2.0
// Suppressions, in the order of the file.
#include "check/report/suppress.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"
#include "check/report/rules.h"

static struct {
    bool read;
    struct tn_check_rules rules;
} list;

// `tarn check` has read the file before; without it, or if the file has changed since, this ends the process.
static void read_rules(const char *path) {
    char why[1024];
    list.read = true;
    if (*path == '\0' || tn_check_rules_read(path, &list.rules, why, sizeof why)) return;
    (void)dprintf(STDERR_FILENO, "tarn check: %s\n", why);
    _exit(125);
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

static bool rule_matches(const struct tn_check_rule *rule, const struct tn_check_report *report) {
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
    if (!list.read) read_rules(tn_check_options()->suppressions);
    for (size_t i = 0; i < list.rules.count; i++)
        if (rule_matches(&list.rules.all[i], report)) return true;
    return false;
}
