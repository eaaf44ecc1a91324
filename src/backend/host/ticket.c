// SPDX-License-Identifier: Apache-2.0
// Opens the file of a ticket. See ticket.h.
#include "backend/host/ticket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "backend/host/sys.h"
#include "base/error.h"
#include "base/uncancelled.h"

tarn_status tn_host_ticket_number(uint64_t nonce[2]) {
    return tn_host_sys_random(nonce, 2 * sizeof nonce[0]) == 0
               ? TARN_OK
               : tn_fail_native(TARN_SYSTEM, "getrandom", errno,
                                "cannot make a random number for a key or token");
}

tarn_status tn_host_ticket_refused(const struct tn_host_ticket *ticket, const char *why,
                                   int error) {
    return tn_fail_native(TARN_BAD_HANDLE, "open", error,
                          "%s names descriptor %d of process %d: %s", ticket->name, ticket->fd,
                          ticket->pid, why);
}

static tarn_status open_refused(const struct tn_host_ticket *ticket) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
        return tn_host_share_refused("open", errno, 0);
    return tn_host_ticket_refused(ticket, strerror(errno), errno);
}

// Opens the file that the ticket names if it is a regular file: opening a device or a pipe may have
// side effects. A path-only descriptor has none, and its file cannot change.
static tarn_status ticket_open_file(const struct tn_host_ticket *ticket, int *fd) {
    char path[64];
    struct stat stat;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket->pid, ticket->fd);
    int place = tn_host_sys_open(path, O_PATH);
    if (place < 0) return open_refused(ticket);
    tarn_status status = TARN_OK;
    if (fstat(place, &stat) != 0 || !S_ISREG(stat.st_mode)) {
        status = tn_host_ticket_refused(ticket, "it is not a memory file", 0);
    } else {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", place);
        *fd = tn_host_sys_open(path, O_RDWR);
        status = *fd >= 0 ? TARN_OK : open_refused(ticket);
    }
    tn_close(place);
    return status;
}

// Returns NULL if the file belongs to this ticket, else the reason.
static const char *ticket_flaw(const struct tn_host *h, const struct tn_host_ticket *ticket,
                               enum tn_host_share_kind kind, int fd,
                               struct tn_host_trailer *trailer) {
    const char *flaw = tn_host_share_read(h, fd, kind, trailer);
    if (flaw == NULL && kind == TN_HOST_SHARE_PHYS &&
        (trailer->shareable & TARN_SHAREABLE_TOKEN) == 0)
        return "it does not permit tokens";
    bool same = flaw == NULL && ((trailer->nonce[0] ^ ticket->nonce[0]) & ticket->mask[0]) == 0 &&
                ((trailer->nonce[1] ^ ticket->nonce[1]) & ticket->mask[1]) == 0;
    return flaw != NULL || same ? flaw : "it is other memory";
}

static bool is_listed(const struct tn_host_trailer *trailer, int pid) {
    for (uint32_t i = 0; i < trailer->listed; i++)
        if (trailer->list[i] == pid) return true;
    return false;
}

static tarn_status check_access(const struct tn_host_ticket *ticket,
                                const struct tn_host_trailer *trailer) {
    int self = getpid();
    bool open = trailer->access != TN_HOST_SHARE_LISTED || ticket->pid == self;
    return open || is_listed(trailer, self)
               ? TARN_OK
               : tn_fail(TARN_NO_ACCESS,
                         "%s: process %d is not one of the %u that process %d permits to use its "
                         "memory",
                         ticket->name, self, trailer->listed, ticket->pid);
}

tarn_status tn_host_ticket_open(const struct tn_host *h, const struct tn_host_ticket *ticket,
                                enum tn_host_share_kind kind, int *fd,
                                struct tn_host_trailer *trailer) {
    int opened = -1;
    if (ticket->pid <= 0 || ticket->fd < 0)
        return tn_host_ticket_refused(ticket, "no such process or descriptor", 0);
    TN_TRY(ticket_open_file(ticket, &opened));
    const char *flaw = ticket_flaw(h, ticket, kind, opened, trailer);
    if (flaw != NULL) {
        tn_close(opened);
        return tn_host_ticket_refused(ticket, flaw, 0);
    }
    tarn_status status = check_access(ticket, trailer);
    if (status == TARN_OK)
        *fd = opened;
    else
        tn_close(opened);
    return status;
}

// ---- permitted processes

static tarn_status list_processes(int fd, struct tn_host_trailer *trailer, const int *pids,
                                  size_t count) {
    uint32_t known = trailer->listed;
    if (trailer->access == TN_HOST_SHARE_UNRESTRICTED) trailer->access = TN_HOST_SHARE_LISTED;
    for (size_t i = 0; i < count; i++) {
        if (pids[i] == TARN_PROCESS_ANY)
            trailer->access = TN_HOST_SHARE_ANY;
        else if (is_listed(trailer, pids[i]))
            continue;
        else if (trailer->listed < TN_HOST_SHARE_LIST)
            trailer->list[trailer->listed++] = pids[i];
        else
            return tn_fail(TARN_NO_HANDLES,
                           "cannot permit %zu more processes: the list has %u of %u", count, known,
                           TN_HOST_SHARE_LIST);
    }
    return tn_host_share_write_list(fd, trailer, known)
               ? TARN_OK
               : tn_fail_native(TARN_SYSTEM, "pwrite", errno,
                                "cannot write the list of processes: %s", strerror(errno));
}

// The phys lock keeps two threads from adding at the same place. The file is accessed by a new
// descriptor, because the one in the ticket may be closed and reused at any time.
tarn_status tn_host_ticket_allow(struct tn_host *h, const struct tn_host_ticket *ticket,
                                 enum tn_host_share_kind kind, const int *pids, size_t count) {
    struct tn_host_trailer trailer;
    TN_REFUSE(ticket->pid != getpid(), TARN_NO_ACCESS,
              "%s: only process %d can permit others to use its memory", ticket->name, ticket->pid);
    int fd = tn_host_sys_dup(ticket->fd);
    if (fd < 0) return open_refused(ticket);
    tn_mutex_lock(&h->phys_lock);
    const char *flaw = ticket_flaw(h, ticket, kind, fd, &trailer);
    tarn_status status = flaw == NULL ? list_processes(fd, &trailer, pids, count)
                                      : tn_host_ticket_refused(ticket, flaw, 0);
    tn_mutex_unlock(&h->phys_lock);
    tn_close(fd);
    return status;
}
