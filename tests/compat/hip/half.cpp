// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 and 8 bits, compared with a naive model: the table of all numbers of a format, as
// double, in which the nearest one is searched.
#include <hip/hip_runtime.h>

#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>
#include <hip/hip_fp8.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/hip.h"

namespace {

// ---- the model

struct model {
    unsigned bits, fraction;
    int bias;
    unsigned largest; // the encoding of the largest finite number
    unsigned beyond;  // the encoding of what is larger
    std::vector<double> table;

    model(unsigned bits_, unsigned fraction_, int bias_, unsigned largest_, unsigned beyond_)
        : bits(bits_), fraction(fraction_), bias(bias_), largest(largest_), beyond(beyond_) {
        for (unsigned i = 0; i <= largest + 1; i++) { // with the one that would come next
            const int exponent = static_cast<int>(i >> fraction);
            const double part = i & ((1u << fraction) - 1), one = 1u << fraction;
            table.push_back(exponent == 0 ? std::ldexp(part / one, 1 - bias)
                                          : std::ldexp(1 + part / one, exponent - bias));
        }
    }

    unsigned sign() const { return 1u << (bits - 1); }
    bool has_negative_zero() const { return beyond != sign(); }

    // Directions: 0 to the nearest, 1 towards zero, 2 down, 3 up.
    unsigned encode(double value, int direction, bool saturates) const {
        const double size = std::fabs(value);
        const bool is_negative = std::signbit(value);
        auto above = std::upper_bound(table.begin(), table.end() - 1, size);
        unsigned low = static_cast<unsigned>(above - table.begin()) - 1;
        const double gap = size - table[low];
        const double rest = low <= largest ? table[low + 1] - size : 0;
        bool is_up = direction == 2 ? is_negative : direction == 3 && !is_negative;
        is_up = gap > 0 && is_up;
        if (direction == 0) is_up = gap > rest || (gap == rest && low % 2 == 1);
        low += is_up;
        if (size >= table[largest + 1] || low > largest) {
            const bool stays =
                direction == 1 || (direction != 0 && is_negative == (direction == 3));
            low = saturates || (stays && !std::isinf(size)) ? largest : beyond;
        }
        return low == 0 && !has_negative_zero() ? 0 : low | (is_negative ? sign() : 0);
    }
};

const model half_model(16, 10, 15, 0x7bff, 0x7c00);
const model bfloat16_model(16, 7, 127, 0x7f7f, 0x7f80);

// ---- numbers of 16 bits

template <typename T> unsigned bits_of(T value) {
    unsigned short bits;
    static_assert(sizeof value == sizeof bits, "16 bits");
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
template <typename T> T number_of(unsigned bits) {
    const unsigned short narrow = static_cast<unsigned short>(bits);
    T value;
    std::memcpy(static_cast<void *>(&value), &narrow, sizeof narrow);
    return value;
}

// Each number of the format, and what lies between it and the next one: the middle and both sides of it.
template <typename Check> void each_value(const model &m, const Check &check) {
    for (unsigned i = 0; i <= m.largest; i++) {
        const double middle = (m.table[i] + m.table[i + 1]) / 2;
        for (double value :
             {m.table[i], middle, std::nextafter(middle, 0), std::nextafter(middle, 1e300),
              static_cast<double>(std::nextafterf(static_cast<float>(middle), 0)),
              static_cast<double>(std::nextafterf(static_cast<float>(middle), 1e38f))}) {
            check(value);
            check(-value);
        }
    }
    for (double value : {1e300, 4e38, 3e38, 1e10, HUGE_VAL}) {
        check(value);
        check(-value);
    }
}

template <typename T> void every_number_is_read(const model &m) {
    for (unsigned i = 0; i < 65536; i++) {
        const unsigned size = i & 0x7fff;
        const float value = static_cast<float>(number_of<T>(i));
        if (size <= m.beyond) assert_int_equal(std::signbit(value) != 0, i >> 15);
        if (size <= m.largest)
            assert_true(std::fabs(value) == static_cast<float>(m.table[size]));
        else
            assert_true(size == m.beyond ? std::isinf(value) : std::isnan(value));
        assert_int_equal(bits_of(T(value)), size > m.beyond ? 0x7fff : i);
    }
}

void every_number_of_16_bits_is_read(void **state) {
    (void)state;
    every_number_is_read<__half>(half_model);
    every_number_is_read<__hip_bfloat16>(bfloat16_model);
}

void numbers_are_rounded_once(void **state) {
    (void)state;
    each_value(half_model, [](double value) {
        const float narrow = static_cast<float>(value);
        assert_int_equal(bits_of(__double2half(value)), half_model.encode(value, 0, false));
        assert_int_equal(bits_of(__float2half(narrow)), half_model.encode(narrow, 0, false));
        assert_int_equal(bits_of(__float2half_rn(narrow)), half_model.encode(narrow, 0, false));
        assert_int_equal(bits_of(__float2half_rz(narrow)), half_model.encode(narrow, 1, false));
        assert_int_equal(bits_of(__float2half_rd(narrow)), half_model.encode(narrow, 2, false));
        assert_int_equal(bits_of(__float2half_ru(narrow)), half_model.encode(narrow, 3, false));
    });
    each_value(bfloat16_model, [](double value) {
        const float narrow = static_cast<float>(value);
        assert_int_equal(bits_of(__double2bfloat16(value)), bfloat16_model.encode(value, 0, false));
        assert_int_equal(bits_of(__float2bfloat16(narrow)),
                         bfloat16_model.encode(narrow, 0, false));
        assert_int_equal(bits_of(__float2bfloat16_rz(narrow)),
                         bfloat16_model.encode(narrow, 1, false));
        assert_int_equal(bits_of(__float2bfloat16_rd(narrow)),
                         bfloat16_model.encode(narrow, 2, false));
        assert_int_equal(bits_of(__float2bfloat16_ru(narrow)),
                         bfloat16_model.encode(narrow, 3, false));
    });
}

void what_is_no_number_stays_none(void **state) {
    (void)state;
    assert_int_equal(bits_of(__float2half(-NAN)), 0x7fff);
    assert_int_equal(bits_of(__float2bfloat16(NAN)), 0x7fff);
    assert_true(__hisnan(number_of<__half>(0xfc01)));
    assert_false(__hisnan(number_of<__half>(0xfc00)));
    assert_int_equal(__hisinf(number_of<__half>(0xfc00)), -1);
    assert_int_equal(__hisinf(number_of<__hip_bfloat16>(0x7f80)), 1);
    assert_int_equal(__hisinf(__float2half(65504)), 0);
}

void integers_are_converted(void **state) {
    (void)state;
    assert_int_equal(bits_of(__int2half_rn(2049)), half_model.encode(2049, 0, false));
    assert_int_equal(bits_of(__int2half_ru(2049)), half_model.encode(2049, 3, false));
    assert_int_equal(bits_of(__uint2half_rn(65520)), 0x7c00);
    assert_int_equal(bits_of(__uint2half_rz(70000)), 0x7bff);
    assert_int_equal(bits_of(__short2half_rn(-3)), bits_of(__half(-3.0f)));
    // One more than the middle of two numbers, by a bit that double does not hold.
    const unsigned long long middle = (1ull << 63) + (1ull << 55);
    assert_int_equal(bits_of(__ull2bfloat16_rn(middle)),
                     bits_of(__hip_bfloat16(std::ldexp(1, 63))));
    assert_int_equal(bits_of(__ull2bfloat16_rn(middle + 1)),
                     bits_of(__hip_bfloat16(std::ldexp(1, 63))) + 1);
    assert_true(__half2int_rn(__half(2.5f)) == 2 && __half2int_rz(__half(-2.75f)) == -2);
    assert_true(__half2int_rd(__half(-2.25f)) == -3 && __half2int_ru(__half(2.25f)) == 3);
    assert_int_equal(__half2short_rn(__half(40000.0f)), 32767);
    assert_int_equal(__half2uint_rn(__half(-1.0f)), 0);
    assert_int_equal(__half2int_rn(HIPRT_NAN_FP16), 0);
    assert_int_equal(__half2int_rn(-HIPRT_INF_FP16), INT32_MIN);
    assert_true(__half2ll_rn(HIPRT_INF_FP16) == INT64_MAX);
    assert_true(__bfloat162ull_rz(__hip_bfloat16(1e30f)) == UINT64_MAX);
    assert_int_equal(__half2uchar_rz(__half(300.5f)), 255);
    assert_int_equal(__half_as_ushort(__ushort_as_half(0x1234)), 0x1234);
    assert_int_equal(__half_as_short(__short_as_half(-2)), -2);
}

// ---- arithmetic

void results_are_rounded_once(void **state) {
    unsigned random = 1;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        unsigned bits[3];
        for (unsigned &one : bits) one = (random = random * 1664525 + 1013904223) >> 16;
        const __half a = number_of<__half>(bits[0]), b = number_of<__half>(bits[1]);
        const double x = static_cast<double>(a), y = static_cast<double>(b);
        if (std::isfinite(x * y) && y != 0) {
            assert_int_equal(bits_of(a + b), half_model.encode(x + y, 0, false));
            assert_int_equal(bits_of(a * b), half_model.encode(x * y, 0, false));
            assert_int_equal(bits_of(__hdiv(a, b)), half_model.encode(x / y, 0, false));
        }
        const __hip_bfloat16 c = number_of<__hip_bfloat16>(bits[0]),
                             d = number_of<__hip_bfloat16>(bits[1]);
        const double u = static_cast<double>(c), v = static_cast<double>(d);
        if (std::isfinite(u * v) && v != 0) {
            assert_int_equal(bits_of(c - d), bfloat16_model.encode(u - v, 0, false));
            assert_int_equal(bits_of(__hmul(c, d)), bfloat16_model.encode(u * v, 0, false));
        }
        // long double holds sums of these products if the exponents are close.
        const __hip_bfloat16 e = number_of<__hip_bfloat16>((bits[2] & 0x80ff) | 0x3e00);
        const __hip_bfloat16 f = number_of<__hip_bfloat16>((bits[0] & 0x80ff) | 0x3e80);
        const __hip_bfloat16 g = number_of<__hip_bfloat16>((bits[1] & 0x81ff) | 0x3e00);
        const double sum = static_cast<double>(e) * static_cast<double>(f) + static_cast<double>(g);
        assert_int_equal(bits_of(__hfma(e, f, g)), bfloat16_model.encode(sum, 0, false));
    }
    // The product is the middle of two numbers, and the sum is a little above or below it.
    const __hip_bfloat16 one = __ushort_as_bfloat16(0x3f81), other = __ushort_as_bfloat16(0x3fc0);
    const double product = static_cast<double>(one) * static_cast<double>(other);
    const unsigned low = bfloat16_model.encode(product, 1, false);
    assert_int_equal(bits_of(__hfma(one, other, __hip_bfloat16(1e-30f))), low + 1);
    assert_int_equal(bits_of(__hfma(one, other, __hip_bfloat16(-1e-30f))), low);
}

void numbers_are_compared(void **state) {
    const __half one = 1, two = 2, none = HIPRT_NAN_FP16;
    (void)state;
    assert_true(one < two && two >= one && one != two && one == one && !(one == none));
    assert_true(__hlt(one, two) && __hle(one, one) && __hne(one, two) && !__hgt(one, two));
    assert_true(!__hne(one, none) && __hneu(one, none) && __hequ(one, none) && !__heq(one, none));
    assert_true(static_cast<float>(__hmax(one, none)) == 1 &&
                static_cast<float>(__hmin(none, two)) == 2);
    assert_true(__hisnan(__hmax_nan(one, none)) && __hisnan(__hmin_nan(none, one)));
    assert_int_equal(bits_of(__hmax(__half(-0.0f), __half(0.0f))), 0);
    assert_int_equal(bits_of(__hmin(__half(0.0f), __half(-0.0f))), 0x8000);
    const __half2 a(one, none), b(two, two);
    assert_int_equal(__hlt2_mask(a, b), 0xffff);
    assert_true(!__hblt2(a, b) && __hbltu2(a, b) && a != b && !(a == b));
    assert_true(__heq2(b, b) == __half2(one, one));
}

void functions_of_numbers(void **state) {
    __half a = 3;
    (void)state;
    assert_true(static_cast<float>(__hadd_sat(a, a)) == 1 &&
                static_cast<float>(__hsub_sat(a, __half(5))) == 0);
    assert_true(static_cast<float>(__hfma_relu(a, __half(-1), __half(1))) == 0);
    assert_true(__hisnan(__hfma_relu(a, HIPRT_NAN_FP16, a)));
    assert_true(static_cast<float>(__hneg(a)) == -3 && static_cast<float>(__habs(-a)) == 3);
    assert_true(static_cast<float>(hsqrt(__half(9))) == 3 &&
                static_cast<float>(hrsqrt(__half(4))) == 0.5f);
    assert_true(static_cast<float>(hexp2(a)) == 8 && static_cast<float>(hexp10(a)) == 1000);
    assert_true(static_cast<float>(hrint(__half(2.5f))) == 2 &&
                static_cast<float>(hceil(__half(2.5f))) == 3);
    a += 1;
    assert_true(static_cast<float>(a++) == 4 && static_cast<float>(--a) == 4 &&
                a / __half(8) == __half(0.5f));
    const __hip_bfloat16 from_half(a);
    assert_int_equal(bits_of(from_half), 0x4080);
}

void pairs_are_taken_apart(void **state) {
    const __half2 a = __floats2half2_rn(1, 2), b = make_half2(3, 4);
    (void)state;
    assert_true(sizeof a == 4 && alignof(__half2) == 4);
    assert_true(__low2float(a) == 1 && __high2float(a) == 2);
    assert_true(__half22float2(__lows2half2(a, b)).y == 3 && __high2half2(b) == __half2half2(4));
    assert_true(__highs2half2(a, b) == __halves2half2(2, 4) &&
                __lowhigh2highlow(a) == __half2(2, 1));
    assert_true(a + b == __half2(4, 6) && __hfma2(a, b, b) == __half2(6, 12) &&
                -a * b == __half2(-3, -8));
    assert_true(__hcmadd(a, b, __half2(0, 0)) == __half2(-5, 10));
    assert_true(__float22half2_rn(float2{1, 2}) == a && __float2half2_rn(2) == __high2half2(a));
    const __hip_bfloat162 c = __floats2bfloat162_rn(0.5f, -8);
    assert_true(__bfloat1622float2(h2rcp(c)).x == 2 && __high2float(__habs2(c)) == 8);
    assert_true(static_cast<__half2_raw>(a).y == 0x4000);
}

__global__ void sum_of_warp(__half2 *pairs, __half *single) {
    __half2 value = __half2(1, static_cast<float>(threadIdx.x));
    atomicAdd(pairs, value);
    atomicAdd(single, __half(0.5f));
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
    if (threadIdx.x == 0) pairs[1] = value;
}

void threads_add_and_exchange_them(void **state) {
    __half2 *pairs;
    __half *single;
    (void)state;
    assert_hip_ok(hipMalloc(&pairs, 2 * sizeof *pairs));
    assert_hip_ok(hipMalloc(&single, sizeof *single));
    assert_hip_ok(hipMemset(pairs, 0, 2 * sizeof *pairs));
    assert_hip_ok(hipMemset(single, 0, sizeof *single));
    hipLaunchKernelGGL(sum_of_warp, dim3(1), dim3(64), 0, nullptr, pairs, single);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(pairs[0] == __half2(64, 2016) && pairs[1] == pairs[0]);
    assert_true(*single == __half(32));
    assert_hip_ok(hipFree(pairs));
    assert_hip_ok(hipFree(single));
}

// ---- numbers of 8 bits

void numbers_of_8_bits(const model &m, __hip_fp8_interpretation_t format, unsigned none) {
    for (unsigned i = 0; i < 256; i++) {
        const unsigned size = i & 0x7f;
        const __half_raw raw = __hip_cvt_fp8_to_halfraw(static_cast<unsigned char>(i), format);
        const float value = static_cast<float>(__half(raw));
        const bool is_none = !m.has_negative_zero()
                                 ? i == none
                                 : size > m.largest && (size != m.beyond || m.beyond == none);
        if (is_none) {
            assert_true(std::isnan(value));
        } else {
            assert_int_equal(std::signbit(value) != 0, i >> 7);
            assert_true(size <= m.largest ? std::fabs(value) == static_cast<float>(m.table[size])
                                          : std::isinf(value));
        }
    }
    each_value(m, [&](double value) {
        const float narrow = static_cast<float>(value);
        assert_int_equal(__hip_cvt_double_to_fp8(value, __HIP_NOSAT, format),
                         m.encode(value, 0, false));
        assert_int_equal(__hip_cvt_float_to_fp8(narrow, __HIP_NOSAT, format),
                         m.encode(narrow, 0, false));
        assert_int_equal(__hip_cvt_float_to_fp8(narrow, __HIP_SATFINITE, format),
                         m.encode(narrow, 0, true));
        const __half half(narrow);
        assert_int_equal(__hip_cvt_halfraw_to_fp8(half, __HIP_SATFINITE, format),
                         m.encode(static_cast<double>(half), 0, true));
    });
    assert_int_equal(__hip_cvt_float_to_fp8(-NAN, __HIP_SATFINITE, format), none);
}

void every_number_of_8_bits_is_read_and_rounded(void **state) {
    (void)state;
    numbers_of_8_bits(model(8, 3, 7, 0x7e, 0x7f), __HIP_E4M3, 0x7f);
    numbers_of_8_bits(model(8, 2, 15, 0x7b, 0x7c), __HIP_E5M2, 0x7f);
    numbers_of_8_bits(model(8, 3, 8, 0x7f, 0x80), __HIP_E4M3_FNUZ, 0x80);
    numbers_of_8_bits(model(8, 2, 16, 0x7f, 0x80), __HIP_E5M2_FNUZ, 0x80);
}

void numbers_of_8_bits_are_packed(void **state) {
    const __hip_fp8x4_e4m3 four(float4{1, -2, 0.5f, 1e6f});
    const float4 values = four;
    (void)state;
    assert_int_equal(four.__x, 0x7e30c038);
    assert_true(values.x == 1 && values.y == -2 && values.z == 0.5f && values.w == 448);
    const __hip_fp8x2_e5m2 two(__half2(4, -0.25f));
    assert_true(static_cast<__half2>(two) == __half2(4, -0.25f));
    assert_int_equal(__hip_cvt_float2_to_fp8x2(float2{1, 2}, __HIP_SATFINITE, __HIP_E4M3), 0x4038);
    assert_true(static_cast<__half2>(__hip_cvt_fp8x2_to_halfraw2(0x4038, __HIP_E4M3)) ==
                __half2(1, 2));
    assert_true(static_cast<float>(__hip_fp8_e4m3(__half(3))) == 3 &&
                static_cast<float>(__hip_fp8_e5m2_fnuz(-7)) == -7);
}

// ---- numbers of 4 and 6 bits

// The functions of both sizes under one name.
#define CONVERSIONS(bits)                                                                          \
    unsigned from(float x, __hip_fp##bits##_interpretation_t format, hipRoundMode mode) {          \
        return __hip_cvt_float_to_fp##bits(x, format, mode);                                       \
    }                                                                                              \
    unsigned from(double x, __hip_fp##bits##_interpretation_t format, hipRoundMode mode) {         \
        return __hip_cvt_double_to_fp##bits(x, format, mode);                                      \
    }                                                                                              \
    unsigned from(const __half &x, __hip_fp##bits##_interpretation_t format, hipRoundMode mode) {  \
        return __hip_cvt_halfraw_to_fp##bits(x, format, mode);                                     \
    }                                                                                              \
    float read(unsigned x, __hip_fp##bits##_interpretation_t format) {                             \
        return static_cast<float>(                                                                 \
            __half(__hip_cvt_fp##bits##_to_halfraw(static_cast<unsigned char>(x), format)));       \
    }
CONVERSIONS(4)
CONVERSIONS(6)

template <typename Format> void numbers_of_few_bits(const model &m, Format format) {
    static const hipRoundMode modes[] = {hipRoundNearest, hipRoundZero, hipRoundMinInf,
                                         hipRoundPosInf};
    for (unsigned i = 0; i < 2 * m.sign(); i++) {
        const float value = read(i, format);
        assert_int_equal(std::signbit(value), i >= m.sign());
        assert_true(std::fabs(value) == static_cast<float>(m.table[i % m.sign()]));
    }
    each_value(m, [&](double value) {
        const float narrow = static_cast<float>(value);
        const __half short_number(narrow);
        for (int direction = 0; direction < 4; direction++) {
            assert_int_equal(from(value, format, modes[direction]),
                             m.encode(value, direction, true));
            assert_int_equal(from(narrow, format, modes[direction]),
                             m.encode(narrow, direction, true));
            assert_int_equal(from(short_number, format, modes[direction]),
                             m.encode(static_cast<double>(short_number), direction, true));
        }
    });
    assert_int_equal(from(-NAN, format, hipRoundNearest), m.largest);
}

void every_number_of_4_and_6_bits_is_read_and_rounded(void **state) {
    (void)state;
    numbers_of_few_bits(model(4, 1, 1, 7, 7), __HIP_E2M1);
    numbers_of_few_bits(model(6, 3, 1, 0x1f, 0x1f), __HIP_E2M3);
    numbers_of_few_bits(model(6, 2, 3, 0x1f, 0x1f), __HIP_E3M2);
}

void numbers_of_4_and_6_bits_are_packed(void **state) {
    const __hip_fp4x4_e2m1 four(float4{1, -2, 0.5f, 1e6f});
    const float4 values = four;
    const __hip_fp6x4_e3m2 wide(float4{1, -2, 0.5f, 1e6f});
    (void)state;
    assert_int_equal(four.__x, 0x71c2);
    assert_int_equal(sizeof four, 2);
    assert_true(values.x == 1 && values.y == -2 && values.z == 0.5f && values.w == 6);
    assert_int_equal(wide.__x, 0x1f08300c);
    assert_int_equal(__hip_cvt_float2_to_fp4x2(float2{6, -1.5f}, __HIP_E2M1, hipRoundNearest),
                     0xb7);
    assert_true(static_cast<__half2>(__hip_cvt_fp4x2_to_halfraw2(0xb7, __HIP_E2M1)) ==
                __half2(6, -1.5f));
    assert_true(static_cast<__half2>(__hip_fp6x2_e2m3(__half2(7, -0.25f))) == __half2(7, -0.25f));
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_16_bits_is_read),
        cmocka_unit_test(numbers_are_rounded_once),
        cmocka_unit_test(what_is_no_number_stays_none),
        cmocka_unit_test(integers_are_converted),
        cmocka_unit_test(results_are_rounded_once),
        cmocka_unit_test(numbers_are_compared),
        cmocka_unit_test(functions_of_numbers),
        cmocka_unit_test(pairs_are_taken_apart),
        cmocka_unit_test(threads_add_and_exchange_them),
        cmocka_unit_test(every_number_of_8_bits_is_read_and_rounded),
        cmocka_unit_test(numbers_of_8_bits_are_packed),
        cmocka_unit_test(every_number_of_4_and_6_bits_is_read_and_rounded),
        cmocka_unit_test(numbers_of_4_and_6_bits_are_packed),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
