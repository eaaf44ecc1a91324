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

/**
 * Begins a region that occupies more bytes of its heap than were requested, because the pool rounds
 * sizes up. See tarn_annotate_region_begin().
 *
 * Only the requested bytes may be accessed. The bytes behind them, up to the occupied size, must be
 * unused: the checker may fill them (its option `canary`) and reports it if they change.
 *
 * @param addr      the first byte of the region.
 * @param requested the requested size in bytes.
 * @param occupied  the number of bytes of the heap that the region occupies.
 * @param name      a name for reports; NULL for none.
 * @retval TARN_OK           the region is known to the tools.
 * @retval TARN_BAD_ARGUMENT addr or requested is 0, occupied is less than requested, or the range
 *                           wraps.
 */
TARN_API tarn_status tarn_annotate_region_begin_sized(tarn_addr addr, uint64_t requested,
                                                      uint64_t occupied, const char *name);

/**
 * Begins a region in the order of a stream, for pools that reuse memory in that order. See
 * tarn_annotate_region_begin_sized().
 *
 * Work on this stream may use the region at once. Other work must follow, by an event or a wait, the
 * work that is on the stream now. The checker reports an access that does not, and a region whose
 * bytes ended in the order of another stream that this one does not follow.
 *
 * @param addr      the first byte of the region.
 * @param requested the requested size in bytes.
 * @param occupied  the number of bytes of the heap that the region occupies.
 * @param stream    the stream; TARN_STREAM_NONE begins the region as
 *                  tarn_annotate_region_begin_sized() does.
 * @param name      a name for reports; NULL for none.
 * @retval TARN_OK           the region is known to the tools.
 * @retval TARN_BAD_ARGUMENT addr or requested is 0, occupied is less than requested, or the range
 *                           wraps.
 * @retval TARN_BAD_HANDLE   stream is not live.
 */
TARN_API tarn_status tarn_annotate_region_begin_on(tarn_addr addr, uint64_t requested,
                                                   uint64_t occupied, tarn_stream stream,
                                                   const char *name);

/**
 * Ends the newest region that begins at addr.
 *
 * @param addr the first byte of the region.
 * @retval TARN_OK           the region has ended.
 * @retval TARN_BAD_ARGUMENT addr is 0.
 */
TARN_API tarn_status tarn_annotate_region_end(tarn_addr addr);

/**
 * Ends the newest region that begins at addr in the order of a stream: after the work that is on the
 * stream now. See tarn_annotate_region_begin_on().
 *
 * No work that is submitted later, on any stream, may use the region. Its bytes may begin a region in
 * the order of the same stream at once, and of another stream that follows this one. The checker
 * reports work of another stream that may still use the region.
 *
 * @param addr   the first byte of the region.
 * @param stream the stream; TARN_STREAM_NONE ends the region as tarn_annotate_region_end() does.
 * @retval TARN_OK           the region has ended.
 * @retval TARN_BAD_ARGUMENT addr is 0.
 * @retval TARN_BAD_HANDLE   stream is not live.
 */
TARN_API tarn_status tarn_annotate_region_end_on(tarn_addr addr, tarn_stream stream);

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
 * Names the function that the program called, for libraries in front of Tarn.
 *
 * Reports about calls of this thread name this function instead of Tarn's, until the next call of
 * tarn_annotate_caller(). Such a library calls it at the beginning of each of its functions, and
 * with NULL when a function has failed. A shortage of memory is recorded then, so that an attempt
 * after which the function tried again with success is not.
 *
 * @param function a static string, such as __func__; NULL restores Tarn's own names.
 */
TARN_API void tarn_annotate_caller(const char *function);

/**
 * Sets the function that describes what a thread runs, for libraries that run threads of their program's
 * own kind, such as those of kernels.
 *
 * When AddressSanitizer has reported an access, Tarn adds the block that was missed, the calls that allocated
 * and freed it, and this description. The function is called on the thread that made the access, and the
 * process is about to end. It must neither allocate memory nor wait for a lock.
 *
 * @param describe writes at most `size` bytes to `text`, with a terminating zero, or none; NULL: Tarn adds
 *                 no description.
 */
