// SPDX-License-Identifier: Apache-2.0
// See child.h.
#include "support/child.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void set_variables(va_list pairs) {
    for (const char *name = va_arg(pairs, const char *); name != NULL;
         name = va_arg(pairs, const char *)) {
        const char *value = va_arg(pairs, const char *);
        int bad = value != NULL ? setenv(name, value, 1) : unsetenv(name);
        if (bad != 0) _exit(3);
    }
}

struct child {
    void (*body)(void *arg);
    void *arg;
};

static void run_body(void **state) {
    struct child *child = *state;
    child->body(child->arg);
}

// A group of its own, so that an assertion that fails ends the child and not the parent's test.
static int run_child(struct child *child) {
    struct CMUnitTest test = {"child", run_body, NULL, NULL, child};
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return _cmocka_run_group_tests("child", &test, 1, NULL, NULL);
}

static int run_to_the_end(void (*body)(void *arg), void *arg) {
    struct child child = {body, arg};
    int failed = run_child(&child);
    fflush(NULL);
    return failed != 0;
}

static pid_t divide(void) {
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    return pid;
}

pid_t child_begin(void (*body)(void *arg), void *arg) {
    pid_t pid = divide();
    if (pid == 0) _exit(run_to_the_end(body, arg));
    return pid;
}

void child_end(pid_t pid) {
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail_msg("the child ended with %s %d", WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
}

void child_run(void (*body)(void *arg), void *arg, va_list pairs) {
    pid_t pid = divide();
    if (pid == 0) {
        set_variables(pairs);
        _exit(run_to_the_end(body, arg));
    }
    child_end(pid);
}
