// SPDX-License-Identifier: Apache-2.0
// NVML: initialisation, devices, memory, and texts of errors.
#include <strings.h>

#include <nvml.h>

#include "begin.h"

#define TN_GROUP "nvml"

static nvmlDevice_t first_device(void) {
    nvmlDevice_t device = NULL;
    MUST0(nvmlInit);
    MUST(nvmlDeviceGetHandleByIndex, 0, &device);
    return device;
}

FIRST_QUESTION(before_init, "NVML_ERROR_UNINITIALIZED") {
    nvmlDevice_t device = NULL;
    char text[80] = "";
    unsigned count = 77;
    ASK(nvmlDeviceGetCount, &count);
    ASK(nvmlDeviceGetHandleByIndex, 0, &device);
    ASK(nvmlSystemGetDriverVersion, text, sizeof text);
    ASK0(nvmlShutdown);
    SAY("count", count);
}

FIRST_QUESTION(init_is_counted, "nvmlInit_v2, nvmlShutdown") {
    unsigned count = 0;
    ASK0(nvmlInit);
    ASK0(nvmlInit);
    ASK0(nvmlShutdown);
    ASK(nvmlDeviceGetCount, &count);
    ASK0(nvmlShutdown);
    ASK(nvmlDeviceGetCount, &count);
    ASK0(nvmlShutdown);
}

FIRST_QUESTION(init_with_flags, "nvmlInitWithFlags") {
    ASK(nvmlInitWithFlags, 0);
    ASK0(nvmlShutdown);
    ASK(nvmlInitWithFlags, NVML_INIT_FLAG_NO_ATTACH);
    ASK0(nvmlShutdown);
    ASK(nvmlInitWithFlags, 0x100);
}

FIRST_QUESTION(no_context_of_cuda, "NVML needs no cuInit") {
    nvmlMemory_t memory;
    nvmlDevice_t device = first_device();
    int count = 0;
    ASK(nvmlDeviceGetMemoryInfo, device, &memory);
    ASK(cuDeviceGetCount, &count);
}

QUESTION(devices_out_of_range, "nvmlDeviceGetHandleByIndex_v2") {
    nvmlDevice_t device = first_device();
    ASK(nvmlDeviceGetHandleByIndex, 99, &device);
    ASK(nvmlDeviceGetHandleByUUID, "nonsense", &device);
    ASK(nvmlDeviceGetHandleByPciBusId, "ffff:ff:1f.0", &device);
    ASK(nvmlDeviceGetHandleByPciBusId, "nonsense", &device);
}

QUESTION(devices_to_null, "nvmlDeviceGetHandleByIndex_v2") {
    nvmlDevice_t device = first_device();
    ASK(nvmlDeviceGetHandleByIndex, 0, NULL);
    ASK(nvmlDeviceGetCount, NULL);
    ASK(nvmlDeviceGetHandleByUUID, NULL, &device);
}

QUESTION(identity, "nvmlDeviceGetUUID, nvmlDeviceGetPciInfo_v3") {
    nvmlDevice_t device = first_device(), found = NULL;
    nvmlPciInfo_t pci;
    char uuid[96] = "", bus[32] = "";
    unsigned index = 77;
    memset(&pci, 0, sizeof pci);
    ASK(nvmlDeviceGetUUID, device, uuid, sizeof uuid);
    SAY("length", strlen(uuid));
    SAY("prefix", strncmp(uuid, "GPU-", 4) == 0);
    ASK(nvmlDeviceGetHandleByUUID, uuid, &found);
    SAY("same", found == device);
    ASK(nvmlDeviceGetPciInfo, device, &pci);
    SAY("length", strlen(pci.busId));
    SAY("legacy_length", strlen(pci.busIdLegacy));
    MUST(cuDeviceGetPCIBusId, bus, sizeof bus, 0);
    SAY("as_cuda", strcasecmp(bus, pci.busIdLegacy) == 0);
    ASK(nvmlDeviceGetHandleByPciBusId, pci.busId, &found);
    SAY("same", found == device);
    ASK(nvmlDeviceGetIndex, device, &index);
    SAY("index", index);
    ASK(nvmlDeviceGetPciInfo, device, NULL);
}

