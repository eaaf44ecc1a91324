// SPDX-License-Identifier: Apache-2.0
// The slots of physical memory handles and of capacity: create, destroy, export, import, trim. Any
// thread. See phys.h for the records and share.h for the files of exportable handles.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/host/deferred.h"
#include "backend/host/share.h"
#include "backend/host/sys.h"
#include "backend/host/ticket.h"
#include "base/decide.h"
#include "base/error.h"
#include "base/uncancelled.h"

// ---- tokens: tickets (ticket.h) in 64 bits

// Process and descriptor leave 22 bits for the nonce, so a stale token is mistaken for a valid one
// once in 4 million times. The list in the file decides which processes may import.

// From the highest bit: process, descriptor, nonce. Linux has no larger process ids.
enum { PID_BITS = 22, FD_BITS = 20, NONCE_BITS = 22 };

_Static_assert(PID_BITS + FD_BITS + NONCE_BITS == 64, "a token uses all 64 bits");

#define MASK(bits) (((uint64_t)1 << (bits)) - 1)

static struct tn_host_ticket read_token(uint64_t token) {
    struct tn_host_ticket ticket = {.pid = (int)(token >> (FD_BITS + NONCE_BITS)),
                                    .fd = (int)(token >> NONCE_BITS & MASK(FD_BITS)),
                                    .nonce = {token & MASK(NONCE_BITS), 0},
                                    .mask = {MASK(NONCE_BITS), 0}};
    (void)snprintf(ticket.name, sizeof ticket.name, "token 0x%llx", (unsigned long long)token);
    return ticket;
}

// Makes the token of a handle's file. NO_HANDLES: process or descriptor number does not fit.
// SYSTEM.
static tarn_status host_token_make(const struct tn_host *h, int fd, tarn_shareable *out) {
    struct tn_host_trailer trailer;
    uint64_t pid = (uint64_t)getpid();
    const char *flaw = tn_host_share_read(h, fd, TN_HOST_SHARE_PHYS, &trailer);
    if (flaw != NULL)
        return tn_fail_native(TARN_SYSTEM, "pread", errno,
                              "descriptor %d, the file of a handle: %s", fd, flaw);
    TN_REFUSE((uint64_t)fd > MASK(FD_BITS) || pid > MASK(PID_BITS), TARN_NO_HANDLES,
              "descriptor %d of process %d does not fit a token", fd, (int)pid);
    uint64_t token = pid << (FD_BITS + NONCE_BITS) | (uint64_t)fd << NONCE_BITS |
                     (trailer.nonce[0] & MASK(NONCE_BITS));
    *out = (tarn_shareable){.type = TARN_SHAREABLE_TOKEN, .fd = -1, .token = token};
    return TARN_OK;
}

// Opens the file of a token as a new descriptor. Fails as tn_host_ticket_open().
static tarn_status host_token_open(const struct tn_host *h, uint64_t token, int *fd,
                                   struct tn_host_trailer *trailer) {
    const struct tn_host_ticket ticket = read_token(token);
    return tn_host_ticket_open(h, &ticket, TN_HOST_SHARE_PHYS, fd, trailer);
}

tarn_status tn_host_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                               size_t count) {
    const struct tn_host_ticket ticket = read_token(exported->token);
    return tn_host_ticket_allow((struct tn_host *)p, &ticket, TN_HOST_SHARE_PHYS, pids, count);
}

// ---- handles

// ---- create and destroy

// Memory is allocated without a node, so a node can be granted only if the machine has just one.
static tarn_status check_node(const struct tn_host *h, tarn_location location) {
    char path[64];
    if (location.type == TARN_LOCATION_HOST_NUMA) {
        bool one = h->probe.one_node;
        (void)snprintf(path, sizeof path, "/sys/devices/system/node/node%d", location.id);
        TN_REFUSE(location.id < 0 || (one ? location.id != 0 : access(path, F_OK) != 0),
                  TARN_BAD_DEVICE, "host: this machine has no NUMA node %d", location.id);
    }
    bool anywhere = location.type == TARN_LOCATION_DEVICE || location.type == TARN_LOCATION_HOST;
    return anywhere || h->probe.one_node
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED, "host: placing memory on a NUMA node is not supported");
}

