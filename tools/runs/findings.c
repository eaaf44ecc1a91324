// SPDX-License-Identifier: Apache-2.0
// The ends of runs as findings (tools/findings.h). One thread.
#include "tools/runs/runs.h"

// ---- the place in a sanitizer's report

// Splits "FILE:LINE" or "FILE:LINE:COLUMN" at the end of a text.
static bool split_place(char *text, unsigned *line) {
    for (int i = 0; i < 2; i++) {
        char *colon = strrchr(text, ':');
        if (colon == NULL || colon[1] == '\0' || colon[1 + strspn(colon + 1, "0123456789")] != '\0')
            break;
        *colon = '\0';
        *line = (unsigned)strtoul(colon + 1, NULL, 10);
    }
    return *line > 0;
}

// Takes a frame: "    #0 0xADDRESS in FUNCTION FILE:LINE:COLUMN". Functions that begin with "__" are the
// sanitizer's.
static void take_frame(struct tn_finding_place *place, const char *frame) {
    char text[1024];
    unsigned line = 0;
    const char *in = strstr(frame, " in ");
    if (strncmp(frame, "    #", 5) != 0 || in == NULL || strncmp(in + 4, "__", 2) == 0) return;
    (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(in + 4, "\n"), in + 4);
    char *file = strrchr(text, ' ');
    if (file == NULL) return;
    *file++ = '\0';
    if (split_place(file, &line)) tn_finding_take_frame(place, NULL, text, file, line);
}

static void find_sanitizer_place(const struct tn_run_outcome *outcome,
                                 struct tn_finding_place *place) {
    char text[TN_RUN_DETAIL];
    unsigned line = 0;
    // UndefinedBehaviorSanitizer has no stack: "FILE:LINE:COLUMN: runtime error: ...".
    (void)snprintf(text, sizeof text, "%s", outcome->detail);
    char *end = strstr(text, ": runtime error: ");
    if (end != NULL) *end = '\0';
    if (end != NULL && split_place(text, &line))
        tn_finding_take_frame(place, NULL, NULL, text, line);
    for (const char *at = outcome->text; at != NULL && *at != '\0'; at += *at == '\n') {
        take_frame(place, at);
        at += strcspn(at, "\n");
    }
}

// ---- findings

void tn_run_add_finding(const struct tn_run_outcome *outcome, const char *name, bool is_warning) {
    const struct tn_run_class_text *class = &tn_run_class_texts[outcome->class];
    struct tn_finding finding = {.is_warning = is_warning, .place = outcome->place};
    if (outcome->class == TN_RUN_sanitizer) find_sanitizer_place(outcome, &finding.place);
    // The detail of a report of the checker begins with its kind.
    bool is_checker = outcome->class == TN_RUN_checker;
    (void)snprintf(finding.rule, sizeof finding.rule, "%.*s",
                   (int)strcspn(is_checker ? outcome->detail : class->name, ":"),
                   is_checker ? outcome->detail : class->name);
    (void)snprintf(finding.meaning, sizeof finding.meaning, "%s", class->text);
    (void)snprintf(finding.name, sizeof finding.name, "%s: %s", name, finding.rule);
    char message[TN_RUN_DETAIL + 240];
    (void)snprintf(message, sizeof message, "%s: %s: %s", name, class->name, outcome->detail);
    finding.message = message;
    finding.text = outcome->text;
    tn_findings_add(&finding);
}

static void add_reports(const struct tn_run_reports *reports, const char *which, bool is_warning) {
    for (size_t i = 0; i < reports->count; i++) {
        const struct tn_run_report *one = &reports->list[i];
        struct tn_finding finding = {.is_warning = is_warning, .place = one->where};
        char message[sizeof one->what + 80];
        (void)snprintf(finding.rule, sizeof finding.rule, "%s", one->kind);
        (void)snprintf(finding.name, sizeof finding.name, "%s: %s", which, one->kind);
        (void)snprintf(message, sizeof message, "%s: %s", which, one->what);
        finding.message = message;
        tn_findings_add(&finding);
    }
}

void tn_run_add_base_findings(const struct tn_run_outcome *base, const char *which) {
    add_reports(&base->reports, which, false);
    add_reports(&base->warnings, which, true);
}

int tn_run_conclude(const struct tn_findings_options *options, bool has_findings,
                    bool has_warnings) {
    if (!tn_findings_write()) return TN_LAUNCH_FAILED;
    bool failed = has_findings || (options->fail_on_warning && has_warnings);
    return failed ? (int)options->exitcode : 0;
}
