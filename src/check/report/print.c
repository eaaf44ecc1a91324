// SPDX-License-Identifier: Apache-2.0
// A report as text, and as one line of JSON with the same fields.
#include "check/report/print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "check/options.h"
#include "stack/library.h"

static const char *const sides[] = {"inside", "before", "after"};

static const char *severity_of(const struct tn_check_report *report) {
    return tn_check_severity_name((enum tn_check_severity)report->severity);
}

// Gets the name of the calling thread, or "" if that is only the program's name.
static void get_thread_name(const struct tn_check_report *report, char name[17]) {
    memset(name, 0, 17);
    if (report->thread == 0 || prctl(PR_GET_NAME, name) != 0 ||
        strncmp(name, program_invocation_short_name, 15) == 0)
        name[0] = '\0';
}

// ---- text

static void add_head(struct tn_check_text *text, const struct tn_check_report *report,
                     uint64_t serial) {
    char name[17];
    get_thread_name(report, name);
    tn_check_text_add(text, "==%d== %s %s: %s", (int)getpid(), severity_of(report),
                      tn_check_kind_texts[report->kind].name, report->what);
    if (report->device >= 0) tn_check_text_add(text, " dev %d", report->device);
    if (report->thread != 0)
        tn_check_text_add(text, " thread %" PRIu32 "%s%s", report->thread, *name == '\0' ? "" : " ",
                          name);
    tn_check_text_add(text, " [#%" PRIu64 "]\n", serial);
}

static void add_region(struct tn_check_text *text, const struct tn_check_report *report,
                       const char *lead, const struct tn_check_report_region *region) {
    if (region->serial == 0) return;
    tn_check_text_add(text, "==%d==   %s", (int)getpid(), lead);
    if (report->addr != 0)
        tn_check_text_add(text, " %" PRIu64 " byte(s) %s", region->distance, sides[region->side]);
    tn_check_text_add(text, " %sregion R%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") size %" PRIu64,
                      region->ended ? "freed " : "", region->serial, region->lo, region->hi,
                      region->hi - region->lo);
    if (region->requested != 0 && region->requested != region->hi - region->lo)
        tn_check_text_add(text, " requested %" PRIu64, region->requested);
    if (region->name != NULL) tn_check_text_add(text, " \"%s\"", region->name);
    if (region->generation > 1)
        tn_check_text_add(text, " (generation %" PRIu32 ")", region->generation);
    if (region->ended) tn_check_text_add(text, ", freed %" PRIu64 " event(s) ago", region->age);
    tn_check_text_add(text, "\n");
}

static void add_heap(struct tn_check_text *text, const struct tn_check_report_heap *heap) {
    if (heap->serial == 0) return;
    tn_check_text_add(text,
                      "==%d==   in heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") size %" PRIu64,
                      (int)getpid(), heap->serial, heap->lo, heap->hi, heap->hi - heap->lo);
    if (heap->name != NULL) tn_check_text_add(text, " \"%s\"", heap->name);
    if (heap->domain != NULL) tn_check_text_add(text, " domain \"%s\"", heap->domain);
    tn_check_text_add(text, " (%" PRIu64 "/%" PRIu64 " bytes live)\n", heap->live_bytes,
                      heap->hi - heap->lo);
}

struct lines {
    struct tn_check_text *text;
    unsigned index;
};

static bool add_line(void *context, const struct tn_stack_symbol *symbol) {
    struct lines *lines = context;
    const char *function = symbol->function == NULL ? "??" : symbol->function;
    tn_check_text_add(lines->text, "==%d==     #%u 0x%jx %s ", (int)getpid(), lines->index++,
                      (uintmax_t)symbol->address, function);
    if (symbol->file != NULL)
        tn_check_text_add(lines->text, "%s:%d\n", symbol->file, symbol->line);
    else if (symbol->object != NULL)
        tn_check_text_add(lines->text, "(%s+0x%jx)\n", symbol->object, (uintmax_t)symbol->offset);
    else
        tn_check_text_add(lines->text, "(unknown)\n");
    return lines->index < 64;
}

static void add_stack(struct tn_check_text *text, const struct tn_check_report_stack *stack) {
    struct lines lines = {text, 0};
    tn_check_text_add(text, "==%d==   %s", (int)getpid(), stack->role);
    if (stack->thread != 0) tn_check_text_add(text, " by thread %" PRIu32, stack->thread);
    tn_check_text_add(text, ":\n");
    tn_stack_walk(stack->stack, add_line, &lines);
}

// ---- the suppression

struct suppression {
    char function[256]; // a pattern
};

// Takes the first function that is not Tarn's. A character that has a meaning in a rule matches any one.
static bool take_function(void *context, const struct tn_stack_symbol *symbol) {
    struct suppression *suppression = (struct suppression *)context;
    if (symbol->function == NULL || tn_stack_is_of_tarn(symbol->object)) return true;
    (void)snprintf(suppression->function, sizeof suppression->function, "%s", symbol->function);
    for (char *at = suppression->function; *at != '\0'; at++)
        if (strchr("*?[]\\#", *at) != NULL) *at = '?';
    return false;
}

static void add_suppression(struct tn_check_text *text, const struct tn_check_report *report) {
    struct suppression suppression = {.function = "*"};
    if (report->stack_count > 0)
        tn_stack_walk(report->stacks[0].stack, take_function, &suppression);
    tn_check_text_add(text, "==%d==   to suppress: %s:%s\n", (int)getpid(),
                      tn_check_kind_texts[report->kind].name, suppression.function);
}

