// SPDX-License-Identifier: Apache-2.0
// Claims about the files that take reports: their names, their contents, and failures, which are
// told once and for all.
#include "check/report/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[32];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/tarn-output-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *path_of(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct tn_check_output output_to(const char *path) {
    return (struct tn_check_output){.option = "log", .path = path, .file = -1};
}

static bool write_text(struct tn_check_output *output, int pid, const char *text) {
    return tn_check_output_write(output, pid, text, strlen(text));
}

// Asserts the contents of the file and removes it.
static void assert_file(const char *name, const char *wanted) {
    char text[64] = "";
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, wanted);
    assert_int_equal(unlink(path_of(name)), 0);
}

static void the_start_empties_the_file_and_writes_append(void **state) {
    (void)state;
    char path[128];
    strcpy(path, path_of("log"));
    for (unsigned round = 0; round < 2; round++) {
        struct tn_check_output output = output_to(path);
        assert_true(tn_check_output_start(&output));
        assert_true(write_text(&output, 1, "one "));
        assert_true(write_text(&output, 2, "two"));
        assert_true(tn_check_output_close(&output));
    }
    assert_file("log", "one two");
}

static void each_process_has_its_file_if_the_path_asks_for_it(void **state) {
    (void)state;
    char path[128];
    strcpy(path, path_of("%p-log-%p"));
    struct tn_check_output output = output_to(path);
    assert_true(tn_check_output_start(&output));
    assert_int_equal(output.file, -1);
    assert_true(write_text(&output, 11, "a"));
    assert_true(write_text(&output, 22, "b"));
    assert_true(write_text(&output, 11, "c"));
    assert_true(tn_check_output_close(&output));
    assert_file("11-log-11", "ac");
    assert_file("22-log-22", "b");
}

static void a_descriptor_that_the_program_reuses_is_left_alone(void **state) {
    (void)state;
    char path[128];
    strcpy(path, path_of("log"));
    struct tn_check_output output = output_to(path);
    assert_true(tn_check_output_start(&output));
    assert_true(write_text(&output, 1, "before "));
    FILE *other = fopen(path_of("other"), "w");
    assert_non_null(other);
    assert_int_equal(dup2(fileno(other), output.file), output.file);
    int reused = output.file;
    assert_true(write_text(&output, 1, "after"));
    assert_true(tn_check_output_close(&output));
    assert_int_equal(close(reused), 0); // it is still open
    assert_int_equal(fclose(other), 0);
    assert_file("log", "before after");
    assert_file("other", "");
}

// The messages go to standard error, which is a file meanwhile.
static void a_failure_is_told_once_and_for_all(void **state) {
    (void)state;
    int saved = dup(STDERR_FILENO);
    FILE *said = fopen(path_of("said"), "w");
    assert_non_null(said);
    assert_true(dup2(fileno(said), STDERR_FILENO) >= 0);
    struct tn_check_output output = output_to("/dev/full");
    bool started = tn_check_output_start(&output);
    bool first = write_text(&output, 1, "text"), second = write_text(&output, 1, "text");
    bool closed = tn_check_output_close(&output);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    (void)close(saved);
    assert_int_equal(fclose(said), 0);
    assert_true(started && !first && !second && !closed);
    assert_file("said", "tarn check: --log /dev/full: No space left on device\n");
}

static void no_path_takes_everything_and_opens_nothing(void **state) {
    (void)state;
    struct tn_check_output output = output_to("");
    assert_true(tn_check_output_start(&output));
    assert_true(write_text(&output, 1, "text"));
    assert_int_equal(output.file, -1);
    assert_true(tn_check_output_close(&output));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_empties_the_file_and_writes_append),
        cmocka_unit_test(each_process_has_its_file_if_the_path_asks_for_it),
        cmocka_unit_test(a_descriptor_that_the_program_reuses_is_left_alone),
        cmocka_unit_test(a_failure_is_told_once_and_for_all),
        cmocka_unit_test(no_path_takes_everything_and_opens_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
