// SPDX-License-Identifier: Apache-2.0
// Translates addresses and checks rights. See mmu.h.
#include "backend/host/mmu.h"

#include <inttypes.h>
#include <stdio.h>

#include "backend/host/phys.h"
#include "backend/host/space.h"
#include "base/error.h"

static void close_readers(struct tn_rwlock *lock) {
    char *host = (char *)lock - offsetof(struct tn_host, mmu_lock);
    tn_readers_close(&((struct tn_host *)(void *)host)->mmu_readers);
}

void tn_host_mmu_init(struct tn_host *h) {
    tn_rwlock_init(&h->mmu_lock, TN_RANK_BACKEND, "host MMU");
    h->mmu_lock.exclude = close_readers;
}

struct tn_reader *tn_host_mmu_lock_shared(struct tn_host *h) {
    return tn_readers_enter(&h->mmu_readers, &h->mmu_lock);
}

void tn_host_mmu_unlock_shared(struct tn_host *h, struct tn_reader *reader) {
    tn_readers_leave(reader, &h->mmu_lock);
}

bool tn_host_mmu_owns(const struct tn_host *h, tarn_addr addr) {
    return tn_host_space_find(h, addr) != NULL;
}

// Returns the mask of the rights of these devices.
static uint32_t devices_mask(const int devices[3]) {
    uint32_t mask = 0;
    for (int i = 0; i < 3; i++)
        if (devices[i] >= 0)
            mask |= tn_host_right(tn_host_location(devices[i]), TARN_ACCESS_READ_WRITE);
    return mask;
}

// Returns true if a location in `mask` or the owner of the bytes holds `need`. Among the rights of
// a location only READ_WRITE has the upper bit, and it has both.
static bool permits(const struct tn_host *h, uint64_t page, tarn_access need, uint32_t mask) {
    unsigned owner = tn_host_phys_at(h, tn_host_page_slot(page))->location;
    uint32_t rights =
        tn_host_page_rights(page) & (mask | tn_host_right(owner, TARN_ACCESS_READ_WRITE));
    return need == TARN_ACCESS_READ_WRITE ? (rights & 0xaaaaaaaau) != 0 : rights != 0;
}

static tarn_status fail_not_mapped(const struct tn_host_space *space, uint64_t addr) {
    static const char *const kinds[] = {"reservation", "device memory window", "pinned window"};
    return tn_fail(TARN_NOT_MAPPED, "nothing is mapped at 0x%llx in the %s 0x%llx, %llu bytes",
                   (unsigned long long)addr, kinds[space->kind], (unsigned long long)space->base,
                   (unsigned long long)space->size);
}

static tarn_status fail_no_access(const struct tn_host *h, const struct tn_host_space *space,
                                  const struct tn_interval_entry *entry, uint64_t addr,
                                  tarn_access need, int device) {
    unsigned owner = tn_host_phys_at(h, tn_host_page_slot(entry->value))->location;
    char name[24] = "the host";
    if (owner != TN_HOST_HERE) (void)snprintf(name, sizeof name, "host:%u", owner - 1);
    return tn_fail(TARN_NO_ACCESS,
                   "host:%d may not %s 0x%" PRIx64 " in the reservation 0x%" PRIx64
                   ": memory of %s, rights 0x%08x",
                   device, need == TARN_ACCESS_READ_WRITE ? "write" : "read", addr, space->base,
                   name, tn_host_page_rights(entry->value));
}

tarn_status tn_host_mmu_translate(struct tn_host *h, tarn_addr addr, uint64_t size,
                                  tarn_access need, const int devices[3], void **cpu,
                                  uint64_t *run) {
    TARN_ASSERT(size != 0 && tn_rwlock_is_held(&h->mmu_lock));
    TN_REFUSE(addr + size < addr, TARN_BAD_ADDRESS,
              "0x%" PRIx64 " and %" PRIu64 " bytes exceed the address space", addr, size);
    struct tn_host_space *space = tn_host_space_find(h, addr);
    struct tn_interval_entry entry;
    if (space == NULL) { // ordinary memory up to the next space
        *cpu = (void *)(uintptr_t)addr;
        *run = size;
        if (tn_interval_next(&h->spaces, addr, &entry) && entry.start - addr < size)
            *run = entry.start - addr;
        return TARN_OK;
    }
    struct tn_interval_cursor at = tn_interval_seek(&h->pages, addr);
    if (!tn_interval_step(&at, &entry) || entry.start > addr ||
        tn_host_page_is_deferred(entry.value))
        return fail_not_mapped(space, addr);
    uint32_t mask = devices_mask(devices);
    if (!permits(h, entry.value, need, mask))
        return fail_no_access(h, space, &entry, addr, need, devices[0]);
    uint64_t limit = space->base + space->size;
    uint64_t end = entry.end;
    limit = size < limit - addr ? addr + size : limit;
    while (end < limit && tn_interval_step(&at, &entry) && entry.start == end &&
           !tn_host_page_is_deferred(entry.value) && permits(h, entry.value, need, mask))
        end = entry.end;
    *cpu = (void *)(uintptr_t)(addr + space->alias);
    *run = (end < limit ? end : limit) - addr;
    TARN_ASSERT(*run != 0 && *run <= size && addr - space->base + *run <= space->size);
    return TARN_OK;
}
