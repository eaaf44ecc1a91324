// SPDX-License-Identifier: Apache-2.0
// Two processes of a machine share the memory of a device: cuMemGetInfo and NVML show
// what the other one holds, and get it back when it is killed.
#include <nvml.h>

#include "support/cuda.h"
#include "support/two_processes.h"

static bool begin(void) {
    cuda_begin();
    return true;
}

static bool hold(void) {
    CUdeviceptr memory = 0;
    return cuMemAlloc(&memory, HELD_BYTES) == CUDA_SUCCESS;
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
    assert_int_equal(list[0].usedGpuMemory, HELD_BYTES);
    assert_int_equal(nvmlShutdown(), NVML_SUCCESS);
}

static void memory_of_the_other_process_is_missing_until_it_dies(void **state) {
    const struct machine_api api = {begin, hold, memory_left, assert_listed};
    (void)state;
    check_two_processes(&api);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_other_process_is_missing_until_it_dies),
    };
    if (!join_own_machine()) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
