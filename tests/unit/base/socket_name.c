// SPDX-License-Identifier: Apache-2.0
// Claims about the address of a command's socket: NAME/TOKEN becomes an abstract name and a token,
// and anything else is refused.
#include "base/socket_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

static void a_name_and_a_token_are_read(void **state) {
    struct tn_socket_name name;
    (void)state;
    assert_true(tn_socket_name_read("tarn-x/" TOKEN, &name));
    assert_int_equal(name.address.sun_family, AF_UNIX);
    assert_memory_equal(name.address.sun_path, "\0tarn-x", 7);
    assert_int_equal(name.bytes, offsetof(struct sockaddr_un, sun_path) + 7);
    assert_memory_equal(name.token, TOKEN, TN_LAUNCHER_TOKEN);
}

static void anything_else_is_refused(void **state) {
    static const char *const wrong[] = {
        NULL, "", "/", "tarn-x", "tarn-x/", "/" TOKEN, "tarn-x/" TOKEN "0", "tarn-x/0" TOKEN "/",
    };
    struct tn_socket_name name;
    char lengthy[TN_SOCKET_NAME + sizeof "/" TOKEN];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(tn_socket_name_read(wrong[i], &name));
    (void)snprintf(lengthy, sizeof lengthy, "%0*d/%s", TN_SOCKET_NAME, 0, TOKEN);
    assert_false(tn_socket_name_read(lengthy, &name));
    assert_true(tn_socket_name_read(lengthy + 1, &name)); // the longest name
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_and_a_token_are_read),
        cmocka_unit_test(anything_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
