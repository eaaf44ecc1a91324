// SPDX-License-Identifier: Apache-2.0
// Claims about interned strings.
#include "check/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void equal_strings_are_one_string(void **state) {
    (void)state;
    char first[] = "caching", second[] = "caching";
    const char *kept = tn_check_intern(first);
    assert_ptr_equal(tn_check_intern(second), kept);
    assert_ptr_not_equal(kept, first);
    assert_ptr_not_equal(tn_check_intern("cachinf"), kept);
}

static void the_copy_does_not_follow_the_callers_buffer(void **state) {
    (void)state;
    char name[] = "before";
    const char *kept = tn_check_intern(name);
    strcpy(name, "after!");
    assert_string_equal(kept, "before");
}

static void no_name_is_no_string_and_an_empty_one_is(void **state) {
    (void)state;
    assert_null(tn_check_intern(NULL));
    assert_string_equal(tn_check_intern(""), "");
    assert_ptr_equal(tn_check_intern(""), tn_check_intern(""));
}

// More strings than the table has lists.
static void strings_of_one_list_stay_apart(void **state) {
    (void)state;
    enum { STRINGS = 5000 };
    static const char *kept[STRINGS];
    char name[32];
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < STRINGS; i++) {
            (void)snprintf(name, sizeof name, "name %u", i);
            const char *found = tn_check_intern(name);
            assert_string_equal(found, name);
            assert_true(round == 0 || found == kept[i]);
            kept[i] = found;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_strings_are_one_string),
        cmocka_unit_test(the_copy_does_not_follow_the_callers_buffer),
        cmocka_unit_test(no_name_is_no_string_and_an_empty_one_is),
        cmocka_unit_test(strings_of_one_list_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
