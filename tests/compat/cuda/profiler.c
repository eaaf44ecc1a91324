// SPDX-License-Identifier: Apache-2.0
// Controls of a profiler, which is not attached.
#include "support/cuda.h"

#include <cudaProfiler.h>
#include <cuda_profiler_api.h>

static void controls_succeed_without_a_profiler(void **state) {
    (void)state;
    cuda_begin();
    assert_cu_ok(cuProfilerStart());
    assert_cu_ok(cuProfilerStop());
    assert_cuda_ok(cudaProfilerStart());
    assert_cuda_ok(cudaProfilerStop());
    assert_cuda_ok(cudaGetLastError());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_succeed_without_a_profiler),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, NULL);
}
