/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/annotate.h
 * Describes memory that a program divides itself to memory tools.
 *
 * A tool that checks memory sees the ranges that the system hands out, but not how a pool divides
 * them. It does not object to a write from one piece of a pool into the next. Tarn reports its own
 * pools, plain memory and mappings to such tools: to a tool of MSTX (`tarn check` is one),
 * and to ASan and Valgrind if the process runs under them. With the functions of this header a
 * program describes pools of its own in the same way, names its memory and its steps, and has
 * accesses checked that no tool can see.
 *
 * A heap is a range that is divided into regions. Inside a heap only the bytes of live regions may
 * be accessed. Live regions of a heap must not overlap; the checker reports those that do, because an
 * allocator has given bytes out twice. A heap may lie inside a region of another heap. Addresses may belong to any device or the host.
 *
 * The functions only inform tools. If no tool subscribes, each call costs a few instructions and
 * succeeds. Strings are read during the call. Any thread may call. The calls for one range must
 * come in the order of the events: a region ends before another caller receives its bytes.
 */
#ifndef TARN_ANNOTATE_H
#define TARN_ANNOTATE_H

#include <tarn/base.h>
#include <tarn/rule.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns whether a tool subscribes. A program that would annotate a lot can ask first.
 *
 * @return true if a tool subscribes.
 */
TARN_API bool tarn_annotate_subscribed(void);

/**
 * Begins a heap. The memory must exist, and must continue to exist until the heap ends.
 *
 * @param addr  the first byte of the heap.
 * @param bytes the size of the heap in bytes.
 * @param name  a name for reports; NULL for none.
 * @retval TARN_OK           the heap is known to the tools.
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_heap_begin(tarn_addr addr, uint64_t bytes, const char *name);

/**
 * Ends all regions of a heap at once, as an arena that is reset does. The heap stays.
 *
 * A pool that frees its blocks together, by design, calls this before it ends the heap, so that
 * they do not count as leaks.
 *
 * @param addr the first byte of the heap.
 * @retval TARN_OK           the heap has no regions.
 * @retval TARN_BAD_ARGUMENT addr is 0.
 */
TARN_API tarn_status tarn_annotate_heap_reset(tarn_addr addr);

/**
 * Ends a heap and its regions. The range is ordinary memory again. The checker reports regions that
 * have not been ended before as leaks; see tarn_annotate_heap_reset().
 *
 * @param addr the first byte of the heap.
 * @retval TARN_OK           the heap has ended.
 * @retval TARN_BAD_ARGUMENT addr is 0.
 */
TARN_API tarn_status tarn_annotate_heap_end(tarn_addr addr);

/**
 * Begins a region. Its bytes may be accessed, and count as never written.
 *
 * Pass the size that was requested, not the size that it was rounded to. Tools then report an
 * overflow into the rounding as well.
 *
 * @param addr  the first byte of the region.
 * @param bytes the requested size in bytes.
 * @param name  a name for reports; NULL for none.
 * @retval TARN_OK           the region is known to the tools.
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_region_begin(tarn_addr addr, uint64_t bytes, const char *name);

/** A region to begin, for tarn_annotate_region_begin_with(). */
typedef struct tarn_region_desc {
    size_t struct_size; /**< set by TARN_INIT(tarn_region_desc) */
    tarn_addr addr;     /**< the first byte of the region */
    uint64_t bytes;     /**< the requested size; only these bytes may be accessed */
    uint64_t occupied;  /**< bytes of the heap that the region occupies; 0 means `bytes` */
    tarn_stream stream; /**< the stream in whose order the region begins, or TARN_STREAM_NONE */
    const char *name;   /**< a name for reports; NULL for none */
} tarn_region_desc;

/**
 * Begins a region of a pool that rounds sizes up, or that reuses memory in the order of streams. See
 * tarn_annotate_region_begin().
 *
 * *Sizes.* The bytes between the requested and the occupied size must be unused: the checker may fill
 * them (its option `canary`) and reports it if they change.
 *
 * *Order.* Work on the stream may use the region at once. Other work must follow, by an event or a
 * wait, the work that is on the stream now. The checker reports an access that does not, and a region
 * whose bytes ended in the order of another stream that this one does not follow.
 *
 * @param region the region
 * @retval TARN_OK           the region is known to the tools.
 * @retval TARN_BAD_ARGUMENT region is NULL, its addr or bytes is 0, occupied is less than bytes, or the
 *                           range wraps.
 * @retval TARN_BAD_STRUCT   region->struct_size is unknown.
 * @retval TARN_BAD_HANDLE   the stream is not live.
 */
