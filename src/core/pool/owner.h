// SPDX-License-Identifier: Apache-2.0
// The part of a pool that the address book knows. A source or a fence embeds it and obtains its
// regions by it (core/address/owner.h), so that only the pool releases them and address queries
// find the pool's blocks.
#pragma once

#include "core/address/owner.h"

typedef struct tn_pool_owner {
    struct tn_owner base;
    _Atomic(tarn_pool *) pool; // NULL while the pool is being created or destroyed
} tn_pool_owner;

void tn_pool_owner_init(tn_pool_owner *owner);

// Connects the owner with its pool, and disconnects it: afterwards no query is inside the pool, and
// later ones do not find it. The caller of the second holds no lock of the pool.
void tn_pool_owner_attach(tn_pool_owner *owner, tarn_pool *pool);
void tn_pool_owner_detach(tn_pool_owner *owner);
