// SPDX-License-Identifier: Apache-2.0
// Two processes of a machine share the memory of a device: hipMemGetInfo shows
// what the other one holds, and get it back when it is killed.
#include "support/hip.h"
#include "support/two_processes.h"

static bool begin(void) { return hipInit(0) == hipSuccess; }

static bool hold(void) {
    void *memory = NULL;
    return hipMalloc(&memory, HELD_BYTES) == hipSuccess;
}

static uint64_t memory_left(void) {
    size_t left = 0, all = 0;
    assert_int_equal(hipMemGetInfo(&left, &all), hipSuccess);
    return left;
}

static void memory_of_the_other_process_is_missing_until_it_dies(void **state) {
    const struct machine_api api = {begin, hold, memory_left, NULL};
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
