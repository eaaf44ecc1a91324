// SPDX-License-Identifier: Apache-2.0
// Functions that kernels of one thread call.
#include <hip/hip_runtime.h>

#include "support/hip.h"

namespace {

void bits_are_counted_and_found(void **state) {
    (void)state;
    assert_int_equal(__ffs(0), 0);
    assert_int_equal(__ffs(0x80000000u), 32);
    assert_int_equal(__ffs(6), 2);
    assert_int_equal(__ffsll(0ll), 0);
    assert_int_equal(__ffsll(1ull << 40), 41);
    assert_int_equal(__popc(0xf0f00001u), 9);
    assert_int_equal(__popcll(0x8000000000000001ull), 2);
    assert_int_equal(__clz(0), 32);
    assert_int_equal(__clz(1), 31);
    assert_int_equal(__clz(-1), 0);
    assert_int_equal(__clzll(0), 64);
    assert_int_equal(__clzll(1), 63);
    assert_int_equal(__brev(0x00000003u), 0xc0000000u);
    assert_true(__brevll(0x0000000000000003ull) == 0xc000000000000000ull);
}

void bits_become_numbers(void **state) {
    (void)state;
    assert_int_equal(__float_as_int(1.0f), 0x3f800000);
    assert_int_equal(__float_as_uint(-0.0f), 0x80000000u);
    assert_true(__int_as_float(0x40000000) == 2.0f);
    assert_true(__uint_as_float(0x40000000u) == 2.0f);
    assert_true(__longlong_as_double(__double_as_longlong(0.1)) == 0.1);
    assert_int_equal(__mulhi(-1, 2), -1);
    assert_int_equal(__mulhi(1 << 30, 8), 2);
    assert_int_equal(__umulhi(0xffffffffu, 2u), 1);
}

void the_larger_and_the_smaller_are_found(void **state) {
    (void)state;
    assert_int_equal(max(-1, 2), 2);
    assert_int_equal(min(-1, 2), -1);
    assert_int_equal(max(0xffffffffu, 2u), 0xffffffffu);
    assert_true(min(1ull << 40, 1ull << 41) == 1ull << 40);
    assert_true(max(-1ll, -2ll) == -1);
    assert_true(max(1.5f, 2.5f) == 2.5f);
    assert_true(min(1.5, std::nan("")) == 1.5);
}

__global__ void measure(long long *ticks) {
    ticks[threadIdx.x] = threadIdx.x == 0 ? clock64() : wall_clock64();
}

// Three sleeps of a millisecond are at least 300000 ticks of 100 MHz.
void a_clock_runs_at_its_rate(void **state) {
    int rate = 0;
    long long ticks[2] = {};
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&rate, hipDeviceAttributeWallClockRate, 0));
    assert_int_equal(rate, 100000);
    long long before = clock64();
    for (int i = 0; i < 3; i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    assert_true(wall_clock64() - before >= 3ll * rate);
    hipLaunchKernelGGL(measure, dim3(1), dim3(2), 0, nullptr, ticks);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(before < ticks[0] && ticks[0] <= ticks[1]);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_counted_and_found),
        cmocka_unit_test(bits_become_numbers),
        cmocka_unit_test(the_larger_and_the_smaller_are_found),
        cmocka_unit_test(a_clock_runs_at_its_rate),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
