/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/share.h - memory shared between processes of one user on one machine: physical memory
 * by tokens, and memory of aclrtMalloc() by textual keys.
 *
 * The exporting process decides who may import: the processes that it names by the numbers of
 * aclrtDeviceGetBareTgid(), or every process with flag 1. No bytes are copied. The functions for
 * physical memory return 207000 in RC mode. The functions marked G2 return 207000 in generation 1
 * mode.
 */
#ifndef ACL_DETAIL_SHARE_H
#define ACL_DETAIL_SHARE_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* ---- physical memory */

/*
 * Writes a token for physical memory, valid while that memory exists in this process. With `flags`
 * 1 every process may import it. 100000 if an argument is NULL or handleType is not NONE; 107000
 * if flags is neither 0 nor 1, or the handle does not exist; 507899 if the memory was exported
 * before or is imported; 207005 if the memory was created when file descriptors had run out, of
 * which each token needs one; 207000 if the platform has no tokens.
 */
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t *shareableHandle);

/*
 * Creates a handle of this process to the memory of a token. `deviceId` receives the rights when
 * the memory is mapped. The memory is mapped and freed like other memory, in reservations that
 * take only imported memory. 100000 if handle is NULL; 107001 if the device does not exist; 107000
 * if the token is this process's own; 507899 if it is unknown; 207006 if it does not admit this
 * process.
 */
aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle *handle);

/*
 * Admits `pidNum` more processes to a token of this process. 100000 if pid is NULL or pidNum is 0;
 * 107000 if a number is below 1; 507899 if the token is not of this process; 207005 if 512
 * processes are admitted already.
 */
aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum);

/*
 * G2. The same functions for a token at `shareableHandle`, which has 8 bytes for type DEFAULT.
 * FABRIC is 207000: memory cannot leave the machine. 100000 also if shareableHandle is NULL or the
 * type is unknown. The import is for the device of the current context (107002), and its flags
 * must be 0 (107000).
 */
aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType,
                                           void *shareableHandle);
aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
                                             aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle *handle);
aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
                                           aclrtMemSharedHandleType shareType, int32_t *pid,
                                           size_t pidNum);

/* ---- memory of aclrtMalloc(), G2 */

/*
 * Writes a key for memory of aclrtMalloc() and similar functions that starts at `devPtr`. The key
 * has 65 bytes at most with its zero, is the same for each call, and is valid until the memory is
 * freed. With `flags` 1 every process may import it. 100000 if an argument is NULL, size is 0 or
 * len is below 65; 107000 if flags is neither 0 nor 1, if no such memory starts there, or if it is
 * smaller than `size`.
 */
aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags);

/*
 * Admits `num` more processes to a key of this process. 100000 if an argument is NULL or num is 0;
 * 107000 if a number is below 1 or the key is not of this process; 207005 if 512 processes are
 * admitted already.
 */
aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);

/*
 * Maps the memory of another process's key for the device of the current context and, with either
 * flag, for the peers that are enabled for it. A process can import each key once. 100000 if an
 * argument is NULL; 107002; 107000 if flags is neither 0 nor 1, or the key is unknown, this
 * process's own, or imported already; 207006 if the key does not admit this process.
 */
aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);

/*
 * Ends the import of a key, after the work that may use it. In the exporting process it ends the
 * admission of processes until the key is exported again; admitted processes may still import it
 * while the memory exists. 100000 if key is NULL; 107000 if this process has no such key.
 */
aclError aclrtIpcMemClose(const char *key);

ACL_EXTERN_C_END
#endif