TARN_API void tarn_annotate_describe_by(void (*describe)(char *text, size_t size));

/**
 * Reports that a program requested fewer bytes of memory than it has.
 *
 * For libraries in front of Tarn that round sizes up before they allocate plain or pinned memory.
 * Such a library calls it once, before it returns the memory to its program. Copies and fills may
 * still use all the bytes. A checker reports those that use more than the requested ones.
 *
 * @param addr  the start of the memory, as returned by tarn_memory_alloc(),
 *              tarn_memory_alloc_with() or tarn_host_alloc(); other addresses have no effect.
 * @param bytes the requested size in bytes; a size that is not smaller has no effect.
 * @retval TARN_OK           the tools know the size.
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_requested(tarn_addr addr, uint64_t bytes);

/**
 * States the rule by which a heap, or plain or pinned memory, must be divided.
 *
 * A checker then reports regions of the heap, or of heaps that begin in the memory later, that begin
 * at a wrong address, or that lack the bytes behind them which the rule reserves: because another
 * region has them, or the memory ends. State the rule before the first region. Memory of vendors
 * whose documents state a rule has it without this call; see tarn_rule_for().
 *
 * @param addr the start of a live heap, as passed to tarn_annotate_heap_begin(), or else of memory, as
 *             returned by tarn_memory_alloc(), tarn_memory_alloc_with() or tarn_host_alloc(); other
 *             addresses have no effect.
 * @param rule the rule; NULL allows every place.
 * @retval TARN_OK           the tools know the rule.
 * @retval TARN_BAD_ARGUMENT addr is 0, or rule is invalid; see tarn_rule_occupied().
 */
TARN_API tarn_status tarn_annotate_rule(tarn_addr addr, const tarn_rule *rule);

/**
 * Reports that a library refused to free an address.
 *
 * For libraries that keep a table of their own in front of Tarn: the address is not, or no longer,
 * in that table. A checker then reports what the address is, or where it was freed before.
 *
 * @param call a static string: the name of the function of Tarn that would have freed the address,
 *             such as "tarn_unmap", or another text if several would; NULL does nothing.
 * @param addr the address that was passed; 0 does nothing.
 */
TARN_API void tarn_annotate_refused(const char *call, tarn_addr addr);

/**
 * Reports that a library refused to end an object, because the handle names none, or no longer.
 *
 * For libraries that have handles of their own, of streams for example. A checker reports the handle
 * and the function that the program called (tarn_annotate_caller()).
 *
 * @param call   a static string for reports if no caller was named; NULL does nothing.
 * @param handle the value that was passed; 0 does nothing.
 */
TARN_API void tarn_annotate_refused_handle(const char *call, uint64_t handle);

/**
 * Reports that a library refused an access to memory, because it found no memory there that may be
 * accessed.
 *
 * For libraries that look at an address before they call Tarn. Tarn reports its own refusals. A
 * checker reports the access if the address was in a block that has ended.
 *
 * @param call   a static string for reports if no caller was named; NULL does nothing.
 * @param addr   the first byte that may not be accessed; 0 does nothing.
 * @param bytes  the number of bytes, at least 1.
 * @param rights TARN_ANNOTATE_READ or TARN_ANNOTATE_WRITE: what the call would have done.
 */
TARN_API void tarn_annotate_refused_access(const char *call, tarn_addr addr, uint64_t bytes,
                                           uint32_t rights);

/**
 * Reports that a library created an object, and that its program knows it by this handle.
 *
 * For libraries that have handles of their own. A checker then explains a later use of the handle,
 * with the places where the object began and ended.
 *
 * @param handle the handle; 0 does nothing.
 */
TARN_API void tarn_annotate_handle_begin(uint64_t handle);

/**
 * Reports that the object with this handle has ended. See tarn_annotate_handle_begin().
 *
 * @param handle the handle; 0 does nothing.
 */
