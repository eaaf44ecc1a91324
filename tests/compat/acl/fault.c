// SPDX-License-Identifier: Apache-2.0
// Functions that fail because TARN_FAIL names them: the code, the last error, and no effect.
#include <stdlib.h>

#include "support/acl.h"

static void each_call_counts(void **state) {
    void *first = NULL, *second = &first;
    (void)state;
    assert_int_equal(aclInit(NULL), ACL_SUCCESS);
    assert_int_equal(aclrtSetDevice(0), ACL_SUCCESS);
    assert_int_equal(aclrtMalloc(&first, 4096, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    assert_int_equal(aclrtMalloc(&second, 4096, ACL_MEM_MALLOC_NORMAL_ONLY),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_ptr_equal(second, &first);
    assert_int_equal(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_int_equal(aclrtFree(first), ACL_SUCCESS);
}

static void codes_have_names_and_numbers(void **state) {
    aclrtStream stream = NULL;
    (void)state;
    assert_int_equal(aclrtCreateStream(&stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_int_equal(aclrtSynchronizeDevice(), 507899);
    assert_null(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_counts),
        cmocka_unit_test(codes_have_names_and_numbers),
    };
    (void)setenv("TARN_FAIL",
                 "aclrtMalloc:2;aclrtCreateStream:1:as=ACL_ERROR_RT_STREAM_CONTEXT;"
                 "aclrtSynchronizeDevice:1:as=507899",
                 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
