/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_rt_api.h - for C++: functions of AscendCL with pointers to any type, with arguments that have
 * defaults, and with one name for the forms of a call. Each calls the function of C whose name its
 * comment or its own name states, and returns its code. In C the header is acl/acl_rt.h.
 */
#ifndef ACL_ACL_RT_API_H
#define ACL_ACL_RT_API_H

#include <acl/acl_rt.h>

#ifdef __cplusplus

/* ---- memory */

/* As aclrtMallocWithCfg(). Without a policy it is ACL_MEM_MALLOC_HUGE_FIRST. */
template <typename T>
static inline aclError aclrtMalloc(T **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                   aclrtMallocConfig *cfg = nullptr) {
    return aclrtMallocWithCfg(reinterpret_cast<void **>(devPtr), size, policy, cfg);
}

template <typename T>
static inline aclError aclrtMalloc(T **devPtr, size_t size, aclrtMallocConfig *cfg = nullptr) {
    return aclrtMalloc(devPtr, size, ACL_MEM_MALLOC_HUGE_FIRST, cfg);
}

/* As aclrtMallocHostWithCfg(). */
template <typename T>
static inline aclError aclrtMallocHost(T **hostPtr, size_t size, aclrtMallocConfig *cfg = nullptr) {
    return aclrtMallocHostWithCfg(reinterpret_cast<void **>(hostPtr), size, cfg);
}

template <typename T>
static inline aclError aclrtMemAllocManaged(T **devPtr, size_t size,
                                            uint32_t flags = ACL_RT_MEM_ATTACH_GLOBAL) {
    return aclrtMemAllocManaged(reinterpret_cast<void **>(devPtr), uint64_t{size}, flags);
}

template <typename T>
static inline aclError aclrtPointerGetAttributes(const T *ptr, aclrtPtrAttributes *attributes) {
    return aclrtPointerGetAttributes(static_cast<const void *>(ptr), attributes);
}

template <typename T>
static inline aclError aclrtHostRegister(T *ptr, uint64_t size, aclrtHostRegisterType type,
                                         T **devPtr) {
    return aclrtHostRegister(static_cast<void *>(ptr), size, type,
                             reinterpret_cast<void **>(devPtr));
}

/* As aclrtHostRegisterV2(). */
template <typename T>
static inline aclError aclrtHostRegister(T *ptr, uint64_t size, uint32_t flag) {
    return aclrtHostRegisterV2(ptr, size, flag);
}

template <typename T>
static inline aclError aclrtHostGetDevicePointer(T *pHost, T **pDevice, uint32_t flag) {
    return aclrtHostGetDevicePointer(static_cast<void *>(pHost), reinterpret_cast<void **>(pDevice),
                                     flag);
}

template <typename T> static inline aclError aclrtHostUnregister(T *ptr) {
    return aclrtHostUnregister(static_cast<void *>(ptr));
}

/* ---- copies */

