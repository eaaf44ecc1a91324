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

/*
 * Copies `height` rows of `width` bytes, which begin `dpitch` and `spitch` bytes after each other.
 * width or height 0: done. 100000: NULL, a pitch below the width, a kind other than 1 to 4; 107000:
 * width above 5000000 or height above 5242880; 207000: RC mode. The synchronous one has no copies
 * from device to device (207000), and none of kind 4 from host to host. The asynchronous one treats
 * kinds and pageable memory as aclrtMemcpyAsync() does.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch,
                                           size_t width, size_t height, aclrtMemcpyKind kind);
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src,
                                                size_t spitch, size_t width, size_t height,
                                                aclrtMemcpyKind kind, aclrtStream stream);

/*
 * `numBatches` copies between host and device, in any order: sizes[i] bytes from srcs[i] to
 * dsts[i], which has room for destMaxs[i]. attrs[k] says where both ends are of copies
 * attrsIndexes[k] up to the next one's. *failIndex (may be NULL) gets the copy to blame, or
 * SIZE_MAX when it is none or all went well. Copies of size 0 are passed over. In this order -
 *   100000: sizes NULL or numBatches 0; *failIndex stays
 *   all sizes 0: done
 *   100000: another list is NULL, destMaxs[i] less than sizes[i], attrs[k].rsv not 0; *failIndex
 *   stays
 *   107000: numAttrs 0 or more than numBatches; attrsIndexes does not begin with 0, does not rise,
 *   or leaves the list; more than 4096 copies, synchronous only; SIZE_MAX
 *   107002, 107003; *failIndex stays
 *   107000: an end is not where its attributes say (pageable memory is the host's), or both are on
 *   one side; the copy. None was begun then. One that fails after that leaves those before it done.
 * The asynchronous one treats pageable memory as aclrtMemcpyAsync() does. Since generation 2.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs,
                                              size_t *sizes, size_t numBatches,
                                              aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                                              size_t numAttrs, size_t *failIndex);
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs,
                                                   size_t *sizes, size_t numBatches,
                                                   aclrtMemcpyBatchAttr *attrs,
                                                   size_t *attrsIndexes, size_t numAttrs,
                                                   size_t *failIndex, aclrtStream stream);

ACL_EXTERN_C_END
#endif
