// SPDX-License-Identifier: Apache-2.0
// Names of holders that would be equal show what tells them from each other.
#include "trace/study/distinct.h"

#include <stdlib.h>

#include "trace/study/name.h"
#include "unit/trace/script.h"

enum { CALLS = 6 };

struct call {
    const char *function;
    const char *file;
    const char *name;
};

// Names several calls of one trace, each the only one of its stack.
static void check_names(const struct call *calls, size_t count) {
    struct trace_script script;
    struct tn_trace trace;
    uint32_t numbers[CALLS];
    uint8_t wanted[CALLS + 1] = {0};
    char name[TN_NAME_CALL];
    script_begin(&script, TN_TRACE_SNAPSHOT);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = script_call(&script, 0, calls[i].function, calls[i].file, 7);
        wanted[numbers[i]] = 1;
    }
    script_end(&script, &trace);
    uint8_t *detail = (uint8_t *)malloc(trace.text_count);
    assert_non_null(detail);
    assert_true(tn_distinct_find(&trace, wanted, detail));
    for (size_t i = 0; i < count; i++)
        assert_string_equal(tn_name_call(&trace, detail, numbers[i], true, name), calls[i].name);
    free(detail);
    tn_trace_release(&trace);
}

static void different_names_stay_short(void **state) {
    (void)state;
    static const struct call calls[] = {{"forward", "/data/a/model.py", "forward (model.py:7)"},
                                        {"forward", "/data/a/layer.py", "forward (layer.py:7)"},
                                        {"step", "/data/b/model.py", "step (model.py:7)"}};
    check_names(calls, 3);
}

static void files_show_the_folders_that_differ(void **state) {
    (void)state;
    static const struct call calls[] = {
        {"forward", "/data/a/net/model.py", "forward (a/net/model.py:7)"},
        {"forward", "/data/b/net/model.py", "forward (b/net/model.py:7)"},
        {"forward", "C:\\c\\model.py", "forward (c\\model.py:7)"},
        {"forward", "model.py", "forward (model.py:7)"},
        {"forward", "/data/a/layer.py", "forward (layer.py:7)"}};
    check_names(calls, 5);
}

static void all_that_would_be_equal_show_the_same_folders(void **state) {
    (void)state;
    static const struct call calls[] = {
        {"forward", "/data/net/a/model.py", "forward (a/model.py:7)"},
        {"forward", "/data/net/b/model.py", "forward (b/model.py:7)"},
        {"forward", "/data/net/c/model.py", "forward (c/model.py:7)"},
        {"forward", "/data/net/d/model.py", "forward (d/model.py:7)"},
        {"forward", "/data/net/e/model.py", "forward (e/model.py:7)"}};
    check_names(calls, 5);
}

static void functions_show_their_arguments(void **state) {
    (void)state;
    static const struct call calls[] = {{"a::b::f(int)", "/data/f.cpp", "a::b::f(int) (f.cpp:7)"},
                                        {"a::b::f(long)", "/data/f.cpp", "a::b::f(long) (f.cpp:7)"},
                                        {"c::d::b::f()", "/data/g.cpp", "b::f (g.cpp:7)"}};
    check_names(calls, 3);
}

static void names_that_cannot_differ_end_the_search(void **state) {
    (void)state;
    static const struct call calls[] = {{"f\001", "/data/f.c", "f? (f.c:7)"},
                                        {"f\002", "/data/f.c", "f? (f.c:7)"}};
    check_names(calls, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(different_names_stay_short),
        cmocka_unit_test(files_show_the_folders_that_differ),
        cmocka_unit_test(all_that_would_be_equal_show_the_same_folders),
        cmocka_unit_test(functions_show_their_arguments),
        cmocka_unit_test(names_that_cannot_differ_end_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
