// SPDX-License-Identifier: Apache-2.0
// The part of cmocka's interface that the API tests use, for machines with a GPU and no cmocka. A
// test that fails leaves by longjmp(). Groups run one after another, and each test prints a line.
// Several files of a program include this header, hence the weak definitions.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func;
    CMFixtureFunction teardown_func;
    void *initial_state;
};
enum cm_message_output { CM_OUTPUT_STDOUT, CM_OUTPUT_TAP };

__attribute__((weak)) jmp_buf standin_way_out;
__attribute__((weak)) int standin_outcome; // 0 passed, 1 failed, 2 skipped

static inline void standin_leave(int outcome) {
    standin_outcome = outcome;
    longjmp(standin_way_out, 1);
}

#define cmocka_unit_test(f)                                                                        \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, up, down)                                               \
    { #f, f, up, down, NULL }
#define cmocka_unit_test_setup(f, up)                                                              \
    { #f, f, up, NULL, NULL }
#define cmocka_unit_test_teardown(f, down)                                                         \
    { #f, f, NULL, down, NULL }
#define print_error(...)   ((void)fprintf(stderr, __VA_ARGS__))
#define print_message(...) ((void)printf(__VA_ARGS__))

static inline void _fail(const char *file, int line) {
    print_error("%s:%d: failed\n", file, line);
    standin_leave(1);
}
static inline void cmocka_set_message_output(enum cm_message_output output) { (void)output; }

#define fail()        _fail(__FILE__, __LINE__)
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), fail())
#define skip()        standin_leave(2)

// Describes an assertion that does not hold.
#define STANDIN_HOLDS(good, text)                                                                  \
    do {                                                                                           \
        if (!(good)) {                                                                             \
            print_error("%s\n", text);                                                             \
            fail();                                                                                \
        }                                                                                          \
    } while (0)
#define assert_true(x)         STANDIN_HOLDS((x), #x)
#define assert_false(x)        STANDIN_HOLDS(!(x), "not " #x)
#define assert_null(p)         STANDIN_HOLDS((p) == NULL, #p " == NULL")
#define assert_non_null(p)     STANDIN_HOLDS((p) != NULL, #p " != NULL")
#define assert_ptr_equal(a, b) STANDIN_HOLDS((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_ptr_not_equal(a, b)                                                                 \
    STANDIN_HOLDS((const void *)(a) != (const void *)(b), #a " != " #b)
#define assert_int_equal(a, b)     STANDIN_HOLDS((long long)(a) == (long long)(b), #a " == " #b)
#define assert_int_not_equal(a, b) STANDIN_HOLDS((long long)(a) != (long long)(b), #a " != " #b)
#define assert_in_range(x, low, high)                                                              \
    STANDIN_HOLDS((unsigned long long)(x) >= (unsigned long long)(low) &&                          \
                      (unsigned long long)(x) <= (unsigned long long)(high),                       \
                  #x " in range")
#define assert_string_equal(a, b)     STANDIN_HOLDS(strcmp((a), (b)) == 0, #a " == " #b)
#define assert_string_not_equal(a, b) STANDIN_HOLDS(strcmp((a), (b)) != 0, #a " != " #b)
#define assert_memory_equal(a, b, n)  STANDIN_HOLDS(memcmp((a), (b), (n)) == 0, #a " == " #b)

// Runs one function of a test; its outcome is in standin_outcome.
static inline void standin_call(const struct CMUnitTest *test, CMFixtureFunction fixture,
                                void **state) {
    standin_outcome = 0;
    if (setjmp(standin_way_out) == 0) {
        if (fixture == NULL)
            test->test_func(state);
        else if (fixture(state) != 0)
            standin_outcome = 1;
    }
}

static inline int standin_run(const struct CMUnitTest *test) {
    void *state = test->initial_state;
    int outcome = 0;
    if (test->setup_func != NULL) {
        standin_call(test, test->setup_func, &state);
        outcome = standin_outcome;
    }
    if (outcome == 0) {
        standin_call(test, NULL, &state);
        outcome = standin_outcome;
        if (test->teardown_func != NULL) {
            standin_call(test, test->teardown_func, &state);
            outcome = standin_outcome != 0 && outcome != 1 ? standin_outcome : outcome;
        }
    }
    static const char *const names[] = {"ok", "FAILED", "skipped"};
    printf("%-8s %s\n", names[outcome], test->name);
    (void)fflush(stdout);
    return outcome == 1;
}

static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                                          size_t count, CMFixtureFunction setup,
                                          CMFixtureFunction teardown) {
    const struct CMUnitTest group = {name, NULL, NULL, NULL, NULL};
    void *state = NULL;
    int failed = 0;
    if (setup != NULL) {
        standin_call(&group, setup, &state);
        failed += standin_outcome == 1;
    }
    for (size_t i = 0; i < count && standin_outcome != 1; i++) {
        failed += standin_run(&tests[i]);
        standin_outcome = 0; // the other tests still run
    }
    if (teardown != NULL) standin_call(&group, teardown, &state);
    return failed;
}
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    _cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
