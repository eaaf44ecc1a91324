// SPDX-License-Identifier: Apache-2.0
// Functions that fail because TARN_FAIL names them: the code, the last error, and no effect.
#include <stdlib.h>

#include <acl/dvpp/hi_dvpp.h>

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

// Calls 1 to 7 fail by the specs of main().
static void media_functions_have_codes_of_their_own(void **state) {
    static const hi_s32 codes[] = {
        HI_ERR_SYS_NOT_READY, HI_ERR_SYS_NOT_READY,   HI_ERR_SYS_NO_MEM,        HI_ERR_SYS_NO_MEM,
        HI_ERR_SYS_NO_MEM,    HI_ERR_SYS_NOT_SUPPORT, HI_ERR_SYS_ILLEGAL_PARAM,
    };
    void *memory = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        assert_int_equal(hi_mpi_dvpp_malloc(0, &memory, 64), codes[i]);
        assert_null(memory);
    }
    assert_int_equal(hi_mpi_dvpp_malloc(0, &memory, 64), HI_SUCCESS);
    assert_int_equal(hi_mpi_sys_init(), HI_ERR_SYS_NO_MEM);
    assert_int_equal(hi_mpi_sys_exit(), HI_ERR_SYS_NOT_READY); // not started
    assert_int_equal(hi_mpi_sys_init(), HI_SUCCESS);
    assert_int_equal(hi_mpi_sys_exit(), HI_SUCCESS);
    assert_int_equal(hi_mpi_dvpp_free(memory), HI_SUCCESS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_counts),
        cmocka_unit_test(codes_have_names_and_numbers),
        cmocka_unit_test(media_functions_have_codes_of_their_own),
    };
    (void)setenv("TARN_FAIL",
                 "aclrtMalloc:2;aclrtCreateStream:1:as=ACL_ERROR_RT_STREAM_CONTEXT;"
                 "aclrtSynchronizeDevice:1:as=507899;"
                 "hi_mpi_dvpp_malloc:1:as=107002;hi_mpi_dvpp_malloc:2:as=507033;"
                 "hi_mpi_dvpp_malloc:3:as=200000;hi_mpi_dvpp_malloc:4:as=207001;"
                 "hi_mpi_dvpp_malloc:5:as=207005;hi_mpi_dvpp_malloc:6:as=207000;"
                 "hi_mpi_dvpp_malloc:7:as=107000;hi_mpi_sys_init:1",
                 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
