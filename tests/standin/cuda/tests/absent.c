// SPDX-License-Identifier: Apache-2.0
// Parts that can be missing in the stand-in, and their errors; each in a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include "standin/cuda/tests/cuda.h"

#include "support/child.h"

static void run(void (*body)(void *), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static void all_calls_return_34(void *arg) {
    int number = 0;
    const char *name = NULL;
    void *function = arg;
    assert_cu(cuInit(0), TN_CU_STUB_LIBRARY);
    assert_cu(cuDriverGetVersion(&number), TN_CU_STUB_LIBRARY);
    assert_cu(cuGetErrorName(TN_CU_STUB_LIBRARY, &name), TN_CU_STUB_LIBRARY);
    assert_cu(cuDeviceGetCount(&number), TN_CU_STUB_LIBRARY);
    assert_cu(cuMemRelease(1), TN_CU_STUB_LIBRARY);
    assert_cu(cuGetProcAddress_v2("cuInit", &function, 2000, 0, NULL), TN_CU_STUB_LIBRARY);
}

static void the_stub_does_nothing_at_all(void **state) {
    (void)state;
    run(all_calls_return_34, "TARN_STANDIN_CUDA_STUB", "1", NULL);
}

static void find_none(void *arg) {
    (void)arg;
    int count = 0;
    assert_cu(cuInit(0), TN_CU_NO_DEVICE);
    assert_cu(cuDeviceGetCount(&count), TN_CU_NOT_INITIALIZED);
}

static void without_a_device_nothing_is_initialized(void **state) {
    (void)state;
    run(find_none, "TARN_STANDIN_CUDA_DEVICE", "none", NULL);
}

static void miss_all(void *arg) {
    (void)arg;
    int value = 1;
    tn_cu_pool pool = NULL;
    tn_cu_address address = 0;
    void *function = NULL;
    assert_good(cuInit(0));
    assert_good(cuDeviceGetAttribute(&value, TN_CU_ATTRIBUTE_VMM, 0));
    assert_int_equal(value, 0);
    assert_cu(cuMemAddressReserve(&address, 1 << 21, 0, 0, 0), TN_CU_NOT_SUPPORTED);
    assert_cu(cuDeviceGetDefaultMemPool(&pool, 0), TN_CU_NOT_SUPPORTED);
    assert_good(cuDeviceCanAccessPeer(&value, 0, 1));
    assert_int_equal(value, 0);
    assert_cu(cuGetProcAddress_v2("cuInit", &function, 2000, 0, NULL), TN_CU_NOT_SUPPORTED);
}

static void parts_can_be_missing(void **state) {
    (void)state;
    run(miss_all, "TARN_STANDIN_CUDA_WITHOUT", "vmm,pools,peer,procaddress", NULL);
}

static void look_for_functions(void *arg) {
    (void)arg;
    void *function = NULL;
    int found = -1;
    int version = 0;
    assert_good(cuDriverGetVersion(&version));
    assert_int_equal(version, 11000);
    assert_good(cuGetProcAddress_v2("cuMemAlloc", &function, 3020, 0, &found));
    assert_non_null(function);
    assert_cu(cuGetProcAddress_v2("cuMemAllocAsync", &function, 11020, 0, &found), TN_CU_NOT_FOUND);
    assert_null(function);
    assert_int_equal(found, 2);
    assert_cu(cuGetProcAddress_v2("cuMemEverything", &function, 11020, 0, &found), TN_CU_NOT_FOUND);
    assert_int_equal(found, 1);
}

static void functions_have_versions(void **state) {
    (void)state;
    run(look_for_functions, "TARN_STANDIN_CUDA_VERSION", "11000", NULL);
}

static void fork_again(void *arg) {
    (void)arg;
    assert_good(cuInit(0));
    pid_t child = fork();
    if (child == 0) {
        int count = 0;
        _exit(cuDeviceGetCount(&count) == TN_CU_NOT_INITIALIZED &&
                      cuInit(0) == TN_CU_NOT_INITIALIZED
                  ? 0
                  : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_child_of_fork_has_no_driver(void **state) {
    (void)state;
    run(fork_again, NULL);
}

static void spring(void *arg) {
    (void)arg;
    void *function = NULL;
    tn_cu_result (*trap)(void) = NULL;
    pid_t child = fork();
    if (child == 0) {
        if (cuGetProcAddress_v2("cuMemAlloc", &function, 2000, 0, NULL) == TN_CU_SUCCESS) {
            __builtin_memcpy(&trap, &function, sizeof trap);
            (void)close(STDERR_FILENO);
            (void)trap();
        }
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void names_of_cuda_1_to_3_end_the_process(void **state) {
    (void)state;
    run(spring, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stub_does_nothing_at_all),
        cmocka_unit_test(without_a_device_nothing_is_initialized),
        cmocka_unit_test(parts_can_be_missing),
        cmocka_unit_test(functions_have_versions),
        cmocka_unit_test(a_child_of_fork_has_no_driver),
        cmocka_unit_test(names_of_cuda_1_to_3_end_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