void tn_check_print_text(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial) {
    add_head(text, report, serial);
    add_region(text, report, "is", &report->region);
    add_region(text, report, "and", &report->second);
    add_heap(text, &report->heap);
    for (unsigned i = 0; i < report->stack_count; i++)
        if (report->stacks[i].stack != 0) add_stack(text, &report->stacks[i]);
    if (tn_check_options()->gen_suppressions) add_suppression(text, report);
}

// ---- JSON

static void add_member(struct tn_check_text *text, const char *name, const char *value) {
    tn_check_text_add(text, ", \"%s\": ", name);
    tn_check_text_add_json(text, value);
}

static void add_json_region(struct tn_check_text *text, const char *member,
                            const struct tn_check_report_region *region) {
    if (region->serial == 0) return;
    tn_check_text_add(
        text,
        ", \"%s\": {\"serial\": %" PRIu64 ", \"lo\": \"0x%" PRIx64 "\", \"hi\": \"0x%" PRIx64
        "\", \"size\": %" PRIu64 ", \"requested\": %" PRIu64 ", \"offset\": %" PRIu64
        ", \"side\": \"%s\", \"generation\": %" PRIu32 ", \"live\": %s, \"age\": %" PRIu64,
        member, region->serial, region->lo, region->hi, region->hi - region->lo, region->requested,
        region->distance, sides[region->side], region->generation, region->ended ? "false" : "true",
        region->age);
    add_member(text, "name", region->name);
    tn_check_text_add(text, "}");
}

static void add_json_heap(struct tn_check_text *text, const struct tn_check_report_heap *heap) {
    if (heap->serial == 0) return;
    tn_check_text_add(text,
                      ", \"heap\": {\"serial\": %" PRIu64 ", \"lo\": \"0x%" PRIx64
                      "\", \"hi\": \"0x%" PRIx64 "\", \"size\": %" PRIu64 ", \"live\": %" PRIu64,
                      heap->serial, heap->lo, heap->hi, heap->hi - heap->lo, heap->live_bytes);
    add_member(text, "name", heap->name);
    tn_check_text_add(text, "}");
    add_member(text, "domain", heap->domain);
}

static bool add_json_frame(void *context, const struct tn_stack_symbol *symbol) {
    struct lines *lines = context;
    tn_check_text_add(lines->text, "%s{\"pc\": \"0x%jx\"", lines->index++ == 0 ? "" : ", ",
                      (uintmax_t)symbol->address);
    add_member(lines->text, "function", symbol->function);
    add_member(lines->text, "file", symbol->file);
    tn_check_text_add(lines->text, ", \"line\": %d", symbol->line);
    add_member(lines->text, "object", symbol->object);
    tn_check_text_add(lines->text, ", \"offset\": \"0x%jx\"}", (uintmax_t)symbol->offset);
    return lines->index < 64;
}

// If a role occurs twice, the second member gets a number.
static void add_json_stack(struct tn_check_text *text, const struct tn_check_report *report,
                           unsigned index) {
    const char *role = report->stacks[index].role;
    // The JSON schema has short words for the usual roles.
    const char *word = strcmp(role, "allocated") == 0 ? "alloc"
                       : strcmp(role, "freed") == 0   ? "free"
                                                      : role;
    char member[80];
    struct lines lines = {text, 0};
    unsigned earlier = 0;
    for (unsigned i = 0; i < index; i++) earlier += strcmp(report->stacks[i].role, role) == 0;
    (void)snprintf(member, sizeof member, earlier == 0 ? "%s" : "%s%u", word, earlier + 1);
    tn_check_text_add(text, "%s", index == 0 ? "" : ", ");
    tn_check_text_add_json(text, member);
    tn_check_text_add(text, ": {\"tid\": %" PRIu32 ", \"frames\": [", report->stacks[index].thread);
    tn_stack_walk(report->stacks[index].stack, add_json_frame, &lines);
    tn_check_text_add(text, "]}");
}

void tn_check_print_json(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial) {
    char name[17];
    get_thread_name(report, name);
    tn_check_text_add(text, TN_CHECK_JSON_HEAD ", \"serial\": %" PRIu64, (int)getpid(), serial);
    add_member(text, "kind", tn_check_kind_texts[report->kind].name);
    add_member(text, "sev", severity_of(report));
    add_member(text, "what", report->what);
    tn_check_text_add(text, ", \"addr\": \"0x%" PRIx64 "\", \"size\": %" PRIu64 ", \"dev\": %d",
                      report->addr, report->bytes, report->device);
    add_member(text, "access", report->access);
    tn_check_text_add(text, ", \"tid\": %" PRIu32, report->thread);
    add_member(text, "thread_name", *name == '\0' ? NULL : name);
    if (report->region.serial != 0)
        tn_check_text_add(
            text, ", \"offset\": %" PRIu64 ", \"side\": \"%s\", \"generation\": %" PRIu32,
            report->region.distance, sides[report->region.side], report->region.generation);
    add_json_region(text, "region", &report->region);
    add_json_region(text, "second", &report->second);
    add_json_heap(text, &report->heap);
    tn_check_text_add(text, ", \"stacks\": {");
    for (unsigned i = 0; i < report->stack_count; i++) add_json_stack(text, report, i);
    tn_check_text_add(text, "}}\n");
}
