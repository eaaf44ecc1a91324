// SPDX-License-Identifier: Apache-2.0
// Rights of all locations on one mapping, in one word: two bits for each, the host first, then
// device 0, 1 and so on. Also the checks of grants that need no mapping.
#pragma once

#include "core/platform/platform.h"

typedef uint64_t tn_rights;

// All host locations are one.
static inline unsigned tn_rights_shift(tarn_location location) {
    return location.type == TARN_LOCATION_DEVICE ? 2u * (unsigned)location.id + 2u : 0u;
}

static inline tarn_access tn_rights_get(tn_rights rights, tarn_location location) {
    return (tarn_access)((rights >> tn_rights_shift(location)) & 3u);
}

static inline tn_rights tn_rights_set(tn_rights rights, tarn_location location,
                                      tarn_access access) {
    unsigned shift = tn_rights_shift(location);
    TARN_ASSERT(shift < 64 && (unsigned)access <= 3); // two bits for each location
    return (rights & ~((tn_rights)3 << shift)) | ((tn_rights)access << shift);
}

static inline bool tn_rights_allow(tn_rights rights, int device, tarn_access need) {
    tarn_location location = {TARN_LOCATION_DEVICE, device};
    return device >= 0 && (tn_rights_get(rights, location) & need) == (unsigned)need;
}

// Checks that the location exists on the platform. BAD_ARGUMENT: unknown type; BAD_DEVICE;
// recorded.
tarn_status tn_access_check_location(const struct tn_platform *platform, tarn_location location);

// Checks a grant without regard to the memory. BAD_ARGUMENT: unknown location type or access;
// BAD_DEVICE; UNSUPPORTED: the platform cannot grant the host access; recorded.
tarn_status tn_access_check_grant(const struct tn_platform *platform, const tarn_grant *grant);

// Checks that a device which is granted access has a path to `owner`, the location of the memory.
// UNSUPPORTED; recorded.
tarn_status tn_access_check_path(const struct tn_platform *platform, tarn_location owner,
                                 const tarn_grant *grant);

// Checks grants on memory of `owner`: the two checks above for each.
tarn_status tn_access_check(const struct tn_platform *platform, tarn_location owner,
                            const tarn_grant *grants, size_t count);
