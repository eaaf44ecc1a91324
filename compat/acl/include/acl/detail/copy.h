/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/copy.h - copies between device memory, pinned host memory (aclrtMallocHost(),
 * aclrtHostRegister()) and pageable host memory (any other).
 *
 * All need a current context: 107002. 107000 also: an address that is in no memory any more, or
 * whose memory ends before the copy does; source and destination overlap; memory of two devices,
 * and that of the current context does not reach both (aclrtDeviceEnablePeerAccess()).
 *
 * `destMax` is the room that the caller says there is; nobody compares it with the allocation.
 */
#ifndef ACL_DETAIL_COPY_H
#define ACL_DETAIL_COPY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Copies `count` bytes and returns when they are there. Does not wait for streams: work that is to
 * come first is waited for by the caller. `kind`, 0 to 5, changes nothing: the direction is what
 * the addresses say. In this order - count 0: done, before any other test (generation 1: 107000,
 * after the next one); 100000: NULL, kind above 5; 107000: destMax 0 or less than count; dst equals
 * src: done; 107002.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                                         aclrtMemcpyKind kind);

/*
 * Copies in stream order. In this order - count, NULL, kind, destMax as above; 107003: the stream
 * is of another context, or there is no current one; 107002; places; 207000: host to host; dst
 * equals src: done; 107008 in generation 1 and strict mode, else a warning: an address is no
 * multiple of 64.
 *
 * Generation 2 replaces a kind of 0 to 4 by what the addresses say when both are device or pinned
 * memory. Where one is pageable it may stay a direction that the pinned or device end allows
 * (107000 if it is none), and ACL_MEMCPY_DEFAULT means the true one. Generation 1 takes the kind as
 * it is. Device or pinned memory has to live until the stream comes to it. Pageable memory of kind
 * 1 or 2 is copied within the call, after all work of the stream; of kind 3 it has to live as well.
 * ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE takes the bytes of the host within the call and copies them to
 * the device later; 107000: from a device, or to a host; 200000: no host memory for them. In RC
 * mode kinds 0 to 4 are all ACL_MEMCPY_DEVICE_TO_DEVICE.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src,
                                              size_t count, aclrtMemcpyKind kind,
                                              aclrtStream stream);

/* The same. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax,
                                                           const void *src, size_t count,
                                                           aclrtMemcpyKind kind,
                                                           aclrtStream stream);

ACL_EXTERN_C_END
#endif
