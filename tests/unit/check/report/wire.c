// SPDX-License-Identifier: Apache-2.0
// Claims about connections to `tarn check`: one that is refused is the last one, one that fails
// otherwise is tried again. The program replaces connect().
#include "check/report/wire.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static int connect_error;

// <sys/socket.h> declares the address as a union of pointers, which a definition cannot repeat.
int connect(int file, const void *address, unsigned bytes);

int connect(int file, const void *address, unsigned bytes) {
    (void)file, (void)address, (void)bytes;
    errno = connect_error;
    return -1;
}

static bool send_counts(int error) {
    struct tn_check_wire_head head = {.kind = TN_CHECK_WIRE_REPORT};
    struct tn_check_wire_answer answer = {0};
    connect_error = error;
    return tn_check_wire_send(&head, "", "", &answer);
}

static void only_a_refused_connection_is_the_last_one(void **state) {
    (void)state;
    assert_true(tn_check_wire_is_open());
    assert_false(send_counts(EAGAIN)); // the command is too slow
    assert_true(tn_check_wire_is_open());
    assert_false(send_counts(ECONNREFUSED));
    assert_false(tn_check_wire_is_open());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_refused_connection_is_the_last_one),
    };
    (void)setenv(TN_CHECK_WIRE_VARIABLE, "name/0123456789abcdef0123456789abcdef", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
