/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/init.h - starting Matrix.
 */
#ifndef HIAIENGINE_INIT_H
#define HIAIENGINE_INIT_H

#include <hiaiengine/status.h>

HIAI_EXTERN_C_BEGIN

/*
 * Starts Matrix for a device, 0 to 63, and creates the pool of HIAI_DMalloc(). Call it once for
 * each device that the program uses; further calls do nothing. INIT_FAIL: the device does not exist
 * (HIAI_GetDeviceNum()), or the pool cannot be created; MEMORY_EXHAUSTED: there is no memory or no
 * descriptor for the pool, and a later call tries again. A device process need not call it:
 * HIAIX_DeviceMain() starts Matrix.
 */
HIAI_StatusT HIAI_Init(uint32_t deviceID);

HIAI_EXTERN_C_END
#endif
