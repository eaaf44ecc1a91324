// SPDX-License-Identifier: Apache-2.0
// Functions for which the lanes of a warp meet: votes and shuffles, also where lanes go apart. The
// same functions with warps of 32 lanes are in kernel_warp_32.cpp.

#include <hip/hip_runtime.h>

#include <cstring>
#include <vector>

#include "support/work.h"

namespace {

int forget_last_error(void **state) {
    (void)state;
    (void)hipGetLastError();
    return 0;
}

constexpr int lanes = warpSize;
constexpr unsigned long long all_lanes = ~0ull >> (64 - lanes);

void the_property_is_the_constant(void **state) {
    hipDeviceProp_t properties;
    int size = 0;
    (void)state;
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_int_equal(properties.warpSize, warpSize);
    assert_true(properties.arch.hasWarpShuffle && properties.arch.hasWarpBallot);
    assert_true(properties.arch.hasWarpVote && properties.arch.hasSyncThreadsExt);
    assert_hip_ok(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0));
    assert_int_equal(size, warpSize);
    assert_int_equal(hipExtSetWarpSize(16), hipErrorInvalidValue);
    assert_hip_ok(hipExtSetWarpSize(warpSize));
}

// ---- AMD's instructions

struct read_values {
    int first, lane, pulled, pushed, reversed, quad, shifted, row_end, kept;
    unsigned below, rank;
};

// Lane 0 does not come.
__global__ void read_lanes(read_values *results) {
    const int i = static_cast<int>(threadIdx.x);
    read_values &r = results[i];
    if (i == 0) return;
    r.first = __builtin_amdgcn_readfirstlane(i);
    r.lane = __builtin_amdgcn_readlane(i, 5);
    r.pulled = __hip_ds_bpermute(4 * (i ^ 3), i);
    r.pushed = __builtin_amdgcn_ds_permute(4 * (i + 1), i);
    r.reversed = __hip_ds_swizzle(i, 0x7c1f); // and 31, or 0, xor 31
    r.quad = __hip_move_dpp(i, 0x1b, 0xf, 0xf, true);
    r.shifted = __builtin_amdgcn_update_dpp(-1, i, 0x111, 0xf, 0xf, false); // row_shr:1
    r.row_end =
        __builtin_amdgcn_update_dpp(-1, i, 0x142, 0xa, 0xf, false); // row_bcast:15, odd rows
    r.kept = __builtin_amdgcn_mov_dpp(i, 0x140, 0xf, 0x3, true);    // row_mirror, two banks
    r.below = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    r.rank = __ockl_activelane_u32();
}

void lanes_are_read_as_by_amds_instructions(void **state) {
    read_values results[lanes] = {};
    (void)state;
    hipLaunchKernelGGL(read_lanes, 1, lanes, 0, nullptr, results);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 1; i < lanes; i++) {
        const read_values &r = results[i];
        const int row = i / 16 * 16;
        assert_true(r.first == 1 && r.lane == 5);
        assert_int_equal(r.pulled, i == 3 ? 3 : i ^ 3);
        assert_int_equal(r.pushed, i == 1 ? 0 : i - 1);
        assert_int_equal(r.reversed, i == 31 ? 31 : i ^ 31);
        assert_int_equal(r.quad, i == 3 ? 0 : i ^ 3);
        assert_int_equal(r.shifted, i % 16 == 0 || i == 1 ? -1 : i - 1);
        assert_int_equal(r.row_end, row % 32 == 16 ? row - 1 : -1);
        assert_int_equal(r.kept, i % 16 < 8 ? row + 15 - i % 16 : 0);
        assert_int_equal(r.below, i);
        assert_int_equal(r.rank, i - 1);
    }
}

void bits_are_chosen_as_by_amds_instructions(void **state) {
    (void)state;
    assert_int_equal(__bitextract_u32(0x12345678, 8, 12), 0x456);
    assert_int_equal(__bitinsert_u32(0x12345678, 0xabc, 8, 12), 0x123abc78);
    assert_true(__lastbit_u32_u32(8) == 3 && __lastbit_u32_u32(0) == ~0u);
    assert_int_equal(__builtin_amdgcn_perm(0x77665544, 0x33229100, 0x0c0d0804), 0x00ffff44);
    assert_int_equal(__builtin_amdgcn_perm(0x77665544, 0x33221100, 0x07000306), 0x77003366);
    assert_int_equal(__builtin_amdgcn_alignbyte(0x77665544, 0x33221100, 1), 0x44332211);
    assert_true(__builtin_amdgcn_fmed3f(3, 1, 2) == 2 && __builtin_amdgcn_fmed3f(1, 5, 9) == 5);
    assert_int_equal(amd_mixed_dot(0x7f7f7f7f, 0x7f7f7f7f, INT32_MAX, true), INT32_MAX);
    assert_int_equal(amd_mixed_dot(0x01010101u, 0xff000000u, 1u, false), 256);
}

