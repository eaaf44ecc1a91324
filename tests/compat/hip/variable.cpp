// SPDX-License-Identifier: Apache-2.0
// Variables that kernels use, and the functions that copy them.
#include <hip/hip_runtime.h>

#include <cstring>

#include "support/work.h"

namespace {

int forget_last_error(void **state) {
    (void)state;
    (void)hipGetLastError();
    return 0;
}

__device__ int counter = 5;
__constant__ float factors[4];
__device__ volatile unsigned flag;
__managed__ int managed[8];

struct pair {
    int a, b;
};
__constant__ pair both = {1, 2};
__device__ int never_named[4];

__global__ void use(float *out) {
    out[threadIdx.x] = factors[threadIdx.x] * 2;
    managed[threadIdx.x] = both.a + both.b;
    atomicAdd(&counter, 1);
    flag = 1;
}

void kernels_see_what_is_copied_to_a_variable(void **state) {
    const float first[4] = {1, 2, 3, 4};
    const pair numbers = {30, 12};
    float out[4] = {};
    int count = 0;
    unsigned set = 0;
    (void)state;
    assert_hip_ok(hipMemcpyToSymbol(factors, first, sizeof first));
    assert_hip_ok(hipMemcpyToSymbol(HIP_SYMBOL(factors), &first[3], 4, 4, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpyToSymbolAsync(both, &numbers, sizeof numbers, 0, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(use, 1, 4, 0, nullptr, out);
    assert_hip_ok(hipMemcpyFromSymbol(&count, counter, sizeof count));
    assert_int_equal(count, 9);
    assert_hip_ok(hipMemcpyFromSymbolAsync(&set, HIP_SYMBOL(flag), sizeof set, 0,
                                           hipMemcpyDeviceToHost, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(set, 1);
    assert_true(out[0] == 2 && out[1] == 8 && out[2] == 6 && out[3] == 8);
    for (int i = 0; i < 4; i++) assert_int_equal(managed[i], 42);
}

void the_address_of_a_variable_is_memory_of_the_device(void **state) {
    void *address = nullptr;
    size_t size = 0;
    float numbers[4] = {9, 8, 7, 6};
    (void)state;
    assert_hip_ok(hipGetSymbolAddress(&address, factors));
    assert_hip_ok(hipGetSymbolSize(&size, HIP_SYMBOL(factors)));
    assert_int_equal(size, sizeof factors);
    assert_hip_ok(hipMemcpy(address, numbers, size, hipMemcpyHostToDevice));
    assert_true(factors[3] == 6);
    factors[3] = 1;
    assert_hip_ok(hipMemcpy(numbers, address, size, hipMemcpyDeviceToHost));
    assert_true(numbers[3] == 1);
    assert_hip_ok(hipMemset(address, 0, size));
    assert_true(factors[0] == 0);
}

void copies_of_a_variable_are_captured(void **state) {
    hipStream_t stream = nullptr;
    hipGraph_t graph = nullptr;
    hipGraphExec_t exec = nullptr;
    int number = 77;
    int back = 0;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(
        hipMemcpyToSymbolAsync(counter, &number, sizeof number, 0, hipMemcpyHostToDevice, stream));
    assert_hip_ok(
        hipMemcpyFromSymbolAsync(&back, counter, sizeof back, 0, hipMemcpyDefault, stream));
    assert_hip(hipMemcpyFromSymbolAsync(&back, counter, 4, 0, hipMemcpyHostToDevice, stream),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpyToSymbolAsync(counter, &number, 4, 0, hipMemcpyDeviceToHost, stream),
               hipErrorInvalidMemcpyDirection);
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    number = 78;
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(back, 78);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

void bad_uses_of_variables_are_refused(void **state) {
    const void *known = &factors;
    const void *unknown = &never_named;
    void *address = nullptr;
    size_t size = 7;
    float four[5] = {};
    (void)state;
    assert_hip_ok(hipGetSymbolSize(&size, factors));
    assert_hip(hipGetSymbolSize(&size, unknown), hipErrorInvalidSymbol);
    assert_hip(hipGetSymbolAddress(&address, unknown), hipErrorInvalidSymbol);
    assert_hip(hipGetSymbolAddress(&address, static_cast<const void *>(nullptr)),
               hipErrorInvalidSymbol);
    assert_hip(hipGetSymbolAddress(nullptr, known), hipErrorInvalidValue);
    assert_hip(hipGetSymbolSize(nullptr, known), hipErrorInvalidValue);
    assert_hip(hipMemcpyToSymbol(unknown, four, 4), hipErrorInvalidSymbol);
    assert_hip(hipMemcpyToSymbol(known, four, 20), hipErrorInvalidValue);
    assert_hip(hipMemcpyToSymbol(known, four, 4, 13), hipErrorInvalidValue);
    assert_hip(hipMemcpyFromSymbol(four, known, 4, SIZE_MAX), hipErrorInvalidValue);
    assert_hip(hipMemcpyToSymbol(known, four, 4, 0, hipMemcpyDeviceToHost),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpyFromSymbol(four, known, 4, 0, hipMemcpyHostToDevice),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpyFromSymbol(nullptr, known, 4), hipErrorInvalidValue);
    assert_hip(hipExtRegisterHostVariable(nullptr, 4), hipErrorInvalidValue);
    assert_hip(hipExtRegisterHostVariable(unknown, 0), hipErrorInvalidValue);
    assert_hip_ok(hipExtRegisterHostVariable(unknown, sizeof never_named));
    assert_hip_ok(hipGetSymbolSize(&size, unknown));
    assert_int_equal(size, sizeof never_named);
}

void the_streams_of_threads_copy_variables_too(void **state) {
    const void *known = &counter;
    int number = 3;
    (void)state;
    assert_hip_ok(hipExtRegisterHostVariable(known, sizeof counter));
    assert_hip_ok(hipMemcpyToSymbol_spt(known, &number, sizeof number));
    assert_int_equal(counter, 3);
    number = 4;
    assert_hip_ok(hipMemcpyToSymbolAsync_spt(known, &number, sizeof number, 0, hipMemcpyDefault));
    assert_hip_ok(hipMemcpyFromSymbol_spt(&number, known, sizeof number));
    assert_int_equal(number, 4);
    counter = 5;
    assert_hip_ok(hipMemcpyFromSymbolAsync_spt(&number, known, sizeof number, 0, hipMemcpyDefault));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_int_equal(number, 5);
}

void a_literal_null_is_no_variable(void **state) {
    void *address = nullptr;
    size_t size = 0;
    int number = 0;
    (void)state;
    assert_hip(hipGetSymbolAddress(&address, nullptr), hipErrorInvalidSymbol);
    assert_hip(hipGetSymbolSize(&size, nullptr), hipErrorInvalidSymbol);
    assert_hip(hipMemcpyToSymbol(nullptr, &number, 4), hipErrorInvalidSymbol);
    assert_hip(hipMemcpyFromSymbol(&number, nullptr, 4), hipErrorInvalidSymbol);
    assert_hip(hipMemcpyToSymbolAsync(nullptr, &number, 4, 0, hipMemcpyHostToDevice, nullptr),
               hipErrorInvalidSymbol);
    assert_hip(hipMemcpyFromSymbolAsync(&number, nullptr, 4, 0, hipMemcpyDeviceToHost, nullptr),
               hipErrorInvalidSymbol);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(kernels_see_what_is_copied_to_a_variable, forget_last_error),
        cmocka_unit_test_setup(the_address_of_a_variable_is_memory_of_the_device,
                               forget_last_error),
        cmocka_unit_test_setup(copies_of_a_variable_are_captured, forget_last_error),
        cmocka_unit_test_setup(bad_uses_of_variables_are_refused, forget_last_error),
        cmocka_unit_test_setup(a_literal_null_is_no_variable, forget_last_error),
        cmocka_unit_test_setup(the_streams_of_threads_copy_variables_too, forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
