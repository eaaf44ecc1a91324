// SPDX-License-Identifier: Apache-2.0
// Reports: their text, their JSON, what is counted and what is suppressed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <pthread.h>

#include "check/report/report.h"
#include "check/report/rules.h"
#include "check/report/suppress.h"
#include "check/report/text.h"

static char folder[64];
static char content[1 << 16];

static const char *path_of(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// What was written since the last time.
static const char *read_all(const char *name) {
    FILE *file = fopen(path_of(name), "r");
    content[0] = '\0';
    if (file != NULL) {
        content[fread(content, 1, sizeof content - 1, file)] = '\0';
        (void)fclose(file);
        assert_int_equal(truncate(path_of(name), 0), 0);
    }
    return content;
}

static void expect(const char *part) {
    char text[512], *at = text;
    for (const char *from = part; *from != '\0'; from++)
        if (*from == '@') // the pid
            at += sprintf(at, "%d", (int)getpid());
        else
            *at++ = *from;
    *at = '\0';
    if (strstr(content, text) == NULL) fail_msg("\"%s\" is not in:\n%s", text, content);
}

static int forget(void **state) {
    (void)state;
    tn_check_report_reset();
    (void)read_all("text");
    (void)read_all("json");
    return 0;
}

__attribute__((noinline)) static void overflow(unsigned offset) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_HEAP_OVERFLOW, NULL, "write of %u byte(s) at 0x%x",
                          8u, 0x1064 + offset);
    report.addr = 0x1064 + offset;
    report.bytes = 8;
    report.access = "write";
    report.device = 0;
    report.region = (struct tn_check_report_region){.serial = 37,
                                                    .lo = 0x1000,
                                                    .hi = 0x1064,
                                                    .name = "kv \"block\"",
                                                    .distance = offset,
                                                    .side = TN_CHECK_SIDE_AFTER,
                                                    .generation = 1};
    report.heap = (struct tn_check_report_heap){.serial = 2,
                                                .lo = 0x1000,
                                                .hi = 0x2000,
                                                .name = "weights",
                                                .domain = "tarn",
                                                .live_bytes = 100};
    tn_check_report_add_stack(&report, "allocated", 5, report.stacks[0].stack);
    tn_check_report_end(&report);
}

// A stack that was dropped from a report may still lie behind its last one.
static void stacks_behind_the_last_one_are_not_printed(void **state) {
    struct tn_check_report report;
    (void)state;
    tn_check_report_begin(&report, TN_CHECK_KIND_DOUBLE_FREE, NULL, "free of 0x1000");
    report.stacks[1] = report.stacks[0];
    report.stacks[1].role = "dropped";
    assert_int_equal(report.stack_count, 1);
    tn_check_report_end(&report);
    assert_non_null(strstr(read_all("text"), "access by thread"));
    assert_null(strstr(content, "dropped"));
    assert_null(strstr(read_all("json"), "dropped"));
}

static void a_report_follows_the_grammar(void **state) {
    (void)state;
    overflow(0);
    (void)read_all("text");
    expect("==@== ERROR heap-overflow: write of 8 byte(s) at 0x1064 dev 0 thread @ [#1]\n"
           "==@==   is 0 byte(s) after region R37 [0x1000,0x1064) size 100 \"kv \"block\"\"\n"
           "==@==   in heap H2 [0x1000,0x2000) size 4096 \"weights\" domain \"tarn\" (100/4096 "
           "bytes live)\n"
           "==@==   access by thread @:\n"
           "==@==     #0 0x");
    expect(" a_report_follows_the_grammar ");
    expect("==@==   allocated by thread 5:\n==@==     #0 0x");
    expect("report.c:");
}

static void json_has_the_same_in_one_line(void **state) {
    (void)state;
    overflow(4);
    (void)read_all("json");
    expect("\"kind\": \"heap-overflow\", \"sev\": \"ERROR\"");
    expect("\"addr\": \"0x1068\", \"size\": 8, \"dev\": 0, \"access\": \"write\", \"tid\": @");
    expect("\"offset\": 4, \"side\": \"after\", \"generation\": 1");
    expect("\"region\": {\"serial\": 37, ");
    expect("\"name\": \"kv \\\"block\\\"\"");
    expect("\"stacks\": {\"access\": {\"tid\": @, \"frames\": [{\"pc\": \"0x");
    expect("\"alloc\": {\"tid\": 5");
    assert_ptr_equal(strchr(content, '\n'), content + strlen(content) - 1);
}

