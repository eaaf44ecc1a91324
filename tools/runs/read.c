// SPDX-License-Identifier: Apache-2.0
// Reads the files that a run of a program left behind. One thread.
#include <ctype.h>
#include <sys/wait.h>

#include "tools/result.h"
#include "tools/runs/runs.h"

enum { TEXT_MAX = 6000 };

// ---- reading

// Addresses and reports of the checker differ from run to run.
static uint64_t add_line(uint64_t hash, const char *line, bool numbers) {
    if (strncmp(line, "==", 2) == 0) return hash;
    for (; *line != '\0'; line++) {
        if (line[0] == '0' && line[1] == 'x')
            for (line += 2; isxdigit((unsigned char)*line);) line++;
        if (*line == '\0') break;
        if (numbers || !isdigit((unsigned char)*line))
            hash = (hash ^ (unsigned char)*line) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// Appends to the text of a finding, up to TEXT_MAX bytes.
static void keep_line(struct tn_run_outcome *outcome, const char *line) {
    size_t used = outcome->text != NULL ? strlen(outcome->text) : 0, length = strlen(line);
    char *more = used + length < TEXT_MAX ? realloc(outcome->text, used + length + 1) : NULL;
    if (more != NULL) {
        memcpy(more + used, line, length + 1);
        outcome->text = more;
    }
}

static void take_output(const char *line, struct tn_run_outcome *outcome) {
    // Reports of sanitizers begin with one of these.
    static const char *const marks[] = {"ERROR: AddressSanitizer", "ERROR: LeakSanitizer",
                                        "WARNING: ThreadSanitizer", "WARNING: MemorySanitizer",
                                        "runtime error: "};
    outcome->output = add_line(outcome->output, line, false);
    outcome->exact = add_line(outcome->exact, line, true);
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !outcome->sanitizer; i++)
        if (strstr(line, marks[i]) != NULL) {
            outcome->sanitizer = true;
            (void)snprintf(outcome->detail, sizeof outcome->detail, "%.*s",
                           (int)strcspn(line, "\n"), line);
        }
    keep_line(outcome, line);
}

static void take_log(const char *line, struct tn_run_outcome *outcome) {
    outcome->fired = outcome->fired || strncmp(line, "tarn: injected: ", 13) == 0;
    keep_line(outcome, line);
}

// A line of the checker's JSON: a report, or the summary of a process.
static void take_report(const char *line, struct tn_run_outcome *outcome) {
    json_t *report = json_loads(line, 0, NULL); // the last line may be cut off
    const char *kind = json_string_value(json_object_get(report, "kind"));
    const char *what = json_string_value(json_object_get(report, "what"));
    outcome->leaked_bytes +=
        tn_member_get_number(json_object_get(report, "summary"), "leaked_bytes");
    if (kind != NULL && strcmp(tn_member_get_text(report, "sev"), "ERROR") == 0) {
        if (strstr(kind, "leak") == NULL) {
            if (outcome->errors++ == 0 && !outcome->sanitizer)
                (void)snprintf(outcome->detail, sizeof outcome->detail, "%s: %s", kind,
                               what != NULL ? what : "");
        } else if (outcome->leaks++ == 0) {
            (void)snprintf(outcome->leak, sizeof outcome->leak, "%s", what != NULL ? what : kind);
        }
    }
    json_decref(report);
}

static void read_lines(const char *folder, const char *name,
                       void (*take)(const char *line, struct tn_run_outcome *outcome),
                       struct tn_run_outcome *outcome) {
    char path[TN_RUN_PATH], *line = NULL;
    size_t room = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &room, file) > 0) take(line, outcome);
    free(line);
    if (file != NULL) (void)fclose(file);
}

void tn_run_read(const char *folder, struct tn_run_outcome *outcome) {
    outcome->output = outcome->exact = UINT64_C(0xcbf29ce484222325);
    read_lines(folder, "log", take_log, outcome);
    read_lines(folder, "output", take_output, outcome);
    read_lines(folder, "check", take_report, outcome);
}

// ---- describing

const struct tn_run_class_text tn_run_class_texts[] = {
#define CLASS(name, finding, text) {#name, finding},
    TN_RUN_CLASSES(CLASS)};

void tn_run_describe(struct tn_run_outcome *outcome) {
    char *detail = outcome->detail;
    size_t room = sizeof outcome->detail;
    switch (outcome->class) {
    case TN_RUN_crash:
        (void)snprintf(detail, room, "signal %d (%s)", WTERMSIG(outcome->status),
                       strsignal(WTERMSIG(outcome->status)));
        break;
    case TN_RUN_hang: (void)snprintf(detail, room, "killed after %.1f s", outcome->seconds); break;
    case TN_RUN_leak: (void)snprintf(detail, room, "%s", outcome->leak); break;
    case TN_RUN_checker:
    case TN_RUN_sanitizer: break; // that of the first report
    case TN_RUN_output: (void)snprintf(detail, room, "other output than in the plain order"); break;
    default: (void)snprintf(detail, room, "status %d", WEXITSTATUS(outcome->status)); break;
    }
}

json_t *tn_run_result(const struct tn_run_outcome *outcome) {
    json_t *result = json_pack("{ss, ss}", "class", tn_run_class_texts[outcome->class].name,
                               "detail", outcome->detail);
    if (WIFSIGNALED(outcome->status))
        tn_member_set(result, "signal", json_integer(WTERMSIG(outcome->status)));
    else
        tn_member_set(result, "status", json_integer(WEXITSTATUS(outcome->status)));
    if (outcome->text != NULL) tn_member_text(result, "text", outcome->text);
    return result;
}

void tn_run_print_text(const struct tn_run_outcome *outcome) {
    for (const char *line = outcome->text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        printf("    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

json_t *tn_run_program(const struct tn_launch *launch) {
    json_t *program = json_array();
    for (char **word = launch->command; *word != NULL; word++)
        tn_list_add(program, json_string(*word));
    return program;
}
