/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/space.h - reservations of address space.
 *
 * A reservation is an exclusive range of addresses with nothing mapped. It costs no physical
 * memory, serves every device of its platform, and is known by its first address. Rules: HIP
 * virtual memory management.
 */
#ifndef TARN_SPACE_H
#define TARN_SPACE_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reserves `size` bytes, a multiple of the platform's minimum granularity. The start is a multiple
 * of max(alignment, minimum granularity); `alignment` is 0 or a power of two. `hint` is 0 or a
 * wish: the range starts there exactly when it is aligned and the whole range is free, else
 * anywhere. BAD_ARGUMENT: device or addr NULL, size 0, alignment no power of two; MISALIGNED: size;
 * NO_ADDRESS_SPACE; NO_MAPPINGS; NO_HOST_MEMORY; UNSUPPORTED: no virtual memory management on this
 * device.
 */
TARN_API tarn_status tarn_space_reserve(tarn_device *device, uint64_t size, uint64_t alignment,
                                        tarn_addr hint, tarn_addr *addr);

/*
 * Gives a whole reservation back. `addr` and `size` must be those of the reservation.
 * BAD_ARGUMENT: addr or size 0; BAD_ADDRESS: no reservation starts at addr, or its size differs;
 * BUSY: something in it is still mapped.
 */
TARN_API tarn_status tarn_space_release(tarn_addr addr, uint64_t size);

/* The reservation that holds `addr`. Either output may be NULL. BAD_ADDRESS: none does. */
TARN_API tarn_status tarn_space_query(tarn_addr addr, tarn_addr *base, uint64_t *size);

#ifdef __cplusplus
}
#endif
#endif
