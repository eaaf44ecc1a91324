/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/host.h - memory of the host that devices use.
 *
 * Pinning is best effort: locked where the system allows it, else just there. Addresses are the
 * same for the CPU and for devices.
 */
#ifndef ACL_DETAIL_HOST_H
#define ACL_DETAIL_HOST_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates memory of the host, pinned; a program that runs on the device (RC mode) gets device
 * memory in normal pages. The size is rounded up to a multiple of 32, nothing is added; the start
 * is a multiple of 512. 100000: NULL, size 0, or too big to be rounded; 107002; 207001.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/* The same; `cfg` may be NULL or have MODULE_ID and VA_FLAG (0 or 1; it is so anyway). 100000 also:
 * cfg->attrs NULL and numAttrs not 0; 107000: another attribute. */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void **hostPtr, uint64_t size,
                                                    aclrtMallocConfig *cfg);

/*
 * Frees what the two above returned, and nothing else, without waiting for streams: pinned memory
 * is given back to the system once no work is left that could use it. Needs no context. 100000:
 * NULL; 107000: not the start of such memory, or freed already.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/* The same after all work of the current context's device. 107002 also. */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void *hostPtr);

/*
 * Allocates memory that the CPU and all devices use; it is the host's and never moves. aclrtFree()
 * frees it. 100000: NULL, size 0; 107002; 107000: flag is not ACL_RT_MEM_ATTACH_GLOBAL; 207001.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);

/*
 * Makes memory that the program owns usable by devices until aclrtHostUnregister(); *devPtr is
 * where they find it. `type` is MAPPED, or any of the other two bits, which have no effect. 100000:
 * NULL, size 0; 207000: another type; 107000: ptr no multiple of 4096, not all of it there, or
 * device memory; 107002; 507910: some of it is pinned or registered already.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type,
                                               void **devPtr);

/* The same at any address, by ACL_HOST_REG_ bits; the pointer of devices, if MAPPED is among them,
 * is fetched by aclrtHostGetDevicePointer(). 107000 also: no bits, or others. */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/*
 * Where devices find a byte of registered memory, or of aclrtMallocHost()'s. 100000: NULL, flag not
 * 0; 107000: not registered, or not MAPPED.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/*
 * Undoes a registration, after all work that could use it; only then may the program free the
 * memory. 100000: NULL; 507911: no registration starts there; 107000: inside a function of the
 * program that a stream calls.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void *ptr);

ACL_EXTERN_C_END
#endif
