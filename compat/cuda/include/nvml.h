/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvml.h - NVIDIA's management library, libnvidia-ml.so.1. Tarn implements the functions of this
 * file. Those that ask for power, temperatures, clocks and fans return NVML_ERROR_NOT_SUPPORTED, as
 * do all functions of cuda/detail/nvml_functions.h.
 *
 * Each function but nvmlInit_v2(), nvmlInitWithFlags() and nvmlErrorString() returns
 * NVML_ERROR_UNINITIALIZED before the first, and NVML_ERROR_INVALID_ARGUMENT for a NULL or an
 * unknown device. Texts end with a zero: NVML_ERROR_INSUFFICIENT_SIZE if they do not fit in
 * `length` bytes.
 */
#ifndef NVML_H
#define NVML_H

#include <cuda/detail/nvml_functions.h>

#define NVML_API_VERSION (CUDA_RELEASE_ / 1000)

/* Plain names mean the newest form. */
#define nvmlInit                              nvmlInit_v2
#define nvmlDeviceGetCount                    nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex            nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId         nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo                  nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses  nvmlDeviceGetComputeRunningProcesses_v3
#define nvmlDeviceGetGraphicsRunningProcesses nvmlDeviceGetGraphicsRunningProcesses_v3

CUDA_EXTERN_C_BEGIN

/* Counted: as many shutdowns end the library. */
nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInitWithFlags(unsigned flags);
nvmlReturn_t nvmlShutdown(void);

/* The text of an error, a static string. */
const char *nvmlErrorString(nvmlReturn_t result);

/* ---- the system. A driver version is a text like "580.00.00", CUDA's is 13000. */

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length);
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version);
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version);
nvmlReturn_t nvmlSystemGetProcessName(unsigned pid, char *name, unsigned length);

/* ---- devices. CUDA_VISIBLE_DEVICES does not hide any. NVML_ERROR_NOT_FOUND: unknown identity. */

nvmlReturn_t nvmlDeviceGetCount(unsigned *count);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *bus_id, nvmlDevice_t *device);

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index);
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *minor);
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor);

/* The mode is always NVML_COMPUTEMODE_DEFAULT: several contexts may use a device. */
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode);

/* Sets `nvmlReturn` of each of the `count` fields. A software device has none of them, so that each is
 * NVML_ERROR_NOT_SUPPORTED. NVML_ERROR_INVALID_ARGUMENT: `count` is below 1, or `values` is NULL. */
nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values);

/* ---- use of a device. Utilisation is 0, because the software device has no such counters. */

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory);
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory);
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization);

/* The processes that use the device: at most *count, which becomes their number.
 * NVML_ERROR_INSUFFICIENT_SIZE: there are more. Release 1 has entries of another type. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned *count,
                                                  nvmlProcessInfo_t *list);
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned *count,
                                                     nvmlProcessInfo_v2_t *list);

/* The processes that draw: none. */
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned *count,
                                                   nvmlProcessInfo_t *list);
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned *count,
                                                      nvmlProcessInfo_v2_t *list);

/* ---- sensors: NVML_ERROR_NOT_SUPPORTED */

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *milliwatts);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned *celsius);
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *megahertz);
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned *percent);
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned *current, unsigned *pending);

CUDA_EXTERN_C_END
#endif
