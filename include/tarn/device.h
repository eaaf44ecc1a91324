/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/device.h
 * Devices: opening one by name, its features, peers, and waits for its work.
 *
 * A device name is a URI: BACKEND:ORDINAL[,KEY=VALUE...], for example "host:0",
 * "host:1,memory=1G,access=strict" or "sim:0,memory=80G,granularity=2M". Names that agree in
 * backend and in the text of their options belong to one platform. Its devices share addresses, can
 * be peers, and live until the last of them is closed. Different options make a separate platform
 * with its own devices. A thread that is cancelled while it waits (pthread_cancel()) finishes its
 * call; see base.h.
 */
#ifndef TARN_DEVICE_H
#define TARN_DEVICE_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A device opened by this process. Opaque; opens and closes are counted. */
typedef struct tarn_device tarn_device;

/**
 * Features of a device, found by trying them when its platform was opened. Bits of
 * tarn_device_info.features.
 */
enum {
    TARN_FEATURE_VMM = 1u << 0,   /**< virtual memory management: reserve, create, map, rights */
    TARN_FEATURE_BYTES = 1u << 1, /**< memory holds bytes; `sim` has numbers only */
    TARN_FEATURE_HOST_ACCESS = 1u << 2, /**< the CPU may be granted access to device memory */
    TARN_FEATURE_ALIAS = 1u << 3,     /**< one handle may be mapped at several addresses at once */
    TARN_FEATURE_PEER = 1u << 4,      /**< devices of the platform can access each other's memory */
    TARN_FEATURE_ASYNC = 1u << 5,     /**< streams run concurrently with the caller */
    TARN_FEATURE_PINNED = 1u << 6,    /**< pinned host memory */
    TARN_FEATURE_HOST_PHYS = 1u << 7, /**< physical memory can be created in host locations */
    /** A cost model keeps a clock: virtual_ns of tarn_platform_query_stats(). */
    TARN_FEATURE_VIRTUAL_TIME = 1u << 8,
    TARN_FEATURE_ARRAYS = 1u << 9,       /**< dense, deferred and sparse arrays */
    TARN_FEATURE_GIANT_PAGES = 1u << 10, /**< TARN_PAGE_GIANT can be requested */
    /** Work is checked when it runs. Memory can be unmapped or freed under it without a wait; work
     * that comes too late fails with a sticky error of its stream and has no other effect. GPUs and
     * NPUs do not support this: such work is undefined there, calls "without a wait" may wait
     * nevertheless, and inside a host function they return BUSY. */
    TARN_FEATURE_CHECKED = 1u << 11,
    TARN_FEATURE_PARTIAL = 1u << 12, /**< the first bytes of a handle can be mapped alone */
    /** One reservation can hold memory of several devices, and imported memory beside the
     * platform's own. */
    TARN_FEATURE_MIXED = 1u << 13,
    TARN_FEATURE_RIGHTS = 1u << 14, /**< rights can be read only, and can be revoked */
    TARN_FEATURE_CONDITIONS =
        1u << 15 /**< tarn_stream_wait_until(), and events between processes */
};

/**
 * Ways in which physical memory can leave the process. Bits of tarn_device_info.shareable and
 * tarn_phys_desc.shareable.
 */
enum {
    TARN_SHAREABLE_FD = 1u << 0, /**< a POSIX file descriptor */
    /** A 64-bit number. On `host` it is valid in processes of one user on one machine, on `sim` in
     * one process. */
    TARN_SHAREABLE_TOKEN = 1u << 1
};

/** The answer of tarn_device_query(). */
typedef struct tarn_device_info {
    size_t struct_size;               /**< set by TARN_INIT(tarn_device_info) */
    char backend[16];                 /**< "host" */
    char name[64];                    /**< shown to users */
    int ordinal;                      /**< number of the device on its platform */
    int device_count;                 /**< devices of the platform */
    uint64_t memory_bytes;            /**< capacity */
    uint64_t granularity_minimum;     /**< of reserve, create and map; a power of two */
    uint64_t granularity_recommended; /**< a multiple of the minimum */
    uint32_t features;                /**< TARN_FEATURE_ bits */
    uint32_t shareable;               /**< TARN_SHAREABLE_ bits */
} tarn_device_info;

/**
 * Opens a device. Opening the same device again returns the same pointer and counts a reference.
 * Must not be called from a signal handler.
 *
 * @param uri    the device name; NULL or "" means the environment's TARN_DEVICE, or "host:0" if
 *               that is not set
 * @param device receives the device; the caller closes it with tarn_device_close()
 * @retval TARN_BAD_ARGUMENT   device is NULL
 * @retval TARN_BAD_CONFIG     the name is malformed, names an unknown backend or option, or a value
 *                             is out of range
 * @retval TARN_BAD_DEVICE     no such ordinal
 * @retval TARN_UNSUPPORTED    the backend is not in this build, or its library is not installed
 * @retval TARN_NO_HOST_MEMORY no memory for the records
 */
