// SPDX-License-Identifier: Apache-2.0
// Functions that kernels of one thread call, and the occupancy of kernels compiled for the host.
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

void numbers_are_converted_and_combined(void **state) {
    float sine = 0, cosine = 0;
    (void)state;
    assert_true(__saturatef(-1) == 0 && __saturatef(0.25f) == 0.25f && __saturatef(7) == 1);
    assert_true(__saturatef(std::nanf("")) == 0);
    assert_true(rsqrtf(4) == 0.5f && rsqrt(0.25) == 2 && __frcp_rn(4) == 0.25f);
    assert_true(__fdividef(1, 4) == 0.25f && __fmaf_rn(2, 3, 4) == 10 && __dadd_rn(1, 2) == 3);
    assert_true(__fmul_rn(3, 4) == 12 && __dsub_rn(1, 2) == -1 && __ddiv_rn(1, 2) == 0.5);
    __sincosf(0, &sine, &cosine);
    assert_true(sine == 0 && cosine == 1 && __expf(0) == 1 && __powf(2, 3) == 8);
    assert_int_equal(__float2int_rn(2.5f), 2);
    assert_int_equal(__float2int_rz(-2.7f), -2);
    assert_int_equal(__float2int_rd(-2.2f), -3);
    assert_int_equal(__double2int_ru(2.2), 3);
    assert_true(__int2float_rn(3) == 3.0f && __uint2double_rn(4000000000u) == 4e9);
    assert_int_equal(__mul24(0x1000003, -2), -6);
    assert_int_equal(__umul24(0x1000003, 2), 6);
    assert_true(__mul64hi(-1ll, 2) == -1 && __umul64hi(1ull << 63, 4) == 2);
    assert_int_equal(__hadd(INT32_MAX, INT32_MAX), INT32_MAX);
    assert_int_equal(__hadd(-3, 2), -1);
    assert_int_equal(__rhadd(3, 4), 4);
    assert_int_equal(__uhadd(UINT32_MAX, 1), 0x80000000u);
    assert_int_equal(__sad(-3, 4, 5), 12);
    assert_int_equal(__usad(3, 4, 5), 6);
    assert_int_equal(__byte_perm(0x33221100, 0x77665544, 0x0735), 0x00773355);
    assert_int_equal(__funnelshift_l(0x80000001u, 0x3u, 4), 0x38u);
    assert_int_equal(__funnelshift_r(0x80000001u, 0x3u, 4), 0x38000000u);
}

void vectors_are_combined_member_by_member(void **state) {
    float4 a = make_float4(1, 2, 3, 4);
    float4 b = a + 1.0f;
    uchar2 c = make_uchar2(250, 3);
    (void)state;
    a += b * a - 2.0f * a / make_float4(1, 2, 1, 2);
    assert_true(a == make_float4(1, 6, 9, 20));
    assert_true(a != b && !(a != a));
    c += make_uchar2(10, 1);
    assert_true(c == make_uchar2(4, 4));
    int3 d = 7 / make_int3(1, 2, 3);
    assert_true(d.x == 7 && d.y == 3 && d.z == 2);
    assert_true((make_double1(3) - 1.0).x == 2);
}

__global__ void measure(long long *ticks) {
    ticks[threadIdx.x] = threadIdx.x == 0 ? wall_clock64() : clock64();
}

// An interval of one clock lies within an interval of the other.
void clocks_run_at_their_rates(void **state) {
    int wall_rate = 0;
    int rate = 0;
    long long wall[4];
    long long clock[4];
    long long ticks[2] = {};
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&wall_rate, hipDeviceAttributeWallClockRate, 0));
    assert_hip_ok(hipDeviceGetAttribute(&rate, hipDeviceAttributeClockRate, 0));
    assert_int_equal(wall_rate, 100000);
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) wall[i] = wall_clock64(), clock[i] = clock64();
        if (i % 2 == 1) clock[i] = clock64(), wall[i] = wall_clock64();
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    assert_true(wall[1] - wall[0] >= 3ll * wall_rate);
    assert_true(clock[1] - clock[0] >= 3ll * rate);
    assert_true(clock[1] - clock[0] <= (wall[1] - wall[0] + 2) * (rate / wall_rate));
    assert_true(clock[2] - clock[1] + 2ll * (rate / wall_rate) >=
                (wall[2] - wall[1]) * (rate / wall_rate));
    hipLaunchKernelGGL(measure, dim3(1), dim3(2), 0, nullptr, ticks);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(wall[3] <= ticks[0] && clock[3] < ticks[1]);
}

