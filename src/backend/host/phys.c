// SPDX-License-Identifier: Apache-2.0
// Physical memory: records, capacity, places in files, and the contents of fresh memory. See
// phys.h.
#include "backend/host/phys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend/host/pin.h"
#include "backend/host/sys.h"
#include "base/error.h"
#include "base/uncancelled.h"

// ---- records

static tarn_status grow_records(struct tn_host *h) {
    uint32_t block = h->phys_count / TN_HOST_PHYS_BLOCK;
    TN_REFUSE(block >= TN_HOST_PHYS_BLOCKS, TARN_NO_HANDLES,
              "%u handles are in use, the largest number", h->phys_count);
    if (h->phys[block] == NULL)
        h->phys[block] = tn_host_sys_alloc(TN_HOST_PHYS_BLOCK * sizeof(struct tn_host_phys));
    TN_REFUSE(h->phys[block] == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the record of a handle");
    return TARN_OK;
}

tarn_status tn_host_phys_new_record(struct tn_host *h, uint32_t *slot) {
    uint32_t s = h->phys_free;
    if (s != 0) {
        TARN_ASSERT(s < h->phys_count && !tn_host_phys_at(h, s)->live);
        h->phys_free = tn_host_phys_at(h, s)->next_free;
    } else {
        TN_TRY(grow_records(h));
        s = h->phys_count++;
    }
    *tn_host_phys_at(h, s) = (struct tn_host_phys){.fd = -1, .live = true};
    *slot = s;
    return TARN_OK;
}

void tn_host_phys_free_record(struct tn_host *h, uint32_t slot) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TARN_ASSERT(phys->live && slot != TN_HOST_PIN_SLOT && tn_mutex_is_held(&h->phys_lock));
    TARN_ASSERT(phys->view == NULL); // a view holds a mapping
    phys->live = false;
    phys->next_free = h->phys_free;
    h->phys_free = slot;
}

// ---- capacity

tarn_status tn_host_phys_charge(struct tn_host *h, unsigned location, uint64_t bytes) {
    TARN_ASSERT(tn_mutex_is_held(&h->phys_lock));
    // The system limits host memory. Only requests that it could never satisfy are refused here.
    TN_REFUSE(location == TN_HOST_HERE && bytes > h->probe.memory - h->used[location],
              TARN_NO_HOST_MEMORY,
              "%" PRIu64 " bytes of host memory requested, %" PRIu64 " of the machine's %" PRIu64
              " are free",
              bytes, h->probe.memory - h->used[location], h->probe.memory);
    const bool is_shared = location != TN_HOST_HERE && h->card.file != NULL;
    if (is_shared) TN_TRY(tn_host_card_take(&h->card, location - 1, bytes));
    TN_REFUSE(location != TN_HOST_HERE && !is_shared &&
                  bytes > h->config.memory - h->used[location],
              TARN_NO_DEVICE_MEMORY,
              "%" PRIu64 " bytes of host:%u requested, %" PRIu64 " of %" PRIu64 " are free", bytes,
              location - 1, (h->config.memory - h->used[location]), h->config.memory);
    h->used[location] += bytes;
    return TARN_OK;
}

// Memory that was created before a fork counts for the parent.
void tn_host_phys_discharge(struct tn_host *h, const struct tn_host_phys *phys) {
    TARN_ASSERT(tn_mutex_is_held(&h->phys_lock) && h->used[phys->location] >= phys->bytes);
    h->used[phys->location] -= phys->bytes;
    if (phys->location != TN_HOST_HERE && h->card.file != NULL &&
        phys->generation == h->card.generation)
        tn_host_card_give(&h->card, phys->location - 1u, phys->bytes);
}

tarn_status tn_host_phys_count_file(struct tn_host *h) {
    TARN_ASSERT(tn_mutex_is_held(&h->phys_lock));
    TN_REFUSE(h->own_files >= h->probe.handles, TARN_NO_HANDLES,
              "%llu handles hold a descriptor, the largest number that may be open",
              (unsigned long long)h->own_files);
    h->own_files++;
    return TARN_OK;
}

static uint64_t cached_bytes(const struct tn_host *h) {
    uint64_t sum = 0;
    TARN_ASSERT(tn_mutex_is_held(&h->phys_lock));
    for (unsigned location = 0; location <= h->config.devices; location++)
        sum += h->arenas[location][0].cached_bytes + h->arenas[location][1].cached_bytes;
    return sum;
}

tarn_status tn_host_phys_trim(struct tn_host *h, unsigned location) {
    TN_TRY(tn_host_arena_trim(&h->arenas[location][0]));
    return tn_host_arena_trim(&h->arenas[location][1]);
}

// ---- places in files

tarn_status tn_host_phys_bind(struct tn_host *h, uint32_t slot, uint64_t addr) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TARN_ASSERT(!phys->bound && phys->maps == 0 && tn_rwlock_is_held(&h->mmu_lock));
    tn_mutex_lock(&h->phys_lock);
    tarn_status status =
        tn_host_arena_bind(phys->arena, addr, phys->bytes, slot, &phys->offset, &phys->stale);
    tn_mutex_unlock(&h->phys_lock);
    phys->bound = status == TARN_OK;
    return status;
}

