/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/share.h - memory shared between processes of one user on one machine: physical memory
 * by tokens, and the memory of aclrtMalloc() by textual keys.
 *
 * The exporter says who may import: the processes that it names, by what aclrtDeviceGetBareTgid()
 * gives there, or with flag 1 everybody. Nothing is copied. In RC mode the functions for physical
 * memory answer 207000, and so do in generation 1 mode those marked G2.
 */
#ifndef ACL_DETAIL_SHARE_H
#define ACL_DETAIL_SHARE_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* ---- physical memory */

/*
 * A token for physical memory, good until that is gone here. `flags` 1: every process may import
 * it. 100000: handle or shareable NULL, handleType not NONE; 107000: other flags, no such handle;
 * 507899: it was exported before, or is imported; 207005: file descriptors had run out when it was
 * created, one for each; 207000: the platform has no tokens.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle,
                                                             aclrtMemHandleType handleType,
                                                             uint64_t flags,
                                                             uint64_t *shareableHandle);

/*
 * A new handle, of this process, to the memory behind a token; `deviceId` gets the rights when it
 * is mapped. It is mapped and freed like any other, in reservations of its own. 100000: handle
 * NULL; 107001: no such device; 507899: an unknown token, or this process's own; 207006: the token
 * is not for this process.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle,
                                                               int32_t deviceId,
                                                               aclrtDrvMemHandle *handle);

/*
 * Names `pidNum` more processes that may import a token of this process. 100000: pid NULL, pidNum
 * 0; 107000: a pid below 1; 507899: not a token of this process; 207005: 512 processes are named.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid,
                                                             size_t pidNum);

/*
 * G2. The same for a token at `shareableHandle`: 8 bytes for type DEFAULT. FABRIC: 207000, memory
 * does not leave the machine. 100000 also: shareableHandle NULL, another type. The import is for
 * the device of the current context (107002: none), and its flags are 0 (107000).
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle,
                                                               uint64_t flags,
                                                               aclrtMemSharedHandleType shareType,
                                                               void *shareableHandle);
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
                                                                 aclrtMemSharedHandleType shareType,
                                                                 uint64_t flags,
                                                                 aclrtDrvMemHandle *handle);
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
                                                               aclrtMemSharedHandleType shareType,
                                                               int32_t *pid, size_t pidNum);

/* ---- memory of aclrtMalloc(), G2 */

/*
 * Writes a key of 65 bytes at most, its zero included, for memory of aclrtMalloc() and its like
 * that starts at `devPtr`; the same each time. Good until that is freed. `flags` 1: every process
 * may import it. 100000: NULL, size 0, len below 65; 107000: other flags, no such memory starts
 * there, it is smaller than `size`.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key,
                                                     size_t len, uint64_t flags);

/* Names `num` more processes that may import a key of this process. 100000: NULL, num 0; 107000: a
 * pid below 1, or no key of this process; 207005: 512 processes are named. */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);

/*
 * Gives the memory behind a key of another process an address, for the device of the current
 * context and, with flag 1 as without, for peers enabled for it. Once per key and process. 100000:
 * NULL; 107002: no current context; 107000: other flags, unknown key, this process's own, imported
 * already; 207006: the key is not for this process.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);

/*
 * Ends the import of a key, after the work that may use it. In the process that exported it: ends
 * naming importers until it is exported again; who was named may still import, until the memory is
 * freed. 100000: NULL; 107000: this process has no such key.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char *key);

ACL_EXTERN_C_END
#endif
