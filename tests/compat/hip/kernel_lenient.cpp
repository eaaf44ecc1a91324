// SPDX-License-Identifier: Apache-2.0
// Barriers at which threads that have returned do not count, with TARN_HIP_BARRIERS=lenient.
#include <hip/hip_cooperative_groups.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "support/work.h"

namespace {

__global__ void reverse(int *numbers, int n) {
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
        hipLaunchKernelGGL(reverse, 1, 256, 0, nullptr, numbers, n);
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

void threads_that_wait_for_each_other_still_fail(void **state) {
    hipStream_t stream = nullptr;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipLaunchKernelGGL(wait_for_lanes_at_a_barrier, 1, 64, 0, stream);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_non_null(strstr(hipExtGetLastErrorText(), "waits in"));
    assert_hip_ok(hipStreamDestroy(stream));
}

int lenient_group_setup(void **state) {
    return work_group_setup(state) != 0 ? -1 : setenv("TARN_HIP_BARRIERS", "lenient", 1);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_have_returned_do_not_count),
        cmocka_unit_test(threads_may_wait_in_several_lines),
        cmocka_unit_test(threads_that_wait_for_each_other_still_fail),
    };
    return cmocka_run_group_tests(tests, lenient_group_setup, nullptr);
}
