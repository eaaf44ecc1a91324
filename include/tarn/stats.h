/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/stats.h - what is alive, what was done, and whether the books balance.
 */
#ifndef TARN_STATS_H
#define TARN_STATS_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The statistics of a platform: X(name, "text"). Gauges first (what is alive now), then counters
 * since it was opened. The struct, the names and the JSON of the command come from this one list.
 */
#define TARN_DEVICE_STATS_LIST(X)                                                                  \
    X(reservations, "reservations alive")                                                          \
    X(reserved_bytes, "address space in them")                                                     \
    X(handles, "physical memory handles alive")                                                    \
    X(handle_bytes, "bytes in them")                                                               \
    X(mappings, "mappings alive")                                                                  \
    X(mapped_bytes, "bytes in them")                                                               \
    X(memory_blocks, "plain device memory blocks alive")                                           \
    X(memory_bytes, "bytes asked for in them")                                                     \
    X(imported_blocks, "imports of plain device memory alive")                                     \
    X(imported_bytes, "bytes in them")                                                             \
    X(host_blocks, "pinned and registered host memory blocks alive")                               \
    X(host_bytes, "bytes in them")                                                                 \
    X(streams, "streams alive")                                                                    \
    X(events, "events alive")                                                                      \
    X(backend_calls, "calls of the backend that change memory")                                    \
    X(map_calls, "map calls of the backend")                                                       \
    X(unmap_calls, "unmap calls of the backend")                                                   \
    X(access_calls, "access changes of the backend")                                               \
    X(copies, "copies and fills given to the backend")                                             \
    X(copied_bytes, "bytes in them")                                                               \
    X(kernel_mappings, "kernel mappings the backend holds now, 0 where it has none")               \
    X(virtual_ns, "virtual time that the cost model has counted, 0 without one")                   \
    X(arrays, "arrays alive")                                                                      \
    X(tiles, "references that their mapped tiles hold on handles, those on their way included")

typedef struct tarn_device_stats {
    size_t struct_size;
#define TARN_DEVICE_STATS_FIELD(name, text) uint64_t name;
    TARN_DEVICE_STATS_LIST(TARN_DEVICE_STATS_FIELD)
#undef TARN_DEVICE_STATS_FIELD
} tarn_device_stats;

/* Fills `stats` for the platform of `device`. The caller sets stats->struct_size. BAD_ARGUMENT,
 * BAD_STRUCT. */
TARN_API tarn_status tarn_device_query_stats(tarn_device *device, tarn_device_stats *stats);

/*
 * Walks every record of the platform and compares it with the others and with the backend's own
 * books. CORRUPT, with a text that names the first contradiction. For tests and for bug reports: it
 * takes every lock.
 */
TARN_API tarn_status tarn_device_verify(tarn_device *device);

#ifdef __cplusplus
}
#endif
#endif
