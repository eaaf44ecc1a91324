// SPDX-License-Identifier: Apache-2.0
// The checker's reports of a run, and what of them is new against the run that it is compared with.
// Two reports are the same error if they have one kind, one stack, and one place where the block was
// allocated; a report counts once, lost memory by its bytes. One thread.
#include <ctype.h>

#include "base/grow.h"
#include "tools/result.h"
#include "tools/runs/runs.h"

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325) // FNV-1a

// Adds a text with its zero. Digits of texts for people differ from run to run.
static uint64_t add_text(uint64_t hash, const char *text, bool digits) {
    for (; *text != '\0'; text++)
        if (digits || !isdigit((unsigned char)*text))
            hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash * UINT64_C(0x100000001b3);
}

// ---- the identity of a report

static const json_t *frames_of(const json_t *report, const char *stack) {
    return json_object_get(json_object_get(json_object_get(report, "stacks"), stack), "frames");
}

// Returns the stack of the error itself, which comes first.
static const json_t *own_frames(const json_t *report) {
    json_t *stacks = json_object_get(report, "stacks");
    return json_object_get(json_object_iter_value(json_object_iter(stacks)), "frames");
}

// Objects lie at another address in each run.
static uint64_t add_frames(uint64_t hash, const json_t *frames) {
    size_t i;
    json_t *frame;
    json_array_foreach(frames, i, frame) {
        hash = add_text(hash, basename(tn_member_get_text(frame, "object")), true);
        hash = add_text(hash, tn_member_get_text(frame, "offset"), true);
    }
    return hash * 31 + json_array_size(frames);
}

static uint64_t key_of(const json_t *report) {
    const json_t *own = own_frames(report);
    uint64_t hash = add_text(HASH_BEGIN, tn_member_get_text(report, "kind"), true);
    if (json_array_size(own) == 0) return add_text(hash, tn_member_get_text(report, "what"), false);
    return add_frames(add_frames(hash, own), frames_of(report, "alloc"));
}

// A report of leaks covers all blocks of one place.
static uint64_t weight_of(const json_t *report, bool is_leak) {
    uint64_t bytes = tn_member_get_number(report, "size");
    uint64_t count = strtoull(tn_member_get_text(report, "what"), NULL, 10);
    return !is_leak ? 1 : bytes > 0 ? bytes : count > 0 ? count : 1;
}

// Writes the first frame of the program itself.
static void find_place(const json_t *frames, char *place, size_t room) {
    size_t i;
    json_t *frame;
    *place = '\0';
    json_array_foreach(frames, i, frame) {
        const char *object = tn_member_get_text(frame, "object");
        const char *file = tn_member_get_text(frame, "file");
        const char *function = tn_member_get_text(frame, "function");
        if (strstr(object, "/lib/tarn/") != NULL || strstr(object, "/libtarn") != NULL) continue;
        if (*file != '\0')
            (void)snprintf(place, room, "%s %s:%ju", *function != '\0' ? function : "?",
                           basename(file), (uintmax_t)tn_member_get_number(frame, "line"));
        else
            (void)snprintf(place, room, "%s (%s+%s)", *function != '\0' ? function : "?",
                           basename(object), tn_member_get_text(frame, "offset"));
        return;
    }
}

void tn_run_reports_add(struct tn_run_outcome *outcome, const json_t *report, bool is_warning) {
    struct tn_run_reports *reports = is_warning ? &outcome->warnings : &outcome->reports;
    const char *kind = tn_member_get_text(report, "kind");
    void *grown = tn_grow(reports->list, &reports->room, reports->count + 1, sizeof *reports->list);
    if (grown == NULL) return;
    reports->list = (struct tn_run_report *)grown;
    struct tn_run_report *one = &reports->list[reports->count++];
    bool is_leak = strstr(kind, "leak") != NULL;
    if (!is_warning) (is_leak ? &outcome->leaks : &outcome->errors)[0]++;
    *one = (struct tn_run_report){.key = key_of(report),
                                  .weight = weight_of(report, is_leak),
                                  .pid = tn_member_get_number(report, "pid"),
                                  .serial = tn_member_get_number(report, "serial"),
                                  .is_leak = is_leak,
                                  .is_new = true};
    (void)snprintf(one->kind, sizeof one->kind, "%s", kind);
    (void)snprintf(one->what, sizeof one->what, "%s", tn_member_get_text(report, "what"));
    find_place(own_frames(report), one->place, sizeof one->place);
    tn_finding_take_frames(&one->where, own_frames(report));
}