// ---- shuffles

struct moved {
    int shfl, up, down, crossed;
};

__global__ void move(moved *results, int width) {
    int i = static_cast<int>(threadIdx.x);
    results[i].shfl = __shfl(i, 3, width);
    results[i].up = __shfl_up(i, 2, width);
    results[i].down = __shfl_down(i, 2, width);
    results[i].crossed = __shfl_xor(i, 5, width);
}

// The threads of the last warp are fewer; a lane that does not exist is like one that does not come.
void shuffles_move_values_within_groups(void **state) {
    constexpr int threads = 3 * lanes + 8;
    moved results[threads];
    (void)state;
    for (int width : {8, 16, 32, lanes}) {
        hipLaunchKernelGGL(move, 1, threads, 0, nullptr, results, width);
        assert_hip_ok(hipDeviceSynchronize());
        for (int i = 0; i < threads; i++) {
            int group = i / width * width;
            assert_int_equal(results[i].shfl, group + 3);
            assert_int_equal(results[i].up, i - group < 2 ? i : i - 2);
            assert_int_equal(results[i].down,
                             i - group + 2 >= width || i + 2 >= threads ? i : i + 2);
            assert_int_equal(results[i].crossed, i ^ 5);
        }
    }
}

struct triple {
    double a, b;
    char c;
};

template <typename T> __global__ void move_one(T *values) {
    values[threadIdx.x] = __shfl(values[threadIdx.x], static_cast<int>(threadIdx.x) + 1);
}

template <typename T> void assert_moved() {
    T values[lanes];
    for (int i = 0; i < lanes; i++) values[i] = static_cast<T>(i);
    hipLaunchKernelGGL(move_one<T>, 1, lanes, 0, nullptr, values);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < lanes; i++) assert_true(values[i] == static_cast<T>((i + 1) % lanes));
}

void shuffles_move_every_type(void **state) {
    triple values[lanes];
    (void)state;
    assert_moved<int>();
    assert_moved<unsigned>();
    assert_moved<char>();
    assert_moved<short>();
    assert_moved<long>();
    assert_moved<unsigned long long>();
    assert_moved<float>();
    assert_moved<double>();
    for (int i = 0; i < lanes; i++) values[i] = {i + 0.5, -i - 0.5, static_cast<char>(i)};
    hipLaunchKernelGGL(move_one<triple>, 1, lanes, 0, nullptr, values);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < lanes; i++) {
        int from = (i + 1) % lanes;
        assert_true(values[i].a == from + 0.5 && values[i].b == -from - 0.5 && values[i].c == from);
    }
}

__global__ void sum_warps(const float *numbers, float *sum) {
    float own = numbers[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = warpSize / 2; step > 0; step /= 2)
        own += __shfl_down(own, static_cast<unsigned>(step));
    if (__lane_id() == 0) atomicAdd(sum, own);
}

void a_reduction_by_shuffles_is_exact(void **state) {
    std::vector<float> numbers(50 * 1024);
    float sum = 0;
    (void)state;
    for (size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<float>(i % 7);
    hipLaunchKernelGGL(sum_warps, 50, 1024, 0, nullptr, numbers.data(), &sum);
    assert_hip_ok(hipDeviceSynchronize());
    float want = 0;
    for (float number : numbers) want += number;
    assert_true(sum == want);
}

__global__ void reduce_partial(const int *numbers, int *sums, unsigned long long *mask) {
    int own = numbers[threadIdx.x];
    for (int step = warpSize / 2; step > 0; step /= 2) {
        int other = __shfl_down(own, static_cast<unsigned>(step));
        if (__lane_id() + static_cast<unsigned>(step) < 100 - threadIdx.x / warpSize * warpSize)
            own += other;
    }
    if (__lane_id() == 0) sums[threadIdx.x / warpSize] = own;
    if (threadIdx.x == 99) *mask = 0;
    unsigned long long present = __ballot(1);
    if (threadIdx.x == 99) *mask = present;
}

// A block of 100 threads has a second warp of 36.
void a_partial_warp_reduces_its_lanes(void **state) {
    int numbers[100];
    int sums[2] = {};
    unsigned long long mask = 0;
    (void)state;
    for (int i = 0; i < 100; i++) numbers[i] = i;
    hipLaunchKernelGGL(reduce_partial, 1, 100, 0, nullptr, numbers, sums, &mask);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(sums[0], 63 * 32);
    assert_int_equal(sums[0] + sums[1], 99 * 50);
    assert_int_equal(__popcll(mask), 36);
}

// ---- votes

struct votes {
    unsigned long long odd, active;
    int any, all, any_above, all_below;
};

__global__ void ask(votes *results) {
    int lane = static_cast<int>(__lane_id());
    votes &own = results[threadIdx.x];
    own.odd = __ballot(lane % 2);
    own.active = __activemask();
    own.any = __any(lane == 3);
    own.all = __all(lane != 3);
    own.any_above = __any(lane > 64);
    own.all_below = __all(lane < 64);
}

void votes_count_the_lanes_of_the_warp(void **state) {
    constexpr int threads = 2 * lanes + 5;
    votes results[threads];
    (void)state;
    hipLaunchKernelGGL(ask, 1, threads, 0, nullptr, results);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < threads; i++) {
        unsigned long long present = i < 2 * lanes ? all_lanes : 31;
        assert_true(results[i].odd == (0xaaaaaaaaaaaaaaaaull & present));
        assert_true(results[i].active == present);
        assert_int_equal(results[i].any, 1);
        assert_int_equal(results[i].all, 0);
        assert_int_equal(results[i].any_above, 0);
        assert_int_equal(results[i].all_below, 1);
    }
}

