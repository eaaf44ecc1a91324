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

void numbers_of_two_types_are_compared_as_their_sum(void **state) {
    const unsigned char small = 7;
    (void)state;
    static_assert(std::is_same<decltype(min(1u, 2)), unsigned>::value, "as in C");
    static_assert(std::is_same<decltype(max(1.0f, 2.0)), double>::value, "as in C");
    static_assert(std::is_same<decltype(max(1ll, 2)), long long>::value, "as in C");
    assert_true(min(5u, -1) == 5 && max(small, 3) == 7 && max(-2.5f, 0) == 0);
    assert_true(min(1e300, 2.0f) == 2 && min(1ull << 40, 1l << 41) == 1ull << 40);
    assert_true(umax(1, ~0u) == ~0u && llmin(-1, 1) == -1 && ullmax(1, ~0ull) == ~0ull);
}

void parts_of_an_int_are_combined(void **state) {
    (void)state;
    assert_int_equal(__vadd4(0xff017f80, 0x01020181), 0x00038001);
    assert_int_equal(__vaddus4(0xff017f80, 0x01020181), 0xff0380ff);
    assert_int_equal(__vaddss4(0xff017f80, 0x01020181), 0x00037f80);
    assert_int_equal(__vsub2(0x00010005, 0x00020003), 0xffff0002);
    assert_int_equal(__vsubus2(0x00010005, 0x00020003), 0x00000002);
    assert_int_equal(__vsubss2(0x80000005, 0x00020003), 0x80000002);
    assert_int_equal(__vabsdiffu4(0x00ff0a05, 0xff00050a), 0xffff0505);
    assert_int_equal(__vabsdiffs2(0xffff0005, 0x0001000a), 0x00020005);
    assert_int_equal(__vavgu4(0x01030000, 0x02030001), 0x02030001);
    assert_int_equal(__vavgs2(0xfffd0003, 0x00000002), 0xfffe0003);
    assert_int_equal(__vhaddu2(0xffff0003, 0xffff0002), 0xffff0002);
    assert_int_equal(__vmaxs2(0x80000001, 0x00010002), 0x00010002);
    assert_int_equal(__vmaxu2(0x80000001, 0x00010002), 0x80000002);
    assert_int_equal(__vmins4(0x80017f00, 0x0101ff00), 0x8001ff00);
    assert_int_equal(__vminu4(0x80017f00, 0x0101ff00), 0x01017f00);
    assert_int_equal(__vabs4(0x80ff7f01), 0x80017f01);
    assert_int_equal(__vabsss4(0x80ff7f01), 0x7f017f01);
    assert_int_equal(__vneg2(0x80000001), 0x8000ffff);
    assert_int_equal(__vnegss2(0x80000001), 0x7fffffff);
    assert_int_equal(__vcmpeq4(0x01020304, 0x01000304), 0xff00ffff);
    assert_int_equal(__vcmpgts2(0x80000001, 0x00000000), 0x0000ffff);
    assert_int_equal(__vcmpgtu2(0x80000001, 0x00000000), 0xffffffff);
    assert_int_equal(__vsetleu4(0x01020304, 0x01020203), 0x01010000);
    assert_int_equal(__vsadu4(0x00ff0a05, 0xff00050a), 520);
    assert_int_equal(__vsads2(0xffff0005, 0x0001000a), 7);
    assert_int_equal(__dp4a(0x01ff0203, 0x7f800201, 5), 127 + 128 + 4 + 3 + 5);
    assert_int_equal(__dp4a(0x01ff0203u, 0x7f800201u, 5u), 127 + 255 * 128 + 4 + 3 + 5);
    assert_int_equal(__dp4a(make_char4(1, -1, 2, 3), make_char4(4, 5, 6, 7), -1), 31);
    assert_int_equal(__dp2a_lo(static_cast<int>(0xffff0003), 0x050602fe, 1), 1 - 2 - 6);
    assert_int_equal(__dp2a_hi(0x00020003u, 0xff0102feu, 1u), 1 + 2 * 255 + 3);
    assert_int_equal(__funnelshift_lc(1, 2, 40), 1);
    assert_int_equal(__funnelshift_rc(1, 2, 32), 2);
    assert_true(__hiloint2double(__double2hiint(-0.1), __double2loint(-0.1)) == -0.1);
}

void loads_and_stores_with_hints_are_ordinary(void **state) {
    float4 numbers = make_float4(1, 2, 3, 4);
    (void)state;
    __stcs(&numbers.x, 5);
    __stcg(&numbers.y, __ldcs(&numbers.x) + __ldcv(&numbers.z));
    assert_true(__ldg(&numbers).y == 8 && __ldca(&numbers.w) == 4);
}

