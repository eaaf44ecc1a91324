// SPDX-License-Identifier: Apache-2.0
// Barriers that not all threads of a block reach, with TARN_HIP_BARRIERS=strict.
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/work.h"

namespace {

// A failure stays on its stream, so each kernel that fails has a stream of its own.
void assert_ends(hipStream_t stream, hipError_t error, const char *text) {
    assert_hip(hipStreamSynchronize(stream), error);
    if (strstr(hipExtGetLastErrorText(), text) == nullptr)
        fail_msg("\"%s\" is not in: %s", text, hipExtGetLastErrorText());
    assert_hip_ok(hipStreamDestroy(stream));
    (void)hipGetLastError();
}

hipStream_t new_stream() {
    hipStream_t stream = nullptr;
    assert_hip_ok(hipStreamCreate(&stream));
    return stream;
}

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

__global__ void return_early(int threads) {
    if (static_cast<int>(threadIdx.x) >= threads) return;
    __syncthreads();
}

__global__ void return_first() {
    if (threadIdx.x == 0) return;
    __syncthreads();
}

__global__ void wait_in_two_lines(int *passed) {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    ++*passed;
}

__global__ void wait_in_half_of_a_loop() {
    for (unsigned i = 0; i < threadIdx.x; i++) __syncthreads();
}

void a_barrier_that_some_threads_miss_ends_the_kernel(void **state) {
    int passed = 0;
    (void)state;
    hipStream_t stream = new_stream();
    hipLaunchKernelGGL(return_early, 3, 100, 0, stream, 100);
    assert_hip_ok(hipStreamSynchronize(stream));
    hipLaunchKernelGGL(return_early, 3, 100, 0, stream, 60);
    assert_ends(stream, hipErrorLaunchFailure,
                "thread (0, 0, 0) waits in __syncthreads() at kernel_strict.cpp:");
    stream = new_stream();
    hipLaunchKernelGGL(return_early, 1, 100, 0, stream, 60);
    assert_ends(stream, hipErrorLaunchFailure,
                "kernel return_early, block (0, 0, 0), thread (0, 0, 0) waits");
    stream = new_stream();
    hipLaunchKernelGGL(return_early, 1, 100, 0, stream, 60);
    assert_ends(stream, hipErrorLaunchFailure, "and thread (60, 0, 0) has returned");
    stream = new_stream();
    hipLaunchKernelGGL(return_first, 1, 100, 0, stream);
    assert_ends(stream, hipErrorLaunchFailure, "and thread (0, 0, 0) has returned");
    stream = new_stream();
    hipLaunchKernelGGL(wait_in_two_lines, 1, 64, 0, stream, &passed);
    assert_ends(stream, hipErrorLaunchFailure,
                "and thread (32, 0, 0) waits in __syncthreads() at kernel_strict.cpp:");
    assert_int_equal(passed, 0);
    stream = new_stream();
    hipLaunchKernelGGL(wait_in_half_of_a_loop, 1, 64, 0, stream);
    assert_ends(stream, hipErrorLaunchFailure, "and thread (0, 0, 0) has returned");
    assert_reversed(10, 256); // stacks that were left are used again
}

int strict_group_setup(void **state) {
    return work_group_setup(state) != 0 ? -1 : setenv("TARN_HIP_BARRIERS", "strict", 1);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_that_some_threads_miss_ends_the_kernel),
    };
    return cmocka_run_group_tests(tests, strict_group_setup, nullptr);
}
