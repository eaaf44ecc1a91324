// SPDX-License-Identifier: Apache-2.0
// Exports memory by a key or as a descriptor, and imports it by a key. A key is a ticket (ticket.h)
// as text. Memory that was not created to be shared lies in an arena, which no other process may
// open, so the first export moves it to a sealed file of its own.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backend/host/deferred.h"
#include "backend/host/map.h"
#include "backend/host/memory.h"
#include "backend/host/sys.h"
#include "backend/host/ticket.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/key_text.h"
#include "base/uncancelled.h"

// The text of a key: the magic, the process, its descriptor, and the two halves of the nonce, in
// hexadecimal digits.
#define MAGIC "tarn1-"

enum { PID_AT = 6, FD_AT = 15, NONCE_AT = 24, KEY_END = 56 };

_Static_assert(KEY_END < sizeof(tarn_key), "a key ends with a zero");

static void write_key(const struct tn_host_ticket *ticket, tarn_key *key) {
    memset(key, 0, sizeof *key);
    (void)snprintf((char *)key->bytes, sizeof key->bytes, MAGIC "%08x-%08x-%016llx%016llx",
                   (unsigned)ticket->pid, (unsigned)ticket->fd,
                   (unsigned long long)ticket->nonce[0], (unsigned long long)ticket->nonce[1]);
}

// Returns false if the key was not made by write_key().
static bool read_key(const tarn_key *key, struct tn_host_ticket *ticket) {
    tarn_key again;
    *ticket = (struct tn_host_ticket){.pid = (int)tn_hex_read(key->bytes + PID_AT, 8),
                                      .fd = (int)tn_hex_read(key->bytes + FD_AT, 8),
                                      .nonce = {tn_hex_read(key->bytes + NONCE_AT, 16),
                                                tn_hex_read(key->bytes + NONCE_AT + 16, 16)},
                                      .mask = {UINT64_MAX, UINT64_MAX}};
    (void)snprintf(ticket->name, sizeof ticket->name, "key \"%s\"", tn_key_text(key->bytes).text);
    write_key(ticket, &again);
    return memcmp(key, &again, sizeof again) == 0;
}

static tarn_status refuse_key(const struct tn_host_ticket *ticket) {
    return tn_fail(TARN_BAD_HANDLE, "%s is not a key of the host back-end", ticket->name);
}

// ---- export

// Copies the pages that a block has; the others read zero in both files.
static tarn_status copy_pages(const struct tn_host_phys *phys, int to) {
    char bytes[32768];
    uint64_t end = phys->offset + phys->bytes;
    uint64_t start;
    for (uint64_t stop = phys->offset; stop < end;) {
        if (tn_host_sys_next_pages(phys->arena->fd, stop, end, &start, &stop) != 0)
            return tn_fail_native(tn_host_sys_status(errno), "lseek", errno,
                                  "cannot find the pages to move");
        while (start < stop) {
            size_t n = stop - start < sizeof bytes ? (size_t)(stop - start) : sizeof bytes;
            if (tn_host_sys_pread(phys->arena->fd, bytes, n, start) != 0)
                return tn_host_share_refused("pread", errno, phys->bytes);
            if (tn_host_sys_pwrite(to, bytes, n, start - phys->offset) != 0)
                return tn_host_share_refused("pwrite", errno, phys->bytes);
            start += n;
        }
    }
    return TARN_OK;
}

static tarn_status duplicate(int fd, uint64_t bytes, int *copy) {
    int made = tn_host_sys_dup(fd);
    if (made < 0) return tn_host_share_refused("fcntl", errno, bytes);
    *copy = made;
    return TARN_OK;
}

static void uncount_file(struct tn_host *h) {
    TN_LOCKED(&h->phys_lock);
    TARN_ASSERT(h->own_files != 0);
    h->own_files--;
}

// Moves the memory that is mapped at `addr` to a file of its own, marked with the nonce in `block`.
// All its mappings stay at their addresses. `copy`, unless NULL, receives another descriptor of the
// file. No thread touches the bytes meanwhile: the engine needs the MMU lock, and the core excludes
// other work.
static tarn_status block_move(struct tn_host *h, uint32_t slot, tarn_addr addr,
                              struct tn_host_trailer *block, int *copy) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_phys made = {.bytes = phys->bytes,
                                .location = phys->location,
                                .usage = phys->usage,
                                .page_class = phys->page_class};
    int other = -1;
    block->page_bytes = h->config.granularity;
    TN_TRY(tn_host_phys_touch(h, phys));
    TN_TRY(tn_host_ticket_number(block->nonce));
    tn_mutex_lock(&h->phys_lock);
    tarn_status status = tn_host_phys_count_file(h);
    tn_mutex_unlock(&h->phys_lock);
    if (status != TARN_OK) return status;
    status = tn_host_share_create(h, &made, block);
    if (status != TARN_OK) goto err_count;
    status = copy_pages(phys, made.fd);
    if (status == TARN_OK && copy != NULL) status = duplicate(made.fd, made.bytes, &other);
    if (status == TARN_OK) status = tn_host_remap_in(h, slot, addr, &made);
    if (status != TARN_OK) goto err_file;
    tn_host_phys_move(h, slot, made.fd);
    if (copy != NULL) *copy = other;
    return TARN_OK;