TARN_API void tarn_annotate_handle_end(uint64_t handle);

/**
 * Reports that a library refused a call because the object with this handle has ended.
 *
 * @param call   a static string for reports if no caller was named; NULL does nothing.
 * @param handle the value that was passed; 0 does nothing.
 */
TARN_API void tarn_annotate_stale_handle(const char *call, uint64_t handle);

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
 * Reports the arguments of work that is about to be submitted to a stream. The work, such as a
 * kernel, may access the blocks that they point into, in ways that no tool sees.
 *
 * The checker reports arguments that point into freed memory, blocks that are freed without order
 * while the work may use them, and complete blocks that another stream replaces without order. It
 * does not know which bytes the work accesses, so it stays silent about writes to a part of a block.
 *
 * @param arguments the arguments as they lie in memory. Each word of 8 bytes at a multiple of 8 bytes
 *                  from here on may be a pointer; other values do nothing. NULL without bytes.
 * @param bytes     their size.
 * @param work      describes the work, such as "kernel scale"; NULL: the call.
 * @param stream    the stream; TARN_STREAM_NONE does nothing.
 */
TARN_API void tarn_check_arguments(const void *arguments, size_t bytes, const char *work,
                                   tarn_stream stream);

/**
 * The same for work whose accesses tarn_check_accesses() reports when it has run. Until then a checker
 * takes the arguments for accesses only if their blocks are freed.
 *
 * @param arguments the arguments.
 * @param bytes     their size.
 * @param work      describes the work, such as "kernel scale"; NULL: the call.
 * @param stream    the stream; TARN_STREAM_NONE does nothing.
 */
TARN_API void tarn_check_watched_arguments(const void *arguments, size_t bytes, const char *work,
                                           tarn_stream stream);

/** How instructions access memory, for tarn_check_accesses() and tarn_check_host(). */
enum {
    TARN_CHECK_READ = 1u << 0,
    TARN_CHECK_WRITE = 1u << 1,
    TARN_CHECK_ATOMIC = 1u << 2 /**< beside one of the others: by atomic operations */
};

/** Bytes that work accessed in one way. */
typedef struct tarn_check_range {
    tarn_addr addr; /**< the first byte */
    uint64_t bytes; /**< the number of bytes */
    uint64_t how;   /**< TARN_CHECK_READ or TARN_CHECK_WRITE, perhaps with TARN_CHECK_ATOMIC */
} tarn_check_range;

/**
 * Reports all accesses that work has made, such as a kernel. The function that tarn_stream_call() or
 * tarn_stream_run() submitted for the work calls it at its end.
 *
 * The checker judges them as accesses that the stream makes at the place where the function was
 * submitted. Two atomic accesses do not race. Work that reads atomically what other work wrote atomically
 * counts as ordered behind it.
 *
 * @param ranges the accesses; NULL: they are not known.
 * @param count  the number of ranges. With NULL: 0 if the work cannot report its accesses.
 * @param work   describes the work, such as "kernel scale"; NULL does nothing.
 */
TARN_API void tarn_check_accesses(const tarn_check_range *ranges, size_t count, const char *work);

/**
 * Reports an access that an instruction of the host is about to make, for compilers that call a function
 * for each of them. The checker judges it if work in flight has accessed the page. Otherwise, and without
 * a checker, the call returns after a few instructions.
 *
 * @param addr  the first byte.
 * @param bytes the number of bytes; 0 does nothing.
 * @param how   TARN_CHECK_ bits.
 * @param frame __builtin_frame_address(0) of a function that was called for the access; NULL: unknown.
 */
TARN_API void tarn_check_host(tarn_addr addr, uint64_t bytes, uint32_t how, const tarn_addr *frame);

/**
 * States how the program knows a stream that a library made for it, so that reports show the program's own
 * handle. Call it once for each stream, in the call of the program that made it. Without it reports show
 * the handle of Tarn.
 *
 * @param stream the stream.
 * @param handle the program's handle, as the program would print it; 0 if it has none.
 * @param name   words that follow "on" in a report, such as "the default stream"; NULL shows the handle.
 */
