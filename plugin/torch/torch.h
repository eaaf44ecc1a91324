/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtarn-torch.so: Tarn's pools behind the allocator interfaces of PyTorch, CuPy and RMM.
 *
 * A framework opens the library by its path and calls two of these symbols. Only programs that read
 * statistics include this header. docs/torch.md explains the set-up of each framework.
 *
 * Each device has one pool, created at its first allocation. TARN_TORCH_DEVICE names device 0 of
 * the framework ("cuda:0" unless set; "hip:0", "host:0"); device N is the N-th after it on the same
 * platform. TARN_TORCH_POOL configures the pools. POLICY is balanced, time or memory:
 *
 *     expandable|segments[,limit=SIZE][,policy=POLICY][,page=SIZE][,segment=SIZE][,strict]
 *         [,learn|,plan=FILE]
 *
 * With `learn` the pools learn a plan of the passes between calls of tarn_torch_mark(). With `plan`,
 * which is the last item, they follow that in FILE: `tarn plan --rule caching` makes one.
 *
 * Blocks are ordered by streams as in tarn/pool.h: a block belongs to the stream on which it was
 * allocated. `stream` is the vendor's handle, and NULL means the default stream. A handle must stay
 * valid while memory that was used on it is in the pool. The handle 2, CUDA's default stream of the
 * calling thread, is refused, because a later call cannot know which thread's stream it was.
 *
 * Every function may be called from any thread. A failure writes one line to standard error, which
 * begins with "tarn-torch:", and changes nothing. After fork() the child starts without pools, and
 * its frees of the parent's blocks are ignored. Pools stay until the process ends.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TARN_TORCH_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For torch.cuda.memory.CUDAPluggableAllocator. Returns a block of `size` bytes at a multiple of
 * 512, or NULL if it fails. A size of 0 gives NULL without a message.
 */
TARN_TORCH_API void *tarn_torch_malloc(ssize_t size, int device, void *stream);

/*
 * Frees a block. NULL is fine. `size` is ignored. If `stream` is not the block's own, the reuse of
 * the block also waits for the work that is enqueued in `stream` so far.
 */
TARN_TORCH_API void tarn_torch_free(void *ptr, ssize_t size, int device, void *stream);

/* For set_record_stream_fn: work on `stream` uses the block too. Its reuse waits for that work. */
TARN_TORCH_API void tarn_torch_record_stream(void *ptr, void *stream);

/* For set_memory_fraction_fn: limits the device's pool to this part of its memory, 0 to 1. */
TARN_TORCH_API void tarn_torch_memory_fraction(double fraction, int device);

/* For set_reset_fn, which torch.cuda.empty_cache() calls: releases unused memory of all pools. */
TARN_TORCH_API void tarn_torch_reset(void);

/*
 * A function that tarn_torch_malloc() calls after a failure, with three constants for the place and
 * a text. It may return, and the result is NULL. It may also leave by a C++ exception or longjmp(),
 * because no lock is held. Its type is that of c10::detail::torchCheckFail, which throws: PyTorch
 * does not check for NULL itself. The default, NULL, calls nothing.
 */
typedef void (*tarn_torch_refusal)(const char *function, const char *file, uint32_t line,
                                   const char *text);
TARN_TORCH_API void tarn_torch_on_refusal(tarn_torch_refusal function);

/* For cupy.cuda.CFunctionAllocator, whose parameter is the stream of the blocks. */
TARN_TORCH_API void *tarn_cupy_malloc(void *stream, size_t size, int device);
TARN_TORCH_API void tarn_cupy_free(void *stream, void *ptr, int device);

/*
 * Statistics of one device: X(name, "text"). The first list has those of tarn/pool.h.
 */
