/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/init.h - the start.
 */
#ifndef HIAIENGINE_INIT_H
#define HIAIENGINE_INIT_H

#include <hiaiengine/status.h>

HIAI_EXTERN_C_BEGIN

/*
 * Starts Matrix for a device, 0 to 63, and makes the pool that HIAI_DMalloc() takes from. Once for
 * each device that a program uses; again does nothing. INIT_FAIL: a device that is not there
 * (HIAI_GetDeviceNum()), or the pool is not to be had. A device process needs no call:
 * HIAIX_DeviceMain() starts Matrix.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_Init(uint32_t deviceID);

HIAI_EXTERN_C_END
#endif