TARN_API void tarn_annotate_stream(tarn_stream stream, uint64_t handle, const char *name);

/**
 * A function of the program is about to be submitted to a stream, and a thread of the program will run it
 * at the stream's command. For libraries that hand functions to threads; functions of
 * tarn_stream_call() need no such call.
 *
 * @param stream the stream.
 * @return a number of the function; 0 if no tool is in the process.
 */
TARN_API uint64_t tarn_annotate_function(tarn_stream stream);

/**
 * The calling thread begins to run a function. Until it ends, a checker judges the thread's accesses as
 * those of the stream at the place where the function was submitted.
 *
 * @param function the number of the function; 0 does nothing.
 */
TARN_API void tarn_annotate_function_begin(uint64_t function);

/**
 * A function has ended on the calling thread, or will never run.
 *
 * @param function the number of the function; 0 does nothing.
 */
TARN_API void tarn_annotate_function_end(uint64_t function);

/**
 * Checks that a block may be freed in order of a stream alone. The checker reports the allocation of the
 * block, or a use of it, that the stream does not wait for.
 *
 * This is for libraries whose free promises no more than the order of its stream, and is called before
 * the free. tarn_pool_free_on() needs no such check: it also waits for the stream of the block.
 *
 * @param addr   an address in the block; an address in no live block does nothing.
 * @param stream the stream. TARN_STREAM_NONE does nothing, and neither does the stream of the block:
 *               the free itself is checked against it.
 */
TARN_API void tarn_check_free_on(tarn_addr addr, tarn_stream stream);

/** An access that tarn_check_race() or tarn_check_misaligned() reports. */
typedef struct tarn_check_access {
    const char *actor;  /**< the thread within the work: "thread (0, 0, 0) of block (1, 0, 0)" */
    const char *action; /**< "read", "write", "atomic write" or the like */
    const tarn_addr *frames; /**< the stack, as return addresses, innermost first */
    size_t frame_count;      /**< their number; 0 for an unknown stack */
} tarn_check_access;

/**
 * Reports that two accesses within one piece of work are unordered, and one of them is a write.
 *
 * For libraries in front of Tarn that observe the accesses of kernels.
 *
 * @param addr     the first byte that both access; without accesses the code of the work.
 * @param bytes    the number of bytes.
 * @param work     describes the work, such as "kernel scale".
 * @param accesses the later access and then the earlier one; NULL: the accesses of the work were not
 *                 observed, and `work` says so: "kernel scale was compiled without --kernel-races".
 */
TARN_API void tarn_check_race(tarn_addr addr, uint64_t bytes, const char *work,
                              const tarn_check_access accesses[2]);

/**
 * Reports that an access within a piece of work is at an address without the alignment that it needs.
 *
 * For libraries in front of Tarn that observe the accesses of kernels. The checker makes an error of it
 * with its option `misaligned`.
 *
 * @param addr      the first byte.
 * @param bytes     the size of the access.
 * @param alignment the address should be a multiple of this.
 * @param work      describes the work, such as "kernel scale"; NULL does nothing.
 * @param access    the access; NULL does nothing.
 */
TARN_API void tarn_check_misaligned(tarn_addr addr, uint64_t bytes, uint64_t alignment,
                                    const char *work, const tarn_check_access *access);

/**
 * Reports that work has failed by a mistake of the program: a kernel that accessed memory which does
 * not exist, or whose threads wait for each other in vain.
 *
 * For libraries in front of Tarn that run the work themselves. The stream fails by
 * tarn_stream_fail().
 *
 * @param addr the address that the work could not access; 0: it failed for another reason.
 * @param why  describes the work and the failure, such as "kernel scale, block (0, 0, 0): a trap"; NULL
 *             does nothing.
 * @param code the address behind the instruction that failed; 0 if it is not known.
 */
TARN_API void tarn_check_failure(tarn_addr addr, const char *why, tarn_addr code);

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
