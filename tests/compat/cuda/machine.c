// SPDX-License-Identifier: Apache-2.0
// Two processes of a machine share the memory of a device: cuMemGetInfo and NVML show
// what the other one holds, and get it back when it is killed.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvml.h>

#include "support/cuda.h"

enum { BYTES = 256 << 20 };

static bool begin(void) {
    cuda_begin();
    return true;
}

static bool hold(void) {
    CUdeviceptr memory = 0;
    return cuMemAlloc(&memory, BYTES) == CUDA_SUCCESS;
}

static uint64_t memory_left(void) {
    size_t left = 0, all = 0;
    assert_cu_ok(cuMemGetInfo(&left, &all));
    return left;
}

static void assert_listed(pid_t pid) {
    nvmlDevice_t device = NULL;
    nvmlProcessInfo_t list[4];
    unsigned count = 0;
    assert_int_equal(nvmlInit(), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses(device, &count, NULL),
                     NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 1);
    count = 4;
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses(device, &count, list), NVML_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].pid, pid);
    assert_int_equal(list[0].usedGpuMemory, BYTES);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
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
    assert_listed(pid);
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
    (void)snprintf(name, sizeof name, "cuda-%d", (int)getpid());
    if (setenv("TARN_MACHINE", name, 1) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
