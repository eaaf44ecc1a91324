/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/device.h - devices: opening one by name, what it can do, peers, and waiting for it.
 *
 * A device name is a URI: BACKEND:ORDINAL[,KEY=VALUE...], for example "host:0",
 * "host:1,memory=1G,access=strict" or "sim:0,memory=80G,granularity=2M". Names that agree in
 * backend and in the text of their options belong to one platform: its devices share addresses, can
 * be peers, and live until the last of them is closed. Different options make a platform of its
 * own, with devices of its own.
 */
#ifndef TARN_DEVICE_H
#define TARN_DEVICE_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device opened by this process. Opaque; reference counted by open and close. */
typedef struct tarn_device tarn_device;

/* What a device can do, as found by trying when its platform was opened. Bits of
 * tarn_device_info.features. */
enum {
    TARN_FEATURE_VMM = 1u << 0,         /* reserve, create, map, set access */
    TARN_FEATURE_BYTES = 1u << 1,       /* memory holds bytes (sim has none: only numbers) */
    TARN_FEATURE_HOST_ACCESS = 1u << 2, /* the CPU may be granted direct access to device memory */
    TARN_FEATURE_ALIAS = 1u << 3,       /* one handle may be mapped at several addresses at once */
    TARN_FEATURE_PEER = 1u << 4,        /* devices of the platform can reach each other's memory */
    TARN_FEATURE_ASYNC = 1u << 5,       /* streams run beside the caller */
    TARN_FEATURE_PINNED = 1u << 6,      /* pinned host memory */
    TARN_FEATURE_HOST_PHYS = 1u << 7,   /* physical memory can be created in host locations */
    TARN_FEATURE_VIRTUAL_TIME =
        1u << 8, /* a cost model keeps a clock: tarn_device_query_stats' virtual_ns */
    TARN_FEATURE_ARRAYS = 1u << 9,       /* arrays: dense, deferred and sparse */
    TARN_FEATURE_GIANT_PAGES = 1u << 10, /* TARN_PAGE_GIANT can be asked for */
    TARN_FEATURE_CHECKED = 1u << 11, /* work is checked when it runs: memory can be taken away under
                                       it without a wait, and work that comes too late fails with a
                                       sticky error of its stream, and of nothing else. Cards have
                                       it not: there such work is undefined, calls "without a wait"
                                       may wait all the same, and inside a host function they are
                                       BUSY */
    TARN_FEATURE_PARTIAL =
        1u << 12,                  /* the first bytes of a handle can be mapped without the rest */
    TARN_FEATURE_MIXED = 1u << 13, /* one reservation takes memory of several devices, and imported
                                      memory beside own */
    TARN_FEATURE_RIGHTS =
        1u << 14 /* rights can be less than to read and write, and be taken back */
};

/* How physical memory can leave the process. Bits of tarn_device_info.shareable and
 * tarn_phys_desc.shareable. */
enum {
    TARN_SHAREABLE_FD = 1u << 0,   /* a POSIX file descriptor */
    TARN_SHAREABLE_TOKEN = 1u << 1 /* a 64-bit number: on `host` good in processes of one user on
                                      one machine, on `sim` in one process */
};

/* What tarn_device_query() tells. */
typedef struct tarn_device_info {
    size_t struct_size;
    char backend[16];                 /* "host" */
    char name[64];                    /* for people */
    int ordinal;                      /* this device's number on its platform */
    int device_count;                 /* devices of the platform */
    uint64_t memory_bytes;            /* capacity */
    uint64_t granularity_minimum;     /* of reserve, create and map; a power of two */
    uint64_t granularity_recommended; /* a multiple of the minimum */
    uint32_t features;                /* TARN_FEATURE_ bits */
    uint32_t shareable;               /* TARN_SHAREABLE_ bits */
} tarn_device_info;

/*
 * Opens a device. `uri` NULL or "" means the environment's TARN_DEVICE, else "host:0". Opening the
 * same device again gives the same pointer and counts a reference. Not to be called from a signal
 * handler. BAD_CONFIG: the name cannot be understood, names an unknown backend or option, or a
 * value is out of range; BAD_DEVICE: no such ordinal; UNSUPPORTED: the backend is not in this build
 * or its library is not here; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_device_open(const char *uri, tarn_device **device);

/*
 * Drops one reference. The last one of the platform's last device takes the platform down; that is
 * refused with BUSY, and changes nothing, while reservations, handles, memory, host memory, arrays,
 * streams or events of it are alive. NULL is fine.
 */
TARN_API tarn_status tarn_device_close(tarn_device *device);

/* Another device of the same platform, opened (close it too). BAD_DEVICE: no such ordinal. */
TARN_API tarn_status tarn_device_sibling(tarn_device *device, int ordinal, tarn_device **sibling);

/* Fills `info` up to info->struct_size, which the caller sets (TARN_INIT(tarn_device_info)). BAD_ARGUMENT,
 * BAD_STRUCT. */
TARN_API tarn_status tarn_device_query(tarn_device *device, tarn_device_info *info);

/* Bytes that a create could still get, and the capacity. Either pointer may be NULL. */
TARN_API tarn_status tarn_device_query_memory(tarn_device *device, uint64_t *free_bytes,
                                              uint64_t *total_bytes);

/* One setting of a platform: what it is now and where that came from. */
typedef struct tarn_setting {
    const char *key;
    const char *value;  /* as text */
    const char *source; /* "default", "environment" or "uri" */
    const char *help;   /* one line */
} tarn_setting;

/*
 * The index-th setting of the device's platform. Strings live as long as the device is open.
 * BAD_ARGUMENT when there are no more (without an error text: it is how a loop ends).
 */
TARN_API tarn_status tarn_device_query_setting(tarn_device *device, unsigned index,
                                               tarn_setting *setting);

/* The index-th backend of this build, by name; NULL when there are no more. `summary` may be NULL.
 */
TARN_API const char *tarn_backend_name(unsigned index, const char **summary);

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

/*
 * Lets `device` reach, or no longer reach, plain device memory (tarn_memory_alloc) of `peer`,
 * existing and future. Mapped memory is not touched: its rights are set by tarn_map_set_access().
 * Enabling twice is BUSY; disabling what is not enabled is BAD_ARGUMENT; UNSUPPORTED: no path
 * between the two.
 */
TARN_API tarn_status tarn_device_enable_peer(tarn_device *device, tarn_device *peer);
TARN_API tarn_status tarn_device_disable_peer(tarn_device *device, tarn_device *peer);

/* Waits until all work of all streams of the device is done. What failed of it is told by its
 * stream. BUSY: inside a host function of the platform. */
TARN_API tarn_status tarn_device_synchronize(tarn_device *device);

/*
 * The same for at most `timeout_ns`; TARN_FOREVER: as long as it takes; 0: not at all. TIMED_OUT:
 * work given before the call is not done; BUSY: inside a host function, unless timeout_ns is 0;
 * UNSUPPORTED: the device has no waits with a deadline.
 */
TARN_API tarn_status tarn_device_synchronize_for(tarn_device *device, uint64_t timeout_ns);

/* Returns cached physical memory of the device to the operating system. Never fails work; costs
 * time. */
TARN_API tarn_status tarn_device_trim(tarn_device *device);

#ifdef __cplusplus
}
#endif
#endif
