// SPDX-License-Identifier: Apache-2.0
// Pinned and registered host memory. See pin.h.
#include "backend/host/pin.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "backend/host/memory.h"
#include "backend/host/phys.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "base/error.h"
#include "base/round.h"
#include "base/uncancelled.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

#define HUGE_PAGE ((uint64_t)2 << 20)

// Locks complete pages, or populates them. NO_HOST_MEMORY: the caller required the lock.
static tarn_status pin_pages(uint64_t addr, uint64_t size, uint32_t flags,
                             tarn_pin_class *pin_class) {
    if (tn_host_sys_mlock(addr, size) == 0) {
        *pin_class = TARN_PIN_LOCKED;
        return TARN_OK;
    }
    if ((flags & TARN_HOST_MUST_LOCK) != 0)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mlock", errno,
                              "%llu bytes cannot be locked (ulimit -l): %s",
                              (unsigned long long)size, strerror(errno));
    bool populated = tn_host_sys_madvise(addr, size, MADV_POPULATE_WRITE) == 0 ||
                     tn_host_sys_madvise(addr, size, MADV_POPULATE_READ) == 0;
    *pin_class = populated ? TARN_PIN_POPULATED : TARN_PIN_PLAIN;
    return TARN_OK;
}

// ---- pinned memory

static tarn_status out_of_memory(uint64_t bytes) {
    return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                          "cannot map %llu bytes of host memory", (unsigned long long)bytes);
}

// Counts the bytes as memory of the host.
static tarn_status pin_charge(struct tn_host *h, uint64_t bytes) {
    TN_LOCKED(&h->phys_lock);
    TN_TRY(tn_host_phys_charge(h, TN_HOST_HERE, bytes));
    tn_host_phys_at(h, TN_HOST_PIN_SLOT)->bytes += bytes;
    return TARN_OK;
}

static void pin_uncharge(struct tn_host *h, uint64_t bytes) {
    TN_LOCKED(&h->phys_lock);
    TARN_ASSERT(h->used[TN_HOST_HERE] >= bytes);
    TARN_ASSERT(tn_host_phys_at(h, TN_HOST_PIN_SLOT)->bytes >= bytes);
    h->used[TN_HOST_HERE] -= bytes;
    tn_host_phys_at(h, TN_HOST_PIN_SLOT)->bytes -= bytes;
}

// Maps anonymous memory in a window. Under the MMU lock, held for writing.
static tarn_status pin_place(struct tn_host *h, uint64_t bytes, uint64_t *addr) {
    struct tn_host_space *window = NULL;
    tarn_status status = tn_host_window_room(h, TN_HOST_SPACE_PINNED, bytes, 0, &window, addr);
    if (status == TARN_NO_ADDRESS_SPACE)
        return out_of_memory(bytes); // the two are the same to the caller
    if (status != TARN_OK) return status;
    uint32_t rights = UINT32_MAX; // all locations may read and write
    TN_REFUSE(tn_interval_insert(&h->pages, *addr, *addr + bytes,
                                 tn_host_page(TN_HOST_PIN_SLOT, rights)) != TARN_OK,
              TARN_NO_HOST_MEMORY, "out of host memory for the record of pinned memory");
    if (!tn_host_budget_reserve(&h->budget, TN_HOST_PIN_MAPPINGS)) {
        status = tn_host_budget_exceeded(&h->budget, "pinned memory", TN_HOST_PIN_MAPPINGS);
    } else if (tn_host_sys_mmap(*addr, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == 0) {
        status = out_of_memory(bytes);
        tn_host_budget_adjust(&h->budget, -TN_HOST_PIN_MAPPINGS);
    }
    if (status == TARN_OK)
        tn_host_phys_at(h, TN_HOST_PIN_SLOT)->maps++;
    else
        (void)tn_interval_remove(&h->pages, *addr, NULL);
    return status;
}

// Under the MMU lock, held for writing.
static void pin_unplace(struct tn_host *h, uint64_t addr, uint64_t bytes) {
    TARN_ASSERT(tn_interval_covers_whole(&h->pages, addr, addr + bytes, NULL));
    TARN_ASSERT(tn_host_phys_at(h, TN_HOST_PIN_SLOT)->maps != 0);
    if (!tn_host_space_restore(addr, bytes)) {
        // The kernel cannot split a mapping for this. The pages are freed at least; the next block
        // at this place replaces the mapping.
        (void)tn_host_sys_munlock(addr, bytes);
        (void)tn_host_sys_madvise(addr, bytes, MADV_DONTNEED);
    }
    (void)tn_interval_remove(&h->pages, addr, NULL);
    tn_host_phys_at(h, TN_HOST_PIN_SLOT)->maps--;
    tn_host_budget_adjust(&h->budget, -TN_HOST_PIN_MAPPINGS);
}

tarn_status tn_host_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                               tarn_pin_class *pin_class) {
    struct tn_host *h = (struct tn_host *)p;
    uint64_t bytes = tn_round_up(size, h->probe.page);
    uint64_t addr = 0;
    if (bytes < size) {
        errno = ENOMEM;
        return out_of_memory(size);
    }
    TN_TRY(pin_charge(h, bytes));
    tn_rwlock_write(&h->mmu_lock);
    const struct tn_host_space *newest = h->windows;
    tarn_status status = pin_place(h, bytes, &addr);
    if (status != TARN_OK) tn_host_window_undo(h, newest);
    tn_rwlock_unlock(&h->mmu_lock);
    if (status != TARN_OK) {
        pin_uncharge(h, bytes);
        return status;
    }
    if ((flags & TARN_HOST_ON_TOUCH) != 0) {
        *pin_class = TARN_PIN_PLAIN;
        *ptr = (void *)(uintptr_t)addr;
        return TARN_OK;
    }
    if (bytes >= HUGE_PAGE)
        (void)tn_host_sys_madvise(addr, bytes, MADV_HUGEPAGE); // populates about 3 times faster
    // Locking takes about a second for a few gigabytes, so the MMU lock is not held.
    status = pin_pages(addr, bytes, flags, pin_class);
    if (status == TARN_OK)
        *ptr = (void *)(uintptr_t)addr;
    else
        tn_host_host_free(p, (void *)(uintptr_t)addr, size);
    return status;
}

