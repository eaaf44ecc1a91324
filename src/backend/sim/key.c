// SPDX-License-Identifier: Apache-2.0
// Keys to blocks of plain memory: a token in 64 bytes, good on the same platform in this process.
// An import is a block of its own with no capacity: there are no bytes to share, only sizes.
#include <stdlib.h>
#include <string.h>

#include "backend/sim/platform.h"
#include "base/error.h"

#define MAGIC "TARNSIM" // and its end

// What a tarn_memory_key holds.
struct key {
    char magic[8];
    uint64_t token;
    uint64_t zeros[6];
};

_Static_assert(sizeof(struct key) == sizeof(tarn_memory_key), "a key fills its bytes");

// The block's token, made at the first export. Under the lock.
static tarn_status token_at(struct tn_sim *sim, tarn_addr addr, uint64_t *token) {
    struct tn_interval_entry entry;
    bool there = tn_interval_find(&sim->space, addr, &entry);
    TARN_ASSERT(there && entry.start == addr);
    (void)there;
    struct tn_sim_range *block = (struct tn_sim_range *)tn_slots_to_pointer(entry.value);
    if (block->token == 0) {
        uint64_t fresh = tn_sim_new_token();
        tarn_status status = tn_interval_insert(&sim->keys, fresh, fresh + 1, entry.value);
        if (status != TARN_OK) {
            return tn_fail(status, "no host memory for a key");
        }
        block->token = fresh;
    }
    *token = block->token;
    return TARN_OK;
}

tarn_status tn_sim_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                 tarn_memory_key *key) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct key made = {.magic = MAGIC};
    (void)device, (void)size; // the block knows
    tn_mutex_lock(&sim->lock);
    tarn_status status = token_at(sim, addr, &made.token);
    tn_mutex_unlock(&sim->lock);
    if (status == TARN_OK) {
        memcpy(key->bytes, &made, sizeof made);
        tn_sim_charge(sim, sim->config.share_ns);
    }
    return status;
}

static tarn_status read_key(const tarn_memory_key *given, uint64_t *token) {
    struct key key;
    memcpy(&key, given->bytes, sizeof key);
    const struct key good = {.magic = MAGIC, .token = key.token};
    if (memcmp(&key, &good, sizeof key) != 0) {
        return tn_fail(TARN_BAD_HANDLE, "the key was not made by a simulated platform");
    }
    *token = key.token;
    return TARN_OK;
}

tarn_status tn_sim_memory_import(void *p, int device, const tarn_memory_key *given, tarn_addr *addr,
                                 uint64_t *size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    uint64_t token = 0;
    tarn_status status = read_key(given, &token);
    if (status == TARN_OK) {
        status = tn_sim_import_block(sim, device, token, addr, size);
    }
    if (status == TARN_OK) {
        tn_sim_charge(sim, sim->config.share_ns);
    }
    return status;
}

// Keys leave no process, and within one nobody is kept out.
tarn_status tn_sim_memory_allow(void *p, const tarn_memory_key *given, const int *pids,
                                size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_interval_entry entry;
    uint64_t token = 0;
    (void)pids, (void)count;
    tarn_status status = read_key(given, &token);
    if (status != TARN_OK) {
        return status;
    }
    tn_mutex_lock(&sim->lock);
    bool known = tn_interval_find(&sim->keys, token, &entry);
    tn_mutex_unlock(&sim->lock);
    return known ? TARN_OK
                 : tn_fail(TARN_BAD_HANDLE, "key 0x%llx names no memory of this platform",
                           (unsigned long long)token);
}
