// SPDX-License-Identifier: Apache-2.0
// Claims about assertions. A child process fails them.
#include "base/assert.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void exit_by_signal(int signal_number) { _exit(signal_number); }

static void a_failed_assertion_says_where_and_aborts(void **state) {
    (void)state;
    int ends[2];
    int status = 0;
    char said[256] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGABRT, exit_by_signal); // without a core file, or a line of an emulator
        (void)dup2(ends[1], STDERR_FILENO);
        tn_assert_failed("some/file.c", 42, "count <= room");
    }
    assert_true(child > 0);
    (void)close(ends[1]);
    size_t used = 0;
    ssize_t more = 0;
    while ((more = read(ends[0], said + used, sizeof said - 1 - used)) > 0) used += (size_t)more;
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == SIGABRT);
    assert_string_equal(said, "tarn: some/file.c:42: assertion failed: count <= room\n");
}

static void a_condition_is_evaluated_once_if_assertions_are_on(void **state) {
    (void)state;
    int evaluated = 0;
    TN_ASSERT_IF(false, ++evaluated == 0);
    assert_int_equal(evaluated, 0);
    TN_ASSERT_IF(true, ++evaluated == 1);
    assert_int_equal(evaluated, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_assertion_says_where_and_aborts),
        cmocka_unit_test(a_condition_is_evaluated_once_if_assertions_are_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
