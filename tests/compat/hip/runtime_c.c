// SPDX-License-Identifier: Apache-2.0
// hip_runtime.h in C: the host API, short vectors, and a kernel's entry that needs no C++.
#include <hip/hip_runtime.h>

#include "support/hip.h"

_Static_assert(sizeof(float4) == 16 && _Alignof(float4) == 16, "as HIP has it");
_Static_assert(sizeof(double4) == 32 && _Alignof(double4) == 32, "as HIP has it");
_Static_assert(sizeof(char3) == 3 && _Alignof(char3) == 1, "as HIP has it");
_Static_assert(sizeof(uint2) == 8 && _Alignof(uint2) == 8, "as HIP has it");
_Static_assert(sizeof(short1) == 2, "as HIP has it");

static void vectors_have_what_they_were_made_of(void **state) {
    float4 f = make_float4(1, 2, 3, 4);
    uchar3 c = make_uchar3(1, 2, 255);
    (void)state;
    assert_true(f.x == 1 && f.y == 2 && f.z == 3 && f.w == 4);
    assert_int_equal(c.z, 255);
}

// Doubles one number for each thread of a block.
static __global__ hipError_t twice(const void *closure, const hipExtHostBlock *block,
                                   const char **why) {
    int *numbers = *(int *const *)closure;
    (void)why;
    for (uint32_t i = 0; i < block->blockDim.x; i++)
        numbers[block->blockIdx.x * block->blockDim.x + i] *= 2;
    return hipSuccess;
}

static void a_block_function_is_called_for_each_block(void **state) {
    int numbers[6] = {1, 2, 3, 4, 5, 6};
    int *argument = numbers;
    (void)state;
    assert_hip_ok(hipExtLaunchHostKernel(twice, (dim3){2, 1, 1}, (dim3){3, 1, 1}, 0, NULL,
                                         &argument, sizeof argument));
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 6; i++) assert_int_equal(numbers[i], 2 * (i + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_have_what_they_were_made_of),
        cmocka_unit_test(a_block_function_is_called_for_each_block),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