static tarn_status handle_resolve(const struct tn_host *h, const tarn_phys_desc *desc,
                                  struct tn_host_phys *phys) {
    uint32_t shareable = h->probe.sealing ? TN_HOST_SHAREABLE : 0;
    TN_TRY(check_node(h, desc->location));
    TN_REFUSE((desc->shareable & ~shareable) != 0, TARN_UNSUPPORTED,
              "host: memory cannot be shared as 0x%x, only as 0x%x", desc->shareable, shareable);
    tarn_page_class wish =
        desc->page_class != TARN_PAGE_DEFAULT ? desc->page_class : (tarn_page_class)h->config.pages;
    phys->location = desc->location.type == TARN_LOCATION_DEVICE
                         ? (uint8_t)tn_host_location(desc->location.id)
                         : (uint8_t)TN_HOST_HERE;
    phys->page_class =
        wish >= TARN_PAGE_HUGE && h->probe.huge ? (uint8_t)TARN_PAGE_HUGE : (uint8_t)TARN_PAGE_BASE;
    phys->shareable = (uint8_t)desc->shareable;
    phys->usage = (uint8_t)desc->usage;
    return TARN_OK;
}

// Takes capacity, a slot and, for an own file, a descriptor. All or nothing. Under the phys lock.
static tarn_status handle_enter(struct tn_host *h, const struct tn_host_phys *phys,
                                uint32_t *slot) {
    TN_TRY(tn_host_phys_charge(h, phys->location, phys->bytes));
    tarn_status status = phys->shareable != 0 ? tn_host_phys_count_file(h) : TARN_OK;
    if (status != TARN_OK) goto err_charge;
    status = tn_host_phys_new_record(h, slot);
    if (status != TARN_OK) goto err_file;
    *tn_host_phys_at(h, *slot) = *phys;
    return TARN_OK;
err_file:
    TARN_ASSERT(phys->shareable == 0 || h->own_files != 0);
    h->own_files -= phys->shareable != 0;
err_charge:
    tn_host_phys_discharge(h, phys);
    return status;
}

// Makes the file of an exportable handle. A token contains bits of its nonce.
static tarn_status handle_make_file(struct tn_host *h, uint32_t slot, const tarn_phys_desc *desc) {
    struct tn_host_trailer trailer = {.kind = TN_HOST_SHARE_PHYS,
                                      .page_bytes = desc->page_class == TARN_PAGE_DEFAULT
                                                        ? h->config.granularity
                                                        : TARN_PAGE_BYTES(desc->page_class),
                                      .shareable = desc->shareable};
    memcpy(trailer.user, desc->user, sizeof trailer.user);
    if ((desc->shareable & TARN_SHAREABLE_TOKEN) != 0) TN_TRY(tn_host_ticket_number(trailer.nonce));
    return tn_host_share_create(h, tn_host_phys_at(h, slot), &trailer);
}

// Deferred unmaps hold memory. Completes them; returns false if there were none.
static bool free_deferred(struct tn_host *h) {
    if (tn_load_relaxed(&h->deferred) == 0) return false;
    TN_WRITE_LOCKED(&h->mmu_lock);
    tn_host_deferred_complete_all(h);
    return true;
}

static tarn_status handle_enter_locked(struct tn_host *h, const struct tn_host_phys *phys,
                                       uint32_t *slot) {
    TN_LOCKED(&h->phys_lock);
    return handle_enter(h, phys, slot);
}

tarn_status tn_host_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_phys made = {
        .bytes = bytes, .fd = -1, .live = true, .generation = h->card.generation};
    uint32_t slot = 0;
    TN_TRY(handle_resolve(h, desc, &made));
    if (made.shareable == 0)
        made.arena = &h->arenas[made.location][made.page_class == TARN_PAGE_HUGE];
    tarn_status status = handle_enter_locked(h, &made, &slot);
    if (status == TARN_NO_DEVICE_MEMORY && free_deferred(h))
        status = handle_enter_locked(h, &made, &slot);
    if (status != TARN_OK) return status;
    if (made.shareable != 0) {
        status = handle_make_file(h, slot, desc);
        if (status != TARN_OK) {
            tn_host_phys_destroy(h, slot);
            return status;
        }
    }
    *phys = slot;
    tn_host_phys_info(&made, info);
    return TARN_OK;
}

