// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: blocks, tiles, lanes that come together, and the grid of a cooperative launch.
#include <hip/hip_cooperative_groups.h>

#include <cstring>

#include "support/work.h"

namespace cg = cooperative_groups;

namespace {

int forget_last_error(void **state) {
    (void)state;
    (void)hipGetLastError();
    return 0;
}

hipStream_t new_stream() {
    hipStream_t stream = nullptr;
    assert_hip_ok(hipStreamCreate(&stream));
    return stream;
}

void assert_ends(hipStream_t stream, const char *text) {
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    if (strstr(hipExtGetLastErrorText(), text) == nullptr)
        fail_msg("\"%s\" is not in: %s", text, hipExtGetLastErrorText());
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- blocks and tiles

__global__ void rotate(int *numbers) {
    __shared__ int copy[6 * 7];
    cg::thread_block block = cg::this_thread_block();
    copy[block.thread_rank()] = numbers[block.thread_rank()];
    block.sync();
    numbers[block.thread_rank()] = copy[(block.thread_rank() + 1) % block.size()];
    cg::sync(block);
    if (block.group_dim().x != 6 || block.thread_index().y != threadIdx.y) numbers[0] = -1;
}

void a_block_is_a_group(void **state) {
    int numbers[42];
    (void)state;
    for (int i = 0; i < 42; i++) numbers[i] = i;
    hipLaunchKernelGGL(rotate, 1, dim3(6, 7), 0, nullptr, numbers);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 42; i++) assert_int_equal(numbers[i], (i + 1) % 42);
}

struct answers {
    unsigned rank, tile, tiles;
    int sum, first, next, previous, crossed;
    unsigned long long odd, same;
    int any, all;
};

template <unsigned N> __global__ void ask(answers *out) {
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int i = static_cast<int>(threadIdx.x);
    answers &own = out[i];
    own.rank = tile.thread_rank();
    own.tile = tile.meta_group_rank();
    own.tiles = tile.meta_group_size();
    own.sum = cg::reduce(tile, i, cg::plus<int>());
    own.first = tile.shfl(i, 0);
    own.next = tile.shfl_down(i, 1);
    own.previous = tile.shfl_up(i, 1);
    own.crossed = tile.shfl_xor(i, 1);
    own.odd = tile.ballot(i % 2);
    own.same = tile.match_any(i % 4);
    own.any = tile.any(i == 5);
    own.all = tile.all(i >= static_cast<int>(N));
    tile.sync();
}

template <int N> void assert_answers() {
    answers got[128];
    hipLaunchKernelGGL(ask<N>, 1, 128, 0, nullptr, got);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 128; i++) {
        int begin = i / N * N;
        unsigned long long bits = ~0ull >> (64 - N);
        assert_int_equal(got[i].rank, i % N);
        assert_int_equal(got[i].tile, i / N);
        assert_int_equal(got[i].tiles, 128 / N);
        assert_int_equal(got[i].sum, N * begin + N * (N - 1) / 2);
        assert_int_equal(got[i].first, begin);
        assert_int_equal(got[i].next, i % N == N - 1 ? i : i + 1);
        assert_int_equal(got[i].previous, i % N == 0 ? i : i - 1);
        assert_int_equal(got[i].crossed, N == 1 ? i : i ^ 1);
        assert_true(got[i].odd == ((N == 1 ? (i % 2 != 0 ? 1 : 0) : 0xaaaaaaaaaaaaaaaaull) & bits));
        if (N >= 4) assert_true(got[i].same == (0x1111111111111111ull << i % 4 & bits));
        assert_int_equal(got[i].any, begin <= 5 && 5 < begin + N);
        assert_int_equal(got[i].all, begin >= N);
    }
}

void tiles_exchange_values_among_themselves(void **state) {
    (void)state;
    assert_answers<1>();
    assert_answers<4>();
    assert_answers<16>();
    assert_answers<32>();
    assert_answers<64>();
}

__global__ void ask_size(unsigned *sizes) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    static_assert(decltype(tile)::num_threads() == 32, "the size is a constant");
    if (threadIdx.x != 0) return;
    sizes[0] = tile.size();
    sizes[1] = tile.meta_group_size();
    sizes[2] = cg::tiled_partition(cg::this_thread_block(), 16).size();
    sizes[3] = static_cast<unsigned>(cg::group_size(tile));
}

void a_tile_keeps_its_size_in_a_smaller_block(void **state) {
    unsigned sizes[4] = {};
    (void)state;
    hipLaunchKernelGGL(ask_size, 1, 8, 0, nullptr, sizes);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(sizes[0], 32);
    assert_int_equal(sizes[1], 1);
    assert_int_equal(sizes[2], 16);
    assert_int_equal(sizes[3], 32);
}

__global__ void use_one_tile(int *sums, unsigned size) {
    const auto tile = cg::tiled_partition(cg::this_thread_block(), size);
    if (tile.meta_group_rank() != 1) return;
    sums[tile.thread_rank()] =
        cg::reduce(tile, 1 + static_cast<int>(tile.thread_rank()), cg::greater<int>());
}

