// SPDX-License-Identifier: Apache-2.0
// The results of `tarn torture`: a table, JSON, and the file of --resume, which has one line of JSON
// for each case. One thread.

#include "tools/result.h"
#include "tools/terminal.h"
#include "tools/torture/torture.h"

// ---- cases as JSON

static json_t *describe_result(const struct tn_torture_case *one, bool finding) {
    const struct tn_run_outcome *outcome = &one->outcome;
    json_t *result =
        json_pack("{ss, sb, sI, sf}", "fail", one->spec, "finding", finding, "leaked_bytes",
                  (json_int_t)outcome->leaked_bytes, "seconds", outcome->seconds);
    (void)json_object_update_new(result, tn_run_result(outcome));
    return result;
}

// ---- resuming

static void take_line(struct tn_torture *torture, const json_t *line) {
    const char *spec = json_string_value(json_object_get(line, "fail"));
    const char *detail = json_string_value(json_object_get(line, "detail"));
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *name = tn_member_get_text(line, "class");
    unsigned class = 0;
    while (class < TN_TORTURE_CLASSES && strcmp(name, tn_run_class_texts[class].name) != 0)
        class ++;
    for (size_t i = 0; spec != NULL && class < TN_TORTURE_CLASSES && i < torture->case_count; i++) {
        struct tn_torture_case *one = &torture->cases[i];
        if (one->done || strcmp(one->spec, spec) != 0) continue;
        one->done = true;
        one->outcome =
            (struct tn_run_outcome){.class = (enum tn_run_class) class,
                                    .fired = true,
                                    .seconds = json_number_value(json_object_get(line, "seconds")),
                                    .leaked_bytes = tn_member_get_number(line, "leaked_bytes"),
                                    .status = (int)(tn_member_get_number(line, "status") << 8 |
                                                    tn_member_get_number(line, "signal")),
                                    .text = text != NULL ? strdup(text) : NULL};
        (void)snprintf(one->outcome.exception, sizeof one->outcome.exception, "%s",
                       tn_member_get_text(line, "exception"));
        (void)snprintf(one->outcome.thrower, sizeof one->outcome.thrower, "%s",
                       tn_member_get_text(line, "thrower"));
        struct tn_finding_place *place = &one->outcome.place;
        (void)snprintf(place->function, sizeof place->function, "%s",
                       tn_member_get_text(line, "function"));
        (void)snprintf(place->file, sizeof place->file, "%s", tn_member_get_text(line, "file"));
        place->line = (unsigned)tn_member_get_number(line, "line");
        (void)snprintf(one->outcome.detail, sizeof one->outcome.detail, "%s",
                       detail != NULL ? detail : "");
    }
}

// Releases the line.
static bool write_line(FILE *file, json_t *line) {
    bool good = json_dumpf(line, file, 0) == 0 && fputc('\n', file) != EOF && fflush(file) == 0;
    json_decref(line);
    return good;
}

// The first line of the file names the program.
bool tn_torture_resume(struct tn_torture *torture, FILE *file) {
    char *line = NULL;
    size_t room = 0;
    bool first = true, good = true;
    json_t *program = tn_run_program(&torture->launch);
    while (good && getline(&line, &room, file) > 0) {
        json_t *object = json_loads(line, 0, NULL); // the last line may be cut off
        if (first)
            good = json_equal(json_object_get(object, "program"), program) != 0;
        else if (object != NULL)
            take_line(torture, object);
        first = false;
        json_decref(object);
    }
    free(line);
    if (!good)
        (void)tn_complain("%s: the file is not from this program", tn_shown(torture->resume));
    else if (first)
        good = write_line(file, json_pack("{sO}", "program", program));
    json_decref(program);
    return good;
}

bool tn_torture_append(FILE *file, const struct tn_torture *torture,
                       const struct tn_torture_case *one) {
    bool good =
        write_line(file, describe_result(one, tn_run_class_texts[one->outcome.class].finding));
    if (!good) (void)tn_complain("%s cannot be written", tn_shown(torture->resume));
    return good;
}

// ---- the whole