static void equal_reports_are_counted(void **state) {
    (void)state;
    for (unsigned i = 0; i < 40; i++) overflow(i);
    overflow(40); // from another place
    assert_int_equal(tn_check_report_counts().errors, 41);
    assert_int_equal(tn_check_report_summary(false), 9);
    (void)read_all("text");
    expect("[#1]");
    expect("[#2]");
    assert_null(strstr(content, "[#3]"));
    expect("==@== [#1] heap-overflow: 39 more of the same\n");
    expect("==@== SUMMARY: 41 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 0 "
           "suppressed\n");
    (void)read_all("json");
    expect("\"repeat\": 1, \"kind\": \"heap-overflow\", \"more\": 39}");
    expect("\"summary\": {\"errors\": 41, ");
}

static void freed_and_second_regions_are_reported(void **state) {
    (void)state;
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_USE_AFTER_FREE, "", "read of 1 byte(s) at 0x1005");
    report.addr = 0x1005;
    report.region = (struct tn_check_report_region){.serial = 3,
                                                    .lo = 0x1000,
                                                    .hi = 0x1064,
                                                    .requested = 90,
                                                    .distance = 5,
                                                    .generation = 3,
                                                    .ended = true,
                                                    .age = 12};
    report.second = report.region;
    report.second.serial = 52;
    report.second.side = TN_CHECK_SIDE_BEFORE;
    report.second.ended = false;
    tn_check_report_end(&report);
    (void)read_all("text");
    expect("==@== ERROR use-after-free: read of 1 byte(s) at 0x1005 [#1]\n"
           "==@==   is 5 byte(s) inside freed region R3 [0x1000,0x1064) size 100 requested 90 "
           "(generation 3), freed 12 event(s) ago\n"
           "==@==   and 5 byte(s) before region R52 ");
}

static void without_stacks_equal_means_the_same_text(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct tn_check_report report;
        tn_check_report_begin(&report, TN_CHECK_KIND_LEAK, "", "%u byte(s) in 1 region(s)",
                              10 + i / 2);
        tn_check_report_end(&report);
    }
    (void)tn_check_report_summary(false);
    (void)read_all("text");
    expect("[#1] leak: 1 more of the same\n");
    expect("[#2] leak: 1 more of the same\n");
}

static void warnings_and_leaks_are_summed_apart(void **state) {
    (void)state;
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_UNUSED_MEMORY, NULL, "80 of 100 byte(s)");
    tn_check_report_end(&report);
    tn_check_report_begin(&report, TN_CHECK_KIND_BAD_ARGUMENT, NULL, "heap of 0 byte(s)");
    report.severity = TN_CHECK_SEVERITY_WARN;
    tn_check_report_end(&report);
    tn_check_report_begin(&report, TN_CHECK_KIND_HEAP_DUPLICATE, NULL,
                          "range of H2 registered again");
    tn_check_report_end(&report);
    tn_check_report_count_leak(25600, 100);
    assert_int_equal(tn_check_report_summary(false), 0);
    (void)read_all("text");
    expect("SUMMARY: 0 error(s), 2 warning(s), 25600 byte(s) leaked in 100 region(s), 0 "
           "suppressed\n");
    assert_int_equal(tn_check_report_counts().notes, 1);
}

// ---- suppressions

__attribute__((noinline)) static void known_fault(const char *domain) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_CROSS_REGION_COPY, "access", "copy of 9 byte(s)");
    report.heap.domain = domain;
    tn_check_report_end(&report);
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void known_caller(const char *domain) {
    known_fault(domain);
    __asm__ volatile("" ::: "memory");
}

static void what_a_rule_names_is_only_counted(void **state) {
    (void)state;
    known_caller("atb");
    known_caller("atb");
    known_caller("other");
    (void)tn_check_report_summary(false);
    (void)read_all("text");
    expect("ERROR cross-region-copy: copy of 9 byte(s)");
    expect("SUMMARY: 1 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 2 suppressed\n");
}

static void a_rule_is_read_in_its_parts(void **state) {
    struct tn_check_rule rule;
    (void)state;
    assert_true(tn_check_rule_parse("  leak:ns::make*:atb  # known\n", &rule));
    assert_string_equal(rule.kind, "leak");
    assert_string_equal(rule.function, "ns::make*");
    assert_string_equal(rule.domain, "atb");
    assert_true(tn_check_rule_parse("heap-*:ns::make\n", &rule));
    assert_string_equal(rule.function, "ns::make");
    assert_string_equal(rule.domain, "");
    assert_true(tn_check_rule_parse("# nothing\n", &rule));
    assert_string_equal(rule.kind, "");
    assert_true(tn_check_rule_parse("\n", &rule));
    assert_false(tn_check_rule_parse("leek:main\n", &rule));
    assert_false(tn_check_rule_parse("leak\n", &rule));
    assert_false(tn_check_rule_parse("leak:\n", &rule));
    assert_false(tn_check_rule_parse("leak::atb\n", &rule));
    assert_false(tn_check_rule_parse(":main\n", &rule));
}

