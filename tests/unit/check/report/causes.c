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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reports_about_one_address_without_regions_have_one_cause, fresh),
        cmocka_unit_test_setup(an_address_is_no_cause_if_one_report_names_a_region, fresh),
        cmocka_unit_test_setup(reports_about_one_region_have_one_cause, fresh),
        cmocka_unit_test_setup(reports_about_resources_of_two_kinds_have_two_causes, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