// A program that ends with an error seldom frees everything first. The memory that such runs leave
// is one finding, which is shown with the first of them.
static bool is_left(const struct tn_torture *torture, const struct tn_torture_case *one) {
    return one->done && one->outcome.class == TN_RUN_leak &&
           one->outcome.status != torture->runs.base.status;
}

// Returns true if both are one finding: they leave memory, or one exception ended both.
static bool is_joined(const struct tn_torture *torture, const struct tn_torture_case *a,
                      const struct tn_torture_case *b) {
    if (is_left(torture, a)) return is_left(torture, b);
    return a->done && b->done && a->outcome.class == TN_RUN_exception &&
           b->outcome.class == TN_RUN_exception && tn_run_same_exception(&a->outcome, &b->outcome);
}

// Returns the case that represents the finding of this one, or itself.
static const struct tn_torture_case *first_of(const struct tn_torture *torture,
                                              const struct tn_torture_case *one) {
    const struct tn_torture_case *first = torture->cases;
    while (first < one && !is_joined(torture, one, first)) first++;
    return first;
}

static bool is_finding(const struct tn_torture *torture, const struct tn_torture_case *one) {
    return one->done && tn_run_class_texts[one->outcome.class].finding &&
           first_of(torture, one) == one;
}

size_t tn_torture_findings(const struct tn_torture *torture) {
    size_t count = 0;
    for (size_t i = 0; i < torture->case_count; i++)
        count += is_finding(torture, &torture->cases[i]);
    return count;
}

// Names the other cases of a finding.
static void list_joined(const struct tn_torture *torture, const struct tn_torture_case *first,
                        json_t *result) {
    json_t *joined = json_array();
    for (const struct tn_torture_case *one = first + 1; one < torture->cases + torture->case_count;
         one++)
        if (is_joined(torture, first, one)) tn_list_add(joined, json_string(one->spec));
    if (json_array_size(joined) > 0)
        tn_member_set(result, "joined", joined);
    else
        json_decref(joined);
}

// The errors of the program without an injected failure.
static json_t *describe_base(const struct tn_run_outcome *base) {
    return json_pack("{si, so}", "errors", (int)base->reports.count, "reports",
                     tn_run_reports_result(&base->reports));
}

void tn_torture_print_json(const struct tn_torture *torture) {
    json_t *calls = json_object(), *results = json_array(), *sums = json_object();
    size_t counts[TN_TORTURE_CLASSES] = {0};
    for (size_t i = 0; i < torture->name_count; i++)
        tn_member_number(calls, torture->names[i].name, torture->names[i].calls);
    for (size_t i = 0; i < torture->case_count; i++) {
        const struct tn_torture_case *one = &torture->cases[i];
        bool finding = is_finding(torture, one);
        json_t *result = describe_result(one, finding);
        if (finding) list_joined(torture, one, result);
        tn_list_add(results, result);
        counts[one->outcome.class] += one->done;
    }
    for (unsigned class = 0; class < TN_TORTURE_CLASSES; class ++)
        tn_member_number(sums, tn_run_class_texts[class].name, counts[class]);
    json_t *whole =
        json_pack("{so, so, so, so, so, si}", "program", tn_run_program(&torture->launch), "plain",
                  describe_base(&torture->runs.base), "calls", calls, "cases", results, "classes",
                  sums, "findings", (int)tn_torture_findings(torture));
    tn_result_print(whole);
}

size_t tn_torture_report(const struct tn_torture *torture) {
    size_t warnings = torture->runs.base.warnings.count;
    tn_run_add_base_findings(&torture->runs.base, "without an injected failure");
    for (size_t i = 0; i < torture->case_count; i++) {
        const struct tn_torture_case *one = &torture->cases[i];
        bool is_warning = one->done && one->outcome.class == TN_RUN_unnoticed;
        warnings += is_warning;
        if (is_warning || is_finding(torture, one))
            tn_run_add_finding(&one->outcome, one->spec, is_warning);
    }
    return warnings;
}

// ---- the table

// The columns of the table, after the name.
struct sums {
    uint64_t calls;
    size_t cases, findings, classes[TN_TORTURE_CLASSES];
};