TARN_API tarn_status tarn_device_open(const char *uri, tarn_device **device);

/**
 * Drops one reference. The last reference to the last device of a platform closes the platform.
 *
 * @param device the device; NULL does nothing
 * @retval TARN_BUSY the platform would be closed but has live reservations, handles, memory, host
 *                   memory, arrays, streams or events; nothing changed
 */
TARN_API tarn_status tarn_device_close(tarn_device *device);

/**
 * Opens another device of the same platform.
 *
 * @param device  a device of the platform
 * @param ordinal number of the other device
 * @param sibling receives the other device; the caller closes it too
 * @retval TARN_BAD_ARGUMENT device or sibling is NULL
 * @retval TARN_BAD_DEVICE   no such ordinal
 */
TARN_API tarn_status tarn_device_sibling(tarn_device *device, int ordinal, tarn_device **sibling);

/**
 * Queries a device.
 *
 * @param device the device
 * @param info   filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT device or info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_device_query(tarn_device *device, tarn_device_info *info);

/**
 * Queries the memory of a device.
 *
 * @param device      the device
 * @param free_bytes  receives the bytes that can still be allocated; may be NULL
 * @param total_bytes receives the capacity; may be NULL
 * @retval TARN_BAD_ARGUMENT device is NULL
 */
TARN_API tarn_status tarn_device_query_memory(tarn_device *device, uint64_t *free_bytes,
                                              uint64_t *total_bytes);

/** One setting of a platform. The strings live as long as the device is open. */
typedef struct tarn_setting {
    const char *key;    /**< as in a device name */
    const char *value;  /**< current value, as text */
    const char *source; /**< "default", "environment" or "uri" */
    const char *help;   /**< one line */
} tarn_setting;

/**
 * Queries the index-th setting of a device's platform.
 *
 * @param device  the device
 * @param index   0 and up
 * @param setting receives the setting
 * @retval TARN_BAD_ARGUMENT device or setting is NULL; or there are no more settings, which records
 *                           no error text because it ends a loop
 */
TARN_API tarn_status tarn_device_query_setting(tarn_device *device, unsigned index,
                                               tarn_setting *setting);

/**
 * Queries the path from a device to the memory of another one of its platform.
 *
 * @param device    the device that accesses memory
 * @param peer      the device that owns the memory
 * @param reachable true if a path exists, so that tarn_device_enable_peer() can succeed; false for
 *                  a device and itself. May be NULL.
 * @param enabled   true if tarn_device_enable_peer() has enabled it. May be NULL.
 * @retval TARN_BAD_ARGUMENT device or peer is NULL, or they are of different platforms
 */
TARN_API tarn_status tarn_device_query_peer(tarn_device *device, tarn_device *peer, bool *reachable,
                                            bool *enabled);

/**
 * Gives a device access to the plain memory (tarn_memory_alloc()) of a peer, existing and future.
 * Mapped memory is not affected: tarn_map_set_access() sets its rights.
 *
 * @param device the device that accesses memory
 * @param peer   the device that owns the memory
 * @retval TARN_BAD_ARGUMENT device or peer is NULL, they are the same device, or they are of
 *                           different platforms
 * @retval TARN_BUSY         the access is enabled already
 * @retval TARN_UNSUPPORTED  no path exists between the two
 */
TARN_API tarn_status tarn_device_enable_peer(tarn_device *device, tarn_device *peer);

/**
 * Ends the access that tarn_device_enable_peer() enabled.
 *
 * @param device the device that accesses memory
 * @param peer   the device that owns the memory
 * @retval TARN_BAD_ARGUMENT as for tarn_device_enable_peer(), or the access is not enabled
 */
TARN_API tarn_status tarn_device_disable_peer(tarn_device *device, tarn_device *peer);

/**
 * Waits until all work of all streams of a device is done. The streams report failures.
 *
 * @param device     the device
 * @param timeout_ns the limit; 0 does not wait, TARN_FOREVER has no limit
 * @retval TARN_BAD_ARGUMENT device is NULL
 * @retval TARN_TIMED_OUT    work enqueued before the call is not done
 * @retval TARN_BUSY         the call is made inside a host function of the platform, and timeout_ns
 *                           is not 0
 * @retval TARN_UNSUPPORTED  the device cannot wait with a deadline, and timeout_ns is not
 *                           TARN_FOREVER
 */
TARN_API tarn_status tarn_device_synchronize(tarn_device *device, uint64_t timeout_ns);

/**
 * Returns cached physical memory of a device to the operating system. Work is not affected, except
 * that later allocations take longer.
 *
 * @param device the device
 * @retval TARN_BAD_ARGUMENT device is NULL
 */
TARN_API tarn_status tarn_device_trim(tarn_device *device);

#ifdef __cplusplus
}
#endif
#endif
