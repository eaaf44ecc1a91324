// SPDX-License-Identifier: Apache-2.0
// See hip.h.
#include "support/hip.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// A child of a process with threads may have threads of its own, whatever ThreadSanitizer expects.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

void hip_assert_error(hipError_t got, hipError_t want, const char *expression, const char *file,
                      int line) {
    if (got == want) {
        return;
    }
    print_error("%s\n  gave %s (%d): %s\n  expected %s (%d)\n", expression, hipGetErrorName(got),
                (int)got, hipExtGetLastErrorText(), hipGetErrorName(want), (int)want);
    _fail(file, line);
}

static void set_variables(va_list pairs) {
    for (const char *name = va_arg(pairs, const char *); name != NULL;
         name = va_arg(pairs, const char *)) {
        const char *value = va_arg(pairs, const char *);
        int bad = value != NULL ? setenv(name, value, 1) : unsetenv(name);
        if (bad != 0) {
            _exit(3);
        }
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

void hip_in_child(void (*body)(void *arg), void *arg, ...) {
    struct child child = {body, arg};
    va_list pairs;
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        va_start(pairs, arg);
        set_variables(pairs);
        va_end(pairs);
        int failed = run_child(&child);
        fflush(NULL);
        _exit(failed != 0);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail_msg("the child ended with %s %d", WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
}

int hip_group_setup(void **state) {
    static const char *const foreign[] = {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                                          "TARN_HIP_COMPAT",     "TARN_HIP_SPARSE",
                                          "TARN_HIP_LOG",        "TARN_HOST"};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (unsetenv(foreign[i]) != 0) {
            return -1;
        }
    }
    return setenv("TARN_HIP_DEVICE", "host:0,devices=2,memory=1G", 1);
}
