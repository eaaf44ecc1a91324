/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/snapshot.h
 * Snapshots of pools: every segment and block at one moment, as a pickle that PyTorch's memory viewer
 * (pytorch.org/memory_viz) and the tarn command read.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 */
#ifndef TARN_SNAPSHOT_H
#define TARN_SNAPSHOT_H

#include <tarn/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The devices of a snapshot have numbers below this. */
#define TARN_SNAPSHOT_DEVICES 256

/** A pool in a snapshot. Zero the fields that are not needed. */
typedef struct tarn_snapshot_pool {
    tarn_pool *pool; /**< the pool */
    uint32_t device; /**< number under which its device is shown, below TARN_SNAPSHOT_DEVICES */
    uint32_t zero;   /**< 0; no meaning yet */
    /** Returns the number to show for a stream. NULL: the value of the tarn_stream. It is called
     *  without a lock and may call the pool. */
    uint64_t (*stream_number)(tarn_stream stream, void *arg);
    void *arg; /**< passed to stream_number */
} tarn_snapshot_pool;

/**
 * Writes a snapshot to a descriptor. Each pool's blocks are copied under its locks, one pool after
 * another, and are written without them. Adjacent memory is one segment. A live block is
 * "active_allocated", one that waits for streams "active_pending_free", free memory "inactive";
 * address space without memory is left out. The snapshot has no history and no stacks. Any thread.
 *
 * @param pools the pools, for example all those of one device; each once
 * @param count their number, at least 1
 * @param file  an open descriptor, which stays open. If the call fails with TARN_SYSTEM, a part may
 *              have been written; after any other failure nothing has.
 * @retval TARN_BAD_ARGUMENT   pools or a pool is NULL, count is 0, a device is too high, or file is
 *                             negative
 * @retval TARN_NO_HOST_MEMORY no memory for the copies
 * @retval TARN_SYSTEM         the system refused to write
 * @return also what tarn_pool_walk() returns
 */
TARN_API tarn_status tarn_snapshot_write(const tarn_snapshot_pool *pools, size_t count, int file);

/**
 * Writes a snapshot to a file. A regular file is replaced when the snapshot is complete and has
 * reached the disk, so a failure leaves the old file; anything else is written in place. Otherwise
 * like tarn_snapshot_write().
 *
 * @param pools the pools
 * @param count their number, at least 1
 * @param path  the file to create or to replace; a symbolic link is refused
 * @retval TARN_BAD_ARGUMENT   also: path is NULL
 * @retval TARN_SYSTEM         the file cannot be created or written; the text names it
 */
TARN_API tarn_status tarn_snapshot_save(const tarn_snapshot_pool *pools, size_t count,
                                        const char *path);

#ifdef __cplusplus
}
#endif
#endif
