// SPDX-License-Identifier: Apache-2.0
// Files that a user names for writing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"

static char folder[] = "/tmp/tarn-named-XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state) {
    (void)state;
    (void)unlink("link");
    (void)unlink("file");
    return chdir("/") != 0 || rmdir(folder) != 0;
}

static void links_are_refused_whatever_they_lead_to(void **state) {
    static const char *const targets[] = {"file", "absent", "/dev/null", ".", "link"};
    (void)state;
    int file;
    assert_int_equal(tn_named_file_open("file", O_WRONLY | O_CREAT, &file), 0);
    assert_int_equal(close(file), 0);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        assert_int_equal(symlink(targets[i], "link"), 0);
        assert_int_equal(tn_named_file_open("link", O_WRONLY | O_CREAT, &file), ELOOP);
        assert_int_equal(tn_named_file_open("link", O_WRONLY, &file), ELOOP);
        assert_int_equal(unlink("link"), 0);
    }
    assert_int_not_equal(access("absent", F_OK), 0);
    assert_non_null(strstr(tn_named_file_error(ELOOP), "symbolic link"));
    assert_string_equal(tn_named_file_error(ENOSPC), strerror(ENOSPC));
}

static void own_descriptors_have_names(void **state) {
    (void)state;
    assert_int_equal(tn_named_file_descriptor("/dev/stdout"), 1);
    assert_int_equal(tn_named_file_descriptor("/dev/stderr"), 2);
    assert_int_equal(tn_named_file_descriptor("/dev/fd/0"), 0);
    assert_int_equal(tn_named_file_descriptor("/proc/self/fd/63"), 63);
    assert_int_equal(tn_named_file_descriptor("/dev/fd/"), -1);
    assert_int_equal(tn_named_file_descriptor("/dev/fd/-1"), -1);
    assert_int_equal(tn_named_file_descriptor("/dev/fd/1x"), -1);
    assert_int_equal(tn_named_file_descriptor("/dev/fd/9999999999"), -1);
    assert_int_equal(tn_named_file_descriptor("/dev/null"), -1);
    assert_int_equal(tn_named_file_descriptor("dev/stdout"), -1);
}

static void a_descriptor_is_copied_and_not_inherited(void **state) {
    int ends[2], copy;
    char name[32], text[4] = "";
    (void)state;
    assert_int_equal(pipe(ends), 0);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    assert_int_equal(tn_named_file_open(name, O_WRONLY | O_TRUNC, &copy), 0);
    assert_int_not_equal(copy, ends[1]);
    assert_int_equal(fcntl(copy, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(write(copy, "abc", 3), 3);
    assert_int_equal(read(ends[0], text, 3), 3);
    assert_string_equal(text, "abc");
    assert_int_equal(close(copy), 0);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(tn_named_file_open(name, O_WRONLY, &copy), EBADF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_refused_whatever_they_lead_to),
        cmocka_unit_test(own_descriptors_have_names),
        cmocka_unit_test(a_descriptor_is_copied_and_not_inherited),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