void a_tile_meets_without_the_rest_of_the_block(void **state) {
    int sums[8] = {};
    hipStream_t stream = nullptr;
    (void)state;
    hipLaunchKernelGGL(use_one_tile, 1, 100, 0, nullptr, sums, 8);
    assert_hip_ok(hipDeviceSynchronize());
    for (int sum : sums) assert_int_equal(sum, 8);
    hipLaunchKernelGGL(use_one_tile, 1, 13, 0, nullptr, sums, 8); // the tile has 5 threads
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 5; i++) assert_int_equal(sums[i], 5);
    stream = new_stream();
    hipLaunchKernelGGL(use_one_tile, 1, 100, 0, stream, sums, 9);
    assert_hip(hipStreamSynchronize(stream), hipErrorInvalidValue);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- groups as parameters, parts of groups, scans and copies

__device__ int sum_of(cg::thread_group group, int *room, int value) {
    const unsigned rank = group.thread_rank();
    for (unsigned n = group.size() / 2; n > 0; n /= 2) {
        room[rank] = value;
        group.sync();
        if (rank < n) value += room[rank + n];
        group.sync();
    }
    return value;
}

__global__ void sum_groups(int *sums) {
    __shared__ int room[64];
    const int i = static_cast<int>(threadIdx.x);
    const cg::thread_block block = cg::this_thread_block();
    const int of_block = sum_of(block, room, i);
    int *const own = room + i / 8 * 8;
    const int of_tile = sum_of(cg::tiled_partition(block, 8), own, i);
    const int of_static = sum_of(cg::tiled_partition<8>(block), own, i);
    const cg::thread_group eight = cg::tiled_partition<8>(block);
    const int of_part = sum_of(cg::tiled_partition(eight, 4), room + i / 4 * 4, i);
    if (i == 0) sums[0] = of_block;
    if (i % 8 == 0) sums[1 + i / 8] = of_tile == of_static ? of_tile : -1;
    if (i % 4 == 0) sums[9 + i / 4] = of_part;
}

void a_function_takes_any_group(void **state) {
    int sums[25] = {};
    (void)state;
    hipLaunchKernelGGL(sum_groups, 1, 64, 0, nullptr, sums);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(sums[0], 64 * 63 / 2);
    for (int i = 0; i < 8; i++) assert_int_equal(sums[1 + i], 8 * 8 * i + 28);
    for (int i = 0; i < 16; i++) assert_int_equal(sums[9 + i], 4 * 4 * i + 6);
}

struct parts {
    unsigned odd_rank, odd_size, label_size, tile_rank, tiles;
    int below, with_own, largest;
};

__global__ void part(parts *out) {
    const int i = static_cast<int>(threadIdx.x);
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const cg::coalesced_group odd = cg::binary_partition(tile, i % 2 != 0);
    parts &own = out[i];
    own.odd_rank = odd.thread_rank();
    own.odd_size = odd.size();
    own.label_size = cg::labeled_partition(tile, i % 16 < 3 ? 7 : i % 2).size();
    own.below = cg::exclusive_scan(tile, i);
    own.with_own = cg::inclusive_scan(odd, i, cg::plus<int>());
    own.largest = cg::inclusive_scan(tile, (i * 5) % 16, cg::greater<int>());
    if (i >= 20) return;
    const cg::coalesced_group some = cg::tiled_partition(cg::coalesced_threads(), 8);
    own.tile_rank = some.meta_group_rank();
    own.tiles = some.meta_group_size() * 100 + some.size();
}

void groups_are_parted_and_scanned(void **state) {
    parts got[32] = {};
    (void)state;
    hipLaunchKernelGGL(part, 1, 32, 0, nullptr, got);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        const int first = i / 16 * 16;
        int below = 0, with_own = 0, largest = 0;
        for (int k = first; k < i; k++) below += k;
        for (int k = first + i % 2; k <= i; k += 2) with_own += k;
        for (int k = first; k <= i; k++) largest = max(largest, (k * 5) % 16);
        assert_int_equal(got[i].odd_rank, i % 16 / 2);
        assert_int_equal(got[i].odd_size, 8);
        assert_int_equal(got[i].label_size, i % 16 < 3 ? 3 : i % 2 == 0 ? 6 : 7);
        assert_int_equal(got[i].below, below);
        assert_int_equal(got[i].with_own, with_own);
        assert_int_equal(got[i].largest, largest);
        assert_int_equal(got[i].tile_rank, i < 20 ? i / 8 : 0);
        assert_int_equal(got[i].tiles, i < 16 ? 308 : i < 20 ? 304 : 0);
    }
}

__global__ void copy_by_group(const int *from, int *to, int *ones) {
    __shared__ int room[50];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, room, from, sizeof room);
    cg::wait(block);
    cg::memcpy_async(block, to, 50, room, 60);
    cg::wait(block);
    cg::invoke_one(
        block, [ones](int by) { *ones += by; }, 1);
}

