/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/copy.h - copies between device memory, pinned host memory (aclrtMallocHost(),
 * aclrtHostRegister()) and pageable host memory (all other host memory).
 *
 * All functions need a current context: 107002. All return 107000 if an address is in no memory,
 * if the memory ends before the copy does, if source and destination overlap, or if the memory is
 * on two devices and the current context's device does not reach both
 * (aclrtDeviceEnablePeerAccess()).
 *
 * `destMax` is the caller's statement of the space at `dst`. It is not compared with the
 * allocation.
 */
#ifndef ACL_DETAIL_COPY_H
#define ACL_DETAIL_COPY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Copies `count` bytes and returns when they are copied. Does not wait for streams: the caller
 * waits for work that must come first. `kind`, 0 to 5, has no effect: the addresses determine the
 * direction.
 * A count of 0 succeeds before all checks; in generation 1 it is 107000, after the check for NULL.
 * 100000 if an argument is NULL or kind is above 5; 107000 if destMax is 0 or less than count.
 * Then dst equal to src succeeds. 107002.
 */
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                     aclrtMemcpyKind kind);

/*
 * Copies in stream order. Checks count, NULL, kind and destMax as above; 107003 if the stream
 * belongs to another context or no context is current; 107002; the places of both ends; 207000 for
 * a copy from host to host. Then dst equal to src succeeds. 107008 in generation 1 and strict mode
 * if an address is not a multiple of 64; otherwise that is a warning.
 *
 * If both ends are device or pinned memory, generation 2 replaces a kind of 0 to 4 by the one that
 * the addresses determine. If one end is pageable, the kind may be a direction that the other end
 * allows (107000 if it is not), and ACL_MEMCPY_DEFAULT means the actual direction. Generation 1
 * trusts the kind. Device and pinned memory must exist until the stream has run the copy. With
 * kind 1 or 2, pageable memory is copied within the call, after all work of the stream; with kind
 * 3 it must exist as well.
 * ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE captures the host's bytes within the call and copies them to
 * the device later; 107000 from a device or to a host; 200000 if host memory is exhausted. In RC
 * mode kinds 0 to 4 all mean ACL_MEMCPY_DEVICE_TO_DEVICE.
 */
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream);

/* Same as aclrtMemcpyAsync(). */
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Copies `height` rows of `width` bytes. The rows begin `dpitch` and `spitch` bytes apart. A width
 * or height of 0 succeeds. 100000 if an argument is NULL, a pitch is less than the width, or the
 * kind is not 1 to 4; 107000 if the width is above 5000000 or the height above 5242880; 207000 in
 * RC mode. The synchronous function does not copy from device to device (207000), nor with kind 4
 * from host to host. The asynchronous function treats kinds and pageable memory as
 * aclrtMemcpyAsync() does.
 */
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind);
aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Runs `numBatches` copies between host and device, in any order: sizes[i] bytes from srcs[i] to
 * dsts[i], which has space for destMaxs[i]. attrs[k] states where both ends are of copy
 * attrsIndexes[k] and those up to the next index. *failIndex (may be NULL) receives the copy that
 * failed, or SIZE_MAX if none failed or the mistake concerns no copy. Copies of size 0 are
 * skipped. The checks, in order:
 *   100000 if sizes is NULL or numBatches is 0; *failIndex stays unchanged
 *   success if all sizes are 0
 *   100000 if another list is NULL, destMaxs[i] is less than sizes[i], or attrs[k].rsv is not 0;
 *     *failIndex stays unchanged
 *   107000 if numAttrs is 0 or above numBatches, if attrsIndexes does not begin with 0, does not
 *     ascend or leaves the list, or if a synchronous call has more than 4096 copies; *failIndex is
 *     SIZE_MAX
 *   107002, 107003; *failIndex stays unchanged
 *   107000 if an end is not where its attributes state (pageable memory is on the host), or if not
 *     exactly one end is on a device; *failIndex is that copy, and no copy has begun
 * A copy that fails later leaves the earlier copies done. The asynchronous function treats
 * pageable memory as aclrtMemcpyAsync() does. Since generation 2.
 */
aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                          size_t numAttrs, size_t *failIndex);
aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                               size_t numAttrs, size_t *failIndex, aclrtStream stream);

/* The same two functions, without the place of a failure. */
aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                            size_t numAttrs);
aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                 size_t *attrsIndexes, size_t numAttrs, aclrtStream stream);

ACL_EXTERN_C_END
#endif
