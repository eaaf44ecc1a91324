// SPDX-License-Identifier: Apache-2.0
// Opening what a ticket names. See ticket.h.
#include "backend/host/ticket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/host/sys.h"
#include "base/error.h"

tarn_status tn_host_ticket_refused(const struct tn_host_ticket *ticket, const char *why,
                                   int error) {
    return tn_fail_native(TARN_BAD_HANDLE, "open", error,
                          "descriptor %d of process %d, named by a key or token, is no good: %s",
                          ticket->fd, ticket->pid, why);
}

static tarn_status not_opened(const struct tn_host_ticket *ticket) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
        return tn_host_share_refused("open", errno, 0);
    }
    return tn_host_ticket_refused(ticket, strerror(errno), errno);
}

// Opens what the ticket names, but nothing that is not a file: to open a device or a pipe may do
// things. A path-only descriptor does nothing, and holds what it was found to be.
static tarn_status open_file(const struct tn_host_ticket *ticket, int *fd) {
    char path[64];
    struct stat stat;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket->pid, ticket->fd);
    int place = tn_host_sys_open(path, O_PATH);
    if (place < 0) {
        return not_opened(ticket);
    }
    tarn_status status = TARN_OK;
    if (fstat(place, &stat) != 0 || !S_ISREG(stat.st_mode)) {
        status = tn_host_ticket_refused(ticket, "not a memory file", 0);
    } else {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", place);
        *fd = tn_host_sys_open(path, O_RDWR);
        status = *fd >= 0 ? TARN_OK : not_opened(ticket);
    }
    (void)close(place);
    return status;
}

// What is wrong with the file for this ticket; NULL: nothing.
static const char *file_fault(const struct tn_host *h, const struct tn_host_ticket *ticket,
                              enum tn_host_share_kind kind, int fd,
                              struct tn_host_trailer *trailer) {
    const char *fault = tn_host_share_read(h, fd, kind, trailer);
    bool same = fault == NULL && ((trailer->nonce[0] ^ ticket->nonce[0]) & ticket->mask[0]) == 0 &&
                ((trailer->nonce[1] ^ ticket->nonce[1]) & ticket->mask[1]) == 0;
    return fault != NULL || same ? fault : "it is other memory";
}

tarn_status tn_host_ticket_open(const struct tn_host *h, const struct tn_host_ticket *ticket,
                                enum tn_host_share_kind kind, int *fd,
                                struct tn_host_trailer *trailer) {
    int opened = -1;
    if (ticket->pid <= 0 || ticket->fd < 0) {
        return tn_host_ticket_refused(ticket, "no such process or descriptor", 0);
    }
    tarn_status status = open_file(ticket, &opened);
    if (status != TARN_OK) {
        return status;
    }
    const char *fault = file_fault(h, ticket, kind, opened, trailer);
    if (fault != NULL) {
        (void)close(opened);
        return tn_host_ticket_refused(ticket, fault, 0);
    }
    *fd = opened;
    return TARN_OK;
}