void tn_host_phys_destroy(void *p, tarn_backend_phys handle) {
    struct tn_host *h = (struct tn_host *)p;
    uint32_t slot = (uint32_t)handle;
    TARN_ASSERT(slot == handle);
    bool doomed = false;
    if (tn_load_relaxed(&h->deferred) != 0) {
        tn_rwlock_write(&h->mmu_lock);
        doomed = tn_host_phys_at(h, slot)->maps != 0;
        tn_host_phys_at(h, slot)->doomed = doomed;
        tn_rwlock_unlock(&h->mmu_lock);
    }
    if (!doomed) tn_host_phys_free(h, slot);
}

// ---- capacity

tarn_status tn_host_memory_info(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes) {
    struct tn_host *h = (struct tn_host *)p;
    (void)free_deferred(h);
    tn_mutex_lock(&h->phys_lock);
    TARN_ASSERT(h->card.file != NULL || h->used[tn_host_location(device)] <= h->config.memory);
    *free_bytes = h->card.file != NULL ? tn_host_card_free(&h->card, (unsigned)device)
                                       : h->config.memory - h->used[tn_host_location(device)];
    tn_mutex_unlock(&h->phys_lock);
    if (tn_decide_faults())
        *free_bytes -= *free_bytes / 4 *
                       tn_decide(&tn_process_decider, TN_DECIDE_FREE, 4,
                                 "other programs use a part of the memory of device %d", device);
    *total_bytes = h->config.memory;
    return TARN_OK;
}

tarn_status tn_host_trim(void *p, int device) {
    struct tn_host *h = (struct tn_host *)p;
    (void)free_deferred(h);
    TN_LOCKED(&h->phys_lock);
    tarn_status status = tn_host_phys_trim(h, tn_host_location(device));
    if (status == TARN_OK) status = tn_host_phys_trim(h, TN_HOST_HERE);
    return status;
}

// ---- export and import

tarn_status tn_host_phys_export(void *p, tarn_backend_phys handle, uint32_t type,
                                tarn_shareable *out) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_phys *phys = tn_host_phys_at(h, (uint32_t)handle);
    TN_REFUSE(phys->fd < 0 || (type & phys->shareable) == 0, TARN_BAD_ARGUMENT,
              "this memory was not created to be shareable as 0x%x", type);
    // The importer sees the contents of fresh memory.
    tn_rwlock_write(&h->mmu_lock);
    tarn_status status = tn_host_phys_touch(h, phys);
    tn_rwlock_unlock(&h->mmu_lock);
    if (status != TARN_OK) return status;
    if (type == TARN_SHAREABLE_TOKEN) return host_token_make(h, phys->fd, out);
    int fd = tn_host_sys_dup(phys->fd);
    if (fd < 0) return tn_host_share_refused("fcntl", errno, phys->bytes);
    *out = (tarn_shareable){.type = TARN_SHAREABLE_FD, .fd = fd};
    return TARN_OK;
}

// *fd is a new descriptor. One that was given stays with the caller.
static tarn_status open_export(const struct tn_host *h, const tarn_shareable *in, int *fd,
                               struct tn_host_trailer *trailer) {
    if (in->type == TARN_SHAREABLE_TOKEN) return host_token_open(h, in->token, fd, trailer);
    TN_REFUSE(in->type != TARN_SHAREABLE_FD, TARN_UNSUPPORTED,
              "host: memory cannot be imported as 0x%x", in->type);
    const char *flaw = tn_host_share_read(h, in->fd, TN_HOST_SHARE_EITHER, trailer);
    TN_REFUSE(flaw != NULL, TARN_BAD_HANDLE, "descriptor %d is not memory exported by host: %s",
              in->fd, flaw);
    *fd = tn_host_sys_dup(in->fd);
    return *fd >= 0 ? TARN_OK : tn_host_share_refused("fcntl", errno, trailer->bytes);
}

tarn_status tn_host_phys_import(void *p, int device, const tarn_shareable *in,
                                tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_trailer trailer;
    uint32_t slot = 0;
    int fd = -1;
    TN_TRY(open_export(h, in, &fd, &trailer));
    // If this platform has no such device, the memory belongs to the importing one.
    unsigned location =
        trailer.location <= h->config.devices ? trailer.location : tn_host_location(device);
    tarn_status status = tn_host_share_enter(h, fd, location, &trailer, &slot);
    if (status != TARN_OK) {
        tn_close(fd);
        return status;
    }
    *phys = slot;
    tn_host_phys_info(tn_host_phys_at(h, slot), info);
    info->page_bytes = trailer.page_bytes;
    memcpy(info->user, trailer.user, sizeof info->user);
    return TARN_OK;
}
