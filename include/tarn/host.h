/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/host.h
 * Pinned host memory: memory of the CPU that devices access at full speed.
 *
 * The library locks the memory if the system allows it, otherwise populates it, otherwise leaves it
 * as plain memory, and reports the class that it obtained.
 */
#ifndef TARN_HOST_H
#define TARN_HOST_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How firmly host memory is kept in RAM. */
typedef enum tarn_pin_class {
    TARN_PIN_PLAIN = 0,     /**< neither locked nor known to be resident */
    TARN_PIN_POPULATED = 1, /**< every page was present when the call returned */
    TARN_PIN_LOCKED = 2     /**< cannot be paged out (mlock, or a vendor's pinned memory) */
} tarn_pin_class;

/** Bits for tarn_host_alloc() and tarn_host_register(). */
enum {
    TARN_HOST_MUST_LOCK = 1u << 0, /**< fail with NO_HOST_MEMORY rather than accept a lower class */
    /** tarn_host_alloc() only: pages are taken when they are first touched, and the class is PLAIN.
     * GPUs and NPUs cannot access such memory, so that theirs is pinned in spite of the bit. */
    TARN_HOST_ON_TOUCH = 1u << 1
};

/**
 * Allocates pinned memory, page aligned and zeroed, which the CPU and every device of the platform
 * may read and write.
 *
 * @param device a device of the platform
 * @param bytes  length
 * @param flags  0, TARN_HOST_MUST_LOCK or TARN_HOST_ON_TOUCH
 * @param ptr    receives the start; the caller frees it with tarn_host_free()
 * @retval TARN_BAD_ARGUMENT   device or ptr is NULL, bytes is 0, unknown flags, or both flags
 * @retval TARN_NO_HOST_MEMORY out of memory, more than the machine has in all such memory of the
 *         platform, or it cannot be locked and must be
 * @retval TARN_NO_MAPPINGS    the kernel's budget of mappings is exhausted
 */
TARN_API tarn_status tarn_host_alloc(tarn_device *device, uint64_t bytes, uint32_t flags,
                                     void **ptr);

/**
 * Frees pinned memory after all work of the platform's devices.
 *
 * @param ptr the start, as returned by tarn_host_alloc(); NULL does nothing
 * @retval TARN_BAD_ADDRESS ptr is not the start of such memory
 * @retval TARN_BUSY        the call is made inside a host function of the platform
 */
TARN_API tarn_status tarn_host_free(void *ptr);

/**
 * Pins memory that the caller owns and keeps until tarn_host_unregister(). The range is rounded out
 * to pages for locking.
 *
 * @param device a device of the platform
 * @param ptr    start of the memory
 * @param bytes  length
 * @param flags  0 or TARN_HOST_MUST_LOCK
 * @retval TARN_BAD_ARGUMENT   device or ptr is NULL, bytes is 0, or unknown flags
 * @retval TARN_BUSY           the range overlaps memory of the library or another registration
 * @retval TARN_BAD_ADDRESS    not all of the range is mapped in this process
 * @retval TARN_NO_HOST_MEMORY out of memory, or it cannot be locked and must be
 */
TARN_API tarn_status tarn_host_register(tarn_device *device, void *ptr, uint64_t bytes,
                                        uint32_t flags);

/**
 * Ends a registration after all work of the platform's devices.
 *
 * @param ptr the start, as given to tarn_host_register()
 * @retval TARN_BAD_ADDRESS ptr is not the start of a registration
 * @retval TARN_BUSY        the call is made inside a host function of the platform
 */
TARN_API tarn_status tarn_host_unregister(void *ptr);

#ifdef __cplusplus
}
#endif
#endif