err_file:
    if (other >= 0) tn_close(other);
    tn_close(made.fd);
err_count:
    uncount_file(h);
    return status;
}

// Reads the trailer of a block that was exported before, so that every export returns the same key.
static tarn_status block_read(const struct tn_host *h, int fd, struct tn_host_trailer *block) {
    const char *flaw = tn_host_share_read(h, fd, TN_HOST_SHARE_BLOCK, block);
    return flaw == NULL
               ? TARN_OK
               : tn_fail_native(tn_host_sys_status(errno), "pread", errno,
                                "descriptor %d, the file of an exported block: %s", fd, flaw);
}

// Finds the handle whose memory is mapped at `addr`. Under the MMU lock.
static uint32_t slot_mapped_at(const struct tn_host *h, tarn_addr addr) {
    struct tn_interval_entry entry;
    bool found = tn_interval_find(&h->pages, addr, &entry);
    TARN_ASSERT(found && entry.start == addr);
    (void)found;
    return tn_host_page_slot(entry.value);
}

static struct tn_host_trailer block_trailer(uint64_t size) {
    return (struct tn_host_trailer){
        .kind = TN_HOST_SHARE_BLOCK, .asked = size, .access = TN_HOST_SHARE_UNRESTRICTED};
}

static tarn_status check_sealing(const struct tn_host *h) {
    return h->probe.sealing ? TARN_OK
                            : tn_fail(TARN_UNSUPPORTED,
                                      "host: this system does not support sealed memory files");
}

tarn_status tn_host_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                  tarn_key *key) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_trailer block = block_trailer(size);
    (void)device;
    TN_TRY(check_sealing(h));
    TN_WRITE_LOCKED(&h->mmu_lock);
    uint32_t slot = slot_mapped_at(h, addr);
    const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TN_TRY(phys->arena != NULL ? block_move(h, slot, addr, &block, NULL)
                               : block_read(h, phys->fd, &block));
    const struct tn_host_ticket ticket = {
        .pid = getpid(), .fd = phys->fd, .nonce = {block.nonce[0], block.nonce[1]}};
    write_key(&ticket, key);
    return TARN_OK;
}

tarn_status tn_host_memory_export_fd(void *p, tarn_addr addr, uint64_t size, int *fd) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_trailer block = block_trailer(size);
    TN_TRY(check_sealing(h));
    TN_WRITE_LOCKED(&h->mmu_lock);
    tn_host_deferred_complete_all(h);
    uint32_t slot = slot_mapped_at(h, addr);
    const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    return phys->arena != NULL ? block_move(h, slot, addr, &block, fd)
                               : duplicate(phys->fd, phys->bytes, fd);
}

// ---- import

tarn_status tn_host_memory_import(void *p, int device, const tarn_key *given, tarn_addr *addr,
                                  uint64_t *size) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_trailer trailer;
    struct tn_host_ticket ticket;
    uint32_t slot = 0;
    int fd = -1;
    if (!read_key(given, &ticket)) return refuse_key(&ticket);
    TN_TRY(tn_host_ticket_open(h, &ticket, TN_HOST_SHARE_BLOCK, &fd, &trailer));
    tarn_status status = tn_host_share_enter(h, fd, tn_host_location(device), &trailer, &slot);
    if (status != TARN_OK) {
        tn_close(fd);
        return status;
    }
    status = tn_host_memory_place(h, device, slot, trailer.bytes, 0, addr);
    if (status == TARN_OK)
        *size = trailer.asked;
    else
        tn_host_phys_destroy(h, slot);
    return status;
}

tarn_status tn_host_memory_allow(void *p, const tarn_key *key, const int *pids, size_t count) {
    struct tn_host_ticket ticket;
    return read_key(key, &ticket) ? tn_host_ticket_allow((struct tn_host *)p, &ticket,
                                                         TN_HOST_SHARE_BLOCK, pids, count)
                                  : refuse_key(&ticket);
}
