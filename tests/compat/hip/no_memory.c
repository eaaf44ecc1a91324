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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primary_context_that_cannot_be_made_is_not_retained),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}

#else

int main(void) {
    puts("skipped: a sanitizer keeps malloc() to itself");
    return 77;
}

#endif