QUESTION(short_buffers, "NVML_ERROR_INSUFFICIENT_SIZE") {
    nvmlDevice_t device = first_device();
    char text[96] = "";
    ASK(nvmlDeviceGetUUID, device, text, 4);
    ASK(nvmlDeviceGetName, device, text, 2);
    ASK(nvmlDeviceGetName, device, NULL, 64);
    ASK(nvmlSystemGetDriverVersion, text, 2);
    ASK(nvmlSystemGetDriverVersion, NULL, 80);
    ASK(nvmlSystemGetNVMLVersion, text, 2);
}

QUESTION(names_are_those_of_cuda, "nvmlDeviceGetName") {
    nvmlDevice_t device = first_device();
    char name[2][96] = {"", ""};
    int major = 0, minor = 0, values[2] = {0, 0};
    ASK(nvmlDeviceGetName, device, name[0], 96);
    MUST(cuDeviceGetName, name[1], 96, 0);
    SAY("same", strcmp(name[0], name[1]) == 0);
    ASK(nvmlDeviceGetCudaComputeCapability, device, &major, &minor);
    MUST(cuDeviceGetAttribute, &values[0], CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
    MUST(cuDeviceGetAttribute, &values[1], CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
    SAY("same", major == values[0] && minor == values[1]);
}

QUESTION(versions, "nvmlSystemGetCudaDriverVersion") {
    int one = 0, two = 0, three = 0;
    MUST0(nvmlInit);
    ASK(nvmlSystemGetCudaDriverVersion, &one);
    ASK(nvmlSystemGetCudaDriverVersion_v2, &two);
    MUST(cuDriverGetVersion, &three);
    SAY("same", one == two && two == three);
    ASK(nvmlSystemGetCudaDriverVersion, NULL);
}

QUESTION(memory, "nvmlDeviceGetMemoryInfo") {
    nvmlDevice_t device = first_device();
    nvmlMemory_t before = {0}, after = {0};
    ASK(nvmlDeviceGetMemoryInfo, device, &before);
    SAY("sum", before.free + before.used == before.total);
    CUdeviceptr ptr = make_memory(64 * MIB);
    MUST(nvmlDeviceGetMemoryInfo, device, &after);
    SAY("fell_mib", (long long)(before.free - after.free) / (long long)MIB);
    MUST(cuMemFree, ptr);
    MUST(nvmlDeviceGetMemoryInfo, device, &after);
    SAY("back", before.free == after.free);
}

QUESTION(memory_of_no_device, "nvmlDeviceGetMemoryInfo") {
    nvmlMemory_t memory = {0};
    nvmlDevice_t device = first_device();
    ASK(nvmlDeviceGetMemoryInfo, device, NULL);
    ASK(nvmlDeviceGetMemoryInfo, NULL, &memory);
}

QUESTION(memory_of_the_second_form, "nvmlDeviceGetMemoryInfo_v2") {
    nvmlDevice_t device = first_device();
    nvmlMemory_v2_t memory = {0};
    memory.version = nvmlMemory_v2;
    ASK(nvmlDeviceGetMemoryInfo_v2, device, &memory);
    SAY("sum", memory.free + memory.used + memory.reserved == memory.total);
    memory.version = 0;
    ASK(nvmlDeviceGetMemoryInfo_v2, device, &memory);
    ASK(nvmlDeviceGetMemoryInfo_v2, device, NULL);
}

QUESTION(memory_and_the_total_of_cuda, "nvmlDeviceGetMemoryInfo") {
    nvmlDevice_t device = first_device();
    nvmlMemory_t memory = {0};
    size_t bytes = 0;
    MUST(nvmlDeviceGetMemoryInfo, device, &memory);
    MUST(cuDeviceTotalMem, &bytes, 0);
    SAY("same", memory.total == bytes);
    SAY("more", memory.total > bytes);
}

QUESTION(processes, "nvmlDeviceGetComputeRunningProcesses_v3") {
    nvmlDevice_t device = first_device();
    nvmlProcessInfo_t list[64];
    unsigned count = 64, none = 0;
    CUdeviceptr ptr = make_memory(64 * MIB);
    ASK(nvmlDeviceGetComputeRunningProcesses, device, &count, list);
    SAY("some", count > 0);
    ASK(nvmlDeviceGetComputeRunningProcesses, device, &none, NULL);
    ASK(nvmlDeviceGetComputeRunningProcesses, device, NULL, list);
    MUST(cuMemFree, ptr);
}

#define TEXT(value)                                                                                \
    QUESTION(text_of_##value, "nvmlErrorString") {                                                 \
        SAY_TEXT("text", CALL(nvmlErrorString, (nvmlReturn_t)(value)));                            \
    }
TEXT(0)
TEXT(1)
TEXT(2)
TEXT(3)
TEXT(4)
TEXT(5)
TEXT(6)
TEXT(7)
TEXT(9)
TEXT(10)
TEXT(12)
TEXT(13)
TEXT(15)
TEXT(17)
TEXT(18)
TEXT(19)
TEXT(20)
TEXT(25)
TEXT(26)
TEXT(27)
TEXT(999)
TEXT(12345)

// ---- modes, counters and sensors, which a device may lack

QUESTION(modes, "nvmlDeviceGetComputeMode, nvmlDeviceGetMinorNumber") {
    nvmlDevice_t device = first_device();
    nvmlComputeMode_t mode = (nvmlComputeMode_t)77;
    unsigned minor = 77, current = 77, pending = 77;
    ASK(nvmlDeviceGetComputeMode, device, &mode);
    SAY("mode", mode);
    ASK(nvmlDeviceGetComputeMode, device, NULL);
    ASK(nvmlDeviceGetMinorNumber, device, &minor);
    SAY("written", minor != 77);
    ASK(nvmlDeviceGetMinorNumber, NULL, &minor);
    ASK(nvmlDeviceGetMigMode, device, &current, &pending);
    ASK(nvmlDeviceGetMigMode, device, NULL, &pending);
}

QUESTION(fields, "nvmlDeviceGetFieldValues: the result of each field") {
    nvmlDevice_t device = first_device();
    nvmlFieldValue_t values[2];
    memset(values, 0, sizeof values);
    values[0].fieldId = 82; // NVML_FI_DEV_MEMORY_TEMP
    values[1].fieldId = 99999;
    ASK(nvmlDeviceGetFieldValues, device, 2, values);
    SAY("unknown", values[1].nvmlReturn);
    ASK(nvmlDeviceGetFieldValues, device, 0, values);
    ASK(nvmlDeviceGetFieldValues, device, -1, values);
    ASK(nvmlDeviceGetFieldValues, device, 1, NULL);
    ASK(nvmlDeviceGetFieldValues, NULL, 1, values);
}

QUESTION(sensors_to_null, "nvmlDeviceGetTemperature, nvmlDeviceGetPowerUsage") {
    nvmlDevice_t device = first_device();
    unsigned value = 0;
    ASK(nvmlDeviceGetUtilizationRates, device, NULL);
    ASK(nvmlDeviceGetTemperature, device, NVML_TEMPERATURE_GPU, NULL);
    ASK(nvmlDeviceGetTemperature, device, (nvmlTemperatureSensors_t)77, &value);
    ASK(nvmlDeviceGetTemperature, NULL, NVML_TEMPERATURE_GPU, &value);
    ASK(nvmlDeviceGetPowerUsage, device, NULL);
    ASK(nvmlDeviceGetClockInfo, device, (nvmlClockType_t)77, &value);
    ASK(nvmlDeviceGetClockInfo, device, NVML_CLOCK_SM, NULL);
    ASK(nvmlDeviceGetFanSpeed, NULL, &value);
}

QUESTION(names_of_processes, "nvmlSystemGetProcessName") {
    char name[64] = "";
    MUST0(nvmlInit);
    ASK(nvmlSystemGetProcessName, 0x7fffffff, name, sizeof name);
    ASK(nvmlSystemGetProcessName, 1, NULL, sizeof name);
    ASK(nvmlSystemGetProcessName, 1, name, 0);
}

QUESTION(lists_of_graphics, "nvmlDeviceGetGraphicsRunningProcesses_v3") {
    nvmlDevice_t device = first_device();
    nvmlProcessInfo_t list[64];
    unsigned count = 64;
    ASK(nvmlDeviceGetGraphicsRunningProcesses, device, &count, list);
    SAY("count", count);
    ASK(nvmlDeviceGetGraphicsRunningProcesses, device, NULL, list);
    ASK(nvmlDeviceGetGraphicsRunningProcesses, NULL, &count, list);
}
