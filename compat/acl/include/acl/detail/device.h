/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/device.h - the process, its devices and contexts.
 */
#ifndef ACL_DETAIL_DEVICE_H
#define ACL_DETAIL_DEVICE_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * The text for the latest failure of the calling thread, code first, with the offending values; and
 * forgets it. NULL: nothing has failed since the last call. Belongs to the thread, until it asks
 * again.
 */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

/* How many devices there are. 100000: NULL. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/* ACL_HOST in EP mode, ACL_DEVICE in RC mode. 100000: NULL. */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

/*
 * Takes a device into use: counts a reference to its default context and makes that the calling
 * thread's current one. 107001: no such device.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/*
 * Drops one such reference; with the last one the default context and its streams go, after their
 * work. Memory stays until it is freed. ...Force() drops all at once. 107001: no such device;
 * 107000: it is not in use.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/* The device of the current context. 100000: NULL; 107002: no current context. */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/*
 * Creates a context with a default stream of its own, and makes it current. 100000: NULL; 107001.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/*
 * Destroys a created context after its default stream's work; it is nobody's current context any
 * more. 100000: NULL; 107000: unknown, or the default context of a device.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/* Makes a context the calling thread's current one. 100000: NULL; 107000: unknown. */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/* The calling thread's current context. 100000: NULL; 107002: none, then *context is NULL (clients
 * look at it without looking at the code) and no error text is made. */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

ACL_EXTERN_C_END
#endif
