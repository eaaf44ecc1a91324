// SPDX-License-Identifier: Apache-2.0
// Owners: parts of the library that manage address ranges for their users. A pool embeds a struct
// tn_owner and passes it to the calls below in place of the public functions. The regions that it
// obtains that way belong to it: the public functions refuse them, and queries ask the owner about
// blocks. A channel registers the ranges of its arenas. Any thread.
#pragma once

#include <tarn/face.h>

#include "base/assert.h"
#include "base/atomic.h"

struct tn_owner;

// The calls are made with the owner held (tn_owner_drain() waits for them) and without any lock of
// src/core/address, so they may take any lock of the owner.
struct tn_owner_ops {
    // Fills the fields of `info` that only the owner knows: pool, pool_user and the block's. The
    // others are filled already. NULL: the owner has nothing to add.
    void (*describe)(struct tn_owner *owner, tarn_addr addr, tarn_address_info *info);
    // Fills pool_user, and the fields of the live block that holds addr, if there is one. NULL:
    // describe() is the only answer.
    void (*find)(struct tn_owner *owner, tarn_addr addr, tarn_address_block *block);
    // Sets the word of the live block that starts at addr. Records its error. NULL: no blocks.
    tarn_status (*set_user)(struct tn_owner *owner, tarn_addr addr, uint64_t user);
    // Frees the live block that starts at addr. Records its error. NULL: no blocks.
    tarn_status (*free_block)(struct tn_owner *owner, tarn_addr addr);
};

struct tn_owner {
    const struct tn_owner_ops *ops;
    tarn_owner kind;
    _Atomic(unsigned) holds; // calls into `ops` that are running; zero in a new owner
};

// Begins and ends a call into the owner's ops. It begins under the read lock of the index, where
// the owner was found.
static inline void tn_owner_hold(struct tn_owner *owner) { (void)tn_add_seq_cst(&owner->holds, 1); }

static inline void tn_owner_put(struct tn_owner *owner) {
    unsigned before = tn_sub_acq_rel(&owner->holds, 1);
    TARN_ASSERT(before != 0);
    (void)before;
}

// Waits until no call into the owner's ops is running, nor any under tn_index_hold(). The caller has released all its regions and
// ranges first, so that no call can begin, and holds no lock that the ops take.
void tn_owner_drain(struct tn_owner *owner);

// The public functions of the same names, for the owner's regions, with the same statuses and error
// texts. `owner` NULL stands for the application.
tarn_status tn_owner_reserve(struct tn_owner *owner, tarn_device *device, uint64_t bytes,
                             uint64_t alignment, tarn_addr hint, tarn_addr *addr);
tarn_status tn_owner_release(struct tn_owner *owner, tarn_addr addr, uint64_t bytes);
tarn_status tn_owner_map(struct tn_owner *owner, tarn_addr addr, const tarn_map_item *items,
                         size_t count);
tarn_status tn_owner_unmap(struct tn_owner *owner, tarn_addr addr, uint64_t bytes, uint32_t flags);
tarn_status tn_owner_set_access(struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                                const tarn_grant *grants, size_t count);
tarn_status tn_owner_alloc(struct tn_owner *owner, tarn_device *device, uint64_t bytes,
                           tarn_addr *addr);
tarn_status tn_owner_free(struct tn_owner *owner, tarn_addr addr, uint32_t flags);

// tarn_memory_export() of the owner's memory that holds the byte `addr`. `base` receives its start.
tarn_status tn_owner_export(struct tn_owner *owner, tarn_addr addr, tarn_addr *base, tarn_key *key);

// Registers a range of ordinary memory of the process as the owner's, so that queries know it. No
// platform is involved: copies treat the range as ordinary memory, and it may be pinned by
// tarn_host_register(). BUSY: it overlaps such a range; NO_HOST_MEMORY. Recorded.
tarn_status tn_owner_add_range(struct tn_owner *owner, tarn_addr addr, uint64_t bytes);

// Ends the registration of the range that starts at addr.
void tn_owner_remove_range(tarn_addr addr);
