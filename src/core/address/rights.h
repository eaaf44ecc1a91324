// SPDX-License-Identifier: Apache-2.0
// Rights of all locations on one mapping, in one word: two bits each, the host first, then device
// 0, 1, ...
#ifndef TARN_CORE_ADDRESS_RIGHTS_H
#define TARN_CORE_ADDRESS_RIGHTS_H

#include <tarn/map.h>

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
    return (rights & ~((tn_rights)3 << shift)) | ((tn_rights)access << shift);
}

static inline bool tn_rights_allow(tn_rights rights, int device, tarn_access need) {
    tarn_location location = {TARN_LOCATION_DEVICE, device};
    return device >= 0 && (tn_rights_get(rights, location) & need) == (unsigned)need;
}

#endif
