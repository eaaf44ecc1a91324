// SPDX-License-Identifier: Apache-2.0
// aclrtReduceAsync(): types, kinds and arithmetic, against a naive model for all numbers of 16 bits.
#include <math.h>

#include "support/bytes.h"
#include "support/work.h"

#define SUM ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM
#define MAX ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX
#define MIN ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN

// Reduces host data through device memory: dst = dst op src.
static void reduce(void *dst, const void *src, size_t bytes, aclrtReduceKind kind,
                   aclDataType type) {
    unsigned char *to = device_bytes(bytes, 0);
    unsigned char *from = device_bytes(bytes, 0);
    assert_acl_ok(aclrtMemcpy(to, bytes, dst, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_acl_ok(aclrtMemcpy(from, bytes, src, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_acl_ok(aclrtReduceAsync(to, from, bytes, kind, type, NULL, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtMemcpy(dst, bytes, to, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_acl_ok(aclrtFree(to));
    assert_acl_ok(aclrtFree(from));
}

static void floats_are_added(void **state) {
    float a[4] = {1, 2.5f, -3, 0x1p24f};
    const float b[4] = {10, 0.25f, 3, 1};
    (void)state;
    reduce(a, b, sizeof a, SUM, ACL_FLOAT);
    assert_true(a[0] == 11 && a[1] == 2.75f && a[2] == 0 && a[3] == 0x1p24f);
}

static void integers_of_each_width_are_compared_with_their_sign(void **state) {
    int32_t wide[3] = {-5, 7, INT32_MIN};
    const int32_t wide_other[3] = {-4, -9, INT32_MAX};
    int16_t middle[2] = {-300, 300};
    const int16_t middle_other[2] = {-301, 299};
    int8_t narrow[3] = {-128, 127, 1};
    const int8_t narrow_other[3] = {127, 2, -2};
    (void)state;
    reduce(wide, wide_other, sizeof wide, MAX, ACL_INT32);
    assert_true(wide[0] == -4 && wide[1] == 7 && wide[2] == INT32_MAX);
    reduce(middle, middle_other, sizeof middle, MIN, ACL_INT16);
    assert_true(middle[0] == -301 && middle[1] == 299);
    reduce(narrow, narrow_other, sizeof narrow, SUM, ACL_INT8);
    assert_true(narrow[0] == -1 && narrow[1] == -127 && narrow[2] == -1); // wraps around
}

// ---- numbers of 16 bits

// The value of a number with a sign, `exponent` bits and the rest of 16.
static double value_of(uint16_t bits, int exponent) {
    int fraction = 15 - exponent;
    int bias = (1 << (exponent - 1)) - 1;
    int e = bits >> fraction & ((1 << exponent) - 1);
    double m = bits & ((1 << fraction) - 1);
    double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (e == (1 << exponent) - 1) return m != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (e == 0 ? ldexp(m, 1 - bias - fraction)
                          : ldexp(m + (1 << fraction), e - bias - fraction));
}

// Fails unless `bits` is the number nearest to `exact`, with an even last bit in a tie.
static void assert_nearest(uint16_t bits, double exact, int exponent) {
    uint16_t infinity = (uint16_t)(((1 << exponent) - 1) << (15 - exponent));
    double got = value_of(bits, exponent);
    if (isnan(exact)) {
        assert_true(isnan(got));
        return;
    }
    if (isinf(exact) || got == exact) {
        assert_true(got == exact);
        return;
    }
    // The neighbours by magnitude. One behind the greatest stands for infinity.
    uint16_t magnitude = bits & 0x7fff;
    double far = fabs(exact);
    double unit = value_of(infinity - 1, exponent) - value_of(infinity - 2, exponent);
    double here = magnitude == infinity ? value_of(infinity - 1, exponent) + unit : fabs(got);
    double below = magnitude > 0 ? value_of(magnitude - 1, exponent) : -1;
    double above = magnitude + 1 == infinity ? value_of(infinity - 1, exponent) + unit
                   : magnitude == infinity   ? (double)INFINITY
                                             : value_of((uint16_t)(magnitude + 1), exponent);
    double distance = fabs(far - here);
    assert_true(distance <= fabs(far - above) &&
                (magnitude == 0 || distance <= far - below || far >= here));
    bool tie = distance == fabs(far - above) || distance == fabs(far - below);
    assert_true(!tie || magnitude % 2 == 0);
}

// Adds each number to a few others.
static void check_sums(aclDataType type, int exponent, const uint16_t *others, size_t count) {
    enum { ALL = 1 << 16 };
    uint16_t *a = malloc(2 * ALL * sizeof *a);
    assert_non_null(a);
    uint16_t *b = a + ALL;
    for (size_t i = 0; i < count; i++) {
        for (int bits = 0; bits < ALL; bits++) {
            a[bits] = (uint16_t)bits;
            b[bits] = others[i];
        }
        reduce(a, b, ALL * sizeof *a, SUM, type);
        for (int bits = 0; bits < ALL; bits++) {
            assert_nearest(a[bits],
                           value_of((uint16_t)bits, exponent) + value_of(others[i], exponent),
                           exponent);
        }
    }
    free(a);
}

static void half_sums_are_rounded_to_the_nearest(void **state) {
    // 0, the least, one between, the least normal, 1, 1/3, a large one, infinity, NaN
    static const uint16_t others[] = {0x0000, 0x0001, 0x83ff, 0x0400, 0x3c00,
                                      0x3555, 0x7bff, 0x7c00, 0x7e00};
    (void)state;
    check_sums(ACL_FLOAT16, 5, others, sizeof others / sizeof others[0]);
}

static void bfloat_sums_are_rounded_to_the_nearest(void **state) {
    static const uint16_t others[] = {0x0000, 0x0001, 0x3f80, 0xbeab, 0x4700, 0x7f80, 0x7fc0};
    (void)state;
    check_sums(ACL_BF16, 8, others, sizeof others / sizeof others[0]);
}

static void a_nan_decides_a_maximum(void **state) {
    float a[3] = {NAN, 1, -0.5f};
    const float b[3] = {1, NAN, -0.25f};
    uint16_t half[2] = {0xc000, 0x3c00}; // -2, 1
    const uint16_t other[2] = {0xbc00, 0x0001};
    (void)state;
    reduce(a, b, sizeof a, MAX, ACL_FLOAT);
    assert_true(isnan(a[0]) && isnan(a[1]) && a[2] == -0.25f);
    reduce(half, other, sizeof half, MIN, ACL_FLOAT16);
    assert_true(half[0] == 0xc000 && half[1] == 0x0001);
}

// ---- order and arguments

static void a_reduction_of_many_pieces_is_in_stream_order(void **state) {
    enum { BYTES = 100 * 1024 + 4 };
    unsigned char *dst = device_bytes(BYTES, 0);
    unsigned char *src = device_bytes(BYTES, 1);
    struct gate gate = {false, 0};
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtMemsetAsync(src, BYTES, 2, BYTES, NULL));
    assert_acl_ok(aclrtReduceAsync(dst, src, BYTES, SUM, ACL_INT8, NULL, NULL));
    assert_acl_ok(aclrtMemsetAsync(src, BYTES, 5, BYTES, NULL));
    assert_acl_ok(aclrtReduceAsync(dst, src, BYTES, SUM, ACL_INT8, NULL, NULL));
    let_others_begin();
    assert_bytes(dst, BYTES, 0);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(dst, BYTES, 7);
    assert_acl_ok(aclrtFree(dst));
    assert_acl_ok(aclrtFree(src));
}

static void bad_arguments_are_refused(void **state) {
    unsigned char *dst = device_bytes(64, 1);
    unsigned char *src = device_bytes(64, 1);
    unsigned char *host = pinned_bytes(64, 1);
    const aclrtReduceKind nine = (aclrtReduceKind)9;
    (void)state;
    assert_acl(aclrtReduceAsync(NULL, src, 64, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, NULL, 64, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, src, 64, SUM, ACL_FLOAT, NULL, dst), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, src, 64, SUM, ACL_DOUBLE, NULL, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, src, 64, SUM, ACL_DT_UNDEFINED, NULL, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, src, 64, SUM, ACL_UINT32, NULL, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReduceAsync(dst, src, 64, nine, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(
        aclrtReduceAsync(dst, src, 64, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT, NULL, NULL),
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtReduceAsync(dst, src, 0, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtReduceAsync(dst, src, 6, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtReduceAsync(dst, src, ((uint64_t)4 << 30) + 4, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtReduceAsync(host, src, 64, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtReduceAsync(dst, host, 64, SUM, ACL_FLOAT, NULL, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_bytes(dst, 64, 1);
    assert_acl_ok(aclrtFree(dst));
    assert_acl_ok(aclrtFree(src));
    assert_acl_ok(aclrtFreeHost(host));
}

static void on_ascend_950(void *arg) {
    uint32_t a[2] = {UINT32_MAX - 1, 5};
    const uint32_t b[2] = {7, 6};
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    reduce(a, b, sizeof a, MAX, ACL_UINT32);
    assert_true(a[0] == UINT32_MAX - 1 && a[1] == 6);
    assert_acl_ok(aclrtResetDevice(0));
}

static void unsigned_integers_need_ascend_950(void **state) {
    (void)state;
    acl_in_child(on_ascend_950, NULL, "TARN_ACL_PADDING", "0", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_integers_need_ascend_950), // forks: first
        WITH_DEVICE(floats_are_added),
        WITH_DEVICE(integers_of_each_width_are_compared_with_their_sign),
        WITH_DEVICE(half_sums_are_rounded_to_the_nearest),
        WITH_DEVICE(bfloat_sums_are_rounded_to_the_nearest),
        WITH_DEVICE(a_nan_decides_a_maximum),
        WITH_DEVICE(a_reduction_of_many_pieces_is_in_stream_order),
        WITH_DEVICE(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
