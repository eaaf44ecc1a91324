// SPDX-License-Identifier: Apache-2.0
// Device code is refused by name, and what hipcc compiles into a program may announce it all the
// same.
#include <unistd.h>

#include "support/hip.h"

// As hipcc's code calls them; no header declares them.
void **__hipRegisterFatBinary(const void *data);
void __hipUnregisterFatBinary(void **modules);
void __hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction,
                           const char *deviceName, unsigned int threadLimit, void *tid, void *bid,
                           dim3 *blockDim, dim3 *gridDim, int *wSize);
void __hipRegisterVar(void **modules, void *var, char *hostVar, char *deviceVar, int ext,
                      size_t size, int constant, int global);
void __hipRegisterManagedVar(void *module, void **pointer, void *initial, const char *name,
                             size_t size, unsigned align);
void __hipRegisterSurface(void **modules, void *var, char *hostVar, char *deviceVar, int type,
                          int ext);
void __hipRegisterTexture(void **modules, void *var, char *hostVar, char *deviceVar, int type,
                          int norm, int ext);

void __hipGetPCH(const char **pch, unsigned int *size);

static const dim3 one = {1, 1, 1};
static const char stub; // stands for the host stub of a kernel
static void **code;
static void *managed;

static void announced_code_is_harmless(void *arg) {
    char name[] = "variable";
    long initial[4] = {1, 2, 3, 4};
    static char variable[8];
    void **other = __hipRegisterFatBinary("other code");
    (void)arg;
    code = __hipRegisterFatBinary("code");
    __hipRegisterFunction(code, &stub, name, "square(int*)", 0, NULL, NULL, NULL, NULL, NULL);
    __hipRegisterVar(code, variable, name, name, 0, sizeof variable, 0, 0);
    __hipRegisterManagedVar(code, &managed, initial, "managed", sizeof initial, 64);
    __hipRegisterSurface(code, variable, name, name, 0, 0);
    __hipRegisterTexture(code, variable, name, name, 0, 0, 0);
    assert_int_equal((uintptr_t)managed % 64, 0);
    assert_memory_equal(managed, initial, sizeof initial);
    __hipUnregisterFatBinary(other);
    __hipUnregisterFatBinary(other); // harmless too
    assert_hip(hipLaunchKernel(&stub, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
    assert_non_null(strstr(hipExtGetLastErrorText(), "square(int*)"));
    assert_string_equal(hipKernelNameRefByPtr(&stub, NULL), "square(int*)");
    assert_null(hipKernelNameRef(NULL));
    __hipUnregisterFatBinary(code);
    assert_hip(hipLaunchKernel(&stub, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
    assert_null(strstr(hipExtGetLastErrorText(), "square(int*)"));
    assert_null(hipKernelNameRefByPtr(&stub, NULL));
}

static void code_is_announced_before_any_device_is_open(void **state) {
    (void)state;
    hip_in_child(announced_code_is_harmless, NULL, "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(announced_code_is_harmless, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

static void every_launch_of_device_code_is_refused(void **state) {
    (void)state;
    assert_hip(hipLaunchKernel(NULL, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
    assert_hip(hipLaunchKernel_spt(&stub, one, one, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
    assert_hip(hipExtLaunchKernel(&stub, one, one, NULL, 0, NULL, NULL, NULL, 0),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipLaunchCooperativeKernel(&stub, one, one, NULL, 0, NULL),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipModuleLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
               hipErrorInvalidHandle);
    assert_hip(hipModuleLaunchCooperativeKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL),
               hipErrorInvalidHandle);
}

static void a_configuration_with_attributes_is_checked(void **state) {
    hipLaunchAttribute attributes[2];
    hipLaunchConfig_t config = {.gridDim = one, .blockDim = one, .attrs = attributes};
    HIP_LAUNCH_CONFIG driver = {1, 1, 1, 1, 1, 1, 0, NULL, attributes, 0};
    hipFunction_t function = (hipFunction_t)&function;
    hipStream_t dead = NULL;
    (void)state;
    memset(attributes, 0, sizeof attributes);
    assert_hip(hipLaunchKernelExC(&config, NULL, NULL), hipErrorInvalidDeviceFunction);
    assert_hip(hipLaunchKernelExC(NULL, &stub, NULL), hipErrorInvalidConfiguration);
    assert_hip(hipLaunchKernelExC(&config, &stub, NULL), hipErrorInvalidDeviceFunction);
    assert_hip(hipDrvLaunchKernelEx(&driver, NULL, NULL, NULL), hipErrorInvalidHandle);
    assert_hip(hipDrvLaunchKernelEx(NULL, function, NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvLaunchKernelEx(&driver, function, NULL, NULL), hipErrorInvalidDeviceFunction);
    config.numAttrs = driver.numAttrs = 2;
    attributes[0].id = hipLaunchAttributeCooperative;
    attributes[1].id = hipLaunchAttributePriority;
    assert_hip(hipLaunchKernelExC(&config, &stub, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvLaunchKernelEx(&driver, function, NULL, NULL), hipErrorInvalidValue);
    attributes[0].val.cooperative = 1; // what follows is ignored
    assert_hip(hipLaunchKernelExC(&config, &stub, NULL), hipErrorInvalidDeviceFunction);
    assert_hip(hipDrvLaunchKernelEx(&driver, function, NULL, NULL), hipErrorInvalidDeviceFunction);
    attributes[0].id = hipLaunchAttributeIgnore;
    assert_hip(hipLaunchKernelExC(&config, &stub, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipStreamCreate(&dead));
    assert_hip_ok(hipStreamDestroy(dead));
    driver.hStream = dead;
    assert_hip(hipDrvLaunchKernelEx(&driver, function, NULL, NULL), hipErrorContextIsDestroyed);
}

static void configurations_are_kept_in_a_stack(void **state) {
    dim3 grid = {9, 9, 9};
    dim3 block = {9, 9, 9};
    size_t shared = 9;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip(__hipPopCallConfiguration(&grid, &block, &shared, &stream),
               hipErrorMissingConfiguration);
    assert_int_equal(shared, 9);
    assert_hip(hipLaunchByPtr(&stub), hipErrorMissingConfiguration);
    assert_hip_ok(hipConfigureCall(one, one, 1, NULL));
    assert_hip_ok(__hipPushCallConfiguration(one, (dim3){2, 3, 4}, 5, hipStreamPerThread));
    assert_hip(__hipPopCallConfiguration(NULL, &block, &shared, &stream), hipErrorInvalidValue);
    assert_hip_ok(__hipPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(grid.x, 1);
    assert_int_equal(block.y, 3);
    assert_int_equal(shared, 5);
    assert_ptr_equal(stream, hipStreamPerThread);
    assert_hip(hipLaunchByPtr(&stub), hipErrorInvalidDeviceFunction);
    assert_hip(hipLaunchByPtr(&stub), hipErrorMissingConfiguration);
    for (int i = 0; i < 16; i++) assert_hip_ok(__hipPushCallConfiguration(one, one, 0, NULL));
    assert_hip(__hipPushCallConfiguration(one, one, 0, NULL), hipErrorOutOfMemory);
    for (int i = 0; i < 16; i++)
        assert_hip_ok(__hipPopCallConfiguration(&grid, &block, &shared, &stream));
}

static void no_header_was_compiled_beforehand(void **state) {
    const char *header = "?";
    unsigned size = 7;
    (void)state;
    __hipGetPCH(&header, &size);
    assert_null(header);
    assert_int_equal(size, 0);
}

static void no_function_is_launched(void **state) {
    hipFunction_t function = (hipFunction_t)&function;
    (void)state;
    assert_hip(hipGetFuncBySymbol(NULL, &stub), hipErrorInvalidDeviceFunction);
    assert_hip(hipGetFuncBySymbol(&function, &stub), hipErrorInvalidDeviceFunction);
    assert_ptr_equal(function, &function);
    assert_hip(hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL),
               hipErrorInvalidDeviceFunction);
    assert_hip(
        hipExtModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL, NULL, NULL, 0),
        hipErrorInvalidDeviceFunction);
    assert_non_null(strstr(hipExtGetLastErrorText(), "kernel"));
}

static void nothing_is_known_about_kernels(void **state) {
    hipFuncAttributes attributes;
    int value = 7;
    (void)state;
    assert_hip(hipFuncGetAttributes(NULL, &stub), hipErrorInvalidValue);
    assert_hip(hipFuncGetAttributes(&attributes, &stub), hipErrorInvalidDeviceFunction);
    assert_hip(hipFuncGetAttribute(NULL, HIP_FUNC_ATTRIBUTE_NUM_REGS, NULL), hipErrorInvalidValue);
    assert_hip(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, NULL),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipFuncSetAttribute(&stub, hipFuncAttributeMaxDynamicSharedMemorySize, 1),
               hipErrorInvalidDeviceFunction);
    assert_hip(hipFuncSetCacheConfig(&stub, hipFuncCachePreferL1), hipErrorInvalidDeviceFunction);
    assert_hip(hipFuncSetSharedMemConfig(&stub, hipSharedMemBankSizeDefault),
               hipErrorInvalidDeviceFunction);
    assert_int_equal(value, 7);
}

static void no_code_object_is_loaded(void **state) {
    hipModule_t module = NULL;
    (void)state;
    assert_hip(hipModuleLoad(NULL, "/dev/null"), hipErrorInvalidValue);
    assert_hip(hipModuleLoad(&module, NULL), hipErrorInvalidValue);
    assert_hip(hipModuleLoad(&module, "/no/such/file.co"), hipErrorFileNotFound);
    assert_non_null(strstr(hipExtGetLastErrorText(), "/no/such/file.co"));
    assert_hip(hipModuleLoad(&module, "/dev/null"), hipErrorInvalidImage);
    assert_hip(hipModuleLoad(&module, "/proc/self/exe"), hipErrorNoBinaryForGpu);
    assert_hip(hipModuleLoadData(NULL, &stub), hipErrorInvalidValue);
    assert_hip(hipModuleLoadData(&module, NULL), hipErrorInvalidValue);
    assert_hip(hipModuleLoadData(&module, &stub), hipErrorNoBinaryForGpu);
    assert_hip(hipModuleLoadDataEx(&module, NULL, 0, NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipModuleLoadDataEx(&module, &stub, 0, NULL, NULL), hipErrorNoBinaryForGpu);
    assert_hip(hipModuleLoadFatBinary(NULL, &stub), hipErrorInvalidValue);
    assert_hip(hipModuleLoadFatBinary(&module, NULL), hipErrorInvalidValue);
    assert_hip(hipModuleLoadFatBinary(&module, &stub), hipErrorNoBinaryForGpu);
    assert_null(module);
}

static void no_module_is_one(void **state) {
    hipFunction_t function = NULL;
    hipDeviceptr_t address = NULL;
    size_t bytes = 7;
    (void)state;
    assert_hip(hipModuleUnload(NULL), hipErrorInvalidHandle);
    assert_hip(hipModuleUnload((hipModule_t)&bytes), hipErrorNotFound);
    assert_hip(hipModuleGetFunction(&function, NULL, "k"), hipErrorInvalidHandle);
    assert_hip(hipModuleGetGlobal(&address, &bytes, NULL, "v"), hipErrorInvalidHandle);
    assert_int_equal(bytes, 7);
    unsigned count = 7;
    assert_hip(hipModuleGetFunctionCount(&count, NULL), hipErrorInvalidHandle);
    assert_hip(hipModuleGetFunctionCount(&count, (hipModule_t)&bytes), hipErrorNotFound);
    assert_int_equal(count, 7);
}

static void no_occupancy_is_known(void **state) {
    const hipError_t unknown = hipErrorInvalidDeviceFunction;
    hipFunction_t function = (hipFunction_t)&function;
    size_t bytes = 7;
    int blocks = 7;
    int threads = 7;
    (void)state;
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessor(NULL, &stub, 1, 0),
               hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 1, 0), unknown);
    assert_hip(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &stub, 1, 0, 0),
               unknown);
    assert_hip(hipOccupancyMaxPotentialBlockSize(NULL, &threads, &stub, 0, 0),
               hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxPotentialBlockSize(&blocks, NULL, &stub, 0, 0), hipErrorInvalidValue);
    assert_hip(hipOccupancyMaxPotentialBlockSize(&blocks, &threads, &stub, 0, 0), unknown);
    assert_hip(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1, 0),
               unknown);
    assert_hip(
        hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 1, 0, 0),
        unknown);
    assert_hip(hipModuleOccupancyMaxPotentialBlockSize(&blocks, &threads, function, 0, 0), unknown);
    assert_hip(
        hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, function, 0, 0, 0),
        unknown);
    assert_int_equal(blocks, 7);
    assert_int_equal(threads, 7);
    assert_hip(hipOccupancyAvailableDynamicSMemPerBlock(NULL, &stub, 1, 1), hipErrorInvalidValue);
    assert_hip(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &stub, 0, 1), hipErrorInvalidValue);
    assert_hip(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &stub, 1, 0), hipErrorInvalidValue);
    assert_hip(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &stub, 1, 1),
               hipErrorInvalidDeviceFunction);
    assert_int_equal(bytes, 7);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(code_is_announced_before_any_device_is_open),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launch_of_device_code_is_refused),
        cmocka_unit_test(a_configuration_with_attributes_is_checked),
        cmocka_unit_test(configurations_are_kept_in_a_stack),
        cmocka_unit_test(no_header_was_compiled_beforehand),
        cmocka_unit_test(no_function_is_launched),
        cmocka_unit_test(nothing_is_known_about_kernels),
        cmocka_unit_test(no_code_object_is_loaded),
        cmocka_unit_test(no_module_is_one),
        cmocka_unit_test(no_occupancy_is_known),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
