// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, as the target of the front libnvidia-ml.so.1. It has its own list of all
// devices, also of those that CUDA_VISIBLE_DEVICES hides, and needs no cuInit(). The memory in use is
// that of this process, which is the only one that a software device knows. One lock is held while
// the list is opened and closed.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <tarn/face.h>
#include <tarn/software.h>

#include "compat/cuda/face.h"
#include "compat/cuda/properties.h"
#include "compat/face/fidelity.h"
#include "compat/face/front.h"
#include "compat/face/log.h"
#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/device/identity.h"

#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

#define DRIVER_VERSION "580.00.00"
#define NO_INSTANCE    0xffffffffu // of a device that is not divided

// The head of a function with a body. Of those with a device, `device` is its number in the list.
#define NVML(name, ...)                                                                            \
    static nvmlReturn_t name##_work(TN_FACE_PARAMETERS(__VA_ARGS__));                              \
    NVML_DECLARED(nvmlReturn_t, name, __VA_ARGS__)                                                 \
    nvmlReturn_t name(TN_FACE_PARAMETERS(__VA_ARGS__)) {                                           \
        return leave(name##_work(TN_FACE_ARGUMENTS(__VA_ARGS__)), __func__);                       \
    }                                                                                              \
    static nvmlReturn_t name##_work(TN_FACE_PARAMETERS(__VA_ARGS__))
#define NVML_DECLARED(type, name, ...)                                                             \
    TN_CU_DECLARED(type, name, __VA_ARGS__)                                                        \
    TN_CUDA_EXPORTED(name, tn_nvml_##name)

// Another name of a function.
#define NVML_ALIAS(name, other) TN_FRONT(tn_nvml_##name, tn_nvml_##other)

#define NEEDS(condition, error)                                                                    \
    if (!(condition)) return NVML_ERROR_##error

static struct tn_face_devices devices;
static unsigned starts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The devices belong to the parent.
static void forget_devices(void) {
    devices.count = 0;
    starts = 0;
}
TN_FACE_ON_FORK(0, &lock, forget_devices);

// ---- leaving a function

NVML_DECLARED(const char *, nvmlErrorString, nvmlReturn_t, result)

// Logs a failure. The first call of all tells a command of Tarn that the library is used.
static nvmlReturn_t leave(nvmlReturn_t result, const char *function) {
    char number[32];
    if (TN_FACE_MAY_FAIL) (void)tarn_fail_asked();
    if (__builtin_expect(result == NVML_SUCCESS, 1)) return result;
    (void)snprintf(number, sizeof number, "nvmlReturn_t %d", (int)result);
    tn_log_failure(function, number,
                   result == NVML_ERROR_UNINITIALIZED ? "nvmlInit() was not called in this process"
                   : result == NVML_ERROR_DRIVER_NOT_LOADED ? tn_rt_text()
                                                            : nvmlErrorString(result));
    return result;
}

// ---- begin and end

static nvmlReturn_t begin(void) {
    TN_FACE_LOCKED(&lock);
    tn_cu_set_policy();
    tn_rt_error error = starts == 0 ? tn_rt_open_all(&devices) : TN_RT_OK;
    NEEDS(error != TN_RT_OUT_OF_MEMORY, MEMORY);
    NEEDS(error == TN_RT_OK, DRIVER_NOT_LOADED);
    starts++;
    return NVML_SUCCESS;
}

NVML(nvmlInit_v2, void, ) { return begin(); }
NVML_ALIAS(nvmlInit, nvmlInit_v2)

NVML(nvmlInitWithFlags, unsigned, flags) {
    (void)flags; // unknown ones too
    return begin();
}

NVML(nvmlShutdown, void, ) {
    TN_FACE_LOCKED(&lock);
    NEEDS(starts > 0, UNINITIALIZED);
    if (--starts == 0) tn_face_devices_close(&devices);
    return NVML_SUCCESS;
}

static bool has_begun(void) {
    TN_FACE_LOCKED(&lock);
    return starts > 0;
}

const char *nvmlErrorString(nvmlReturn_t result) {
    static const char *const texts[] = {
        "Success",
        "Uninitialized",
        "Invalid Argument",
        "Not Supported",
        "Insufficient Permissions",
        "Already Initialized",
        "Not Found",
        "Insufficient Size",
        "Insufficient External Power",
        "Driver Not Loaded",
        "Timeout",
        "Interrupt Request Issue",
        "NVML Shared Library Not Found",
        "Function Not Found",
        "Corrupted infoROM",
        "GPU is lost",
        "GPU requires reset",
        "GPU access blocked by the operating system",
        "Driver/library version mismatch",
        "In use by another client",
        "Insufficient Memory",
        "No data",
        "vGPU ECC not supported",
        "Insufficient Resources",
        "Invalid Frequency",
        "Argument version mismatch",
        "Requested functionality has been deprecated",
        "System is not in ready state",
        "No supported GPUs were found",
        "Resource not in correct state to perform requested operation",
        "Reset type is not supported for given device"};
    return (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "Unknown Error";
}

// ---- the system

// Copies a text that must fit with its zero.
static nvmlReturn_t give_text(char *text, unsigned length, const char *value) {
    NEEDS(text != NULL, INVALID_ARGUMENT);
    NEEDS(strlen(value) < length, INSUFFICIENT_SIZE);
    memcpy(text, value, strlen(value) + 1);
    return NVML_SUCCESS;
}

NVML(nvmlSystemGetDriverVersion, char *, version, unsigned, length) {
    NEEDS(has_begun(), UNINITIALIZED);
    return give_text(version, length, DRIVER_VERSION);
}

// These two need no beginning.
NVML(nvmlSystemGetNVMLVersion, char *, version, unsigned, length) {
    return give_text(version, length, "13." DRIVER_VERSION);
}

NVML(nvmlSystemGetCudaDriverVersion, int *, version) {
    NEEDS(version != NULL, INVALID_ARGUMENT);
    *version = tn_cu_version();
    return NVML_SUCCESS;
}
NVML_ALIAS(nvmlSystemGetCudaDriverVersion_v2, nvmlSystemGetCudaDriverVersion)

NVML(nvmlSystemGetProcessName, unsigned, pid, char *, name, unsigned, length) {
    char link[32], path[PATH_MAX];
    NEEDS(has_begun(), UNINITIALIZED);
    (void)snprintf(link, sizeof link, "/proc/%u/exe", pid);
    ssize_t bytes = readlink(link, path, sizeof path - 1);
    NEEDS(bytes >= 0 || errno != EACCES, NO_PERMISSION);
    NEEDS(bytes >= 0, NOT_FOUND);
    path[bytes] = '\0';
    return give_text(name, length, path);
}

// ---- devices

#define NEEDS_DEVICE(device)                                                                       \
    NEEDS(has_begun(), UNINITIALIZED);                                                             \
    const struct tn_face_device *of = find_device(device);                                         \
    NEEDS(of != NULL, INVALID_ARGUMENT)

static const struct tn_face_device *find_device(const void *handle) {
    for (int i = 0; i < devices.count; i++)
        if (handle == &devices.of[i]) return &devices.of[i];
    return NULL;
}

NVML(nvmlDeviceGetCount_v2, unsigned *, count) {
    NEEDS(has_begun(), UNINITIALIZED);
    NEEDS(count != NULL, INVALID_ARGUMENT);
    *count = (unsigned)devices.count;
    return NVML_SUCCESS;
}
NVML_ALIAS(nvmlDeviceGetCount, nvmlDeviceGetCount_v2)

NVML(nvmlDeviceGetHandleByIndex_v2, unsigned, index, nvmlDevice_t *, device) {
    NEEDS(has_begun(), UNINITIALIZED);
    NEEDS(device != NULL && index < (unsigned)devices.count, INVALID_ARGUMENT);
    *device = (nvmlDevice_t)(void *)&devices.of[index];
    return NVML_SUCCESS;
}
NVML_ALIAS(nvmlDeviceGetHandleByIndex, nvmlDeviceGetHandleByIndex_v2)

static void format_uuid(const struct tn_face_device *of, char text[NVML_DEVICE_UUID_BUFFER_SIZE]) {
    char uuid[TN_RT_UUID];
    tn_rt_fill_uuid(of, uuid);
    int length = snprintf(text, NVML_DEVICE_UUID_BUFFER_SIZE, "GPU-");
    for (int i = 0; i < TN_RT_UUID; i++)
        length +=
            snprintf(text + length, NVML_DEVICE_UUID_BUFFER_SIZE - (size_t)length, "%s%02x",
                     i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)uuid[i]);
}

NVML(nvmlDeviceGetHandleByUUID, const char *, uuid, nvmlDevice_t *, device) {
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    NEEDS(has_begun(), UNINITIALIZED);
    NEEDS(uuid != NULL && device != NULL, INVALID_ARGUMENT);
    for (int i = 0; i < devices.count; i++) {
        format_uuid(&devices.of[i], text);
        if (strcasecmp(text, uuid) != 0) continue;
        *device = (nvmlDevice_t)(void *)&devices.of[i];
        return NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_FOUND;
}

NVML(nvmlDeviceGetHandleByPciBusId_v2, const char *, bus_id, nvmlDevice_t *, device) {
    unsigned domain = 0, bus = 0, slot = 0;
    NEEDS(has_begun(), UNINITIALIZED);
    NEEDS(bus_id != NULL && device != NULL, INVALID_ARGUMENT);
    NEEDS(sscanf(bus_id, "%x:%x:%x", &domain, &bus, &slot) == 3, INVALID_ARGUMENT);
    for (int i = 0; i < devices.count; i++) {
        if (domain != TN_RT_PCI_DOMAIN || slot != 0 ||
            bus != (unsigned)tn_rt_pci_bus(&devices.of[i]))
            continue;
        *device = (nvmlDevice_t)(void *)&devices.of[i];
        return NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_FOUND;
}
NVML_ALIAS(nvmlDeviceGetHandleByPciBusId, nvmlDeviceGetHandleByPciBusId_v2)

NVML(nvmlDeviceGetName, nvmlDevice_t, device, char *, name, unsigned, length) {
    NEEDS_DEVICE(device);
    return give_text(name, length, of->info.name);
}

NVML(nvmlDeviceGetUUID, nvmlDevice_t, device, char *, uuid, unsigned, length) {
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    NEEDS_DEVICE(device);
    format_uuid(of, text);
    return give_text(uuid, length, text);
}

NVML(nvmlDeviceGetIndex, nvmlDevice_t, device, unsigned *, index) {
    NEEDS_DEVICE(device);
    NEEDS(index != NULL, INVALID_ARGUMENT);
    *index = (unsigned)of->number;
    return NVML_SUCCESS;
}
NVML_ALIAS(nvmlDeviceGetMinorNumber, nvmlDeviceGetIndex)

NVML(nvmlDeviceGetPciInfo_v3, nvmlDevice_t, device, nvmlPciInfo_t *, pci) {
    NEEDS_DEVICE(device);
    NEEDS(pci != NULL, INVALID_ARGUMENT);
    *pci = (nvmlPciInfo_t){.domain = TN_RT_PCI_DOMAIN, .bus = (unsigned)tn_rt_pci_bus(of)};
    (void)snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:00.0",
                   pci->domain & 0xffff, pci->bus & 0xff);
    (void)snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:00.0", pci->domain, pci->bus & 0xff);
    return NVML_SUCCESS;
}

NVML(nvmlDeviceGetCudaComputeCapability, nvmlDevice_t, device, int *, major, int *, minor) {
    NEEDS_DEVICE(device);
    NEEDS(major != NULL && minor != NULL, INVALID_ARGUMENT);
    tn_cu_capability(major, minor);
    return NVML_SUCCESS;
}

NVML(nvmlDeviceGetComputeMode, nvmlDevice_t, device, nvmlComputeMode_t *, mode) {
    NEEDS_DEVICE(device);
    NEEDS(mode != NULL, INVALID_ARGUMENT);
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
}

// The call succeeds even if each of its fields fails, as NVIDIA's manual says.
NVML(nvmlDeviceGetFieldValues, nvmlDevice_t, device, int, count, nvmlFieldValue_t *, values) {
    NEEDS_DEVICE(device);
    NEEDS(count > 0 && values != NULL, INVALID_ARGUMENT);
    for (int i = 0; i < count; i++) values[i].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
    return NVML_SUCCESS;
}

// ---- use of a device

static nvmlReturn_t measure(const struct tn_face_device *of, uint64_t *left, uint64_t *all) {
    TN_FACE_DIFFERS(nvml_memory, true);
    tn_rt_error error = tn_rt_error_of(tarn_device_query_memory(of->tarn, left, all));
    NEEDS(error == TN_RT_OK, UNKNOWN);
    return NVML_SUCCESS;
}

NVML(nvmlDeviceGetMemoryInfo, nvmlDevice_t, device, nvmlMemory_t *, memory) {
    uint64_t left = 0, all = 0;
    NEEDS_DEVICE(device);
    NEEDS(memory != NULL, INVALID_ARGUMENT);
    nvmlReturn_t result = measure(of, &left, &all);
    if (result == NVML_SUCCESS)
        *memory = (nvmlMemory_t){.total = all, .free = left, .used = all - left};
    return result;
}

NVML(nvmlDeviceGetMemoryInfo_v2, nvmlDevice_t, device, nvmlMemory_v2_t *, memory) {
    uint64_t left = 0, all = 0;
    NEEDS_DEVICE(device);
    NEEDS(memory != NULL, INVALID_ARGUMENT);
    NEEDS(memory->version == nvmlMemory_v2, FUNCTION_NOT_FOUND);
    nvmlReturn_t result = measure(of, &left, &all);
    if (result == NVML_SUCCESS)
        *memory = (nvmlMemory_v2_t){
            .version = nvmlMemory_v2, .total = all, .free = left, .used = all - left};
    return result;
}

NVML(nvmlDeviceGetUtilizationRates, nvmlDevice_t, device, nvmlUtilization_t *, utilization) {
    NEEDS_DEVICE(device);
    NEEDS(utilization != NULL, INVALID_ARGUMENT);
    *utilization = (nvmlUtilization_t){0, 0};
    return NVML_SUCCESS;
}

// Adds what a process holds of a device to its entry. An entry of the first form is the beginning of the others,
// so entries are `bytes` apart. Returns the number of entries, those without room included.
static unsigned add_process(void *list, size_t bytes, unsigned room, unsigned used, unsigned pid,
                            uint64_t held) {
    const nvmlProcessInfo_t one = {pid, held, NO_INSTANCE, NO_INSTANCE};
    for (unsigned i = 0; i < used && i < room; i++) {
        nvmlProcessInfo_v1_t seen;
        memcpy(&seen, (char *)list + i * bytes, sizeof seen);
        if (seen.pid != pid) continue;
        seen.usedGpuMemory += held;
        memcpy((char *)list + i * bytes, &seen, sizeof seen);
        return used;
    }
    if (used < room) memcpy((char *)list + used * bytes, &one, bytes);
    return used + 1;
}

enum { MACHINE_USES = 1024 };

// Writes the processes that hold memory of the device to a list with room for *count, which becomes their
// number: those of the machine, or this one.
static nvmlReturn_t list_processes(nvmlDevice_t device, unsigned *count, void *list, size_t bytes) {
    uint64_t left = 0, all = 0;
    const char *machine = secure_getenv("TARN_MACHINE");
    size_t uses = MACHINE_USES;
    unsigned used = 0;
    NEEDS_DEVICE(device);
    NEEDS(count != NULL && (list != NULL || *count == 0), INVALID_ARGUMENT);
    nvmlReturn_t result = measure(of, &left, &all);
    if (result != NVML_SUCCESS) return result;
    tarn_machine_use *use = (tarn_machine_use *)calloc(MACHINE_USES, sizeof *use);
    NEEDS(use != NULL, MEMORY);
    const unsigned room = *count;
    if (machine == NULL || *machine == '\0' || tarn_machine_query(NULL, use, &uses) != TARN_OK) {
        if (left < all) used = add_process(list, bytes, room, used, (unsigned)getpid(), all - left);
    } else {
        for (size_t i = 0; i < uses && i < MACHINE_USES; i++)
            if (use[i].bytes > 0 && use[i].device == of->info.ordinal && use[i].capacity == all)
                used = add_process(list, bytes, room, used, (unsigned)use[i].pid, use[i].bytes);
    }
    free(use);
    *count = used;
    NEEDS(room >= used, INSUFFICIENT_SIZE);
    return NVML_SUCCESS;
}

NVML(nvmlDeviceGetComputeRunningProcesses_v3, nvmlDevice_t, device, unsigned *, count,
     nvmlProcessInfo_t *, list) {
    return list_processes(device, count, list, sizeof *list);
}
NVML_ALIAS(nvmlDeviceGetComputeRunningProcesses_v2, nvmlDeviceGetComputeRunningProcesses_v3)

#undef nvmlDeviceGetComputeRunningProcesses
NVML_DECLARED(nvmlReturn_t, nvmlDeviceGetComputeRunningProcesses, nvmlDevice_t, device, unsigned *,
              count, nvmlProcessInfo_v1_t *, list)
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned *count,
                                                  nvmlProcessInfo_v1_t *list) {
    return list_processes(device, count, list, sizeof *list);
}

// No process uses a device for graphics.
NVML_DECLARED(nvmlReturn_t, nvmlDeviceGetGraphicsRunningProcesses_v3, nvmlDevice_t, device,
              unsigned *, count, nvmlProcessInfo_t *, list)
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned *count,
                                                      nvmlProcessInfo_t *list) {
    (void)list;
    NEEDS_DEVICE(device);
    NEEDS(count != NULL, INVALID_ARGUMENT);
    *count = 0;
    return NVML_SUCCESS;
}
NVML_ALIAS(nvmlDeviceGetGraphicsRunningProcesses, nvmlDeviceGetGraphicsRunningProcesses_v3)
NVML_ALIAS(nvmlDeviceGetGraphicsRunningProcesses_v2, nvmlDeviceGetGraphicsRunningProcesses_v3)
