/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/host.h - pinned host memory: memory of the CPU that devices reach at full speed.
 *
 * Pinning is best effort and honest: locked in memory when the system allows it, else populated,
 * else plain. The class obtained is reported.
 */
#ifndef TARN_HOST_H
#define TARN_HOST_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tarn_pin_class {
    TARN_PIN_PLAIN = 0,     /* neither locked nor known to be resident */
    TARN_PIN_POPULATED = 1, /* every page was present when the call returned */
    TARN_PIN_LOCKED = 2     /* cannot be paged out (mlock, or a vendor's pinned memory) */
} tarn_pin_class;

/* Bits for tarn_host_alloc() and tarn_host_register(). */
enum {
    TARN_HOST_MUST_LOCK =
        1u << 0 /* fail with NO_HOST_MEMORY rather than settle for a lower class */
};

/*
 * Allocates `size` bytes, page aligned, contents zero, readable and writable by the CPU and by
 * every device of the platform. BAD_ARGUMENT: NULL, size 0, unknown flags; NO_HOST_MEMORY;
 * NO_MAPPINGS.
 */
TARN_API tarn_status tarn_host_alloc(tarn_device *device, uint64_t size, uint32_t flags,
                                     void **ptr);

/* Frees it, after all work of the platform's devices. NULL is fine. BAD_ADDRESS: not the start of
 * such memory. */
TARN_API tarn_status tarn_host_free(void *ptr);

/*
 * Pins memory that the caller owns and keeps until tarn_host_unregister(). The range is rounded out
 * to pages for locking, and must not overlap memory that this library knows. BAD_ARGUMENT: NULL,
 * size 0, unknown flags; BUSY: overlap; BAD_ADDRESS: not all of it is mapped in this process;
 * NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_host_register(tarn_device *device, void *ptr, uint64_t size,
                                        uint32_t flags);

/* Undoes a registration, after all work of the platform's devices. BAD_ADDRESS: not the start of
 * one. */
TARN_API tarn_status tarn_host_unregister(void *ptr);

/* The class obtained for the pinned or registered memory that holds `ptr`. BAD_ADDRESS: none does.
 */
TARN_API tarn_status tarn_host_query(const void *ptr, void **base, uint64_t *size,
                                     tarn_pin_class *pin_class);

#ifdef __cplusplus
}
#endif
#endif
