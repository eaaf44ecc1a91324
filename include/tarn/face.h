/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/face.h
 * Functions for faces and tools: libraries that have public functions of their own over Tarn.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 *
 * Such a library names the function that its program called, reports the handles and calls that it
 * refuses, and describes the work that it runs itself. Like those of tarn/annotate.h, these
 * functions only inform tools, except in the last two sections. Any thread may call.
 *
 * A user names calls in the environment variable TARN_FAIL, such as "hipMemMap:3", and these calls
 * fail; docs/failures.md describes the specs. Tarn's own functions and back-ends need nothing for
 * that. A library that begins its functions with tarn_fail_point() lets users name them as well.
 */
#ifndef TARN_FACE_H
#define TARN_FACE_H

#include <tarn/address.h>
#include <tarn/annotate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- calls on behalf of a program */

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

/* ---- work that a library runs itself */

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

/* ---- memory, waits and devices */

/**
 * A flag of tarn_unmap(): the call waits, but tools judge the program as with TARN_NO_WAIT. For
 * libraries in front of Tarn whose interface does not promise the wait.
 */
#define TARN_WAIT_UNSEEN (1u << 1)

/**
 * Releases a reservation for a library whose own function takes the length. See tarn_space_release().
 *
 * @param addr  the start of the reservation
 * @param bytes its length
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0
 * @retval TARN_BAD_ADDRESS  also: its length differs
 * @return the statuses of tarn_space_release() otherwise
 */
TARN_API tarn_status tarn_space_release_sized(tarn_addr addr, uint64_t bytes);

/**
 * The answer of tarn_address_find(): the smallest piece that holds an address, which is a live
 * block of a pool, else a mapping, else the region. Fields that do not apply are 0.
 */
typedef struct tarn_address_block {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_address_block) */
    uint32_t kind; /**< a tarn_address_kind: as in tarn_address_info; of pages of a pool RESERVED */
    uint32_t owner;         /**< a tarn_owner: of the region */
    tarn_addr start;        /**< start of the piece; 0 where no block of the pool is */
    uint64_t bytes;         /**< its length, as requested */
    uint64_t user;          /**< word of the block or region */
    tarn_location location; /**< where the bytes are; type 0 for pages of a pool */
    tarn_phys phys;         /**< of a mapping */
    uint64_t pool_user;     /**< tarn_pool_desc.user of the pool that owns the region */
    tarn_stream stream;     /**< stream that the block was allocated on */
} tarn_address_block;

/**
 * Finds the block, mapping or region that holds an address. The answer is a part of that of
 * tarn_address_query(), but it comes several times faster: the query ends at the first owner that
 * knows the address. It is meant for calls that look up each pointer that they get.
 *
 * @param addr  any number
 * @param block filled up to block->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT block is NULL
 * @retval TARN_BAD_STRUCT   block->struct_size is unknown
 */
TARN_API tarn_status tarn_address_find(tarn_addr addr, tarn_address_block *block);

/**
 * Marks a region as a face's, or as the application's again, and sets its user word. A face calls
 * it for memory that it has allocated for its caller.
 *
 * @param addr  the start of a region whose owner is the application or a face
 * @param owner TARN_OWNER_APPLICATION or TARN_OWNER_FACE
 * @param user  the word
 * @retval TARN_BAD_ARGUMENT owner is another value
 * @retval TARN_BAD_ADDRESS  addr is not the start of such a region
 * @retval TARN_FORKED       the region belongs to the parent process
 */
TARN_API tarn_status tarn_address_set_owner(tarn_addr addr, tarn_owner owner, uint64_t user);

/**
 * Destroys a stream for a library whose own function does not promise to wait. It does what
 * tarn_stream_destroy() does, except that tools are not notified of a wait: the memory checker does not
 * conclude that the program knows the work of the stream to be done.
 *
 * @param stream the stream; TARN_STREAM_NONE does nothing
 * @return as tarn_stream_destroy()
 */
TARN_API tarn_status tarn_stream_retire(tarn_stream stream);

/**
 * Queries a stream for a library, on whose answer the program does not rely. Tools are not notified: the
 * memory checker does not conclude that the program knows the work to be done. A device that holds
 * work back (`schedule=late` and `random` of `host`) continues to hold it back, and a failure that a
 * resilient stream reports once is not reported here.
 *
 * @param stream the stream
 * @return as tarn_stream_query()
 */
TARN_API tarn_status tarn_stream_peek(tarn_stream stream);

/**
 * Queries an event for a library, as tarn_stream_peek() queries a stream.
 *
 * @param event the event
 * @return as tarn_event_query()
 */
TARN_API tarn_status tarn_event_peek(tarn_event event);

/**
 * Returns the name of the index-th backend of this build, or NULL if there are no more.
 *
 * @param index   0 and up
 * @param summary receives one line about it; may be NULL
 */
TARN_API const char *tarn_backend_name(unsigned index, const char **summary);

/* ---- failures on request */

/**
 * Returns false if no call of this process can be made to fail. The result does not change while
 * the process lives, so a caller may keep it.
 */
TARN_API bool tarn_fail_asked(void);

/**
 * Counts a call and decides whether it fails. Call it before the function has done anything.
 *
 * @param name the function's name, as users write it
 * @param as   receives the text behind "as=" if that is not the name of a status; without "as=" the
 *             error that the manual of a function of HIP, CUDA, AscendCL or HiAI lists; else NULL.
 *             It stays valid until the process ends; may be NULL; written on failure only
 * @retval TARN_OK the call goes on
 * @retval TARN_BAD_CONFIG TARN_FAIL cannot be understood; every call fails
 * @return otherwise the status that the user chose, or TARN_NO_DEVICE_MEMORY: the call is to fail
 *         with it, or with the caller's own code for it. tarn_last_error() has the text.
 */
TARN_API tarn_status tarn_fail_point(const char *name, const char **as);

#ifdef __cplusplus
}
#endif
#endif
