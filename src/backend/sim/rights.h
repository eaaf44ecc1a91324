// SPDX-License-Identifier: Apache-2.0
// The rights of a mapping, as one word: two bits for each location, the host first, then device 0
// and so on. All host locations are one. Pure functions.
#pragma once

#include <tarn/map.h>

static inline unsigned tn_sim_rights_shift(tarn_location location) {
    return location.type == TARN_LOCATION_DEVICE ? 2u * (unsigned)location.id + 2u : 0u;
}

static inline uint64_t tn_sim_rights_grant(uint64_t rights, const tarn_grant *grant) {
    unsigned shift = tn_sim_rights_shift(grant->location);
    return (rights & ~((uint64_t)3 << shift)) | (uint64_t)grant->access << shift;
}

static inline bool tn_sim_rights_allow(uint64_t rights, tarn_location location, tarn_access need) {
    return ((rights >> tn_sim_rights_shift(location)) & 3u & need) == (unsigned)need;
}
