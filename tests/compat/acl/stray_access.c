// SPDX-License-Identifier: Apache-2.0
// The CPU of a host touches device memory (spec 5): it dies with a report of the address.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/acl.h"

// The end of a child that accessed device memory.
struct end {
    int status;
    char text[1024]; // its standard error
};

static void own_handler(int signal_number) { _exit(signal_number == SIGSEGV ? 77 : 78); }

// In the child. Removes a sanitizer's handlers: programs have none.
static void stray(void (*handler)(int signal_number), const char *report) {
    volatile unsigned char *ptr = NULL;
    (void)signal(SIGSEGV, handler);
    (void)signal(SIGBUS, SIG_DFL);
    if (setenv("TARN_ACL_FAULT_REPORT", report, 1) != 0 || aclrtSetDevice(0) != 0 ||
        aclrtMalloc((void **)&ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST) != 0)
        _exit(1);
    fprintf(stderr, "<0x%llx>", (unsigned long long)(uintptr_t)(ptr + 40));
    ptr[40] = 1;
    _exit(2);
}

static void read_all(int fd, char *text, size_t room) {
    size_t used = 0;
    ssize_t got = 1;
    while (got != 0 && used + 1 < room) {
        got = read(fd, text + used, room - 1 - used);
        assert_true(got >= 0);
        used += (size_t)got;
    }
    text[used] = '\0';
}

static struct end end_of(void (*handler)(int signal_number), const char *report) {
    struct end end;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(fds[1], STDERR_FILENO);
        stray(handler, report);
    }
    (void)close(fds[1]);
    read_all(fds[0], end.text, sizeof end.text);
    (void)close(fds[0]);
    assert_int_equal(waitpid(pid, &end.status, 0), pid);
    return end;
}

// The child wrote the address that it would touch; the report, if any, comes behind it.
static void address_of(const struct end *end, char *address, size_t room) {
    size_t bytes = strcspn(end->text, ">");
    assert_true(end->text[0] == '<' && bytes < room);
    memcpy(address, end->text + 1, bytes - 1);
    address[bytes - 1] = '\0';
}

static void a_stray_access_is_reported_with_its_address(void **state) {
    char address[32];
    struct end end = end_of(SIG_DFL, "1");
    (void)state;
    assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGSEGV);
    address_of(&end, address, sizeof address);
    const char *report = strchr(end.text, '>');
    assert_non_null(strstr(report, address));
    assert_non_null(strstr(report, "inside device memory"));
}

static void the_environment_can_refuse_reports(void **state) {
    struct end end = end_of(SIG_DFL, "0");
    (void)state;
    assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGSEGV);
    assert_string_equal(strchr(end.text, '>'), ">");
}

static void a_program_keeps_its_own_handler(void **state) {
    struct end end = end_of(own_handler, "1");
    (void)state;
    assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 77);
    assert_string_equal(strchr(end.text, '>'), ">");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stray_access_is_reported_with_its_address),
        cmocka_unit_test(the_environment_can_refuse_reports),
        cmocka_unit_test(a_program_keeps_its_own_handler),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
