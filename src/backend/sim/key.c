// SPDX-License-Identifier: Apache-2.0
// Keys to blocks of plain memory: a token as text, valid on the same platform in this process. An
// import is a block of its own that takes no capacity. Any thread.
#include <stdio.h>
#include <string.h>

#include "backend/sim/platform.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/key_text.h"

enum { TOKEN_AT = 9, TOKEN_DIGITS = 16 };

static void write_key(uint64_t token, tarn_key *key) {
    memset(key, 0, sizeof *key);
    (void)snprintf((char *)key->bytes, sizeof key->bytes, TN_SIM_KEY_MAGIC "%016llx",
                   (unsigned long long)token);
}

// A key of another origin differs from the text of its own token.
static tarn_status read_key(const tarn_key *key, uint64_t *token) {
    tarn_key again;
    uint64_t value = tn_hex_read(key->bytes + TOKEN_AT, TOKEN_DIGITS);
    write_key(value, &again);
    TN_REFUSE(memcmp(key, &again, sizeof again) != 0, TARN_BAD_HANDLE,
              "key \"%s\" was not made by a simulated platform", tn_key_text(key->bytes).text);
    *token = value;
    return TARN_OK;
}

// Returns the block's token, which the first export makes.
static tarn_status token_at(struct tn_sim *sim, tarn_addr addr, uint64_t *token) {
    struct tn_interval_entry entry;
    TN_LOCKED(&sim->lock);
    bool found = tn_interval_find(&sim->space, addr, &entry);
    TARN_ASSERT(found && entry.start == addr);
    (void)found;
    struct tn_sim_range *block = (struct tn_sim_range *)tn_slots_to_pointer(entry.value);
    if (block->token == 0) {
        uint64_t fresh = tn_sim_new_token();
        tarn_status status = tn_interval_insert(&sim->keys, fresh, fresh + 1, entry.value);
        TN_REFUSE(status != TARN_OK, status, "out of host memory for a key");
        block->token = fresh;
    }
    *token = block->token;
    return TARN_OK;
}

tarn_status tn_sim_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                 tarn_key *key) {
    struct tn_sim *sim = (struct tn_sim *)p;
    uint64_t token = 0;
    (void)device, (void)size; // recorded in the block
    TN_TRY(token_at(sim, addr, &token));
    write_key(token, key);
    tn_sim_charge(sim, sim->config.share_ns);
    return TARN_OK;
}

tarn_status tn_sim_memory_import(void *p, int device, const tarn_key *given, tarn_addr *addr,
                                 uint64_t *size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    uint64_t token = 0;
    TN_TRY(read_key(given, &token));
    TN_TRY(tn_sim_import_block(sim, device, token, addr, size));
    tn_sim_charge(sim, sim->config.share_ns);
    return TARN_OK;
}

// Keys are valid in this process only, so there is no process to exclude.
tarn_status tn_sim_memory_allow(void *p, const tarn_key *given, const int *pids, size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_interval_entry entry;
    uint64_t token = 0;
    (void)pids, (void)count;
    TN_TRY(read_key(given, &token));
    TN_LOCKED(&sim->lock);
    bool known = tn_interval_find(&sim->keys, token, &entry);
    return known ? TARN_OK
                 : tn_fail(TARN_BAD_HANDLE,
                           "key \"" TN_SIM_KEY_MAGIC "%016llx\" names no memory of this platform",
                           (unsigned long long)token);
}
