/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/host.h - memory of the host that devices use.
 *
 * Pages are locked if the system allows it. Addresses are the same for the CPU and for devices.
 */
#ifndef ACL_DETAIL_HOST_H
#define ACL_DETAIL_HOST_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates pinned memory of the host. A program that runs on the device (RC mode) receives device
 * memory in normal pages. The size is rounded up to a multiple of 32 and not padded. The start is
 * a multiple of 512. 100000 if hostPtr is NULL or size is 0 or too large to be rounded; 107002;
 * 207001.
 */
aclError aclrtMallocHost(void **hostPtr, size_t size);

/*
 * Same as aclrtMallocHost(). `cfg` may be NULL, or contain MODULE_ID and VA_FLAG (0 or 1, without
 * effect). 100000 also if cfg->attrs is NULL and numAttrs is not 0; 107000 for another attribute.
 */
aclError aclrtMallocHostWithCfg(void **hostPtr, uint64_t size, aclrtMallocConfig *cfg);

/*
 * Frees memory of the two functions above, without waiting for streams. The system receives pinned
 * memory back once no work is left that could use it. Needs no context. 100000 if hostPtr is NULL;
 * 107000 if it is not the start of such memory or is freed already.
 */
aclError aclrtFreeHost(void *hostPtr);

/* Same as aclrtFreeHost(), after all work of the current context's device. 107002 also. */
aclError aclrtFreeHostWithDevSync(void *hostPtr);

/*
 * Allocates memory that the CPU and all devices use. It is memory of the host that never moves.
 * aclrtFree() frees it. 100000 if ptr is NULL or size is 0; 107002; 107000 if flag is not
 * ACL_RT_MEM_ATTACH_GLOBAL; 207001.
 */
aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);

/*
 * Lets devices use memory that the program owns, until aclrtHostUnregister(). *devPtr receives the
 * address for devices. `type` is MAPPED, or any of the other two bits, which have no effect.
 * 100000 if an argument is NULL or size is 0; 207000 for another type; 107000 if ptr is not a
 * multiple of 4096, is device memory, or is partly unmapped; 107002; 507910 if part of the memory
 * is pinned or registered already.
 */
aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr);

/*
 * Same as aclrtHostRegister() for any address, by ACL_HOST_REG_ bits. If MAPPED is one of them,
 * aclrtHostGetDevicePointer() returns the address for devices. 107000 also if no bit or an unknown
 * bit is set.
 */
aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/*
 * Writes the address for devices of a byte of registered memory or of memory of aclrtMallocHost().
 * 100000 if an argument is NULL or flag is not 0; 107000 if the memory is not registered or not
 * MAPPED.
 */
aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/*
 * Ends a registration after all work that could use it. The program may free the memory only then.
 * 100000 if ptr is NULL; 507911 if no registration starts there; 107000 in a function of the
 * program that a stream calls.
 */
aclError aclrtHostUnregister(void *ptr);

ACL_EXTERN_C_END
#endif
