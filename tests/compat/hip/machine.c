// SPDX-License-Identifier: Apache-2.0
// Two processes of a machine share the memory of a device: hipMemGetInfo shows
// what the other one holds, and get it back when it is killed.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/hip.h"

enum { BYTES = 256 << 20 };

static bool begin(void) { return hipInit(0) == hipSuccess; }

static bool hold(void) {
    void *memory = NULL;
    return hipMalloc(&memory, BYTES) == hipSuccess;
}

static uint64_t memory_left(void) {
    size_t left = 0, all = 0;
    assert_int_equal(hipMemGetInfo(&left, &all), hipSuccess);
    return left;
}

// A child that holds memory until it is killed. It forks before this process uses the device.
static pid_t start_holder(int *report) {
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (!begin() || !hold() || write(ends[1], "", 1) != 1) _exit(3);
        for (;;) (void)pause();
    }
    (void)close(ends[1]);
    *report = ends[0];
    return pid;
}

static void memory_of_the_other_process_is_missing_until_it_dies(void **state) {
    char byte;
    int report = -1, status = 0;
    (void)state;
    pid_t pid = start_holder(&report);
    assert_int_equal(read(report, &byte, 1), 1);
    assert_true(begin());
    const uint64_t during = memory_left();
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const uint64_t after = memory_left();
    assert_true(after >= during + BYTES);
    assert_true(hold());
    assert_int_equal(memory_left(), during);
    (void)close(report);
}

int main(void) {
    char name[64];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_other_process_is_missing_until_it_dies),
    };
    (void)snprintf(name, sizeof name, "hip-%d", (int)getpid());
    if (setenv("TARN_MACHINE", name, 1) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
