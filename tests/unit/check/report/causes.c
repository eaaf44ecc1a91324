// SPDX-License-Identifier: Apache-2.0
// Claims about the causes in the summary: which report follows which.
#include "check/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "annotate/mem_event.h"

static char causes[256]; // the groups, as JSON

static int fresh(void **state) {
    (void)state;
    tn_check_causes_reset();
    return 0;
}

// Adds an error about the address, and about the region unless that is 0.
static void add_report(uint64_t serial, uint64_t addr, uint64_t region) {
    struct tn_check_report report = {.kind = TN_CHECK_KIND_INVALID_FREE,
                                     .severity = TN_CHECK_SEVERITY_ERROR,
                                     .addr = addr,
                                     .region = {.serial = region}};
    tn_check_causes_add(&report, serial);
}

static void assert_causes(const char *groups) {
    char room[4096];
    struct tn_check_text text = TN_CHECK_TEXT(room), json = TN_CHECK_TEXT(causes);
    tn_check_causes_print(&text, &json);
    if (strstr(causes, groups) == NULL) fail_msg("%s is not in %s", groups, causes);
}

static void reports_about_one_address_without_regions_have_one_cause(void **state) {
    (void)state;
    add_report(1, 0x1000, 0);
    add_report(2, 0x2000, 0);
    add_report(3, 0x1000, 0);
    assert_causes("[[1, 3], [2]]");
}

// The address may belong to a newer region by then.
static void an_address_is_no_cause_if_one_report_names_a_region(void **state) {
    (void)state;
    add_report(1, 0x1000, 7);
    add_report(2, 0x1000, 0);
    add_report(3, 0x1000, 8);
    assert_causes("[[1], [2], [3]]");
}

static void reports_about_one_region_have_one_cause(void **state) {
    (void)state;
    add_report(1, 0x1000, 7);
    add_report(2, 0x1010, 8);
    add_report(3, 0x1020, 7);
    assert_causes("[[1, 3], [2]]");
}

// An address may be that of a reservation and of a mapping in it, which are freed apart.
static void reports_about_resources_of_two_kinds_have_two_causes(void **state) {
    (void)state;
    const uint16_t resources[] = {TN_MEM_MAPPING, TN_MEM_RESERVATION, TN_MEM_RESERVATION, 0};
    for (uint64_t i = 0; i < 4; i++) {
        struct tn_check_report report = {.kind = TN_CHECK_KIND_DOUBLE_FREE,
                                         .severity = TN_CHECK_SEVERITY_ERROR,
                                         .addr = 0x1000,
                                         .resource = resources[i]};
        tn_check_causes_add(&report, i + 1);
    }
    assert_causes("[[1, 4], [2, 3]]");
}

static void reports_of_another_nature_have_another_cause(void **state) {
    (void)state;
    const enum tn_check_kind kinds[] = {TN_CHECK_KIND_REUSE_BEFORE_EVENT,
                                        TN_CHECK_KIND_HEAP_OVERFLOW, TN_CHECK_KIND_DOUBLE_FREE,
                                        TN_CHECK_KIND_COPY_RACE, TN_CHECK_KIND_USE_AFTER_FREE};
    for (uint64_t i = 0; i < 5; i++) {
        const struct tn_check_report report = {
            .kind = kinds[i], .severity = TN_CHECK_SEVERITY_ERROR, .region = {.serial = 7}};
        tn_check_causes_add(&report, i + 1);
    }
    assert_causes("[[1, 4], [2], [3, 5]]");
}

// A program that is wrong at one place may be wrong for two reasons.
static void one_place_is_no_cause(void **state) {
    (void)state;
    for (uint64_t i = 1; i <= 2; i++) {
        struct tn_check_report report = {.kind = TN_CHECK_KIND_LEAK,
                                         .severity = TN_CHECK_SEVERITY_ERROR,
                                         .region = {.serial = i},
                                         .stacks = {{"allocated", 1, 5}},
                                         .stack_count = 1};
        tn_check_causes_add(&report, i);
    }
    assert_causes("[[1], [2]]");
}

// A write past the end of a block changes the freed bytes behind it.
static void an_overflow_is_the_cause_of_damage_beside_it(void **state) {
    (void)state;
    const struct tn_check_report overflow = {.kind = TN_CHECK_KIND_HEAP_OVERFLOW,
                                             .severity = TN_CHECK_SEVERITY_ERROR,
                                             .region = {.serial = 1},
                                             .second = {.serial = 2}};
    const struct tn_check_report damage = {.kind = TN_CHECK_KIND_WRITE_AFTER_FREE,
                                           .severity = TN_CHECK_SEVERITY_ERROR,
                                           .region = {.serial = 2}};
    tn_check_causes_add(&overflow, 1);
    tn_check_causes_add(&damage, 2);
    assert_causes("[[1, 2]]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reports_about_one_address_without_regions_have_one_cause, fresh),
        cmocka_unit_test_setup(an_address_is_no_cause_if_one_report_names_a_region, fresh),
        cmocka_unit_test_setup(reports_about_one_region_have_one_cause, fresh),
        cmocka_unit_test_setup(reports_of_another_nature_have_another_cause, fresh),
        cmocka_unit_test_setup(one_place_is_no_cause, fresh),
        cmocka_unit_test_setup(an_overflow_is_the_cause_of_damage_beside_it, fresh),
        cmocka_unit_test_setup(reports_about_resources_of_two_kinds_have_two_causes, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