TARN_API tarn_status tarn_annotate_region_begin_with(const tarn_region_desc *region);

/**
 * Ends the newest region that begins at addr.
 *
 * With a stream, the region ends in its order: after the work that is on the stream now. No work that
 * is submitted later, on any stream, may use the region. Its bytes may begin a region in the order of
 * the same stream at once, and of another stream that follows this one. The checker reports work of
 * another stream that may still use the region.
 *
 * @param addr   the first byte of the region.
 * @param stream the stream, or TARN_STREAM_NONE.
 * @retval TARN_OK           the region has ended.
 * @retval TARN_BAD_ARGUMENT addr is 0.
 * @retval TARN_BAD_HANDLE   stream is not live.
 */
TARN_API tarn_status tarn_annotate_region_end(tarn_addr addr, tarn_stream stream);

/**
 * Changes the size of the region that begins at addr. The bytes that both sizes cover keep their
 * contents.
 *
 * @param addr  the first byte of the region.
 * @param bytes the new size in bytes.
 * @retval TARN_OK           the tools know the new size.
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_region_resize(tarn_addr addr, uint64_t bytes);

/** Rights to a region, for tarn_annotate_permission(). */
enum {
    TARN_ANNOTATE_READ = 1u << 0,  /**< The region may be read. */
    TARN_ANNOTATE_WRITE = 1u << 1, /**< The region may be written. */
    TARN_ANNOTATE_SHARED = 1u << 2 /**< Several devices may use the region. */
};

/**
 * Replaces the rights to a region. A new region may be read and written.
 *
 * ASan and Valgrind do not distinguish reading from writing: to them a region with either right may
 * be accessed.
 *
 * @param addr   the first byte of the region.
 * @param bytes  the size of the region in bytes.
 * @param rights TARN_ANNOTATE_ bits; 0 forbids every access.
 * @retval TARN_OK           the tools know the rights.
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, the range wraps, or rights has an unknown bit.
 */
TARN_API tarn_status tarn_annotate_permission(tarn_addr addr, uint64_t bytes, uint32_t rights);

/**
 * Names the heap or region that begins at addr, for reports.
 *
 * @param addr the first byte of the heap or region.
 * @param name the name.
 * @retval TARN_OK           the tools know the name.
 * @retval TARN_BAD_ARGUMENT addr is 0 or name is NULL.
 */
TARN_API tarn_status tarn_annotate_name(tarn_addr addr, const char *name);

/**
 * Marks the end of a step of the program. The checker can report memory of a step that outlives
 * the next one.
 *
 * @param name a name for the step; NULL for none.
 */
TARN_API void tarn_annotate_step(const char *name);

/**
 * Checks a read that no tool sees, such as one by a device or by foreign code.
 *
 * The tools check the bytes now, as they check the source of a copy by Tarn. A tool reports a wrong
 * access; the status does not depend on it.
 *
 * @param addr  the first byte.
 * @param bytes the number of bytes; 0 checks nothing.
 * @retval TARN_OK           the tools have checked the read.
 * @retval TARN_BAD_ARGUMENT addr is 0, or the range wraps.
 */
TARN_API tarn_status tarn_check_read(tarn_addr addr, uint64_t bytes);

/**
 * Checks a write that no tool sees. See tarn_check_read().
 *
 * @param addr  the first byte.
 * @param bytes the number of bytes; 0 checks nothing.
 * @retval TARN_OK           the tools have checked the write.
 * @retval TARN_BAD_ARGUMENT addr is 0, or the range wraps.
 */
TARN_API tarn_status tarn_check_write(tarn_addr addr, uint64_t bytes);

/**
 * Counts bytes as written, because code that no tool sees wrote them.
 *
 * @param addr  the first byte.
 * @param bytes the number of bytes; 0 does nothing.
 * @retval TARN_OK           the bytes count as written.
 * @retval TARN_BAD_ARGUMENT addr is 0, or the range wraps.
 */
TARN_API tarn_status tarn_check_initialised(tarn_addr addr, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
