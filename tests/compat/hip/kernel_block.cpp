// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads wait for each other at barriers, on memory that the block shares.
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

hipStream_t new_stream() {
    hipStream_t stream = nullptr;
    assert_hip_ok(hipStreamCreate(&stream));
    return stream;
}

// ---- blocks

// Of three blocks one runs without a meeting, in one all threads meet, and in one the last thread
// meets with nobody.
__global__ void count_threads(int *counts) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    if (block % 3 == 1) __syncthreads();
    if (block % 3 == 2 && thread == threads - 1) __syncwarp(1ull << thread % warpSize);
    counts[block * threads + thread] += static_cast<int>(block + 1);
}

void assert_each_thread_runs_once(dim3 grid, dim3 block) {
    unsigned threads = block.x * block.y * block.z;
    std::vector<int> counts(grid.x * grid.y * grid.z * threads);
    hipLaunchKernelGGL(count_threads, grid, block, 0, nullptr, counts.data());
    assert_hip_ok(hipDeviceSynchronize());
    for (unsigned i = 0; i < counts.size(); i++) assert_int_equal(counts[i], i / threads + 1);
}

void each_thread_of_each_block_runs_once(void **state) {
    (void)state;
    assert_each_thread_runs_once(dim3(5, 7, 9), dim3(3, 4, 5));
    assert_each_thread_runs_once(dim3(1, 200, 3), dim3(1, 1, 33));
    assert_each_thread_runs_once(dim3(1000), dim3(1));
}

// ---- barriers