// ---- the hook, the end at once, threads

static bool count_up(void *context, const struct tn_check_report *report) {
    unsigned *count = (unsigned *)context;
    *count += report->kind == TN_CHECK_KIND_HEAP_OVERFLOW;
    return true;
}

static void a_hook_gets_reports_in_place_of_the_printer(void **state) {
    unsigned count = 0;
    (void)state;
    tn_check_report_set_hook(count_up, &count);
    overflow(0);
    overflow(0);
    known_caller("atb");
    tn_check_report_set_hook(NULL, NULL);
    assert_int_equal(count, 2);
    assert_string_equal(read_all("text"), "");
    assert_int_equal(tn_check_report_counts().errors, 2);
}

static void *report_many(void *argument) {
    for (unsigned i = 0; i < 200; i++) overflow(i);
    return argument;
}

static void threads_do_not_mix_their_lines(void **state) {
    pthread_t threads[4];
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, report_many, NULL), 0);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(tn_check_report_counts().errors, 800);
    (void)read_all("text");
    for (char *line = content; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_memory_equal(line, "==", 2);
}

static void a_child_writes_to_the_same_file_under_its_own_number(void **state) {
    int status = 0;
    (void)state;
    overflow(0);
    pid_t child = fork();
    if (child == 0) {
        overflow(1);
        overflow(2);
        _exit(tn_check_report_summary(false));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 9);
    (void)read_all("text");
    expect("==@== ERROR heap-overflow");
    char line[64];
    (void)snprintf(line, sizeof line, "==%d== ERROR heap-overflow", (int)child);
    expect(line);
}

static void json_escapes_what_it_must(void **state) {
    char buffer[128];
    struct tn_check_text text = TN_CHECK_TEXT(buffer);
    (void)state;
    tn_check_text_add_json(&text, "a\"\\\n\x7f\xc3\xa4\xff\xed\xa0\x80");
    assert_string_equal(buffer, "\"a\\\"\\\\\\u000a\\u007f\xc3\xa4\\ufffd\\ufffd\\ufffd\\ufffd\"");
    char small[8];
    text = (struct tn_check_text)TN_CHECK_TEXT(small);
    tn_check_text_add(&text, "%s", "0123456789");
    tn_check_text_add(&text, "x");
    assert_string_equal(small, "0123456");
    assert_int_equal(text.used, 7);
}

static int prepare(void **state) {
    char options[512];
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/tarn-report-XXXXXX");
    if (mkdtemp(folder) == NULL) return -1;
    FILE *rules = fopen(path_of("rules"), "w");
    if (rules == NULL || fprintf(rules, "# known\nleak:nobody\ncross-*:known_c?ller:at*\n") < 0 ||
        fclose(rules) != 0)
        return -1;
    (void)snprintf(options, sizeof options,
                   "exitcode=9:log_path=%s/text:json=%s/json:suppressions=%s/rules", folder, folder,
                   folder);
    return setenv("TARN_CHECK_OPTIONS", options, 1);
}

static int clean_up(void **state) {
    (void)state;
    (void)unlink(path_of("rules"));
    (void)unlink(path_of("text"));
    (void)unlink(path_of("json"));
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_report_follows_the_grammar, forget),
        cmocka_unit_test_setup(stacks_behind_the_last_one_are_not_printed, forget),
        cmocka_unit_test_setup(json_has_the_same_in_one_line, forget),
        cmocka_unit_test_setup(equal_reports_are_counted, forget),
        cmocka_unit_test_setup(freed_and_second_regions_are_reported, forget),
        cmocka_unit_test_setup(without_stacks_equal_means_the_same_text, forget),
        cmocka_unit_test_setup(warnings_and_leaks_are_summed_apart, forget),
        cmocka_unit_test_setup(what_a_rule_names_is_only_counted, forget),
        cmocka_unit_test(a_rule_is_read_in_its_parts),
        cmocka_unit_test_setup(a_hook_gets_reports_in_place_of_the_printer, forget),
        cmocka_unit_test_setup(threads_do_not_mix_their_lines, forget),
        cmocka_unit_test_setup(a_child_writes_to_the_same_file_under_its_own_number, forget),
        cmocka_unit_test(json_escapes_what_it_must),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
