// SPDX-License-Identifier: Apache-2.0
// securec.h, in C.
#include "support/hiai.h"

#include <securec.h>

static void bounded_functions_clear_what_they_refuse(void **state) {
    (void)state;
    char d[8] = "zzzzzzz";
    assert_int_equal(memcpy_s(d, 4, "12345", 5), 162);
    assert_memory_equal(d, "\0\0\0\0zzz", 7);
    assert_int_equal(strcpy_s(d, 3, "abc"), 162);
    assert_int_equal(d[0], 0);
    assert_int_equal(strcpy_s(NULL, 3, "abc"), 22);
    assert_int_equal(memcpy_s(d, 8, d + 1, 4), 182);
    assert_int_equal(memcpy_s(d, 4, "1234", 4), 0);
    assert_int_equal(memset_s(d, 8, 0, 9), 162);
    assert_int_equal(strcpy_s(d, 8, "ab") + strcat_s(d, 8, "cd") + strncat_s(d, 8, "efgh", 1), 0);
    assert_string_equal(d, "abcde");
    assert_int_equal(sprintf_s(d, 8, "%d", 12345678), -1);
    assert_int_equal(snprintf_truncated_s(d, 8, "%d", 12345678), 7);
    assert_string_equal(d, "1234567");
    char *rest = NULL;
    assert_string_equal(strtok_s(d, "4", &rest), "123");
    assert_string_equal(strtok_s(NULL, "4", &rest), "567");
    assert_null(strtok_s(NULL, "4", &rest));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounded_functions_clear_what_they_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