#define TARN_TORCH_POOL_STATS_LIST(X)                                                              \
    X(live_blocks, "live blocks")                                                                  \
    X(live_bytes, "bytes requested in them")                                                       \
    X(used_bytes, "bytes that they occupy")                                                        \
    X(pending_bytes, "freed bytes that wait for streams")                                          \
    X(held_bytes, "physical bytes held")                                                           \
    X(largest_free, "largest block that fits without growing the pool")                            \
    X(peak_live_bytes, "highest live_bytes")                                                       \
    X(peak_used_bytes, "highest used_bytes")                                                       \
    X(peak_held_bytes, "highest held_bytes")                                                       \
    X(allocs, "allocations")                                                                       \
    X(frees, "frees")                                                                              \
    X(refusals, "failed allocations")                                                              \
    X(driver_calls, "device calls of the pool")                                                    \
    X(map_calls, "map calls among them")                                                           \
    X(unmap_calls, "unmap calls among them")                                                       \
    X(moved_bytes, "physical bytes moved between addresses")                                       \
    X(host_bytes, "host memory of the pool's records")                                             \
    X(fallback, "1: segments replace the requested pages")

/* Of pools with a plan; the statistics of the pool of the same name. */
#define TARN_TORCH_PLAN_STATS_LIST(X)                                                              \
    X(planned, "allocations that got their place in a plan")                                       \
    X(unplanned, "large allocations that the plan does not have")                                  \
    X(late, "allocations whose place was not free yet")                                            \
    X(planned_bytes, "bytes of the allocations in `planned`")                                      \
    X(unplanned_bytes, "bytes of the allocations in `unplanned`")                                  \
    X(late_bytes, "bytes of the allocations in `late`")                                            \
    X(plan_bytes, "memory for the places of the plan")                                             \
    X(plans, "plans that the pool has learnt")                                                     \
    X(passes, "passes that have ended")                                                            \
    X(planned_passes, "of them those that the plan fits")

#define TARN_TORCH_STATS_LIST(X)                                                                   \
    TARN_TORCH_POOL_STATS_LIST(X)                                                                  \
    X(streams, "streams used")                                                                     \
    X(bad_frees, "frees of addresses that are not blocks")                                         \
    X(device_bytes, "memory of the device")                                                        \
    X(device_free_bytes, "free memory of the device")                                              \
    TARN_TORCH_PLAN_STATS_LIST(X)

struct tarn_torch_statistics {
    size_t size; /* set by the caller: sizeof(struct tarn_torch_statistics) */
#define TARN_TORCH_STATS_FIELD(name, text) uint64_t name;
    TARN_TORCH_STATS_LIST(TARN_TORCH_STATS_FIELD)
#undef TARN_TORCH_STATS_FIELD
};

/*
 * Fills `stats` up to stats->size for a device, with zeros if it has no pool yet. Returns 0 or a
 * status of tarn/base.h: -1 for an invalid argument, -5 for a device number out of range.
 */
TARN_TORCH_API int tarn_torch_stats(int device, struct tarn_torch_statistics *stats);

/* Returns the name of the index-th member after `size`, for bindings, and NULL after the last. */
TARN_TORCH_API const char *tarn_torch_stats_name(unsigned index);

/* Sets the peaks of a device to the current values. Returns as above. */
TARN_TORCH_API int tarn_torch_reset_peaks(int device);

/*
 * Writes the state of every pool to a file, as JSON: its kind, statistics, streams, and segments
 * (adjacent mapped addresses) with their blocks. A symbolic link is refused. Returns as above, or -22
 * if the file cannot be written.
 */
TARN_TORCH_API int tarn_torch_snapshot(const char *path);

/*
 * Writes the segments and blocks of every pool as a snapshot that PyTorch's viewer
 * (pytorch.org/memory_viz) opens. An existing file is replaced by a complete one or not at all, and
 * a symbolic link is refused. Returns as above, also -1 if no device has a pool yet.
 */
TARN_TORCH_API int tarn_torch_snapshot_pickle(const char *path);

/*
 * Releases memory without live blocks until the device's pool holds at most `keep` bytes. It waits
 * for streams. A `device` of -1 means all devices. `released` may be NULL. Returns as above.
 */
TARN_TORCH_API int tarn_torch_trim(int device, uint64_t keep, uint64_t *released);

/*
 * A pass of the program begins, such as a step of training, for pools with a plan (tarn_pool_mark()
 * in tarn/pool.h). A `device` of -1 means all devices. Returns as above.
 */
TARN_TORCH_API int tarn_torch_mark(int device);

#ifdef __cplusplus
}
#endif
