// SPDX-License-Identifier: Apache-2.0
// hipMemRelease.
#include "support/vmm.h"

static void handles_that_are_not_alive_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemRelease(NULL), hipErrorInvalidValue);
    assert_hip(hipMemRelease(no_handle()), hipErrorInvalidValue);
    assert_text_names("0xdeadbeef");
    assert_hip(hipMemRelease((handle_t)(void *)&state), hipErrorInvalidValue);
    assert_hip(hipMemRelease((handle_t) ~(uintptr_t)0), hipErrorInvalidValue);
}

static void the_last_reference_frees_the_memory_once(void **state) {
    handle_t handle = create(G);
    (void)state;
    assert_free_bytes(0, CAPACITY - G);
    assert_hip_ok(hipMemRelease(handle));
    assert_free_bytes(0, CAPACITY);
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    assert_free_bytes(0, CAPACITY);
}

static void a_mapped_handle_without_references_is_refused(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    grant(at, G, 0, READ_WRITE);
    at[0] = 1; // the mapping has it still
    assert_free_bytes(0, CAPACITY - G);
    unmap_and_free(at, G);
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    assert_free_bytes(0, CAPACITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_that_are_not_alive_are_refused),
        cmocka_unit_test(the_last_reference_frees_the_memory_once),
        cmocka_unit_test(a_mapped_handle_without_references_is_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
