// SPDX-License-Identifier: Apache-2.0
// Kernels that are launched by their address, with pointers to their arguments or a buffer of them,
// and queries about them.
#include <hip/hip_runtime.h>

#include <cstring>

#include "support/work.h"

namespace {

int forget_last_error(void **state) {
    (void)state;
    (void)hipGetLastError();
    return 0;
}

__global__ void scale(char first, double factor, int *numbers) {
    HIP_EXT_KERNEL((scale));
    __syncthreads();
    numbers[threadIdx.x] = static_cast<int>(numbers[threadIdx.x] * factor) + first;
}

template <typename T, int N> __global__ void fill(T *numbers) {
    HIP_EXT_KERNEL((fill<T, N>));
    numbers[blockIdx.x] = N;
}

struct holder {
    static __global__ void nothing() { HIP_EXT_KERNEL((holder::nothing)); }
};

__global__ void unknown(int *) {}

// The name is that of a function of the program, too.
__global__ void twice(int *number) {
    HIP_EXT_KERNEL((twice));
    *number *= 2;
}
void twice(int *number, int times) {
    for (int i = 0; i < times; i++) hipLaunchKernelGGL(twice, 1, 1, 0, nullptr, number);
}

template <typename F> const void *address(F *kernel) {
    return reinterpret_cast<const void *>(kernel);
}

const void *const scale_address = address(scale);

void assert_scaled(const int *numbers, int factor, int first) {
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 8; i++) assert_int_equal(numbers[i], i * factor + first);
}

struct arguments {
    char first;
    double factor;
    int *numbers;
};

void a_kernel_runs_by_its_address(void **state) {
    int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    arguments own = {0, 2, numbers};
    void *list[] = {&own.first, &own.factor, &own.numbers};
    size_t size = sizeof own;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &own, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    hipFunction_t function = nullptr;
    hipLaunchConfig_t config = {};
    (void)state;
    assert_hip_ok(hipLaunchKernel(scale_address, 1, 8, list, 0, nullptr));
    assert_scaled(numbers, 2, 0);
    assert_hip_ok(hipGetFuncBySymbol(&function, scale_address));
    assert_hip_ok(hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, list, nullptr));
    assert_scaled(numbers, 4, 0);
    assert_hip_ok(hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, extra));
    assert_scaled(numbers, 8, 0);
    own.factor = 1;
    own.first = 1;
    assert_hip_ok(hipLaunchCooperativeKernel(scale_address, 1, 8, list, 0, nullptr));
    assert_scaled(numbers, 8, 1);
    config.gridDim = 1;
    config.blockDim = 8;
    assert_hip_ok(hipLaunchKernelExC(&config, scale_address, list));
    assert_scaled(numbers, 8, 2);
    assert_hip_ok(hipLaunchKernel_spt(scale_address, 1, 8, list, 0, nullptr));
    assert_scaled(numbers, 8, 3);
    assert_hip_ok(hipLaunchCooperativeKernel_spt(scale_address, 1, 8, list, 0, nullptr));
    assert_scaled(numbers, 8, 4);
    assert_hip_ok(hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, list));
    assert_scaled(numbers, 8, 5);
    HIP_LAUNCH_CONFIG driver = {1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, 0};
    assert_hip_ok(hipDrvLaunchKernelEx(&driver, function, list, nullptr));
    assert_scaled(numbers, 8, 6);
}

void a_template_and_a_member_run_by_their_addresses(void **state) {
    long numbers[3] = {};
    long *argument = numbers;
    void *list[] = {&argument};
    (void)state;
    assert_hip_ok(hipLaunchKernel(address(fill<long, 7>), 3, 1, list, 0, nullptr));
    assert_hip_ok(hipLaunchKernel(address(holder::nothing), 1, 1, nullptr, 0, nullptr));
    assert_hip_ok(hipDeviceSynchronize());
    for (long number : numbers) assert_int_equal(number, 7);
    int number = 3;
    twice(&number, 2);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(number, 12);
}

void a_launch_with_events_records_them_around_the_kernel(void **state) {
    int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    arguments own = {0, 3, numbers};
    void *list[] = {&own.first, &own.factor, &own.numbers};
    hipEvent_t start = nullptr, stop = nullptr;
    hipFunction_t function = nullptr;
    float milliseconds = -1;
    (void)state;
    assert_hip_ok(hipEventCreate(&start));
    assert_hip_ok(hipEventCreate(&stop));
    assert_hip_ok(hipExtLaunchKernel(scale_address, 1, 8, list, 0, nullptr, start, stop, 0));
    assert_hip_ok(hipEventSynchronize(stop));
    assert_scaled(numbers, 3, 0);
    assert_hip_ok(hipEventElapsedTime(&milliseconds, start, stop));
    assert_true(milliseconds >= 0);
    assert_hip_ok(hipGetFuncBySymbol(&function, scale_address));
    assert_hip_ok(hipExtModuleLaunchKernel(function, 8, 1, 1, 8, 1, 1, 0, nullptr, list, nullptr,
                                           start, stop, 0));
    assert_scaled(numbers, 9, 0);
    assert_hip(hipExtModuleLaunchKernel(function, 9, 1, 1, 8, 1, 1, 0, nullptr, list, nullptr,
                                        nullptr, nullptr, 0),
               hipErrorInvalidValue);
    hipExtLaunchKernelGGL(scale, 1, 8, 0, nullptr, start, stop, 0, char(0), 2.0, numbers);
    assert_hip_ok(hipEventSynchronize(stop));
    assert_scaled(numbers, 18, 0);
    assert_hip_ok(hipEventElapsedTime(&milliseconds, start, stop));
    assert_hip_ok(hipEventDestroy(start));
    assert_hip_ok(hipEventDestroy(stop));
}