struct matches {
    unsigned long long same, sum_of_bits;
    int all, none, sum, least, most, bits;
};

__global__ void match(matches *results) {
    matches &own = results[threadIdx.x];
    int i = static_cast<int>(threadIdx.x);
    own.same = __match_any(i % 4) | __match_any_sync(all_lanes, i % 4);
    own.sum_of_bits = __match_all_sync(all_lanes, 7, &own.all);
    (void)__match_all(i, &own.none);
    own.sum = __reduce_add_sync(all_lanes, i);
    own.least = __reduce_min_sync(all_lanes, -i);
    own.most = __reduce_max_sync(all_lanes, -i);
    own.bits = __reduce_or_sync(all_lanes, i) + __reduce_and_sync(all_lanes, i | 2) +
               __reduce_xor_sync(all_lanes, 1);
}

void lanes_find_equal_values_and_combine_them(void **state) {
    matches results[lanes];
    (void)state;
    hipLaunchKernelGGL(match, 1, lanes, 0, nullptr, results);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < lanes; i++) {
        assert_true(results[i].same == (0x1111111111111111ull << i % 4 & all_lanes));
        assert_true(results[i].sum_of_bits == all_lanes);
        assert_int_equal(results[i].all, 1);
        assert_int_equal(results[i].none, 0);
        assert_int_equal(results[i].sum, lanes * (lanes - 1) / 2);
        assert_int_equal(results[i].least, 1 - lanes);
        assert_int_equal(results[i].most, 0);
        assert_int_equal(results[i].bits, lanes - 1 + 2);
    }
}

// ---- lanes that go apart

__global__ void go_apart(unsigned long long *masks) {
    unsigned long long &own = masks[threadIdx.x];
    if (threadIdx.x % 4 == 3) return;
    if (threadIdx.x % 4 == 0)
        own = __ballot(1);
    else
        own = __ballot(1);
    own |= __shfl(own, 1);
    __syncwarp();
}

void lanes_that_take_another_way_do_not_meet(void **state) {
    unsigned long long masks[lanes];
    (void)state;
    memset(masks, 0, sizeof masks);
    hipLaunchKernelGGL(go_apart, 1, lanes, 0, nullptr, masks);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < lanes; i++) {
        unsigned long long want = i % 4 == 3   ? 0
                                  : i % 4 == 0 ? 0x7777777777777777ull
                                               : 0x6666666666666666ull;
        assert_true(masks[i] == (want & all_lanes));
    }
}

__global__ void loop_apart(int *rounds) {
    int own = 0;
    for (unsigned i = 0; i < threadIdx.x % 5; i++) own += __popcll(__ballot(1));
    own += 1000 * __popcll(__ballot(1));
    __syncthreads();
    rounds[threadIdx.x] = own;
}

// Lanes leave the loop at different times; those in it meet first, and all meet behind it.
void lanes_meet_again_behind_a_loop(void **state) {
    int rounds[lanes];
    (void)state;
    hipLaunchKernelGGL(loop_apart, 1, lanes, 0, nullptr, rounds);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < lanes; i++) {
        int want = 1000 * lanes;
        for (int round = 0; round < i % 5; round++)
            for (int other = 0; other < lanes; other++) want += other % 5 > round;
        assert_int_equal(rounds[i], want);
    }
}