void tn_run_reports_free(struct tn_run_outcome *outcome) {
    free(outcome->reports.list);
    free(outcome->warnings.list);
    outcome->reports = outcome->warnings = (struct tn_run_reports){.list = NULL};
}

// ---- comparing

static uint64_t weight_in(const struct tn_run_reports *reports, uint64_t key) {
    uint64_t sum = 0;
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].key == key) sum += reports->list[i].weight;
    return sum;
}

// Marks the reports of one error that exceed those of the other run.
static void mark_known(struct tn_run_reports *reports, size_t first, uint64_t known) {
    uint64_t key = reports->list[first].key;
    for (size_t i = first; i < reports->count; i++) {
        struct tn_run_report *one = &reports->list[i];
        if (one->key != key) continue;
        one->is_new = one->weight > known;
        one->is_compared = true;
        known -= one->is_new ? known : one->weight;
    }
}

// Returns true if the line of a text report is about a report that is not new.
static bool is_known(const struct tn_run_reports *reports, const char *line, size_t length) {
    unsigned long long pid, serial;
    const char *mark = (const char *)memmem(line, length, "[#", 2);
    if (mark == NULL || sscanf(line, "==%llu==", &pid) != 1 ||
        sscanf(mark, "[#%llu]", &serial) != 1)
        return false;
    for (size_t i = 0; i < reports->count; i++)
        if (reports->list[i].pid == pid && reports->list[i].serial == serial)
            return !reports->list[i].is_new;
    return false;
}

// The lines of a report are indented, except the first.
static bool is_continued(const char *line, size_t length) {
    const char *end = length > 2 ? (const char *)memmem(line + 2, length - 2, "==", 2) : NULL;
    return strncmp(line, "==", 2) == 0 && end != NULL && strncmp(end, "==  ", 4) == 0;
}

// Removes the reports that are not new.
static void cut_text(struct tn_run_outcome *outcome) {
    char *to = outcome->text;
    bool skips = false;
    for (const char *line = outcome->text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        bool checks = strncmp(line, "==", 2) == 0;
        skips = checks ? is_known(&outcome->reports, line, length) ||
                             (skips && is_continued(line, length) &&
                              memmem(line, length, "[#", 2) == NULL)
                       : skips;
        if (!checks || !skips) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    if (to != NULL) *to = '\0';
}

void tn_run_compare(const struct tn_run_outcome *base, struct tn_run_outcome *outcome) {
    struct tn_run_reports *reports = &outcome->reports;
    const struct tn_run_report *error = NULL, *leak = NULL;
    for (size_t i = 0; i < reports->count; i++)
        if (!reports->list[i].is_compared)
            mark_known(reports, i, weight_in(&base->reports, reports->list[i].key));
    outcome->errors = outcome->leaks = 0;
    for (size_t i = reports->count; i-- > 0;) {
        const struct tn_run_report *one = &reports->list[i];
        if (!one->is_new) continue;
        *(one->is_leak ? &leak : &error) = one;
        (one->is_leak ? &outcome->leaks : &outcome->errors)[0]++;
    }
    if (error != NULL && !outcome->sanitizer) {
        outcome->place = error->where;
        (void)snprintf(outcome->detail, sizeof outcome->detail, "%s: %s", error->kind, error->what);
    }
    if (leak != NULL) {
        outcome->leaked = leak->where;
        (void)snprintf(outcome->leak, sizeof outcome->leak, "%s", leak->what);
    }
    cut_text(outcome);
    tn_run_reports_free(outcome);
}

// ---- showing

void tn_run_reports_print(const struct tn_run_reports *reports, const char *indent) {
    for (size_t i = 0; i < reports->count; i++) {
        const struct tn_run_report *one = &reports->list[i];
        printf("%s%s: %s%s%s\n", indent, one->kind, one->what, *one->place != '\0' ? ", in " : "",
               one->place);
    }
}

json_t *tn_run_reports_result(const struct tn_run_reports *reports) {
    json_t *list = json_array();
    for (size_t i = 0; i < reports->count; i++) {
        json_t *one = tn_list_object(list);
        tn_member_text(one, "kind", reports->list[i].kind);
        tn_member_text(one, "what", reports->list[i].what);
        if (reports->list[i].place[0] != '\0') tn_member_text(one, "place", reports->list[i].place);
    }
    return list;
}