__global__ void reverse(int *numbers) {
    __shared__ int copy[1024];
    copy[threadIdx.x] = numbers[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    numbers[blockIdx.x * blockDim.x + threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

void assert_reversed(unsigned blocks, unsigned threads) {
    std::vector<int> numbers(blocks * threads);
    for (unsigned i = 0; i < blocks * threads; i++) numbers[i] = static_cast<int>(i);
    hipLaunchKernelGGL(reverse, blocks, threads, 0, nullptr, numbers.data());
    assert_hip_ok(hipDeviceSynchronize());
    for (unsigned i = 0; i < blocks * threads; i++)
        assert_int_equal(numbers[i], i / threads * threads + threads - 1 - i % threads);
}

void a_barrier_separates_writes_from_reads(void **state) {
    (void)state;
    for (unsigned threads : {1u, 2u, 31u, 64u, 256u, 1024u}) assert_reversed(1, threads);
    assert_reversed(500, 64);
    assert_reversed(20, 1024);
}

__global__ void sum_tree(const int *numbers, int *sums) {
    HIP_DYNAMIC_SHARED(int, part);
    unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned size = blockDim.x * blockDim.y;
    part[i] = numbers[i] + static_cast<int>(blockIdx.x);
    __syncthreads();
    for (unsigned half = size / 2; half > 0; half /= 2) {
        if (i < half) part[i] += part[i + half];
        __syncthreads();
    }
    if (i == 0) sums[blockIdx.x] = part[0];
}

void barriers_in_a_loop_reduce_each_block(void **state) {
    int numbers[512];
    int sums[100] = {};
    (void)state;
    for (int i = 0; i < 512; i++) numbers[i] = i;
    hipLaunchKernelGGL(sum_tree, 100, dim3(32, 16), sizeof numbers, nullptr, numbers, sums);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 100; i++) assert_int_equal(sums[i], 511 * 256 + 512 * i);
}

HIP_EXT_FILE_SHARED(int, of_file);
HIP_EXT_FILE_SHARED(short[4], rows);

__global__ void share_by_other_names(int *sums) {
    HIP_DYNAMIC_SHARED(int[2], pairs);
    unsigned i = threadIdx.x;
    pairs[i][0] = static_cast<int>(i);
    pairs[i][1] = 0x50003;
    __syncthreads();
    int *pointer = of_file;
    sums += 16 * blockIdx.x;
    sums[i] = of_file[2 * i] + *(of_file + 1) + (pointer == &pairs[0][0] ? 0 : 1000);
    sums[i] += rows[i][3] + static_cast<int>(((unsigned char *)of_file)[8 * i + 4]);
}

void dynamic_shared_memory_has_several_names(void **state) {
    int sums[32];
    (void)state;
    hipLaunchKernelGGL(share_by_other_names, 2, 16, sizeof(int[16][2]), nullptr, sums);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 32; i++) assert_int_equal(sums[i], i % 16 + 0x50003 + 5 + 3);
}

__global__ void write_place(unsigned *places) {
    dim3 before(threadIdx.x, threadIdx.y, threadIdx.z);
    for (int i = 0; i < 3; i++) __syncthreads();
    unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    bool same = before.x == threadIdx.x && before.y == threadIdx.y && before.z == threadIdx.z;
    places[blockIdx.y * 210 + i] += same ? 1 : 100;
}

void a_thread_keeps_its_coordinates_at_a_barrier(void **state) {
    unsigned places[2][210] = {};
    (void)state;
    hipLaunchKernelGGL(write_place, dim3(1, 2), dim3(5, 6, 7), 0, nullptr, &places[0][0]);
    assert_hip_ok(hipDeviceSynchronize());
    for (auto &block : places)
        for (unsigned place : block) assert_int_equal(place, 1);
}

__global__ void vote(int *answers, int limit) {
    int i = static_cast<int>(threadIdx.x);
    answers[4 * i] = __syncthreads_count(i < limit);
    answers[4 * i + 1] = __syncthreads_and(i < limit);
    answers[4 * i + 2] = __syncthreads_or(i < limit);
    answers[4 * i + 3] = __syncthreads_count(i % 2 == 0 ? 2 : 0);
}

void a_barrier_counts_votes_of_all_threads(void **state) {
    constexpr int threads = 100;
    int answers[4 * threads];
    (void)state;
    for (int limit : {0, 1, 50, threads}) {
        hipLaunchKernelGGL(vote, 1, threads, 0, nullptr, answers, limit);
        assert_hip_ok(hipDeviceSynchronize());
        for (int i = 0; i < threads; i++) {
            assert_int_equal(answers[4 * i], limit);
            assert_int_equal(answers[4 * i + 1], limit == threads);
            assert_int_equal(answers[4 * i + 2], limit > 0);
            assert_int_equal(answers[4 * i + 3], threads / 2);
        }
    }
}

__global__ void recurse(int *sums, int depth) {
    struct local {
        static int sum(int n) {
            volatile char frame[1000];
            frame[0] = static_cast<char>(n);
            if (n == 50) __syncthreads();
            return n == 0 ? frame[0] : sum(n - 1) + 1;
        }
    };
    sums[threadIdx.x] = local::sum(depth);
}

void a_thread_waits_deep_in_its_calls(void **state) {
    int sums[64] = {};
    (void)state;
    hipLaunchKernelGGL(recurse, 1, 64, 0, nullptr, sums, 100);
    assert_hip_ok(hipDeviceSynchronize());
    for (int sum : sums) assert_int_equal(sum, 100);
}

// ---- loops that wait

template <int how> __global__ void wait_in_a_loop(unsigned *turn, volatile unsigned *plain) {
    switch (how) {
    case 0:
        while (atomicCAS(turn, threadIdx.x + 1, threadIdx.x) != threadIdx.x + 1) {
        }
        break;
    case 1:
        while (__hip_atomic_load(turn, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) !=
               threadIdx.x + 1) {
        }
        __hip_atomic_store(turn, threadIdx.x, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        break;
    case 2:
        while (*plain != threadIdx.x + 1) __threadfence();
        *plain = threadIdx.x;
        break;
    default:
        while (*plain != threadIdx.x + 1) __nanosleep(10);
        __threadfence_block();
        *plain = threadIdx.x;
    }
}

// The last thread goes first, and each one waits for the next.
void threads_that_wait_in_a_loop_let_others_run(void **state) {
    void (*const kernels[])(unsigned *, volatile unsigned *) = {
        wait_in_a_loop<0>, wait_in_a_loop<1>, wait_in_a_loop<2>, wait_in_a_loop<3>};
    (void)state;
    for (auto kernel : kernels) {
        unsigned turn = 100;
        hipLaunchKernelGGL(kernel, 1, 100, 0, nullptr, &turn, &turn);
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(turn, 0);
    }
}

__global__ void wait_for_lanes(unsigned *flag) {
    if (threadIdx.x == 0) {
        while (atomicCAS(flag, 1u, 2u) != 1u) {
        }
    } else if (__shfl(1, 1) == 1 && threadIdx.x == 5) {
        atomicExch(flag, 1u);
    }
}

void lanes_meet_while_another_one_waits_in_a_loop(void **state) {
    unsigned flag = 0;
    (void)state;
    hipLaunchKernelGGL(wait_for_lanes, 1, 64, 0, nullptr, &flag);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(flag, 2);
}

// ---- barriers that not all threads reach

__global__ void reverse_part(int *numbers, int n) {
    __shared__ int copy[256];
    int i = static_cast<int>(threadIdx.x);
    if (i >= n) return;
    copy[i] = numbers[i];
    __syncthreads();
    numbers[i] = copy[n - 1 - i];
    if (i == n - 1) return; // the last thread, when the others wait
    numbers[i] += 1000 * __syncthreads_count(i % 2 == 0);
}

void threads_that_have_returned_do_not_count(void **state) {
    (void)state;
    for (int n : {1, 2, 100, 255, 256}) {
        int numbers[256];
        for (int i = 0; i < 256; i++) numbers[i] = i;
        hipLaunchKernelGGL(reverse_part, 1, 256, 0, nullptr, numbers, n);
        assert_hip_ok(hipDeviceSynchronize());
        for (int i = 0; i < n - 1; i++) assert_int_equal(numbers[i], n - 1 - i + 1000 * (n / 2));
        assert_int_equal(numbers[n - 1], 0);
        for (int i = n; i < 256; i++) assert_int_equal(numbers[i], i);
    }
}

__global__ void wait_in_two_lines(int *sum) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        atomicAdd(sum, 1);
        __syncthreads();
    }
    if (threadIdx.x == 0) *sum *= 10;
}

