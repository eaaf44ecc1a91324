// SPDX-License-Identifier: Apache-2.0
// The policies of a face.
#include "compat/runtime/policy.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/api.h"

static void fill_one(struct tn_rt_policy *policy) {
    policy->code.no_code_error = TN_RT_INVALID_VALUE; // and forget the others
}

static void a_face_that_forgets_an_error_does_not_start(void **state) {
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        (void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        tn_rt_set_policy(fill_one);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_that_forgets_an_error_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
