/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/device.h - devices: which there are, what they can do, which is current, peers.
 */
#ifndef HIP_DETAIL_DEVICE_H
#define HIP_DETAIL_DEVICE_H

#include <hip/detail/types.h>

#define hipDeviceScheduleAuto         0x0
#define hipDeviceScheduleSpin         0x1
#define hipDeviceScheduleYield        0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask         0x7
#define hipDeviceMapHost              0x8
#define hipDeviceLmemResizeToMax      0x10

#define hipCpuDeviceId     ((int)-1)
#define hipInvalidDeviceId ((int)-2)

HIP_EXTERN_C_BEGIN

/*
 * Opens the devices. Calling it is optional: every function does. hipErrorInvalidValue: flags not
 * 0.
 */
HIP_API hipError_t hipInit(unsigned int flags);

/* HIP_VERSION of the library. hipErrorInvalidValue: NULL. Works without a device. */
HIP_API hipError_t hipDriverGetVersion(int *driverVersion);
HIP_API hipError_t hipRuntimeGetVersion(int *runtimeVersion);

/* How many devices are visible. hipErrorInvalidValue: NULL; hipErrorNoDevice: none, *count is 0. */
HIP_API hipError_t hipGetDeviceCount(int *count);

/* The device of an ordinal, which is the ordinal. hipErrorInvalidValue: NULL;
 * hipErrorInvalidDevice.
 */
HIP_API hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);

/* The calling thread's current device; 0 at first. hipErrorInvalidDevice; hipErrorInvalidValue:
 * NULL.
 */
HIP_API hipError_t hipSetDevice(int deviceId);
HIP_API hipError_t hipGetDevice(int *deviceId);

HIP_EXTERN_C_END
#endif
