/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/init.h - the start and end of AscendCL in a process, its version, and the last error.
 * All other functions work without aclInit().
 */
#ifndef ACL_DETAIL_INIT_H
#define ACL_DETAIL_INIT_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Starts AscendCL. `configPath` names a file with a JSON object, whose contents have no effect.
 * NULL means an empty object. 507033 if the device cannot be opened; 100002 if AscendCL is started
 * already, which is counted and harmless (the file is not read then); 100003 if the file cannot be
 * read or is longer than 1 MiB; 100006 if it is not a JSON object of up to 64 levels; 100000 if
 * AscendCL was ended and the file differs from that of the first start. Generation 1 starts once
 * per process: 100002 also after the end.
 */
aclError aclInit(const char *configPath);

/*
 * Ends AscendCL, however often it was started. Devices and memory are not affected. 100001 if it
 * was never started; 100037 if it was ended before.
 */
aclError aclFinalize(void);

/*
 * Undoes one start. *refCount (may be NULL) receives the number of starts that are left. Codes as
 * above. Since generation 2.
 */
aclError aclFinalizeReference(uint64_t *refCount);

/*
 * Writes the version of the API: 1.17.0, or 1.13.0 in generation 1. 100000 if an argument is NULL.
 */
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion);

/*
 * Returns a chip whose memory behaves like that of the devices: "Ascend910B1"; "Ascend310B1" in RC
 * mode; "Ascend950" if TARN_ACL_PADDING is 0. NULL if no device can be opened. The text is static.
 */
const char *aclrtGetSocName(void);

/* The level of an error. Only threads have one. */
typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;

/*
 * Returns the code of the calling thread's latest failure, or 0 if there is none. ...Get...() also
 * forgets it. Starting AscendCL again does not count as a failure. 100000 if `flag` is not
 * ACL_RT_THREAD_LEVEL. Since generation 2.
 */
aclError aclrtPeekAtLastError(aclrtLastErrLevel flag);
aclError aclrtGetLastError(aclrtLastErrLevel flag);

ACL_EXTERN_C_END
#endif
