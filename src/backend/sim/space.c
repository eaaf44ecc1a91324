// SPDX-License-Identifier: Apache-2.0
// Addresses of a simulated platform: reservations and blocks of plain device memory share one
// window of numbers. Unused numbers come first, so a stale address seldom belongs to new memory.
// Any thread.
#include <stdlib.h>

#include "backend/sim/platform.h"
#include "base/error.h"
#include "base/round.h"

#define BLOCK_ALIGNMENT 256u

// Finds `size` free addresses. Under the lock.
static bool find_place(struct tn_sim *sim, uint64_t size, uint64_t alignment, tarn_addr hint,
                       tarn_addr *addr) {
    if (hint != 0 && hint % alignment == 0 && tn_sim_owns(sim, hint) && size <= sim->hi - hint &&
        !tn_interval_overlaps(&sim->space, hint, hint + size)) {
        *addr = hint;
        return true;
    }
    return tn_interval_gap(&sim->space, sim->next, sim->hi, size, alignment, addr) ||
           tn_interval_gap(&sim->space, sim->lo, sim->hi, size, alignment, addr);
}

// Finds a place for `range` and adds it to the table. Under the lock.
static tarn_status range_add(struct tn_sim *sim, struct tn_sim_range *range, uint64_t size,
                             uint64_t alignment, tarn_addr hint, tarn_addr *addr) {
    tarn_addr at;
    TN_REFUSE(!find_place(sim, size, alignment, hint, &at), TARN_NO_ADDRESS_SPACE,
              "no 0x%llx consecutive free addresses in a space of 0x%llx", (unsigned long long)size,
              (unsigned long long)sim->config.space);
    tarn_status status =
        tn_interval_insert(&sim->space, at, at + size, tn_slots_from_pointer(range));
    TN_REFUSE(status != TARN_OK, status, "out of host memory for the record of a range");
    sim->next = at + size;
    *addr = at;
    return TARN_OK;
}

static struct tn_sim_range *new_range(bool is_block, int device, uint64_t bytes) {
    struct tn_sim_range *range = (struct tn_sim_range *)malloc(sizeof *range);
    if (range == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the record of a range");
        return NULL;
    }
    *range =
        (struct tn_sim_range){.is_block = is_block, .device = (unsigned)device, .bytes = bytes};
    return range;
}

// Removes the range that starts at `addr` from the table. Under the lock.
static struct tn_sim_range *range_remove(struct tn_sim *sim, tarn_addr addr,
                                         struct tn_interval_entry *entry) {
    bool found = tn_interval_remove(&sim->space, addr, entry);
    TARN_ASSERT(found);
    return found ? (struct tn_sim_range *)tn_slots_to_pointer(entry->value) : NULL;
}

tarn_status tn_sim_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                           tarn_addr *addr) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_TRY(tn_sim_vmm_require(sim));
    struct tn_sim_range *range = new_range(false, 0, size);
    if (range == NULL) return TARN_NO_HOST_MEMORY;
    if (alignment < sim->config.granularity) alignment = sim->config.granularity;
    tn_mutex_lock(&sim->lock);
    tarn_status status = range_add(sim, range, size, alignment, hint, addr);
    tn_mutex_unlock(&sim->lock);
    if (status == TARN_OK)
        tn_sim_charge(sim, sim->config.reserve_ns);
    else
        free(range);
    return status;
}

void tn_sim_release(void *p, tarn_addr addr, uint64_t size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_interval_entry entry;
    tn_mutex_lock(&sim->lock);
    TARN_ASSERT(!tn_interval_overlaps(&sim->maps, addr, addr + size));
    struct tn_sim_range *range = range_remove(sim, addr, &entry);
    tn_mutex_unlock(&sim->lock);
    TARN_ASSERT(range != NULL && !range->is_block && range->bytes == size);
    (void)size;
    free(range);
    tn_sim_charge(sim, sim->config.release_ns);
}

// ---- plain device memory

// A block has addresses for its bytes and for one more granule, which belongs to no memory, so that
// an access beyond the end is detected. The granule takes no capacity.
static tarn_status block_add(struct tn_sim *sim, struct tn_sim_range *range, uint64_t alignment,
                             tarn_addr *addr) {
    uint64_t span = tn_round_up(range->bytes, sim->config.granularity) + sim->config.granularity;
    return range_add(sim, range, span, alignment, 0, addr);
}