void threads_may_wait_in_several_lines(void **state) {
    int sum = 0;
    (void)state;
    hipLaunchKernelGGL(wait_in_two_lines, 1, 64, 0, nullptr, &sum);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(sum, 320);
}

__global__ void wait_for_lanes_at_a_barrier() {
    if (threadIdx.x == 0) __syncthreads();
    if (threadIdx.x == 1) (void)__shfl_sync(3, 1, 0);
}

void threads_that_wait_for_each_other_fail(void **state) {
    hipStream_t stream = nullptr;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipLaunchKernelGGL(wait_for_lanes_at_a_barrier, 1, 64, 0, stream);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_non_null(strstr(hipExtGetLastErrorText(), "waits in"));
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- blocks

__global__ void meet_another_block(unsigned *arrived) {
    atomicAdd(arrived, 1);
    for (int i = 0; i < 10000 && __atomic_load_n(arrived, __ATOMIC_RELAXED) < 2; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (__atomic_load_n(arrived, __ATOMIC_RELAXED) == 2) atomicAdd(arrived, 10);
}

// Each block waits a while for the other one; one after another they would not meet.
void blocks_run_at_the_same_time(void **state) {
    unsigned arrived = 0;
    hipDeviceProp_t properties;
    (void)state;
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    if (properties.multiProcessorCount < 2) skip();
    need_functions_at_once();
    hipLaunchKernelGGL(meet_another_block, 2, 1, 0, nullptr, &arrived);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(arrived > 10);
}

__global__ void keep_apart(int *wrong) {
    __shared__ unsigned owner[64];
    owner[threadIdx.x] = blockIdx.x;
    for (int i = 0; i < 20; i++) {
        __syncthreads();
        if (owner[(threadIdx.x + 1) % 64] != blockIdx.x) atomicAdd(wrong, 1);
    }
}

void blocks_do_not_share_memory(void **state) {
    int wrong = 0;
    (void)state;
    hipLaunchKernelGGL(keep_apart, 500, 64, 0, nullptr, &wrong);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(wrong, 0);
}

// ---- launches by name

template <typename T> __global__ void fill(T *numbers, T value) {
    __syncthreads();
    numbers[threadIdx.x] = value;
}

__global__ void overloaded(int *number) { *number = 1; }
__global__ void overloaded(float *number) { *number = 2; }

__global__ void set(const int *from, short *to, double value) {
    *to = static_cast<short>(value + (from == nullptr ? 0 : *from));
}

void (*changing)(int *) = overloaded;

void a_launch_finds_the_kernel_by_name_and_arguments(void **state) {
    long numbers[3] = {};
    float number = 0;
    short result = 0;
    int by_pointer = 0;
    (void)state;
    HIP_EXT_LAUNCH((fill), 1, 3)(numbers, 7l);
    HIP_EXT_LAUNCH((fill<long>), dim3(1), dim3(1), 0, nullptr)(numbers, 8);
    HIP_EXT_LAUNCH((overloaded), 1, 1)(&number);
    HIP_EXT_LAUNCH((set), 1, 1, 64)(0, &result, 3);
    void (*pointer)(int *) = overloaded;
    HIP_EXT_LAUNCH((pointer), 1, 1)(&by_pointer);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(numbers[0], 8);
    assert_int_equal(numbers[2], 7);
    assert_true(number == 2);
    assert_int_equal(result, 3);
    assert_int_equal(by_pointer, 1);
}

__global__ void write_two(int *number) { *number = 2; }

void a_variable_names_the_kernel_of_the_launch(void **state) {
    struct gate gate = {};
    int number = 0;
    hipStream_t stream = new_stream();
    (void)state;
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    changing = write_two;
    hipLaunchKernelGGL(changing, 1, 1, 0, stream, &number);
    changing = overloaded;
    gate.open = true;
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(number, 2);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_thread_of_each_block_runs_once, forget_last_error),
        cmocka_unit_test_setup(a_barrier_separates_writes_from_reads, forget_last_error),
        cmocka_unit_test_setup(barriers_in_a_loop_reduce_each_block, forget_last_error),
        cmocka_unit_test_setup(dynamic_shared_memory_has_several_names, forget_last_error),
        cmocka_unit_test_setup(a_thread_keeps_its_coordinates_at_a_barrier, forget_last_error),
        cmocka_unit_test_setup(a_barrier_counts_votes_of_all_threads, forget_last_error),
        cmocka_unit_test_setup(a_thread_waits_deep_in_its_calls, forget_last_error),
        cmocka_unit_test_setup(threads_that_wait_in_a_loop_let_others_run, forget_last_error),
        cmocka_unit_test_setup(lanes_meet_while_another_one_waits_in_a_loop, forget_last_error),
        cmocka_unit_test_setup(threads_that_have_returned_do_not_count, forget_last_error),
        cmocka_unit_test_setup(threads_may_wait_in_several_lines, forget_last_error),
        cmocka_unit_test_setup(threads_that_wait_for_each_other_fail, forget_last_error),
        cmocka_unit_test_setup(blocks_run_at_the_same_time, forget_last_error),
        cmocka_unit_test_setup(blocks_do_not_share_memory, forget_last_error),
        cmocka_unit_test_setup(a_launch_finds_the_kernel_by_name_and_arguments, forget_last_error),
        cmocka_unit_test_setup(a_variable_names_the_kernel_of_the_launch, forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
