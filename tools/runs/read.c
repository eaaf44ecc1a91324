// SPDX-License-Identifier: Apache-2.0
// Reads the output and the files of a run of a program. One thread.
#include <ctype.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/result.h"
#include "tools/runs/runs.h"

// Of a run that is over, and of one that is a finding.
enum { TEXT_MAX = 256 << 10, TEXT_KEPT = 6000 };

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325) // FNV-1a

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
    outcome->leaked_bytes +=
        tn_member_get_number(json_object_get(report, "summary"), "leaked_bytes");
    bool is_warning = strcmp(tn_member_get_text(report, "sev"), "WARN") == 0;
    if (kind != NULL && (is_warning || strcmp(tn_member_get_text(report, "sev"), "ERROR") == 0))
        tn_run_reports_add(outcome, report, is_warning);
    json_decref(report);
}

// ---- the output

static void end_line(struct tn_run_output *output, struct tn_run_outcome *outcome) {
    output->line[output->used] = '\0';
    if (output->used > 0) take_output(output->line, outcome);
    output->used = 0;
}

void tn_run_output_begin(struct tn_run_output *output, int file, struct tn_run_outcome *outcome) {
    output->file = file;
    output->used = 0;
    *outcome = (struct tn_run_outcome){.output = HASH_BEGIN, .exact = HASH_BEGIN};
}

// Bytes of zero would end a line's text.
static bool take_some(struct tn_run_output *output, struct tn_run_outcome *outcome) {
    char bytes[16384];
    ssize_t count = read(output->file, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        output->line[output->used++] = bytes[i] != '\0' ? bytes[i] : ' ';
        if (bytes[i] == '\n' || output->used == TN_RUN_LINE) end_line(output, outcome);
    }
    return count > 0;
}

// A process that never stops writing gets its turn again.
enum { OUTPUT_READS = 64 };

void tn_run_output_take(struct tn_run_output *output, struct tn_run_outcome *outcome) {
    for (int i = 0; i < OUTPUT_READS && take_some(output, outcome);) i++;
}

void tn_run_output_end(struct tn_run_output *output, struct tn_run_outcome *outcome) {
    tn_run_output_take(output, outcome); // more than a pipe holds
    end_line(output, outcome);
    (void)close(output->file);
}

// ---- the files

// Returns false if the last line has no end.
static bool read_lines(const char *folder, const char *name,
                       void (*take)(const char *line, struct tn_run_outcome *outcome),
                       struct tn_run_outcome *outcome) {
    char path[TN_RUN_PATH], *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool complete = true;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    while (file != NULL && (length = getline(&line, &room, file)) > 0) {
        take(line, outcome);
        complete = line[length - 1] == '\n';
    }
    free(line);
    if (file != NULL) (void)fclose(file);
    return complete;
}

// The log comes before the output in the text. A process that is killed may leave half a line.
const char *tn_run_read(const char *folder, struct tn_run_outcome *outcome) {
    char *output = outcome->text;
    outcome->text = NULL;
    bool log = read_lines(folder, "log", take_log, outcome);
    for (char *line = output, *end; line != NULL && *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        char next = *end;
        *end = '\0';
        keep_line(outcome, line);
        *end = next;
    }
    free(output);
    bool check = read_lines(folder, "check", take_report, outcome);
    bool killed = WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGKILL;
    return killed ? NULL : !log ? "log" : !check ? "check" : NULL;
}

// ---- describing

const struct tn_run_class_text tn_run_class_texts[] = {
#define CLASS(name, finding, text) {#name, finding, text},
    TN_RUN_CLASSES(CLASS)};

void tn_run_shorten(struct tn_run_outcome *outcome) {
    if (outcome->text == NULL || strlen(outcome->text) <= TEXT_KEPT) return;
    outcome->text[TEXT_KEPT] = '\0';
    char *end = strrchr(outcome->text, '\n');
    if (end != NULL) end[1] = '\0';
}

void tn_run_describe(struct tn_run_outcome *outcome) {
    char *detail = outcome->detail;
    size_t room = sizeof outcome->detail;
    switch (outcome->class) {
    case TN_RUN_crash:
        (void)snprintf(detail, room, "signal %d (%s)", WTERMSIG(outcome->status),
                       strsignal(WTERMSIG(outcome->status)));
        break;
    case TN_RUN_hang: (void)snprintf(detail, room, "killed after %.1f s", outcome->seconds); break;
    case TN_RUN_leak:
        (void)snprintf(detail, room, "%s", outcome->leak);
        outcome->place = outcome->leaked;
        break;
    case TN_RUN_checker:
    case TN_RUN_exception:
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
    if (*outcome->exception != '\0') tn_member_text(result, "exception", outcome->exception);
    if (*outcome->thrower != '\0') tn_member_text(result, "thrower", outcome->thrower);
    if (outcome->place.function[0] != '\0')
        tn_member_text(result, "function", outcome->place.function);
    if (outcome->place.file[0] != '\0') {
        tn_member_text(result, "file", outcome->place.file);
        tn_member_number(result, "line", outcome->place.line);
    }
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