void tn_host_host_free(void *p, void *ptr, uint64_t size) {
    struct tn_host *h = (struct tn_host *)p;
    const uint64_t bytes = tn_round_up(size, h->probe.page);
    TN_WRITE_LOCKED(&h->mmu_lock);
    pin_unplace(h, (uint64_t)(uintptr_t)ptr, bytes);
    pin_uncharge(h, bytes);
}

// ---- registered memory of the caller

// A registration covers exact bytes and locks the pages that they touch.
struct pages {
    uint64_t lo;
    uint64_t hi;
};

static struct pages pages_of(const struct tn_host *h, const void *ptr, uint64_t size) {
    uint64_t start = (uint64_t)(uintptr_t)ptr;
    return (struct pages){start & ~(h->probe.page - 1), tn_round_up(start + size, h->probe.page)};
}

static tarn_status registration_add(struct tn_host *h, uint64_t start, uint64_t size) {
    tn_rwlock_write(&h->mmu_lock);
    tarn_status status = tn_interval_insert(&h->registered, start, start + size, TARN_PIN_PLAIN);
    tn_rwlock_unlock(&h->mmu_lock);
    if (status == TARN_OK) return TARN_OK;
    return status == TARN_BUSY ? tn_fail(status, "memory at 0x%llx is already registered",
                                         (unsigned long long)start)
                               : tn_fail(status, "out of host memory for a registration");
}

// The kernel does not count locks, so pages that a neighbouring registration shares stay locked.
static void unlock_unshared(const struct tn_host *h, struct pages pages, uint64_t start,
                            uint64_t end) {
    struct tn_interval_entry other;
    if (tn_interval_prev(&h->registered, start, &other) && other.end > pages.lo)
        pages.lo += h->probe.page;
    if (tn_interval_next(&h->registered, end, &other) && other.start < pages.hi)
        pages.hi -= h->probe.page;
    if (pages.lo < pages.hi) (void)tn_host_sys_munlock(pages.lo, pages.hi - pages.lo);
}

tarn_status tn_host_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                  tarn_pin_class *pin_class) {
    TN_UNCANCELLED; // msync
    struct tn_host *h = (struct tn_host *)p;
    uint64_t start = (uint64_t)(uintptr_t)ptr;
    struct pages pages = pages_of(h, ptr, size);
    tarn_pin_class got;
    TN_REFUSE(start + size < start || pages.hi == 0 ||
                  msync((void *)(uintptr_t)pages.lo, pages.hi - pages.lo, MS_ASYNC) != 0,
              TARN_BAD_ADDRESS, "0x%llx, %llu bytes, is not completely mapped",
              (unsigned long long)start, (unsigned long long)size);
    TN_TRY(registration_add(h, start, size));
    tarn_status status = pin_pages(pages.lo, pages.hi - pages.lo, flags, &got);
    TN_WRITE_LOCKED(&h->mmu_lock);
    if (status == TARN_OK) {
        TARN_ASSERT(tn_interval_find(&h->registered, start, NULL));
        (void)tn_interval_set(&h->registered, start, (uint64_t)got);
        *pin_class = got;
    } else {
        (void)tn_interval_remove(&h->registered, start, NULL);
    }
    return status;
}

void tn_host_host_unregister(void *p, void *ptr, uint64_t size) {
    struct tn_host *h = (struct tn_host *)p;
    uint64_t start = (uint64_t)(uintptr_t)ptr;
    struct tn_interval_entry entry = {0, 0, TARN_PIN_PLAIN};
    TN_WRITE_LOCKED(&h->mmu_lock);
    (void)tn_interval_remove(&h->registered, start, &entry);
    if (entry.value == TARN_PIN_LOCKED)
        unlock_unshared(h, pages_of(h, ptr, size), start, start + size);
}
