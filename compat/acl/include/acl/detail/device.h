/* SPDX-License-Identifier: Apache-2.0 */
/* acl/detail/device.h - the devices and contexts of the process. */
#ifndef ACL_DETAIL_DEVICE_H
#define ACL_DETAIL_DEVICE_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Returns the text of the calling thread's latest failure, which begins with the code and has the
 * offending values, and forgets it. NULL if no call has failed since. The text belongs to the
 * thread and is valid until its next call of this function.
 */
const char *aclGetRecentErrMsg(void);

/* Writes the number of devices. 100000 if count is NULL. */
aclError aclrtGetDeviceCount(uint32_t *count);

/* Writes ACL_HOST in EP mode and ACL_DEVICE in RC mode. 100000 if runMode is NULL. */
aclError aclrtGetRunMode(aclrtRunMode *runMode);

/*
 * Starts to use a device: adds a reference to its default context and makes that the calling
 * thread's current one. 107001 if the device does not exist.
 */
aclError aclrtSetDevice(int32_t deviceId);

/*
 * Drops one such reference. The last one ends the default context and its streams, after their
 * work. Memory stays until it is freed. ...Force() drops all references. 107001 if the device does
 * not exist; 107000 if it is not in use.
 */
aclError aclrtResetDevice(int32_t deviceId);
aclError aclrtResetDeviceForce(int32_t deviceId);

/* Writes the device of the current context. 100000 if deviceId is NULL; 107002. */
aclError aclrtGetDevice(int32_t *deviceId);

/*
 * Creates a context with its own default stream and makes it current. 100000 if context is NULL;
 * 107001.
 */
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/*
 * Destroys a created context after the work of its streams. Threads for which it was current have
 * no current context then. 100000 if context is NULL; 107000 if it does not exist or is the
 * default context of a device.
 */
aclError aclrtDestroyContext(aclrtContext context);

/*
 * Makes a context the calling thread's current one. 100000 if context is NULL; 107000 if it does
 * not exist.
 */
aclError aclrtSetCurrentContext(aclrtContext context);

/*
 * Writes the calling thread's current context. 100000 if context is NULL; 107002 if there is none.
 * In that case *context is NULL, because clients test it without testing the code, and no error
 * text is made.
 */
aclError aclrtGetCurrentContext(aclrtContext *context);

ACL_EXTERN_C_END
#endif
