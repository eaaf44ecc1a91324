// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library: devices, their identity, and memory in use.
#include <stdio.h>
#include <unistd.h>

#include <nvml.h>

#include "support/cuda.h"

#define assert_nvml(call, want) assert_int_equal((call), (want))
#define assert_nvml_ok(call)    assert_nvml(call, NVML_SUCCESS)

static nvmlDevice_t device_at(unsigned index) {
    nvmlDevice_t device = NULL;
    assert_nvml_ok(nvmlDeviceGetHandleByIndex(index, &device));
    return device;
}

static int begin(void **state) {
    (void)state;
    return nvmlInit() == NVML_SUCCESS ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    return nvmlShutdown() == NVML_SUCCESS ? 0 : -1;
}

static void calls_before_the_beginning_are_refused(void **state) {
    unsigned count = 7;
    nvmlDevice_t device = NULL;
    char version[80];
    (void)state;
    assert_nvml(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
    assert_nvml(nvmlDeviceGetHandleByIndex(0, &device), NVML_ERROR_UNINITIALIZED);
    assert_nvml(nvmlSystemGetDriverVersion(version, sizeof version), NVML_ERROR_UNINITIALIZED);
    assert_nvml(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
    assert_int_equal(count, 7);
}

static void beginnings_are_counted(void **state) {
    unsigned count = 0;
    (void)state;
    assert_nvml_ok(nvmlInit());
    assert_nvml_ok(nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS));
    assert_nvml_ok(nvmlShutdown());
    assert_nvml_ok(nvmlDeviceGetCount(&count));
    assert_true(count > 0);
    assert_nvml_ok(nvmlShutdown());
    assert_nvml(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
    assert_nvml_ok(nvmlInitWithFlags(8)); // unknown flags have no effect
    assert_nvml_ok(nvmlShutdown());
}

static void it_does_not_initialise_cuda(void **state) {
    int count = 0;
    (void)state;
    assert_cu(cuDeviceGetCount(&count), 3);
}

static void versions_are_those_of_the_driver(void **state) {
    char text[80] = "";
    int nvml = 0, driver = 0;
    (void)state;
    assert_nvml_ok(nvmlSystemGetCudaDriverVersion(&nvml));
    assert_cu_ok(cuDriverGetVersion(&driver));
    assert_int_equal(nvml, driver);
    assert_nvml_ok(nvmlSystemGetDriverVersion(text, sizeof text));
    assert_non_null(strchr(text, '.'));
    assert_nvml(nvmlSystemGetDriverVersion(text, 3), NVML_ERROR_INSUFFICIENT_SIZE);
    assert_nvml_ok(nvmlSystemGetNVMLVersion(text, sizeof text));
    assert_int_equal(strncmp(text, "13.", 3), 0);
    assert_nvml_ok(nvmlSystemGetProcessName((unsigned)getpid(), text, sizeof text));
    assert_nvml(nvmlSystemGetProcessName(0, text, sizeof text), NVML_ERROR_NOT_FOUND);
}

static void a_device_has_the_identity_that_the_driver_shows(void **state) {
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_BUFFER_SIZE], bus[32],
        driver_name[96];
    nvmlPciInfo_t pci;
    nvmlDevice_t found = NULL;
    CUuuid bytes;
    int major = 0, minor = 0, domain = 0, driver_major = 0;
    unsigned index = 999, count = 0;
    (void)state;
    assert_cu_ok(cuInit(0));
    assert_nvml_ok(nvmlDeviceGetCount(&count));
    const int last = (int)count - 1;
    nvmlDevice_t device = device_at(count - 1);
    assert_nvml_ok(nvmlDeviceGetName(device, name, sizeof name));
    assert_cu_ok(cuDeviceGetName(driver_name, sizeof driver_name, last));
    assert_string_equal(name, driver_name);
    assert_nvml(nvmlDeviceGetName(device, name, 3), NVML_ERROR_INSUFFICIENT_SIZE);

    assert_nvml_ok(nvmlDeviceGetIndex(device, &index));
    assert_int_equal(index, last);

    assert_nvml_ok(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    assert_cu_ok(cuDeviceGetUuid(&bytes, last));
    assert_int_equal(strlen(uuid), strlen("GPU-01234567-0123-0123-0123-0123456789ab"));
    for (size_t i = 0, at = 4; i < 16; i++, at += 2) {
        unsigned byte = 0;
        at += uuid[at] == '-';
        assert_int_equal(sscanf(uuid + at, "%2x", &byte), 1);
        assert_int_equal(byte, (unsigned char)bytes.bytes[i]);
    }
    assert_nvml_ok(nvmlDeviceGetHandleByUUID(uuid, &found));
    assert_ptr_equal(found, device);
    assert_nvml(nvmlDeviceGetHandleByUUID("GPU-0", &found), NVML_ERROR_NOT_FOUND);

    assert_nvml_ok(nvmlDeviceGetPciInfo(device, &pci));
    assert_cu_ok(cuDeviceGetAttribute(&domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, last));
    assert_int_equal(pci.domain, domain);
    assert_cu_ok(cuDeviceGetPCIBusId(bus, sizeof bus, last));
    for (const char *const *id = (const char *const[]){pci.busId, pci.busIdLegacy, bus, NULL};
         *id != NULL; id++) {
        found = NULL;
        assert_nvml_ok(nvmlDeviceGetHandleByPciBusId(*id, &found));
        assert_ptr_equal(found, device);
    }
    assert_nvml(nvmlDeviceGetHandleByPciBusId("0000:00:00.0", &found), NVML_ERROR_NOT_FOUND);
    assert_nvml(nvmlDeviceGetHandleByPciBusId("nonsense", &found), NVML_ERROR_INVALID_ARGUMENT);

    assert_nvml_ok(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
    assert_cu_ok(
        cuDeviceGetAttribute(&driver_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, last));
    assert_int_equal(major, driver_major);
}

// Memory and the processes that hold it, before and while this process does.
static void memory_in_use_is_that_of_the_process(void **state) {
    nvmlDevice_t device = device_at(0);
    nvmlMemory_t before, during;
    nvmlMemory_v2_t second = {.version = nvmlMemory_v2};
    nvmlProcessInfo_t list[2];
    unsigned count = 2;
    CUdeviceptr memory = 0;
    size_t left = 0, all = 0;
    (void)state;
    cuda_begin();
    assert_nvml_ok(nvmlDeviceGetMemoryInfo(device, &before));
    assert_nvml_ok(nvmlDeviceGetComputeRunningProcesses(device, &count, list));
    assert_int_equal(before.used, 0);
    assert_int_equal(count, 0);

    assert_cu_ok(cuMemAlloc(&memory, 8 * G));
    assert_nvml_ok(nvmlDeviceGetMemoryInfo(device, &during));
    assert_cu_ok(cuMemGetInfo(&left, &all));
    assert_int_equal(during.total, all);
    assert_int_equal(during.free, left);
    assert_int_equal(during.used, 8 * G);
    assert_nvml_ok(nvmlDeviceGetMemoryInfo_v2(device, &second));
    assert_int_equal(second.used, 8 * G);
    assert_int_equal(second.total, all);
    second.version = 1;
    assert_nvml(nvmlDeviceGetMemoryInfo_v2(device, &second), NVML_ERROR_FUNCTION_NOT_FOUND);

    count = 0;
    assert_nvml(nvmlDeviceGetComputeRunningProcesses(device, &count, NULL),
                NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 1);
    count = 2;
    assert_nvml_ok(nvmlDeviceGetComputeRunningProcesses(device, &count, list));
    assert_int_equal(count, 1);
    assert_int_equal(list[0].pid, getpid());
    assert_int_equal(list[0].usedGpuMemory, 8 * G);
    for (int i = 1; i <= cuda_last_device(); i++) {
        count = 2;
        assert_nvml_ok(nvmlDeviceGetComputeRunningProcesses(device_at((unsigned)i), &count, list));
        assert_int_equal(count, 0);
    }
    assert_cu_ok(cuMemFree(memory));
}

static void a_software_device_has_no_counters_and_no_sensors(void **state) {
    nvmlUtilization_t rates = {1, 1};
    unsigned value = 7, pending = 7;
    (void)state;
    assert_nvml_ok(nvmlDeviceGetUtilizationRates(device_at(0), &rates));
    assert_int_equal(rates.gpu, 0);
    assert_int_equal(rates.memory, 0);
    assert_nvml(nvmlDeviceGetMigMode(device_at(0), &value, &pending), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetPowerUsage(device_at(0), &value), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetTemperature(device_at(0), NVML_TEMPERATURE_GPU, &value),
                NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(value, 7);
}

// One function of each part of nvml_functions.h, by its type; the library does not read the arguments.
static void functions_that_are_declared_only_say_so(void **state) {
    nvmlBAR1Memory_t bar = {7, 7, 7};
    nvmlEccErrorCounts_t ecc = {7, 7, 7, 7};
    nvmlPlatformInfo_t *platform = NULL;
    nvmlEnableState_t mode = NVML_FEATURE_ENABLED;
    nvmlVgpuTypeId_t type = 7;
    unsigned count = 7;
    (void)state;
    assert_nvml(nvmlDeviceGetNumFans(device_at(0), &count), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetSupportedVgpus(device_at(0), &count, &type), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetBAR1MemoryInfo(device_at(0), &bar), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetMaxMigDeviceCount(device_at(0), &count), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetDetailedEccErrors(device_at(0), NVML_MEMORY_ERROR_TYPE_CORRECTED,
                                               NVML_VOLATILE_ECC, &ecc),
                NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetPersistenceMode(device_at(0), &mode), NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(nvmlDeviceGetPlatformInfo(device_at(0), platform), NVML_ERROR_NOT_SUPPORTED);
    assert_true(count == 7 && type == 7 && bar.bar1Used == 7 && ecc.l1Cache == 7 && mode == 1);
}

static void each_field_has_a_status_of_its_own(void **state) {
    nvmlFieldValue_t fields[2] = {{.fieldId = 1, .value.ullVal = 7}, {.fieldId = 99999}};
    nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
    (void)state;
    assert_nvml_ok(nvmlDeviceGetFieldValues(device_at(0), 2, fields));
    assert_nvml(fields[0].nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
    assert_nvml(fields[1].nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(fields[0].value.ullVal, 7);
    assert_nvml(nvmlDeviceGetFieldValues(device_at(0), 0, fields), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetFieldValues(device_at(0), 1, NULL), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml_ok(nvmlDeviceGetComputeMode(device_at(0), &mode));
    assert_int_equal(mode, NVML_COMPUTEMODE_DEFAULT);
    assert_nvml(nvmlDeviceGetComputeMode(device_at(0), NULL), NVML_ERROR_INVALID_ARGUMENT);
}

static void bad_arguments_are_refused(void **state) {
    nvmlDevice_t device = NULL;
    nvmlMemory_t memory;
    unsigned count = 0;
    (void)state;
    assert_nvml(nvmlDeviceGetHandleByIndex(77, &device), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetHandleByIndex(0, NULL), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetCount(NULL), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetMemoryInfo(NULL, &memory), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetMemoryInfo((nvmlDevice_t)(void *)&memory, &memory),
                NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetMemoryInfo(device_at(0), NULL), NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml(nvmlDeviceGetComputeRunningProcesses(device_at(0), NULL, NULL),
                NVML_ERROR_INVALID_ARGUMENT);
    assert_nvml_ok(nvmlDeviceGetComputeRunningProcesses(device_at(0), &count, NULL));
}

static void each_error_has_the_text_of_the_library(void **state) {
    static const char *const texts[] = {
#include "support/nvml_errors.txt"
    };
    const int count = sizeof texts / sizeof *texts;
    (void)state;
    for (int i = -1; i <= 1000; i++)
        assert_string_equal(nvmlErrorString((nvmlReturn_t)i),
                            i >= 0 && i < count ? texts[i] : "Unknown Error");
}

// In a child, with CUDA_VISIBLE_DEVICES.
static void count_all(void *arg) {
    unsigned count = 0;
    int visible = 0;
    (void)arg;
    assert_nvml_ok(nvmlInit());
    assert_nvml_ok(nvmlDeviceGetCount(&count));
    assert_int_equal(count, 2);
    assert_cu_ok(cuInit(0));
    assert_cu_ok(cuDeviceGetCount(&visible));
    assert_int_equal(visible, 1);
    assert_nvml_ok(nvmlShutdown());
}

static void devices_that_cuda_hides_are_listed(void **state) {
    (void)state;
    cuda_in_child(count_all, NULL, "CUDA_VISIBLE_DEVICES", "1", NULL);
}

static void count_none(void *arg) {
    unsigned count = 7;
    (void)arg;
    assert_nvml_ok(nvmlInit());
    assert_nvml_ok(nvmlDeviceGetCount(&count));
    assert_int_equal(count, 0);
    assert_nvml_ok(nvmlShutdown());
}

static void there_may_be_no_device(void **state) {
    (void)state;
    cuda_in_child(count_none, NULL, "TARN_CUDA_DEVICE", "none", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_that_cuda_hides_are_listed),
        cmocka_unit_test(there_may_be_no_device),
        cmocka_unit_test(calls_before_the_beginning_are_refused),
        cmocka_unit_test(beginnings_are_counted),
        cmocka_unit_test_setup_teardown(it_does_not_initialise_cuda, begin, end),
        cmocka_unit_test_setup_teardown(versions_are_those_of_the_driver, begin, end),
        cmocka_unit_test_setup_teardown(a_device_has_the_identity_that_the_driver_shows, begin,
                                        end),
        cmocka_unit_test_setup_teardown(memory_in_use_is_that_of_the_process, begin, end),
        cmocka_unit_test_setup_teardown(a_software_device_has_no_counters_and_no_sensors, begin,
                                        end),
        cmocka_unit_test_setup_teardown(functions_that_are_declared_only_say_so, begin, end),
        cmocka_unit_test_setup_teardown(each_field_has_a_status_of_its_own, begin, end),
        cmocka_unit_test_setup_teardown(bad_arguments_are_refused, begin, end),
        cmocka_unit_test(each_error_has_the_text_of_the_library),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