static tarn_status block_charge_and_add(struct tn_sim *sim, struct tn_sim_range *range,
                                        uint64_t alignment, tarn_addr *addr) {
    TN_LOCKED(&sim->lock);
    TN_TRY(tn_sim_capacity_reserve(sim, range->device, range->charged));
    tarn_status status = block_add(sim, range, alignment, addr);
    if (status != TARN_OK) sim->used[range->device] -= range->charged;
    return status;
}

tarn_status tn_sim_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tarn_page_class page_class;
    uint64_t charged = tn_round_up(size, sim->config.granularity);
    const tarn_backend_memory desc = {
        .bytes = size, .charged = charged > size ? charged : size, .alignment = BLOCK_ALIGNMENT};
    return tn_sim_memory_alloc_with(p, device, &desc, addr, &page_class);
}

tarn_status tn_sim_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                     tarn_addr *addr, tarn_page_class *page_class) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_REFUSE(desc->charged > sim->config.memory, TARN_NO_DEVICE_MEMORY,
              "0x%llx bytes of device %d requested, which has 0x%llx",
              (unsigned long long)desc->charged, device, (unsigned long long)sim->config.memory);
    struct tn_sim_range *range = new_range(true, device, desc->bytes);
    if (range == NULL) return TARN_NO_HOST_MEMORY;
    range->charged = desc->charged;
    tarn_status status = block_charge_and_add(sim, range, desc->alignment, addr);
    if (status != TARN_OK) {
        free(range);
        return status;
    }
    *page_class = tn_sim_page_class(sim, desc->page_class);
    tn_sim_charge(sim, sim->config.allocate_ns + tn_sim_bytes_ns(sim, desc->charged));
    return TARN_OK;
}

// The lock keeps other threads from freeing the range before its size is read.
static tarn_status import_add(struct tn_sim *sim, struct tn_sim_range *range, uint64_t token,
                              tarn_addr *addr, uint64_t *size) {
    struct tn_interval_entry entry;
    TN_LOCKED(&sim->lock);
    TN_REFUSE(!tn_interval_find(&sim->keys, token, &entry), TARN_BAD_HANDLE,
              "key \"" TN_SIM_KEY_MAGIC
              "%016llx\" names no memory of this platform in this process",
              (unsigned long long)token);
    range->bytes = ((const struct tn_sim_range *)tn_slots_to_pointer(entry.value))->bytes;
    TN_TRY(block_add(sim, range, BLOCK_ALIGNMENT, addr));
    *size = range->bytes;
    return TARN_OK;
}

tarn_status tn_sim_import_block(struct tn_sim *sim, int device, uint64_t token, tarn_addr *addr,
                                uint64_t *size) {
    struct tn_sim_range *range = new_range(true, device, 0);
    if (range == NULL) return TARN_NO_HOST_MEMORY;
    tarn_status status = import_add(sim, range, token, addr, size);
    if (status != TARN_OK) free(range);
    return status;
}

void tn_sim_memory_free(void *p, int device, tarn_addr addr) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_interval_entry entry;
    tn_mutex_lock(&sim->lock);
    struct tn_sim_range *range = range_remove(sim, addr, &entry);
    TARN_ASSERT(range != NULL && range->is_block && range->device == (unsigned)device);
    if (range != NULL) sim->used[range->device] -= range->charged;
    if (range != NULL && range->token != 0)
        (void)tn_interval_remove(&sim->keys, range->token, NULL);
    tn_mutex_unlock(&sim->lock);
    (void)device;
    free(range);
    tn_sim_charge(sim, sim->config.free_ns);
}

void tn_sim_memory_close(void *p, int device, tarn_addr addr) {
    tn_sim_memory_free(p, device, addr);
}

// ---- peers

bool tn_sim_peer_can(void *p, int device, int peer) {
    (void)p;
    return device != peer;
}

// Has no effect: only copies and fills run here. The rights of the owner suffice for them, and the
// owner of plain memory always has rights.
tarn_status tn_sim_peer_set(void *p, int device, int peer, bool enabled) {
    (void)p, (void)device, (void)peer, (void)enabled;
    return TARN_OK;
}
