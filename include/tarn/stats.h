/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/stats.h
 * Statistics of a platform, and verification of its records.
 */
#ifndef TARN_STATS_H
#define TARN_STATS_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The statistics of a platform: X(name, "text"). Gauges count live objects; counters count events
 * since the platform was opened. The struct, the names and the command's JSON output are generated
 * from this list.
 */
#define TARN_PLATFORM_STATS_LIST(X)                                                                \
    X(reservations, "live reservations")                                                           \
    X(reserved_bytes, "bytes of address space in them")                                            \
    X(handles, "live handles to physical memory")                                                  \
    X(handle_bytes, "bytes in them")                                                               \
    X(mappings, "live mappings")                                                                   \
    X(mapped_bytes, "bytes in them")                                                               \
    X(memory_blocks, "live blocks of plain device memory")                                         \
    X(memory_bytes, "bytes requested in them")                                                     \
    X(imported_blocks, "live imports of plain device memory")                                      \
    X(imported_bytes, "bytes in them")                                                             \
    X(host_blocks, "live blocks of pinned and registered host memory")                             \
    X(host_bytes, "bytes in them")                                                                 \
    X(streams, "live streams")                                                                     \
    X(events, "live events")                                                                       \
    X(backend_calls, "calls of the backend that change memory")                                    \
    X(map_calls, "map calls of the backend")                                                       \
    X(unmap_calls, "unmap calls of the backend")                                                   \
    X(access_calls, "access changes of the backend")                                               \
    X(copies, "copies and fills that the backend accepted")                                        \
    X(copied_bytes, "bytes in them")                                                               \
    X(kernel_mappings, "kernel mappings that the backend holds now, 0 if it has none")             \
    X(virtual_ns, "virtual time of the cost model, 0 without one")                                 \
    X(arrays, "live arrays")                                                                       \
    X(tiles, "references of their mapped and enqueued tiles to handles")

/** The statistics; see TARN_PLATFORM_STATS_LIST for the fields. */
typedef struct tarn_platform_stats {
    size_t struct_size; /**< set by TARN_INIT(tarn_platform_stats) */
#define TARN_PLATFORM_STATS_FIELD(name, text) uint64_t name; /**< see TARN_PLATFORM_STATS_LIST */
    TARN_PLATFORM_STATS_LIST(TARN_PLATFORM_STATS_FIELD)
#undef TARN_PLATFORM_STATS_FIELD
} tarn_platform_stats;

/**
 * Queries the statistics of a device's platform.
 *
 * @param device a device of the platform
 * @param stats  filled up to stats->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT device or stats is NULL
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 */
TARN_API tarn_status tarn_platform_query_stats(tarn_device *device, tarn_platform_stats *stats);

/**
 * Compares every record of a platform with the others and with the backend's own records. It takes
 * every lock and is meant for tests and bug reports. Other threads may use the platform meanwhile:
 * they wait, and the records are compared as of one moment.
 *
 * @param device a device of the platform
 * @retval TARN_BAD_ARGUMENT device is NULL
 * @retval TARN_CORRUPT      records contradict each other; the text names the first contradiction
 */
TARN_API tarn_status tarn_platform_verify(tarn_device *device);

#ifdef __cplusplus
}
#endif
#endif
