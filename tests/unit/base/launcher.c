// SPDX-License-Identifier: Apache-2.0
// Messages to the command that started the process: they arrive at its socket, and a command that has
// ended, or a wrong name, disturbs no program.
#include "base/launcher.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static const char token[] = "/0123456789abcdef0123456789abcdef";
static char variable[128];
static int inbox;

static int open_inbox(void **state) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)state;
    int length = snprintf(variable, sizeof variable, "tarn-unit-launcher-%d", (int)getpid());
    memcpy(address.sun_path + 1, variable, (size_t)length);
    (void)snprintf(variable + length, sizeof variable - (size_t)length, "%s", token);
    inbox = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    return bind(inbox, (const struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length));
}

static int close_inbox(void **state) {
    (void)state;
    return close(inbox);
}

static bool has_report(void) {
    char message[TN_LAUNCHER_TOKEN + 2];
    return recv(inbox, message, sizeof message, 0) == TN_LAUNCHER_TOKEN + 1 &&
           memcmp(message, token + 1, TN_LAUNCHER_TOKEN) == 0 &&
           message[TN_LAUNCHER_TOKEN] == TN_LAUNCHER_LOADED;
}

static void a_report_arrives(void **state) {
    (void)state;
    tn_launcher_report(variable, TN_LAUNCHER_LOADED);
    assert_true(has_report());
    assert_false(has_report());
}

static void a_wrong_name_reports_nothing(void **state) {
    char lengthy[200];
    (void)state;
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    tn_launcher_report(NULL, TN_LAUNCHER_LOADED);
    tn_launcher_report("", TN_LAUNCHER_LOADED);
    tn_launcher_report(lengthy, TN_LAUNCHER_LOADED);
    variable[strlen(variable) - 1] = '\0'; // a token that is too short
    tn_launcher_report(variable, TN_LAUNCHER_LOADED);
    *strchr(variable, '/') = '\0';
    tn_launcher_report(variable, TN_LAUNCHER_LOADED);
    assert_false(has_report());
}

static void a_full_socket_does_not_block(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) tn_launcher_report(variable, TN_LAUNCHER_LOADED);
    assert_true(has_report());
}

static void errno_survives_a_command_that_has_ended(void **state) {
    (void)state;
    errno = EDOM;
    tn_launcher_report("tarn-unit-launcher-nobody/0123456789abcdef0123456789abcdef",
                       TN_LAUNCHER_LOADED);
    assert_int_equal(errno, EDOM);
}

static void a_failure_arrives_with_its_text(void **state) {
    char message[TN_LAUNCHER_TOKEN + TN_LAUNCHER_MESSAGE] = "";
    (void)state;
    assert_true(tn_launcher_failed(variable, "it is not there"));
    assert_int_equal(recv(inbox, message, sizeof message, 0), TN_LAUNCHER_TOKEN + 16);
    assert_string_equal(message + TN_LAUNCHER_TOKEN, "Fit is not there");
}

static void a_failure_that_no_command_receives_is_known(void **state) {
    char lengthy[3000];
    (void)state;
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    errno = EDOM;
    assert_false(tn_launcher_failed(NULL, "lost"));
    assert_false(
        tn_launcher_failed("tarn-unit-launcher-nobody/0123456789abcdef0123456789abcdef", lengthy));
    assert_int_equal(errno, EDOM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_report_arrives, open_inbox, close_inbox),
        cmocka_unit_test_setup_teardown(a_wrong_name_reports_nothing, open_inbox, close_inbox),
        cmocka_unit_test_setup_teardown(a_full_socket_does_not_block, open_inbox, close_inbox),
        cmocka_unit_test_setup_teardown(a_failure_arrives_with_its_text, open_inbox, close_inbox),
        cmocka_unit_test(a_failure_that_no_command_receives_is_known),
        cmocka_unit_test(errno_survives_a_command_that_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