template <typename T, typename U>
static inline aclError aclrtMemcpy(T *dst, size_t destMax, const U *src, size_t count,
                                   aclrtMemcpyKind kind) {
    return aclrtMemcpy(static_cast<void *>(dst), destMax, static_cast<const void *>(src), count,
                       kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyAsync(T *dst, size_t destMax, const U *src, size_t count,
                                        aclrtMemcpyKind kind, aclrtStream stream) {
    return aclrtMemcpyAsync(static_cast<void *>(dst), destMax, static_cast<const void *>(src),
                            count, kind, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2d(T *dst, size_t dpitch, const U *src, size_t spitch,
                                     size_t width, size_t height, aclrtMemcpyKind kind) {
    return aclrtMemcpy2d(static_cast<void *>(dst), dpitch, static_cast<const void *>(src), spitch,
                         width, height, kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2dAsync(T *dst, size_t dpitch, const U *src, size_t spitch,
                                          size_t width, size_t height, aclrtMemcpyKind kind,
                                          aclrtStream stream) {
    return aclrtMemcpy2dAsync(static_cast<void *>(dst), dpitch, static_cast<const void *>(src),
                              spitch, width, height, kind, stream);
}

/* As the functions ...V2(), with a list of attributes, or with one for all copies. The place of a
 * failure of the synchronous form is not written. */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                        size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                        size_t *attrsIndexes, size_t numAttrs,
                                        size_t *failIndex = nullptr) {
    static_cast<void>(failIndex);
    return aclrtMemcpyBatchV2(reinterpret_cast<void **>(dsts), destMaxs,
                              reinterpret_cast<void **>(srcs), sizes, numBatches, attrs,
                              attrsIndexes, numAttrs);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                        size_t numBatches, aclrtMemcpyBatchAttr attr,
                                        size_t *failIndex = nullptr) {
    size_t first = 0;
    return aclrtMemcpyBatch(dsts, destMaxs, srcs, sizes, numBatches, &attr, &first, size_t{1},
                            failIndex);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                             size_t *attrsIndexes, size_t numAttrs,
                                             aclrtStream stream) {
    return aclrtMemcpyBatchAsyncV2(reinterpret_cast<void **>(dsts), destMaxs,
                                   reinterpret_cast<void **>(srcs), sizes, numBatches, attrs,
                                   attrsIndexes, numAttrs, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr attr,
                                             aclrtStream stream) {
    size_t first = 0;
    return aclrtMemcpyBatchAsync(dsts, destMaxs, srcs, sizes, numBatches, &attr, &first, size_t{1},
                                 stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                             size_t *attrsIndexes, size_t numAttrs,
                                             size_t *failIndex, aclrtStream stream) {
    return aclrtMemcpyBatchAsync(reinterpret_cast<void **>(dsts), destMaxs,
                                 reinterpret_cast<void **>(srcs), sizes, numBatches, attrs,
                                 attrsIndexes, numAttrs, failIndex, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                             size_t numBatches, aclrtMemcpyBatchAttr attr,
                                             size_t *failIndex, aclrtStream stream) {
    size_t first = 0;
    return aclrtMemcpyBatchAsync(dsts, destMaxs, srcs, sizes, numBatches, &attr, &first, size_t{1},
                                 failIndex, stream);
}

/* ---- managed memory */

template <typename T>
static inline aclError aclrtMemManagedPrefetchAsync(const T *ptr, size_t size,
                                                    aclrtMemManagedLocation location,
                                                    uint32_t flags, aclrtStream stream) {
    return aclrtMemManagedPrefetchAsync(static_cast<const void *>(ptr), size, location, flags,
                                        stream);
}

template <typename T>
static inline aclError
aclrtMemManagedPrefetchBatchAsync(const T **ptrs, size_t *sizes, size_t count,
                                  aclrtMemManagedLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                  size_t numPrefetchLocs, uint64_t flags, aclrtStream stream) {
    return aclrtMemManagedPrefetchBatchAsync(reinterpret_cast<const void **>(ptrs), sizes, count,
                                             prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                             stream);
}

template <typename T>
static inline aclError aclrtMemManagedPrefetchBatchAsync(const T **ptrs, size_t *sizes,
                                                         size_t count,
                                                         aclrtMemManagedLocation prefetchLoc,
                                                         uint64_t flags, aclrtStream stream) {
    size_t first = 0;
    return aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, count, &prefetchLoc, &first, size_t{1},
                                             flags, stream);
}

/* ---- streams, events and devices */

/* As aclrtCreateStreamWithConfig(). */
static inline aclError aclrtCreateStream(aclrtStream *stream, uint32_t priority, uint32_t flag) {
    return aclrtCreateStreamWithConfig(stream, priority, flag);
}

/* As aclrtCreateEventExWithFlag(). */
static inline aclError aclrtCreateEvent(aclrtEvent *event, uint32_t flag) {
    return aclrtCreateEventExWithFlag(event, flag);
}

/* As the functions ...WithTimeout(). */
static inline aclError aclrtSynchronizeDevice(int32_t timeout) {
    return aclrtSynchronizeDeviceWithTimeout(timeout);
}

static inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout) {
    return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

static inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout) {
    return aclrtSynchronizeEventWithTimeout(event, timeout);
}

static inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout) {
    return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

/* As aclrtSetOpExecuteTimeOutV2(). */
static inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t *actualTimeout) {
    return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

#endif
#endif
