// SPDX-License-Identifier: Apache-2.0
// Libraries opened at run time: the names tried, remembered results, and missing functions.
#include "base/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const math[] = {"libtarn-nothing.so.1", "libm.so.6", NULL};
static const char *const nothing[] = {"libtarn-nothing.so.1", "libtarn-nothing.so.2", NULL};

struct functions {
    double (*cosine)(double x);
    double (*later)(double x);
    void *end;
};

static const char *last_text(void) {
    static char text[512];
    tarn_error error;
    (void)tarn_last_error(&error);
    (void)strncpy(text, error.message, sizeof text - 1);
    return text;
}

static void the_first_name_that_is_there_is_opened_once(void **state) {
    const struct tn_library *library = NULL;
    const struct tn_library *again = NULL;
    (void)state;
    assert_int_equal(tn_library_open("test", NULL, math, "cos", &library), TARN_OK);
    assert_string_equal(library->path, "libm.so.6");
    assert_int_equal(tn_library_open("test", "", math, "cos", &again), TARN_OK);
    assert_ptr_equal(library, again);
}

static void a_path_goes_before_the_names(void **state) {
    const struct tn_library *library = NULL;
    const struct tn_library *again = NULL;
    (void)state;
    assert_int_equal(tn_library_open("test", "libm.so.6", nothing, "cos", &library), TARN_OK);
    assert_int_equal(tn_library_open("test", "libm.so.6", nothing, "cos", &again), TARN_OK);
    assert_ptr_equal(library, again);
}

static void a_library_that_is_nowhere_is_named_with_all_that_was_tried(void **state) {
    const struct tn_library *library = NULL;
    (void)state;
    for (int i = 0; i < 2; i++) { // the second time it is remembered
        assert_int_equal(tn_library_open("test", NULL, nothing, "cos", &library), TARN_UNSUPPORTED);
        assert_non_null(strstr(last_text(), "libtarn-nothing.so.1, libtarn-nothing.so.2"));
    }
    assert_int_equal(tn_library_open("test", "/no/such.so", math, "cos", &library),
                     TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "/no/such.so"));
    assert_null(library);
}

static void a_path_that_is_too_long_is_refused(void **state) {
    const struct tn_library *library = NULL;
    char path[2 * TN_LIBRARY_PATH];
    (void)state;
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(tn_library_open("test", path, math, "cos", &library), TARN_UNSUPPORTED);
}

static void another_library_of_that_name_is_refused(void **state) {
    const struct tn_library *library = NULL;
    (void)state;
    assert_int_equal(tn_library_open("test", "libc.so.6", math, "hipInit", &library),
                     TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "hipInit"));
}

static void missing_functions_are_named_and_nothing_is_written(void **state) {
    const struct tn_library *library = NULL;
    struct functions functions = {NULL, NULL, NULL};
    const struct tn_symbol table[] = {{"cos", offsetof(struct functions, cosine), false},
                                      {"tarn_one", offsetof(struct functions, later), false},
                                      {"tarn_two", offsetof(struct functions, end), false}};
    (void)state;
    assert_int_equal(tn_library_open("test", NULL, math, "cos", &library), TARN_OK);
    assert_int_equal(tn_library_resolve("test", library, table, 3, &functions), TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "tarn_one, tarn_two"));
    assert_null(functions.cosine);
}

static void optional_functions_may_be_missing(void **state) {
    const struct tn_library *library = NULL;
    struct functions functions = {NULL, NULL, NULL};
    const struct tn_symbol table[] = {{"cos", offsetof(struct functions, cosine), false},
                                      {"tarn_one", offsetof(struct functions, later), true}};
    (void)state;
    assert_int_equal(tn_library_open("test", NULL, math, "cos", &library), TARN_OK);
    assert_int_equal(tn_library_resolve("test", library, table, 2, &functions), TARN_OK);
    assert_true(functions.cosine(0) == 1);
    assert_null(functions.later);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_name_that_is_there_is_opened_once),
        cmocka_unit_test(a_path_goes_before_the_names),
        cmocka_unit_test(a_library_that_is_nowhere_is_named_with_all_that_was_tried),
        cmocka_unit_test(a_path_that_is_too_long_is_refused),
        cmocka_unit_test(another_library_of_that_name_is_refused),
        cmocka_unit_test(missing_functions_are_named_and_nothing_is_written),
        cmocka_unit_test(optional_functions_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