// Unbinds a handle with pages. The pages are kept up to the high-water mark, else freed.
static void drop_pages(struct tn_host *h, struct tn_host_phys *phys) {
    struct tn_host_arena *arena = phys->arena;
    bool keep = cached_bytes(h) + phys->bytes <= h->config.high_water;
    if (keep && tn_host_arena_cache(arena, phys->offset, phys->bytes)) return;
    // This may take milliseconds, so the lock is released. No other thread can use the extent yet.
    tn_mutex_unlock(&h->phys_lock);
    bool freed = tn_host_sys_punch(arena->fd, phys->offset, phys->bytes) == 0;
    tn_mutex_lock(&h->phys_lock);
    if (freed) {
        tn_host_arena_unbind(arena, phys->offset);
    } else {
        // Old bytes must never appear in a new handle. Cached pages are cleaned when the place is
        // used again. If the cache cannot grow, the place is never used again.
        (void)tn_host_arena_cache(arena, phys->offset, phys->bytes);
    }
}

static void unbind_locked(struct tn_host *h, struct tn_host_phys *phys) {
    TARN_ASSERT(phys->bound && phys->arena != NULL && tn_mutex_is_held(&h->phys_lock));
    if (phys->touched || phys->stale)
        drop_pages(h, phys);
    else
        tn_host_arena_unbind(phys->arena, phys->offset);
    phys->bound = false;
    phys->stale = false;
}

void tn_host_phys_move(struct tn_host *h, uint32_t slot, int fd) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_phys old = *phys;
    TARN_ASSERT(phys->arena != NULL && phys->bound);
    phys->arena = NULL;
    phys->fd = fd;
    phys->offset = 0;
    TN_LOCKED(&h->phys_lock);
    unbind_locked(h, &old);
}

void tn_host_phys_unbind(struct tn_host *h, uint32_t slot) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    if (phys->bound && phys->arena != NULL && phys->maps == 0 && !phys->touched) {
        tn_mutex_lock(&h->phys_lock);
        unbind_locked(h, phys);
        tn_mutex_unlock(&h->phys_lock);
    }
}

// ---- the contents of fresh memory

static bool write_bytes(int fd, uint64_t begin, uint64_t end, int byte) {
    char bytes[32768];
    memset(bytes, byte, sizeof bytes);
    for (uint64_t at = begin; at < end;) {
        size_t n = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        if (tn_host_sys_pwrite(fd, bytes, n, at) != 0) return false;
        at += n;
    }
    return true;
}

// Writes zeros over the existing pages only. Plain memory is not cleared: its old contents are
// those of this process, and clearing a block takes longer than the rest of an allocation.
static bool zero_pages(int fd, uint64_t begin, uint64_t end) {
    uint64_t start;
    for (uint64_t stop = begin; stop < end;)
        if (tn_host_sys_next_pages(fd, stop, end, &start, &stop) != 0 ||
            !write_bytes(fd, start, stop, 0))
            return false;
    return true;
}

tarn_status tn_host_phys_touch(struct tn_host *h, struct tn_host_phys *phys) {
    int fd = phys->arena != NULL ? phys->arena->fd : phys->fd;
    TARN_ASSERT(phys->bound && tn_rwlock_is_held(&h->mmu_lock));
    if (phys->touched) return TARN_OK;
    bool written = true;
    if (h->config.poison != 0 && !phys->imported)
        written = write_bytes(fd, phys->offset, phys->offset + phys->bytes, (int)h->config.poison);
    else if (phys->stale && !phys->plain)
        written = zero_pages(fd, phys->offset, phys->offset + phys->bytes);
    if (!written)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "pwrite", errno,
                              "cannot write the fresh contents of %" PRIu64 " bytes", phys->bytes);
    phys->touched = true;
    phys->stale = false;
    return TARN_OK;
}

void tn_host_phys_info(const struct tn_host_phys *phys, tarn_backend_phys_info *info) {
    *info = (tarn_backend_phys_info){
        .bytes = phys->bytes,
        .location = phys->location == TN_HOST_HERE
                        ? (tarn_location){TARN_LOCATION_HOST, 0}
                        : (tarn_location){TARN_LOCATION_DEVICE, phys->location - 1},
        .shareable = phys->shareable,
        .usage = phys->usage,
        .page_class = (tarn_page_class)phys->page_class,
    };
}

void tn_host_phys_free(struct tn_host *h, uint32_t slot) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    bool own = phys->arena == NULL;
    TARN_ASSERT(phys->live && phys->maps == 0 && phys->view == NULL);
    if (phys->fd >= 0) tn_close(phys->fd);
    TN_LOCKED(&h->phys_lock);
    if (phys->bound && !own) unbind_locked(h, phys);
    TARN_ASSERT(h->own_files >= own);
    h->own_files -= own;
    if (!phys->imported) tn_host_phys_discharge(h, phys);
    tn_host_phys_free_record(h, slot);
}
