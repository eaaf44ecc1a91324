// SPDX-License-Identifier: Apache-2.0
// Collects findings; see findings.h. findings_write.c writes them.
#include "tools/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/named_file.h"
#include "base/replacement.h"
#include "check/report/kinds.h"
#include "stack/library.h"
#include "tools/command.h"
#include "tools/findings_write.h"
#include "tools/result.h"
#include "tools/terminal.h"

enum { FINDINGS_MAX = 10000 };

// A file that the user named. A target that is no regular file stays open from the beginning: a reader
// of a pipe takes a second opening for the end.
struct target {
    const char *option, *path;
    bool is_open;
    struct tn_replacement place;
    bool (*write)(int file, const struct tn_findings *findings);
};

static struct {
    bool is_wanted, is_written;
    bool annotates;
    struct tn_findings all;
    size_t room;
    struct target targets[2];
} collected;

// ---- places

bool tn_finding_is_own(const char *object, const char *function) {
    if (tn_stack_is_of_tarn(object)) return true;
    return function != NULL &&
           (strncmp(function, "tn_", 3) == 0 || strncmp(function, "tarn_", 5) == 0);
}

// Libraries of the system may have debug information, too.
static bool is_of_system_library(const char *object) {
    static const char *const names[] = {"libc.so",   "libm.so",      "libpthread.so", "ld-linux",
                                        "libgcc_s.", "libstdc++.so", "libc++"};
    const char *name = object != NULL ? basename(object) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

// Inlined functions of a language's own headers are no place to mend.
static bool is_of_system(const char *file) { return strncmp(file, "/usr/", 5) == 0; }

void tn_finding_take_frame(struct tn_finding_place *place, const char *object, const char *function,
                           const char *file, unsigned line) {
    bool has_file = file != NULL && *file != '\0';
    bool is_known = place->file[0] != '\0' && !is_of_system(place->file);
    bool is_better = has_file && (place->file[0] == '\0' || !is_of_system(file));
    if (tn_finding_is_own(object, function) || is_of_system_library(object) || is_known) return;
    if (!is_better && (place->function[0] != '\0' || function == NULL)) return;
    *place = (struct tn_finding_place){.line = line};
    (void)snprintf(place->function, sizeof place->function, "%s", function != NULL ? function : "");
    if (has_file) (void)snprintf(place->file, sizeof place->file, "%s", file);
}

void tn_finding_take_frames(struct tn_finding_place *place, const json_t *frames) {
    size_t i;
    json_t *frame;
    json_array_foreach(frames, i, frame) tn_finding_take_frame(
        place, tn_member_get_text(frame, "object"), tn_member_get_text(frame, "function"),
        tn_member_get_text(frame, "file"), (unsigned)tn_member_get_number(frame, "line"));
}

// ---- the beginning

static bool open_target(struct target *target) {
    if (target->path == NULL) return true;
    if (strcmp(target->path, "-") == 0) target->path = "/dev/stdout";
    int failure = tn_replacement_open(target->path, O_NONBLOCK, &target->place);
    target->is_open = failure == 0 && target->place.target == NULL;
    // A run may take hours, so the file is tried before it.
    if (failure == 0 && !target->is_open) (void)tn_replacement_close(&target->place, ECANCELED);
    return failure == 0 || tn_complain("--%s %s: %s", target->option, tn_shown(target->path),
                                       tn_named_file_error(failure));
}

bool tn_findings_open(const struct tn_findings_options *options, const char *command,
                      char *const *program) {
    const char *actions = getenv("GITHUB_ACTIONS");
    bool is_action = actions != NULL && strcmp(actions, "true") == 0;
    collected.annotates = options->annotations == TN_ANNOTATIONS_GITHUB ||
                          (options->annotations == TN_ANNOTATIONS_AUTO && is_action);
    collected.targets[0] = (struct target){
        .option = "junit", .path = options->junit, .write = tn_findings_write_junit};
    collected.targets[1] = (struct target){
        .option = "sarif", .path = options->sarif, .write = tn_findings_write_sarif};
    collected.all = (struct tn_findings){
        .command = command, .program = program, .fails_on_warning = options->fail_on_warning};
    bool good = open_target(&collected.targets[0]) && open_target(&collected.targets[1]);
    collected.is_wanted =
        good && (collected.annotates || options->junit != NULL || options->sarif != NULL);
    return good;
}

bool tn_findings_are_wanted(void) { return collected.is_wanted; }

// ---- findings

void tn_findings_add(const struct tn_finding *finding) {
    struct tn_findings *all = &collected.all;
    if (!collected.is_wanted) return;
    if (all->count == FINDINGS_MAX) {
        all->left_out++;
        return;
    }
    struct tn_finding *list = (struct tn_finding *)tn_append(
        all->list, &all->count, &collected.room, finding, sizeof *list);
    if (list == NULL) {
        all->left_out++;
        return;
    }
    all->list = list;
    struct tn_finding *one = &list[all->count - 1];
    one->message = strdup(finding->message != NULL ? finding->message : "");
    one->text = finding->text != NULL ? strdup(finding->text) : NULL;
}

// The stacks of a report, as lines.
static char *describe_stacks(const json_t *report) {
    char *text = NULL;
    size_t bytes = 0, i;
    const char *role;
    json_t *stack, *frame;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) return NULL;
    (void)fprintf(out, "%s\n", tn_member_get_text(report, "what"));
    json_object_foreach(json_object_get(report, "stacks"), role, stack) {
        (void)fprintf(out, "%s:\n", role);
        json_array_foreach(json_object_get(stack, "frames"), i, frame) {
            const char *function = tn_member_get_text(frame, "function");
            const char *file = tn_member_get_text(frame, "file");
            (void)fprintf(out, "    #%zu %s ", i, *function != '\0' ? function : "?");
            if (*file != '\0')
                (void)fprintf(out, "%s:%ju\n", file,
                              (uintmax_t)tn_member_get_number(frame, "line"));
            else
                (void)fprintf(out, "(%s+%s)\n", tn_member_get_text(frame, "object"),
                              tn_member_get_text(frame, "offset"));
        }
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void tn_findings_add_report(const json_t *report) {
    const char *kind = tn_member_get_text(report, "kind"), *severity;
    unsigned found = tn_check_kind_find(kind);
    struct tn_finding finding = {.is_warning = false};
    severity = tn_member_get_text(report, "sev");
    bool is_error = strcmp(severity, "ERROR") == 0;
    if (!collected.is_wanted || (!is_error && strcmp(severity, "WARN") != 0)) return;
    finding.is_warning = !is_error;
    (void)snprintf(finding.rule, sizeof finding.rule, "%s", kind);
    if (found < TN_CHECK_KIND_COUNT)
        (void)snprintf(finding.meaning, sizeof finding.meaning, "%s",
                       tn_check_kind_texts[found].meaning);
    json_t *stacks = json_object_get(report, "stacks"), *stack;
    const char *role;
    json_object_foreach(stacks, role, stack) { // the stack of the error itself comes first
        tn_finding_take_frames(&finding.place, json_object_get(stack, "frames"));
        break;
    }
    (void)snprintf(finding.name, sizeof finding.name, "%s%s%s", kind,
                   finding.place.function[0] != '\0' ? " in " : "", finding.place.function);
    finding.message = (char *)(uintptr_t)tn_member_get_text(report, "what");
    finding.text = describe_stacks(report);
    tn_findings_add(&finding);
    free(finding.text);
}

// ---- the end

static bool write_target(struct target *target) {
    int failure = 0;
    if (target->path == NULL) return true;
    if (!target->is_open) failure = tn_replacement_open(target->path, 0, &target->place);
    if (failure == 0) {
        bool good = target->write(target->place.file, &collected.all);
        failure = tn_replacement_close(&target->place, good ? 0 : errno != 0 ? errno : EIO);
    }
    target->is_open = false;
    return failure == 0 || tn_complain("--%s %s: %s", target->option, tn_shown(target->path),
                                       tn_named_file_error(failure));
}

bool tn_findings_write(void) {
    if (!collected.is_wanted || collected.is_written) return true;
    collected.is_written = true;
    if (collected.annotates) tn_findings_annotate(&collected.all);
    bool junit = write_target(&collected.targets[0]), sarif = write_target(&collected.targets[1]);
    for (size_t i = 0; i < collected.all.count; i++) {
        free(collected.all.list[i].message);
        free(collected.all.list[i].text);
    }
    free(collected.all.list);
    collected.all.list = NULL;
    collected.all.count = collected.room = 0;
    return junit && sarif;
}

void tn_findings_conclude(int exit_code) {
    collected.all.failure = exit_code;
    if (exit_code != 0) (void)tn_findings_write();
}
