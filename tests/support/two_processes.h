// SPDX-License-Identifier: Apache-2.0
// Two processes of a machine share the memory of a device. A test says how its API begins, holds memory and
// counts what is left, and calls join_own_machine() before its first call of the API.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HELD_BYTES = 256 << 20 };

struct machine_api {
    bool (*begin)(void);
    bool (*hold)(void); // HELD_BYTES
    uint64_t (*memory_left)(void);
    void (*check_holder)(pid_t pid); // while the other process holds memory; or NULL
};

static inline bool join_own_machine(void) {
    char name[64];
    (void)snprintf(name, sizeof name, "test-%d", (int)getpid());
    return setenv("TARN_MACHINE", name, 1) == 0;
}

// A child that holds memory until it is killed. It forks before this process uses the device.
static inline pid_t start_holder(const struct machine_api *api, int *report) {
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (!api->begin() || !api->hold() || write(ends[1], "", 1) != 1) _exit(3);
        for (;;) (void)pause();
    }
    (void)close(ends[1]);
    *report = ends[0];
    return pid;
}

// Memory of the other process is missing until it dies.
static inline void check_two_processes(const struct machine_api *api) {
    char byte;
    int report = -1, status = 0;
    pid_t pid = start_holder(api, &report);
    assert_int_equal(read(report, &byte, 1), 1);
    assert_true(api->begin());
    const uint64_t during = api->memory_left();
    if (api->check_holder != NULL) api->check_holder(pid);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const uint64_t after = api->memory_left();
    assert_true(after >= during + HELD_BYTES);
    assert_true(api->hold());
    assert_int_equal(api->memory_left(), during);
    (void)close(report);
}