__global__ void meet_beside_a_barrier(int *sums) {
    if (threadIdx.x < 16) sums[threadIdx.x] = __shfl_xor(static_cast<int>(threadIdx.x), 1);
    __syncthreads();
    if (threadIdx.x >= 16) sums[threadIdx.x] = sums[threadIdx.x % 16];
}

void some_lanes_meet_while_others_wait_at_a_barrier(void **state) {
    int sums[2 * lanes] = {};
    (void)state;
    hipLaunchKernelGGL(meet_beside_a_barrier, 1, 2 * lanes, 0, nullptr, sums);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 2 * lanes; i++) assert_int_equal(sums[i], (i % 16) ^ 1);
}

// ---- masks

__global__ void meet_in_halves(int *results) {
    unsigned long long low = 0xffff, high = 0xffff0000;
    int i = static_cast<int>(threadIdx.x);
    if (i < 16) {
        results[i] = __shfl_sync(low, i, 7);
        __syncwarp(low);
    } else if (i < 32) {
        results[i] = __shfl_xor_sync(high, i, 1);
        results[i] += 100 * __any_sync(high, i == 20) + 200 * __all_sync(high, i >= 16);
        if (__ballot_sync(high, i == 17) != 1 << 17) results[i] = -1;
    }
}

void lanes_of_a_mask_meet_without_the_others(void **state) {
    int results[32];
    (void)state;
    hipLaunchKernelGGL(meet_in_halves, 1, lanes, 0, nullptr, results);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 32; i++) assert_int_equal(results[i], i < 16 ? 7 : 300 + (i ^ 1));
}

__global__ void miss_the_mask(bool returns) {
    if (threadIdx.x == 3 && returns) return;
    if (threadIdx.x == 3) __syncthreads();
    (void)__shfl_sync(all_lanes, 1, 0);
}

__global__ void stand_outside() { (void)__ballot_sync(6, 1); }

void assert_ends(void (*kernel)(bool), bool returns, const char *text) {
    hipStream_t stream = nullptr;
    assert_hip_ok(hipStreamCreate(&stream));
    hipLaunchKernelGGL(kernel, 1, lanes, 0, stream, returns);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    if (strstr(hipExtGetLastErrorText(), text) == nullptr)
        fail_msg("\"%s\" is not in: %s", text, hipExtGetLastErrorText());
    assert_hip_ok(hipStreamDestroy(stream));
    (void)hipGetLastError();
}

void a_lane_of_the_mask_that_does_not_come_ends_the_kernel(void **state) {
    hipStream_t stream = nullptr;
    (void)state;
    assert_ends(miss_the_mask, true, "thread (0, 0, 0) waits in __shfl_sync() at kernel_warp.cpp:");
    assert_ends(miss_the_mask, true, "and thread (3, 0, 0) has returned");
    assert_ends(miss_the_mask, false, "thread (3, 0, 0) waits in __syncthreads()");
    assert_hip_ok(hipStreamCreate(&stream));
    hipLaunchKernelGGL(stand_outside, 1, 4, 0, stream);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_non_null(strstr(hipExtGetLastErrorText(), "lane 0 is not in the mask 0x6"));
    assert_hip_ok(hipStreamDestroy(stream));
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_property_is_the_constant, forget_last_error),
        cmocka_unit_test_setup(shuffles_move_values_within_groups, forget_last_error),
        cmocka_unit_test_setup(shuffles_move_every_type, forget_last_error),
        cmocka_unit_test(lanes_are_read_as_by_amds_instructions),
        cmocka_unit_test(bits_are_chosen_as_by_amds_instructions),
        cmocka_unit_test_setup(a_reduction_by_shuffles_is_exact, forget_last_error),
        cmocka_unit_test_setup(a_partial_warp_reduces_its_lanes, forget_last_error),
        cmocka_unit_test_setup(votes_count_the_lanes_of_the_warp, forget_last_error),
        cmocka_unit_test_setup(lanes_find_equal_values_and_combine_them, forget_last_error),
        cmocka_unit_test_setup(lanes_that_take_another_way_do_not_meet, forget_last_error),
        cmocka_unit_test_setup(lanes_meet_again_behind_a_loop, forget_last_error),
        cmocka_unit_test_setup(some_lanes_meet_while_others_wait_at_a_barrier, forget_last_error),
        cmocka_unit_test_setup(lanes_of_a_mask_meet_without_the_others, forget_last_error),
        cmocka_unit_test_setup(a_lane_of_the_mask_that_does_not_come_ends_the_kernel,
                               forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
