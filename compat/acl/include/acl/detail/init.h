/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/init.h - the life of AscendCL in a process, who answers, and the last error. All other
 * functions work without aclInit().
 */
#ifndef ACL_DETAIL_INIT_H
#define ACL_DETAIL_INIT_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Starts AscendCL. `configPath` names a file with a JSON object, of which nothing is used here;
 * NULL is the same as an empty object. 100003: the file cannot be read, or is longer than 1 MiB;
 * 100006: it is not a JSON object of up to 64 levels; 100002: started already, which is counted and
 * does no harm (then the file is not looked at); 100000: started again after its end, and the file
 * says something else than the first time; 507033. Generation 1 starts once for ever: 100002 also
 * after its end.
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/*
 * Ends AscendCL, however often it was started; devices and memory are left alone. 100001: never
 * started; 100037: ended before.
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/* Undoes one start; *refCount (may be NULL) gets how many are left. Codes as above. Since
 * generation 2. */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/* The version of the API: 1.17.0, or 1.13.0 in generation 1. 100000: NULL. */
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
                                             int32_t *patchVersion);

/* A chip whose memory behaves as the devices here do: "Ascend910B1"; in RC mode "Ascend310B1"; when
 * TARN_ACL_PADDING is 0 "Ascend950". NULL: no device can be opened. Static. */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/* Whose errors are asked for. */
typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;

/*
 * The code of the latest failure of the calling thread, 0 when there was none; ...Get...() forgets
 * it. To start AscendCL again does not count. 100000: `flag` is not ACL_RT_THREAD_LEVEL. Since
 * generation 2.
 */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel flag);
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel flag);

ACL_EXTERN_C_END
#endif
