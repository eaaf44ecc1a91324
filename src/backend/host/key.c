// SPDX-License-Identifier: Apache-2.0
// Exports a block by a key and imports it. A key is a ticket (ticket.h) as text. Blocks lie in
// arenas, which no other process may open, so the first export moves a block to a sealed file of
// its own.
#include <errno.h>
#include <stdio.h>

#include "backend/host/map.h"
#include "backend/host/memory.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "backend/host/ticket.h"
#include "base/bytes.h"
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

#define CHUNK_BYTES 4096u

// Under a tool that checks accesses the bytes go through a buffer: a block may be a pool's, with
// parts that nobody may touch.
static int write_pages(int to, const unsigned char *bytes, uint64_t size, uint64_t at) {
    unsigned char chunk[CHUNK_BYTES];
    if (!tn_bytes_watched()) return tn_host_sys_pwrite(to, bytes, size, at);
    for (uint64_t done = 0; done < size; done += CHUNK_BYTES) {
        uint64_t part = size - done < CHUNK_BYTES ? size - done : CHUNK_BYTES;
        tn_bytes_move_unseen(chunk, bytes + done, part);
        tn_bytes_take_as_written(chunk, part);
        if (tn_host_sys_pwrite(to, chunk, part, at + done) != 0) return -1;
    }
    return 0;
}

// Copies the pages that a block has; the others read zero in both files. The engine's view of the
// block is readable, because its owner has rights.
static tarn_status copy_pages(const struct tn_host_phys *phys, uint64_t view, int to) {
    uint64_t end = phys->offset + phys->bytes;
    uint64_t start;
    for (uint64_t stop = phys->offset; stop < end;) {
        if (tn_host_sys_next_pages(phys->arena->fd, stop, end, &start, &stop) != 0)
            return tn_fail_native(tn_host_sys_status(errno), "lseek", errno,
                                  "cannot find the pages to move");
        uint64_t at = start - phys->offset;
        const unsigned char *bytes = (const unsigned char *)(uintptr_t)(view + at);
        if (start < stop && write_pages(to, bytes, stop - start, at) != 0)
            return tn_host_share_refused("pwrite", errno, phys->bytes);
    }
    return TARN_OK;
}

// Moves a block to a file of its own at the same address, marked with the nonce in `block`. No
// thread touches its bytes meanwhile: the engine needs the MMU lock, and the core excludes other
// work.
static tarn_status block_move(struct tn_host *h, const struct tn_interval_entry *entry,
                              struct tn_host_trailer *block) {
    uint32_t slot = tn_host_page_slot(entry->value);
    const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    const struct tn_host_space *space = tn_host_space_find(h, entry->start);
    TARN_ASSERT(phys->maps == 1 && phys->bytes == entry->end - entry->start);
    struct tn_host_phys made = {.bytes = phys->bytes,
                                .location = phys->location,
                                .usage = phys->usage,
                                .page_class = phys->page_class};
    TN_TRY(tn_host_ticket_number(block->nonce));
    tn_mutex_lock(&h->phys_lock);
    tarn_status status = tn_host_phys_count_file(h);
    tn_mutex_unlock(&h->phys_lock);
    if (status != TARN_OK) return status;
    status = tn_host_share_create(h, &made, block);
    if (status != TARN_OK) goto err_count;
    status = copy_pages(phys, entry->start + space->alias, made.fd);
    if (status == TARN_OK) status = tn_host_remap_in(h, space, entry, &made);
    if (status != TARN_OK) goto err_file;
    tn_host_phys_move(h, slot, made.fd);
    return TARN_OK;
err_file:
    tn_close(made.fd);
err_count:
    tn_mutex_lock(&h->phys_lock);
    TARN_ASSERT(h->own_files != 0);
    h->own_files--;
    tn_mutex_unlock(&h->phys_lock);
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

tarn_status tn_host_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                  tarn_key *key) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_trailer block = {
        .kind = TN_HOST_SHARE_BLOCK, .asked = size, .access = TN_HOST_SHARE_UNRESTRICTED};
    struct tn_interval_entry entry;
    (void)device;
    TN_REFUSE(!h->probe.sealing, TARN_UNSUPPORTED,
              "host: this system does not support sealed memory files");
    TN_WRITE_LOCKED(&h->mmu_lock);
    bool found = tn_interval_find(&h->pages, addr, &entry);
    TARN_ASSERT(found && entry.start == addr);
    (void)found;
    const struct tn_host_phys *phys = tn_host_phys_at(h, tn_host_page_slot(entry.value));
    TN_TRY(phys->arena != NULL ? block_move(h, &entry, &block) : block_read(h, phys->fd, &block));
    const struct tn_host_ticket ticket = {
        .pid = getpid(), .fd = phys->fd, .nonce = {block.nonce[0], block.nonce[1]}};
    write_key(&ticket, key);
    return TARN_OK;
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
