/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/limit.h - limits on the cores that later work may use. A limit of a stream precedes
 * that of its device. Tarn's devices run no device code, so limits are stored and returned, and
 * have no other effect.
 *
 * Functions with a device return 107001 if it does not exist, and those with a stream return the
 * codes of detail/stream.h. A NULL output is 100000. 107000 for an unknown type, and for a value
 * above the number of cores.
 */
#ifndef ACL_DETAIL_LIMIT_H
#define ACL_DETAIL_LIMIT_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* Kinds of cores. Tarn's devices report 24 cube cores and 48 vector cores. */
typedef enum aclrtDevResLimitType {
    ACL_RT_DEV_RES_CUBE_CORE = 0,
    ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;

/* The limit of a device in this process: at first its number of cores. Reset restores both kinds. */
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value);
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);
aclError aclrtResetDeviceResLimit(int32_t deviceId);

/* The limit of a stream: at first that of its device, which it follows again after Reset. */
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value);
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);
aclError aclrtResetStreamResLimit(aclrtStream stream);

/*
 * Select the limits that aclrtGetResInCurrentThread() returns to the calling thread: those of a
 * stream, or, initially and after Unuse, those of the current context's device. 107000 from the
 * query if the stream has ended.
 */
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

ACL_EXTERN_C_END
#endif