static void print_sums(const char *name, const struct sums *sums) {
    printf("%-28s %7ju %7zu %9zu %8zu %10zu %10zu %9zu\n", name, (uintmax_t)sums->calls,
           sums->cases, sums->classes[TN_RUN_reported], sums->classes[TN_RUN_handled],
           sums->classes[TN_RUN_unnoticed], sums->classes[TN_RUN_unreached], sums->findings);
}

// Prints the row of a name, and adds it to the sums of all rows.
static void print_row(const struct tn_torture *torture, const char *name, uint64_t calls,
                      struct sums *all) {
    struct sums row = {.calls = calls};
    size_t length = strlen(name);
    for (size_t i = 0; i < torture->case_count; i++) {
        const struct tn_torture_case *one = &torture->cases[i];
        // The name of a case is its spec up to the first number.
        if (!one->done || strncmp(one->spec, name, length) != 0 || one->spec[length] != ':')
            continue;
        bool reported = first_of(torture, one) != one;
        row.cases++;
        row.classes[reported ? TN_RUN_reported : one->outcome.class]++;
        row.findings += is_finding(torture, one);
    }
    all->calls += row.calls;
    all->cases += row.cases;
    all->findings += row.findings;
    for (unsigned class = 0; class < TN_TORTURE_CLASSES; class ++)
        all->classes[class] += row.classes[class];
    print_sums(name, &row);
}

enum { JOINED_NAMED = 8 };

// Names the other cases of a finding. Returns true if there are some.
static bool print_joined(const struct tn_torture *torture, const struct tn_torture_case *first,
                         const char *before) {
    size_t others = 0;
    for (const struct tn_torture_case *one = first + 1; one < torture->cases + torture->case_count;
         one++)
        if (is_joined(torture, first, one) && others++ < JOINED_NAMED)
            printf("%s%s", others == 1 ? before : ", ", one->spec);
    if (others > JOINED_NAMED) printf(" and %zu more", others - JOINED_NAMED);
    return others > 0;
}

static void print_finding(const struct tn_torture *torture, const struct tn_torture_case *one) {
    bool left = is_left(torture, one);
    tn_style_print(stdout, TN_STYLE_BAD, "\n%s: %s: %s%s", one->spec,
                   tn_run_class_texts[one->outcome.class].name, one->outcome.detail,
                   left ? "" : "\n");
    if (left) {
        (void)print_joined(torture, one, "; so do other runs that fail: ");
        printf("\n");
    } else {
        if (print_joined(torture, one, "    also: ")) printf("\n");
        tn_run_print_text(&one->outcome);
    }
    printf("    again: ");
    tn_torture_print_again(torture, one);
}

// Errors of the program itself are listed first, and are findings of no case.
static void print_base(const struct tn_run_outcome *base) {
    if (base->reports.count == 0) return;
    tn_style_print(stdout, TN_STYLE_BAD,
                   "the program has %zu error(s) without an injected failure:\n",
                   base->reports.count);
    tn_run_reports_print(&base->reports, "    ");
    printf("\n");
}

void tn_torture_print(const struct tn_torture *torture) {
    struct sums all = {0};
    print_base(&torture->runs.base);
    tn_style_print(stdout, TN_STYLE_HEAD, "%-28s %7s %7s %9s %8s %10s %10s %9s\n", "call", "calls",
                   "failed", "reported", "handled", "unnoticed", "unreached", "findings");
    for (size_t i = 0; i < torture->name_count; i++) {
        const struct tn_torture_name *name = &torture->names[i];
        if (tn_torture_chooses(torture, name->name))
            print_row(torture, name->name, name->calls, &all);
    }
    if (torture->quirks != NULL) print_row(torture, "quirk", 0, &all);
    print_sums("all", &all);
    for (size_t i = 0; i < torture->case_count; i++)
        if (is_finding(torture, &torture->cases[i])) print_finding(torture, &torture->cases[i]);
    size_t findings = tn_torture_findings(torture), errors = torture->runs.base.reports.count;
    tn_style_print(stdout, findings + errors > 0 ? TN_STYLE_BAD : TN_STYLE_GOOD,
                   "\n%zu finding(s) in %zu run(s)", findings, torture->case_count);
    if (errors > 0) printf("; the program has %zu error(s) without an injected failure", errors);
    printf("\n");
}
