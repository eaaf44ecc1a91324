// SPDX-License-Identifier: Apache-2.0
// What errors of AscendCL mean.
#include "backend/ascend/ascend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_code_has_its_status(void **state) {
    const struct {
        int64_t code;
        tarn_status status;
    } rows[] = {
        {100000, TARN_BAD_ARGUMENT},
        {107000, TARN_BAD_ARGUMENT},
        {107001, TARN_BAD_DEVICE},
        {107017, TARN_BAD_HANDLE},
        {107019, TARN_TIMED_OUT},
        {107022, TARN_DEVICE_FAILED},
        {200000, TARN_NO_DEVICE_MEMORY},
        {207000, TARN_UNSUPPORTED},
        {207001, TARN_NO_DEVICE_MEMORY},
        {207004, TARN_BAD_DEVICE},
        {207005, TARN_NO_HANDLES},
        {207006, TARN_NO_ACCESS},
        {207008, TARN_NO_HANDLES},
        {207018, TARN_DEVICE_FAILED},
        {507004, TARN_NOT_READY},
        {507006, TARN_NOT_READY},
        {507046, TARN_TIMED_OUT},
        {507047, TARN_TIMED_OUT},
        {507899, TARN_NATIVE},
        {507910, TARN_BUSY},
        {507911, TARN_BAD_ADDRESS},
        {107002, TARN_NATIVE},
        {1, TARN_NATIVE},
        {-1, TARN_NATIVE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tn_ascend_status_of(rows[i].code), rows[i].status);
}

static void no_error_means_success(void **state) {
    (void)state;
    for (int64_t code = 100000; code < 510000; code++)
        if (tn_ascend_status_of(code) == TARN_OK) fail_msg("%lld", (long long)code);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_status),
        cmocka_unit_test(no_error_means_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
