// SPDX-License-Identifier: Apache-2.0
// What errors of HIP mean.
#include "backend/hip/hip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_code_has_its_status(void **state) {
    const struct {
        int64_t code;
        tarn_status status;
    } rows[] = {
        {1, TARN_BAD_ARGUMENT},    {2, TARN_NO_DEVICE_MEMORY}, {100, TARN_BAD_DEVICE},
        {101, TARN_BAD_DEVICE},    {214, TARN_DEVICE_FAILED},  {400, TARN_BAD_HANDLE},
        {600, TARN_NOT_READY},     {700, TARN_DEVICE_FAILED},  {702, TARN_DEVICE_FAILED},
        {709, TARN_DEVICE_FAILED}, {710, TARN_DEVICE_FAILED},  {712, TARN_BUSY},
        {713, TARN_BAD_ADDRESS},   {719, TARN_DEVICE_FAILED},  {801, TARN_UNSUPPORTED},
        {3, TARN_NATIVE},          {999, TARN_NATIVE},         {-1, TARN_NATIVE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tn_hip_status_of(rows[i].code), rows[i].status);
}

static void no_error_means_success(void **state) {
    (void)state;
    for (int64_t code = 1; code < 1100; code++)
        assert_int_not_equal(tn_hip_status_of(code), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_status),
        cmocka_unit_test(no_error_means_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
