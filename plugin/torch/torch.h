/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtarn-torch.so: Tarn's pools behind the allocator interfaces of PyTorch, CuPy and RMM.
 *
 * A framework opens the library by its path and calls two of these symbols; nobody includes this
 * header but programs that ask for statistics. docs/torch.md says how each framework is told.
 *
 * Each device has one pool, made at its first allocation. TARN_TORCH_DEVICE names device 0 of the
 * framework ("cuda:0" unless set; "hip:0", "host:0"); device N is the N-th after it on the same
 * platform. TARN_TORCH_POOL says what pools are like:
 *
 *     expandable|segments[,limit=SIZE][,slack=PERMILLE][,page=SIZE][,segment=SIZE][,strict]
 *
 * Blocks are ordered by streams as tarn/pool.h tells: a block belongs to the stream it was
 * allocated on. `stream` is the vendor's handle, NULL the default stream. A handle must stay good
 * as long as memory that was used on it is in the pool. The handle 2, which for CUDA stands for
 * each thread's own default stream, is refused: nobody can tell later whose it was.
 *
 * Every function may be called from any thread. What goes wrong is told on standard error, in one
 * line that begins with "tarn-torch:", and changes nothing. After fork() the child begins anew;
 * what it frees of its parent's is ignored. Nothing is taken down at the end of the process.
 */
#ifndef TARN_PLUGIN_TORCH_TORCH_H
#define TARN_PLUGIN_TORCH_TORCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TARN_TORCH_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For torch.cuda.memory.CUDAPluggableAllocator. A block of `size` bytes at a multiple of 512; NULL
 * when there is none, and for size 0 without a complaint.
 */
TARN_TORCH_API void *tarn_torch_malloc(ssize_t size, int device, void *stream);

/*
 * Gives a block back. NULL is fine. `size` does not matter. Where `stream` is another one than the
 * block's own, the block also waits for the work given to that one so far.
 */
TARN_TORCH_API void tarn_torch_free(void *ptr, ssize_t size, int device, void *stream);

/* For set_record_stream_fn: work on `stream` uses the block too, which its free waits for. */
TARN_TORCH_API void tarn_torch_record_stream(void *ptr, void *stream);

/* For set_memory_fraction_fn: the device's pool holds at most that part of its memory, 0 to 1. */
TARN_TORCH_API void tarn_torch_memory_fraction(double fraction, int device);

/* For set_reset_fn, which torch.cuda.empty_cache() calls: gives unused memory back to all devices.
 */
TARN_TORCH_API void tarn_torch_reset(void);

/*
 * What tarn_torch_malloc() calls, beside telling it on standard error, when there is no block: the
 * place as three constants, and a text. It may return, so that NULL is the answer, or leave by a
 * C++ exception or longjmp(): nothing is locked. Its shape is that of c10::detail::torchCheckFail,
 * which throws: PyTorch itself does not look at the NULL. NULL, as at the start: nothing is called.
 */
typedef void (*tarn_torch_refusal)(const char *function, const char *file, uint32_t line,
                                   const char *text);
TARN_TORCH_API void tarn_torch_on_refusal(tarn_torch_refusal function);

/* For cupy.cuda.CFunctionAllocator, whose parameter is the stream that the blocks belong to. */
TARN_TORCH_API void *tarn_cupy_malloc(void *stream, size_t size, int device);
TARN_TORCH_API void tarn_cupy_free(void *stream, void *ptr, int device);

/*
 * Statistics of one device: X(name, "text"). Those up to `fallback` are tarn/pool.h's of the same
 * name.
 */
#define TARN_TORCH_STATS_LIST(X)                                                                   \
    X(live_blocks, "blocks alive")                                                                 \
    X(live_bytes, "bytes asked for in them, size classes counted as the class")                    \
    X(used_bytes, "bytes they occupy")                                                             \
    X(pending_bytes, "bytes freed that wait for streams")                                          \
    X(held_bytes, "physical bytes held")                                                           \
    X(largest_free, "largest block that could be had without growing")                             \
    X(peak_live_bytes, "highest live_bytes")                                                       \
    X(peak_used_bytes, "highest used_bytes")                                                       \
    X(peak_held_bytes, "highest held_bytes")                                                       \
    X(allocs, "allocations")                                                                       \
    X(frees, "frees")                                                                              \
    X(refusals, "allocations that could not be had")                                               \
    X(driver_calls, "calls of the device made for the pool")                                       \
    X(map_calls, "of them maps")                                                                   \
    X(unmap_calls, "of them unmaps")                                                               \
    X(moved_bytes, "physical bytes moved from one address to another")                             \
    X(host_bytes, "host memory of the book-keeping")                                               \
    X(fallback, "1: segments stand in for the pages asked for")                                    \
    X(streams, "streams seen")                                                                     \
    X(bad_frees, "frees of what is no block here")                                                 \
    X(device_bytes, "memory of the device")                                                        \
    X(device_free_bytes, "of it what nobody holds")

struct tarn_torch_statistics {
    size_t size; /* set by the caller: sizeof(struct tarn_torch_statistics) */
#define TARN_TORCH_STATS_FIELD(name, text) uint64_t name;
    TARN_TORCH_STATS_LIST(TARN_TORCH_STATS_FIELD)
#undef TARN_TORCH_STATS_FIELD
};

/*
 * Fills `stats` up to stats->size for a device; zeros where it has no pool yet. 0, or a status of
 * tarn/base.h: -1 for a bad argument, -5 for no such device.
 */
TARN_TORCH_API int tarn_torch_stats(int device, struct tarn_torch_statistics *stats);

/* The name of the index-th field after `size`, for bindings; NULL after the last. */
TARN_TORCH_API const char *tarn_torch_stats_name(unsigned index);

/* Lets the peaks of a device begin anew at what is there now. Returns as above. */
TARN_TORCH_API int tarn_torch_reset_peaks(int device);

/*
 * Writes what every pool has, as JSON, into a file: what the pool is, its statistics, streams, and
 * segments (runs of addresses with memory behind them) with their blocks. Returns as above, -22
 * when the file cannot be written.
 */
TARN_TORCH_API int tarn_torch_snapshot(const char *path);

/*
 * Gives memory without live blocks back until the device's pool holds at most `keep` bytes, waiting
 * for streams. `device` -1: all. `released` may be NULL. Returns as above.
 */
TARN_TORCH_API int tarn_torch_trim(int device, uint64_t keep, uint64_t *released);

#ifdef __cplusplus
}
#endif
#endif