__global__ void wait_for_other(volatile int *flag) {
    if (threadIdx.x == 1) *flag = 1;
    while (*flag == 0) (void)clock64();
}

void a_thread_that_reads_a_clock_lets_others_run(void **state) {
    int flag = 0;
    (void)state;
    hipLaunchKernelGGL(wait_for_other, dim3(1), dim3(2), 0, nullptr, &flag);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(flag, 1);
}

__global__ void take(int, const double *, char) {}

void a_unit_runs_one_block_of_a_kernel(void **state) {
    int blocks = 7;
    int threads = 0;
    int shared = 0;
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, 0));
    assert_hip_ok(hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
    const size_t bytes = static_cast<size_t>(shared);
    assert_hip_ok(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, take, threads, bytes));
    assert_int_equal(blocks, 1);
    assert_hip_ok(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, take, threads + 1, 0));
    assert_int_equal(blocks, 0);
    assert_hip_ok(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, take, 1, 0, 1));
    assert_int_equal(blocks, 1);
    assert_hip_ok(
        hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, take, 1, bytes + 1));
    assert_int_equal(blocks, 0);
}

void the_largest_block_fills_the_device(void **state) {
    int threads = 0;
    int units = 0;
    int grid = 7;
    int block = 7;
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, 0));
    assert_hip_ok(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    assert_hip_ok(hipOccupancyMaxPotentialBlockSize(&grid, &block, take));
    assert_int_equal(grid, units);
    assert_int_equal(block, threads);
    hipLaunchKernelGGL(take, dim3(static_cast<unsigned>(grid)), dim3(static_cast<unsigned>(block)),
                       0, nullptr, 1, nullptr, 'c');
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipOccupancyMaxPotentialBlockSize(&grid, &block, take, 0, 33));
    assert_int_equal(block, 33);
    assert_hip_ok(hipOccupancyMaxPotentialBlockSize(&grid, &block, take, 0, threads + 1));
    assert_int_equal(block, threads);
    assert_hip_ok(hipOccupancyMaxPotentialBlockSize(&grid, &block, take, SIZE_MAX));
    assert_int_equal(grid, 0);
    assert_int_equal(block, 0);
}

void bad_questions_about_occupancy_are_refused(void **state) {
    void (*none)(int) = nullptr;
    int blocks = 7;
    int threads = 7;
    (void)state;
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, take, 1),
               hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, take, 0),
               hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, none, 1),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipOccupancyMaxPotentialBlockSize(nullptr, &threads, take), hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxPotentialBlockSize(&blocks, nullptr, take), hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxPotentialBlockSize(&blocks, &threads, take, 0, -1),
               hipErrorInvalidValue);
    assert_hip(hipExtOccupancyHostGrid(&blocks, &threads, nullptr, 0, 0),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipExtOccupancyHostKernel(&blocks, 0, 1, 0), hipErrorInvalidDeviceFunction);
    assert_int_equal(blocks, 7);
    assert_int_equal(threads, 7);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_counted_and_found),
        cmocka_unit_test(bits_become_numbers),
        cmocka_unit_test(the_larger_and_the_smaller_are_found),
        cmocka_unit_test(numbers_are_converted_and_combined),
        cmocka_unit_test(vectors_are_combined_member_by_member),
        cmocka_unit_test(clocks_run_at_their_rates),
        cmocka_unit_test(a_thread_that_reads_a_clock_lets_others_run),
        cmocka_unit_test(a_unit_runs_one_block_of_a_kernel),
        cmocka_unit_test(the_largest_block_fills_the_device),
        cmocka_unit_test(bad_questions_about_occupancy_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
