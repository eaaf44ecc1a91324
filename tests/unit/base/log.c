// SPDX-License-Identifier: Apache-2.0
// Claims about the log: its variable, its levels, its file, and its lines. Each case is a process, because the
// variable is read once.
#include "base/log.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/variable.h"

static char text[4096];

static int fail_a_call(void) {
    tn_log_line(TN_LOG_INFO, "info: %s", "begun");
    tn_log_failure("tarn_x", "BAD_ARGUMENT", "a name \"\n\033[31m\"");
    return 0;
}

// Runs `body` in a child with these variables. `text` becomes what it writes to standard error.
static void run(int (*body)(void), const char *variable, const char *value) {
    int file = memfd_create("errors", 0), status = 0;
    assert_true(file >= 0);
    pid_t child = fork();
    if (child == 0) {
        (void)unsetenv("TARN_LOG");
        if (value != NULL) (void)setenv(variable, value, 1);
        (void)dup2(file, STDERR_FILENO);
        _exit(body());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    memset(text, 0, sizeof text);
    assert_true(pread(file, text, sizeof text - 1, 0) >= 0);
    assert_int_equal(close(file), 0);
}

#define FAILURE "tarn: tarn_x: BAD_ARGUMENT: a name \"\\x0a\\x1b[31m\"\n"
#define BEGUN   "tarn: info: begun\n"

static void a_level_selects_lines(void **state) {
    static const char *const cases[][2] = {
        {NULL, ""},
        {"", ""},
        {"off", ""},
        {"0", ""},
        {"error", FAILURE},
        {"1", FAILURE},
        {"info", BEGUN FAILURE},
        {"2", BEGUN FAILURE},
        {"debug", BEGUN FAILURE},
        {"3", BEGUN FAILURE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(fail_a_call, "TARN_LOG", cases[i][0]);
        assert_string_equal(text, cases[i][1]);
    }
}

static void anything_else_is_no_level(void **state) {
    static const char *const wrong[] = {"4",   "x",  "-1",     "1 ",    "errors",
                                        "err", "01", "error:", ":file", "Error"};
    int level = -1;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(tn_variable_read_level(wrong[i], &level));
        assert_int_equal(level, TN_LOG_OFF);
    }
    assert_true(tn_variable_read_level("info:a:b", &level));
    assert_int_equal(level, TN_LOG_INFO);
}

// Returns the text of a file, and removes the file.
static const char *content_of(const char *path) {
    static char content[4096];
    memset(content, 0, sizeof content);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)fread(content, 1, sizeof content - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(unlink(path), 0);
    return content;
}

static int fail_in_another_folder(void) {
    return chdir("/") == 0 ? fail_a_call() + fail_a_call() : 1;
}

static void a_file_takes_the_lines(void **state) {
    char folder[] = "/tmp/tarn-unit-log-XXXXXX", value[128], path[128];
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(value, sizeof value, "error:%s/log", folder);
    (void)snprintf(path, sizeof path, "%s/log", folder);
    run(fail_in_another_folder, "TARN_LOG", value);
    assert_string_equal(text, "");
    assert_string_equal(content_of(path), FAILURE FAILURE);
    // A file that cannot be opened leaves the lines to standard error. A link is not followed.
    assert_int_equal(symlink("/dev/null", path), 0);
    run(fail_a_call, "TARN_LOG", value);
    assert_string_equal(text, FAILURE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static int fail_in_a_child(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) _exit(fail_a_call());
    return waitpid(child, &status, 0) == child && status == 0 ? fail_a_call() : 1;
}

static void each_process_has_its_file_on_request(void **state) {
    char folder[] = "/tmp/tarn-unit-log-XXXXXX", value[128], command[160];
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(value, sizeof value, "1:%s/%%p.log", folder);
    run(fail_in_a_child, "TARN_LOG", value);
    assert_string_equal(text, "");
    (void)snprintf(command, sizeof command, "test $(ls %s/*.log | wc -l) = 2 && rm -r %s", folder,
                   folder);
    assert_int_equal(system(command), 0);
}

static int fail_for_a_face(void) {
    tn_log_use("TARN_HIP_LOG");
    (void)setenv("TARN_LOG", "off", 1);
    (void)tn_log_call("tarn_y", tn_fail(TARN_BAD_ARGUMENT, "not the face's"));
    return fail_a_call();
}

static void the_variable_of_a_face_comes_first(void **state) {
    (void)state;
    run(fail_for_a_face, "TARN_HIP_LOG", "error");
    assert_string_equal(text, FAILURE);
    run(fail_for_a_face, "TARN_HIP_LOG", "");
    assert_string_equal(text, "");
}

static int fail_by_a_function(void) {
    errno = EDOM;
    (void)tn_log_call("tarn_y", tn_fail(TARN_BAD_ARGUMENT, "offset is 3"));
    tn_log_refusal("only while the log is off");
    return errno != EDOM;
}

static void a_function_of_the_library_is_logged(void **state) {
    (void)state;
    run(fail_by_a_function, "TARN_LOG", "error");
    assert_string_equal(text, "tarn: tarn_y: BAD_ARGUMENT: offset is 3\n");
    run(fail_by_a_function, "TARN_LOG", NULL);
    assert_string_equal(text, "tarn: only while the log is off\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_selects_lines),
        cmocka_unit_test(anything_else_is_no_level),
        cmocka_unit_test(a_file_takes_the_lines),
        cmocka_unit_test(each_process_has_its_file_on_request),
        cmocka_unit_test(the_variable_of_a_face_comes_first),
        cmocka_unit_test(a_function_of_the_library_is_logged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
