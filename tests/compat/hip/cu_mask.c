// SPDX-License-Identifier: Apache-2.0
// Streams for some of the compute units: the mask is returned.
#include "support/work.h"

#define WORDS 64

static unsigned count_units(void) {
    int units = 0;
    assert_hip_ok(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    assert_in_range(units, 1, WORDS * 32);
    return (unsigned)units;
}

static bool unit_is_set(const uint32_t *mask, unsigned unit) {
    return (mask[unit / 32] >> (unit % 32) & 1) != 0;
}

static void a_mask_is_returned_without_units_that_do_not_exist(void **state) {
    const uint32_t even = 0x55555555;
    uint32_t mask[WORDS];
    hipStream_t stream = NULL;
    unsigned flags = 7;
    (void)state;
    assert_hip_ok(hipExtStreamCreateWithCUMask(&stream, 1, &even));
    assert_hip_ok(hipExtStreamGetCUMask(stream, WORDS, mask));
    for (unsigned unit = 0; unit < WORDS * 32; unit++) {
        assert_int_equal(unit_is_set(mask, unit),
                         unit < count_units() && unit < 32 && unit % 2 == 0);
    }
    assert_hip_ok(hipStreamGetFlags(stream, &flags));
    assert_int_equal(flags, hipStreamDefault);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void other_streams_and_those_with_an_empty_mask_have_all_units(void **state) {
    const uint32_t none[2] = {0, 0};
    uint32_t mask[WORDS];
    hipStream_t streams[3] = {NULL, NULL, NULL};
    (void)state;
    assert_hip_ok(hipStreamCreate(&streams[1]));
    assert_hip_ok(hipExtStreamCreateWithCUMask(&streams[2], 2, none));
    for (int i = 0; i < 3; i++) {
        memset(mask, 0x5a, sizeof mask);
        assert_hip_ok(hipExtStreamGetCUMask(streams[i], WORDS, mask));
        for (unsigned unit = 0; unit < WORDS * 32; unit++)
            assert_int_equal(unit_is_set(mask, unit), unit < count_units());
    }
    assert_hip_ok(hipStreamDestroy(streams[1]));
    assert_hip_ok(hipStreamDestroy(streams[2]));
}

static void work_runs_on_such_a_stream(void **state) {
    const uint32_t none = 0;
    struct gate gate = {true, 0};
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipExtStreamCreateWithCUMask(&stream, 1, &none));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(atomic_load(&gate.passed), 1);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void bad_arguments_are_refused(void **state) {
    uint32_t mask[WORDS] = {1};
    hipStream_t stream = (hipStream_t)&stream;
    (void)state;
    assert_hip(hipExtStreamCreateWithCUMask(NULL, 1, mask), hipErrorInvalidHandle);
    assert_hip(hipExtStreamCreateWithCUMask(&stream, 0, mask), hipErrorInvalidValue);
    assert_hip(hipExtStreamCreateWithCUMask(&stream, 1, NULL), hipErrorInvalidValue);
    assert_ptr_equal(stream, &stream);
    assert_hip(hipExtStreamGetCUMask(NULL, WORDS, NULL), hipErrorInvalidValue);
    assert_hip(hipExtStreamGetCUMask(NULL, 0, mask), hipErrorInvalidValue);
    assert_int_equal(mask[0], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_is_returned_without_units_that_do_not_exist),
        cmocka_unit_test(other_streams_and_those_with_an_empty_mask_have_all_units),
        cmocka_unit_test(work_runs_on_such_a_stream),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
