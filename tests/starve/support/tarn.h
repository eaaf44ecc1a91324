// SPDX-License-Identifier: Apache-2.0
// Steps of a round that call Tarn. TRY() leaves the function at a failure. MUST() undoes: a call
// that frees may fail for want of memory once, and then succeeds.
#pragma once

#include <stdio.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

#include "starve/support/round.h"

// A region to begin: tarn_annotate_region_begin_with(REGION_OF(...)).
#define REGION_OF(addr, bytes, occupied, stream, name)                                             \
    (&(tarn_region_desc){sizeof(tarn_region_desc), addr, bytes, occupied, stream, name})

static inline enum starve_kind starve_status(tarn_status status, const char *step) {
    tarn_error error = {.message = ""};
    switch (status) {
    case TARN_OK: return STARVE_DONE;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS: return STARVE_SHORT;
    default:
        (void)tarn_last_error(&error);
        (void)fprintf(stderr, "%s: %s: %s\n", step, tarn_status_name(status), error.message);
        return STARVE_WRONG;
    }
}

#define TRY(step)                                                                                  \
    do {                                                                                           \
        enum starve_kind kind_of_step = starve_status((step), #step);                              \
        if (kind_of_step != STARVE_DONE) return kind_of_step;                                      \
    } while (0)

#define MUST(worst, step)                                                                          \
    do {                                                                                           \
        if (starve_status((step), #step) != STARVE_DONE &&                                         \
            starve_status((step), #step) != STARVE_DONE) {                                         \
            (void)fprintf(stderr, "%s: does not succeed\n", #step);                                \
            *(worst) = STARVE_WRONG;                                                               \
        }                                                                                          \
    } while (0)

// Returns STARVE_WRONG unless the device holds nothing and its records agree.
static inline enum starve_kind starve_device_is_empty(tarn_device *device) {
    tarn_platform_stats stats = TARN_INIT(tarn_platform_stats);
    uint64_t left = 0;
    uint64_t all = 1;
    (void)tarn_device_trim(device); // completes an unmap that the kernel refused
    if (tarn_platform_query_stats(device, &stats) != TARN_OK ||
        tarn_device_query_memory(device, &left, &all) != TARN_OK || left != all ||
        stats.reservations + stats.handles + stats.mappings + stats.memory_blocks != 0 ||
        stats.imported_blocks + stats.host_blocks + stats.streams + stats.events + stats.arrays !=
            0) {
        (void)fprintf(stderr, "the device holds something: %llu of %llu bytes are free\n",
                      (unsigned long long)left, (unsigned long long)all);
        return STARVE_WRONG;
    }
    return starve_status(tarn_platform_verify(device), "tarn_platform_verify()");
}