void groups_copy(void **state) {
    int from[50], to[60] = {}, ones = 0;
    (void)state;
    for (int i = 0; i < 50; i++) from[i] = i + 1;
    hipLaunchKernelGGL(copy_by_group, 1, 32, 0, nullptr, from, to, &ones);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 60; i++) assert_int_equal(to[i], i < 50 ? i + 1 : 0);
    assert_int_equal(ones, 1);
}

__global__ void come_together(unsigned *ranks, unsigned *counter) {
    unsigned base = 0;
    if (threadIdx.x % 3 != 0) return;
    cg::coalesced_group group = cg::coalesced_threads();
    if (group.thread_rank() == 0) base = atomicAdd(counter, group.size());
    ranks[threadIdx.x] = group.shfl(base, 0) + group.thread_rank();
}

void lanes_that_come_together_are_a_group(void **state) {
    unsigned ranks[64] = {};
    unsigned counter = 100;
    (void)state;
    hipLaunchKernelGGL(come_together, 1, 64, 0, nullptr, ranks, &counter);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(counter, 122);
    for (unsigned i = 0; i < 64; i++) assert_int_equal(ranks[i], i % 3 == 0 ? 100 + i / 3 : 0);
}

// ---- the grid

__global__ void add_neighbours(int *numbers, int rounds, int *valid) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long size = grid.size();
    unsigned long long rank = grid.thread_rank();
    if (rank == 0) *valid = grid.is_valid();
    for (int i = 0; i < rounds; i++) {
        int sum = numbers[rank] + numbers[(rank + 1) % size];
        grid.sync();
        numbers[rank] = sum;
        grid.sync();
    }
}

int blocks_at_once() {
    int blocks = 0;
    int units = 0;
    assert_hip_ok(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_neighbours, 32, 0));
    assert_hip_ok(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    return blocks * units;
}

void blocks_of_a_cooperative_launch_wait_for_each_other(void **state) {
    constexpr int threads = 32;
    int blocks = blocks_at_once();
    int *numbers = nullptr;
    int rounds = 10;
    int valid = 0;
    int *out = &valid;
    void *list[] = {&numbers, &rounds, &out};
    int supported = 0;
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, 0));
    assert_int_equal(supported, 1);
    assert_hip_ok(hipMallocManaged(reinterpret_cast<void **>(&numbers),
                                   static_cast<size_t>(blocks) * threads * sizeof(int)));
    for (int i = 0; i < blocks * threads; i++) numbers[i] = 1;
    assert_hip_ok(
        hipLaunchCooperativeKernel(add_neighbours, static_cast<unsigned>(blocks), threads, list));
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < blocks * threads; i++) assert_int_equal(numbers[i], 1024);
    assert_int_equal(valid, 1);
    assert_hip(hipLaunchCooperativeKernel(add_neighbours, static_cast<unsigned>(blocks) + 1,
                                          threads, list),
               hipErrorCooperativeLaunchTooLarge);
    assert_hip(hipLaunchCooperativeKernel(add_neighbours, 1, threads, nullptr),
               hipErrorInvalidValue);
    assert_hip_ok(hipFree(numbers));
}

__global__ void miss_the_grid(bool fail) {
    if (blockIdx.x == 0)
        cg::this_grid().sync();
    else if (fail)
        throw 1;
}

void a_block_that_misses_the_grids_barrier_ends_the_kernel(void **state) {
    bool fail = false;
    void *list[] = {&fail};
    unsigned blocks = static_cast<unsigned>(blocks_at_once());
    (void)state;
    if (blocks < 2) skip();
    hipStream_t stream = new_stream();
    assert_hip_ok(hipLaunchCooperativeKernel(miss_the_grid, blocks, 4, list, 0, stream));
    assert_ends(stream, "to which another block does not come");
    fail = true;
    stream = new_stream();
    assert_hip_ok(hipLaunchCooperativeKernel(miss_the_grid, blocks, 4, list, 0, stream));
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_hip_ok(hipStreamDestroy(stream));
    stream = new_stream();
    hipLaunchKernelGGL(miss_the_grid, blocks, 4, 0, stream, false);
    assert_ends(stream, "grid_group::sync() in a launch that is not cooperative");
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_block_is_a_group, forget_last_error),
        cmocka_unit_test_setup(tiles_exchange_values_among_themselves, forget_last_error),
        cmocka_unit_test_setup(a_tile_keeps_its_size_in_a_smaller_block, forget_last_error),
        cmocka_unit_test_setup(a_tile_meets_without_the_rest_of_the_block, forget_last_error),
        cmocka_unit_test(a_function_takes_any_group),
        cmocka_unit_test(groups_are_parted_and_scanned),
        cmocka_unit_test(groups_copy),
        cmocka_unit_test_setup(lanes_that_come_together_are_a_group, forget_last_error),
        cmocka_unit_test_setup(blocks_of_a_cooperative_launch_wait_for_each_other,
                               forget_last_error),
        cmocka_unit_test_setup(a_block_that_misses_the_grids_barrier_ends_the_kernel,
                               forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
