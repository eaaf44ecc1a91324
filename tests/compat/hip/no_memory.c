// SPDX-License-Identifier: Apache-2.0
// Calls for which the host has no memory fail, and change nothing.
#include <stdio.h>

#include "support/exhaust.h"
#include "support/hip.h"

#if CAN_REPLACE_MALLOC

static void primary_context_that_cannot_be_made_is_not_retained(void **state) {
    hipCtx_t context = NULL;
    unsigned flags = 0;
    int active = 7;
    (void)state;
    assert_hip_ok(hipInit(0));
    exhausted = true;
    hipError_t error = hipDevicePrimaryCtxRetain(&context, 1);
    exhausted = false;
    assert_hip(error, hipErrorOutOfMemory);
    assert_null(context);
    assert_hip_ok(hipDevicePrimaryCtxGetState(1, &flags, &active));
    assert_int_equal(active, 0);
    assert_hip(hipDevicePrimaryCtxRelease(1), hipErrorInvalidContext);
    assert_hip_ok(hipDevicePrimaryCtxRetain(&context, 1));
    assert_hip_ok(hipDevicePrimaryCtxRelease(1));
}

// Whichever allocation of the call fails. It may do without one, such as that of a message.
static void block_that_cannot_be_exported_has_no_handle(void **state) {
    hipIpcMemHandle_t handle, untouched;
    void *memory = NULL;
    unsigned refused = 0;
    bool failed = true;
    (void)state;
    memset(&untouched, 0x5a, sizeof untouched);
    for (unsigned at = 1; failed; at++) {
        assert_hip_ok(hipMalloc(&memory, 4096));
        handle = untouched;
        fails_at = at;
        hipError_t error = hipIpcGetMemHandle(&handle, memory);
        failed = fails_at == 0;
        fails_at = 0;
        refused += error != hipSuccess;
        if (error != hipSuccess) {
            assert_hip(error, hipErrorOutOfMemory);
            assert_memory_equal(&handle, &untouched, sizeof handle);
        }
        assert_hip_ok(hipFree(memory));
    }
    assert_true(refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primary_context_that_cannot_be_made_is_not_retained),
        cmocka_unit_test(block_that_cannot_be_exported_has_no_handle),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}

#else

int main(void) {
    puts("skipped: a sanitizer keeps malloc() to itself");
    return 77;
}

#endif