void assert_near(double value, double wanted) {
    if (!(std::fabs(value - wanted) <= 4e-15 * std::fabs(wanted)))
        fail_msg("%.17g, not %.17g", value, wanted);
}

void functions_that_c_lacks_are_exact(void **state) {
    (void)state;
    for (double x : {1e-300, 1e-9, 0.009, 0.3, 0.5, 0.75, 0.99, 1 - 1e-12}) {
        assert_near(std::erf(erfinv(x)), x);
        assert_true(erfinv(-x) == -erfinv(x));
    }
    for (double y : {1e-300, 1e-30, 0.1, 1.0, 1.5, 1.999}) {
        const double z = erfcinv(y), steepness = 1 + z * z;
        assert_true(std::fabs(std::erfc(z) - y) <= 1e-15 * y * steepness);
        assert_true(std::fabs(normcdf(normcdfinv(y / 2)) * 2 - y) <= 1e-15 * y * steepness);
    }
    assert_true(erfinv(1) == HUGE_VAL && std::isnan(erfinv(1.5)) && erfinvf(-1) == -HUGE_VALF);
    assert_true(erfcinv(0) == HUGE_VAL && erfcinv(2) == -HUGE_VAL && std::isnan(erfcinv(-1)));
    assert_true(normcdfinv(0.5) == 0 && std::isnan(erfinv(NAN)) && std::isnan(erfcinv(NAN)));
    assert_near(erfcx(1), 0.42758357615580700442);
    assert_near(erfcx(-2), 108.94090438997797);
    assert_near(erfcx(10), 0.056140992743822585);
    assert_near(erfcx(30), 0.018795888861416751);
    assert_near(cyl_bessel_i0(1), 1.2660658777520083356);
    assert_near(cyl_bessel_i0(-30), 781672297823.97748972);
    assert_near(cyl_bessel_i1(1), 0.56515910399248502721);
    assert_true(cyl_bessel_i1(-2) == -cyl_bessel_i1(2) && cyl_bessel_i0(1e4) == HUGE_VAL);
    assert_true(sinpi(1) == 0 && sinpi(0.5) == 1 && sinpif(-2.5f) == -1 && cospi(0.5) == 0);
    assert_near(sinpi(1e6 + 0.25), std::sqrt(0.5));
    assert_near(cospi(-0.25), std::sqrt(0.5));
    float sine = 7, cosine = 7;
    sincospif(1.5f, &sine, &cosine);
    assert_true(sine == -1 && cosine == 0);
    const double sides[] = {2, 3, 6};
    assert_true(norm3d(2.0, 3.0, 6.0) == 7 && rnorm(3, sides) == 1.0 / 7 && rhypotf(3, 4) == 0.2f);
    assert_true(norm4df(1, 1, 1, 1) == 2 && rcbrt(8) == 0.5 && fdividef(1, 4) == 0.25f);
    assert_true(isnan(NAN) && isinf(-HUGE_VAL) && signbit(-0.0f) && !isfinite(HUGE_VALF));
}

// A program's own operators come before those of HIP.
float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, 100, 0); }
float3 operator*(float a, float3 b) { return make_float3(a * b.x, 200, 0); }

void operators_of_a_program_come_first(void **state) {
    const float3 a = make_float3(1, 2, 3);
    (void)state;
    assert_true((a + a).y == 100 && (2.0f * a).y == 200 && (2 * a).x == 2);
    assert_true((a - a).z == 0 && (a * 2.0f).z == 6);
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
    a = -(2.0f * a);
    a /= 2;
    assert_true(a == make_float4(-1, -6, -9, -20) && signbit((-make_float1(0)).x));
    assert_true((make_int2(12, 7) & 6) == make_int2(4, 6) &&
                (1 << make_uint2(2, 3)) == make_uint2(4, 8));
    assert_true(~make_char2(0, 1) % make_char2(3, 4) == make_char2(-1, -2));
    assert_true((std::is_same<HIP_vector_type<unsigned char, 3>, uchar3>::value));
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
        cmocka_unit_test(numbers_of_two_types_are_compared_as_their_sum),
        cmocka_unit_test(parts_of_an_int_are_combined),
        cmocka_unit_test(loads_and_stores_with_hints_are_ordinary),
        cmocka_unit_test(functions_that_c_lacks_are_exact),
        cmocka_unit_test(vectors_are_combined_member_by_member),
        cmocka_unit_test(operators_of_a_program_come_first),
        cmocka_unit_test(clocks_run_at_their_rates),
        cmocka_unit_test(a_thread_that_reads_a_clock_lets_others_run),
        cmocka_unit_test(a_unit_runs_one_block_of_a_kernel),
        cmocka_unit_test(the_largest_block_fills_the_device),
        cmocka_unit_test(bad_questions_about_occupancy_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
