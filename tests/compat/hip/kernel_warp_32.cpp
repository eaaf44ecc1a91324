// SPDX-License-Identifier: Apache-2.0
// A program whose warps have 32 lanes; kernel_warp.cpp has 64.
#define HIP_EXT_WARP_SIZE 32
#include <hip/hip_runtime.h>

#include "support/work.h"

namespace {

void the_property_is_the_constant(void **state) {
    hipDeviceProp_t properties;
    int size = 0;
    (void)state;
    assert_int_equal(warpSize, 32);
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_int_equal(properties.warpSize, 32);
    assert_hip_ok(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0));
    assert_int_equal(size, 32);
}

__global__ void ask(unsigned long long *masks, int *sums) {
    int i = static_cast<int>(threadIdx.x);
    int sum = i;
    masks[i] = __ballot(i % 2);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor(sum, step);
    sums[i] = sum;
}

void a_warp_has_32_lanes(void **state) {
    unsigned long long masks[72];
    int sums[72];
    (void)state;
    hipLaunchKernelGGL(ask, 1, 64, 0, nullptr, masks, sums);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        assert_true(masks[i] == 0xaaaaaaaa);
        assert_int_equal(sums[i], 31 * 16 + (i < 32 ? 0 : 32 * 32));
    }
    hipLaunchKernelGGL(ask, 1, 72, 0, nullptr, masks, sums);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 64; i < 72; i++) assert_true(masks[i] == 0xaa);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_property_is_the_constant),
        cmocka_unit_test(a_warp_has_32_lanes),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