void bad_launches_by_address_are_refused(void **state) {
    arguments own = {0, 1, nullptr};
    void *list[] = {&own.first, &own.factor, &own.numbers};
    size_t size = sizeof own - 1;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &own, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    hipFunction_t function = nullptr;
    (void)state;
    assert_hip(hipLaunchKernel(address(unknown), 1, 1, list, 0, nullptr),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipGetFuncBySymbol(nullptr, scale_address), hipErrorInvalidDeviceFunction);
    assert_hip_ok(hipGetFuncBySymbol(&function, scale_address));
    assert_hip(hipLaunchKernel(scale_address, 1, 8, nullptr, 0, nullptr), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "scale has 3 parameters"));
    assert_hip(hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, list, extra),
               hipErrorInvalidValue);
    assert_hip(hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, extra),
               hipErrorInvalidValue);
    assert_hip(hipModuleLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, nullptr, list, nullptr),
               hipErrorInvalidValue);
    assert_hip(hipModuleLaunchKernel(function, 1, 0, 1, 8, 1, 1, 0, nullptr, list, nullptr),
               hipErrorInvalidValue);
    assert_hip(hipModuleLaunchKernel(function, 1, 1, 1, 8, 1, 0, 0, nullptr, list, nullptr),
               hipErrorInvalidValue);
    assert_hip(hipLaunchKernel(scale_address, 0, 8, list, 0, nullptr),
               hipErrorInvalidConfiguration);
}

void a_registered_kernel_has_a_name_and_attributes(void **state) {
    hipFuncAttributes attributes;
    hipFunction_t function = nullptr;
    int value = 0;
    int threads = 0;
    int units = 0;
    size_t bytes = 0;
    (void)state;
    assert_hip_ok(hipGetFuncBySymbol(&function, scale_address));
    assert_non_null(strstr(hipKernelNameRef(function), "scale"));
    const char *name = hipKernelNameRefByPtr(address(fill<long, 7>), nullptr);
    assert_non_null(strstr(name, "fill")); // clang leaves the template's arguments out
    assert_null(strchr(name, ']'));
    assert_hip_ok(hipFuncGetAttributes(&attributes, scale_address));
    assert_int_equal(attributes.maxThreadsPerBlock, 1024);
    assert_int_equal(attributes.numRegs, 0);
    assert_hip_ok(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    assert_int_equal(value, 1024);
    const hipFuncAttribute most = hipFuncAttributeMaxDynamicSharedMemorySize;
    assert_hip_ok(hipFuncSetAttribute(scale_address, most, 65536));
    assert_hip(hipFuncSetAttribute(scale_address, most, 65537), hipErrorInvalidValue);
    assert_hip(hipFuncSetAttribute(scale_address, hipFuncAttributeMax, 1), hipErrorInvalidValue);
    assert_hip_ok(hipFuncSetCacheConfig(scale_address, hipFuncCachePreferL1));
    assert_hip_ok(hipOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale_address, 1024, 65536));
    assert_int_equal(value, 1);
    assert_hip_ok(hipFuncSetSharedMemConfig(scale_address, hipSharedMemBankSizeDefault));
    assert_hip_ok(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 1025, 0));
    assert_int_equal(value, 0);
    assert_hip_ok(
        hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, function, 64, 0, 0));
    assert_int_equal(value, 1);
    assert_hip_ok(
        hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, scale_address, 64, 65537, 0));
    assert_int_equal(value, 0);
    assert_hip_ok(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    assert_hip_ok(hipModuleOccupancyMaxPotentialBlockSize(&value, &threads, function, 0, 128));
    assert_int_equal(value, units);
    assert_int_equal(threads, 128);
    assert_hip_ok(hipOccupancyMaxPotentialBlockSize(&value, &threads, scale_address, 0, 32));
    assert_int_equal(threads, 32);
    assert_hip_ok(
        hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&value, &threads, function, 0, 0, 0));
    assert_int_equal(threads, 1024);
    assert_hip_ok(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, scale_address, 1, 64));
    assert_int_equal(bytes, 65536);
    assert_hip_ok(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, scale_address, 2, 64));
    assert_int_equal(bytes, 0);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_kernel_runs_by_its_address, forget_last_error),
        cmocka_unit_test_setup(a_template_and_a_member_run_by_their_addresses, forget_last_error),
        cmocka_unit_test_setup(a_launch_with_events_records_them_around_the_kernel,
                               forget_last_error),
        cmocka_unit_test_setup(bad_launches_by_address_are_refused, forget_last_error),
        cmocka_unit_test_setup(a_registered_kernel_has_a_name_and_attributes, forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
