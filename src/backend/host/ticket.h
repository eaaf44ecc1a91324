// SPDX-License-Identifier: Apache-2.0
// A ticket: what another process needs to open a memory file of this one. It names the process, its
// descriptor, and bits of a number that the file's trailer repeats and nobody can guess. A key to
// plain memory is one in writing, a token of a handle another. There is no server: who has a ticket
// opens the exporter's descriptor through /proc, which the kernel allows to processes of one user,
// and believes nothing until the trailer agrees.
#ifndef TARN_HOST_TICKET_H
#define TARN_HOST_TICKET_H

#include "backend/host/share.h"

struct tn_host_ticket {
    int pid;
    int fd;
    uint64_t nonce[2];
    uint64_t mask[2]; // which bits of the nonce are known
};

// The number for a new file. SYSTEM, with a text.
tarn_status tn_host_ticket_number(uint64_t nonce[2]);

// Opens the file. BAD_HANDLE: the ticket is no good, or not any more; NO_ACCESS: the file does not
// let this process in; NO_HANDLES, NO_HOST_MEMORY, SYSTEM. With a text.
tarn_status tn_host_ticket_open(const struct tn_host *h, const struct tn_host_ticket *ticket,
                                enum tn_host_share_kind kind, int *fd,
                                struct tn_host_trailer *trailer);

// Lets processes in, TARN_PROCESS_ANY for all. NO_ACCESS: the ticket is not of this process;
// NO_HANDLES: the list is full, or no descriptor; BAD_HANDLE, SYSTEM. With a text.
tarn_status tn_host_ticket_allow(struct tn_host *h, const struct tn_host_ticket *ticket,
                                 enum tn_host_share_kind kind, const int *pids, size_t count);

// The failure of a ticket that is no good, for this reason.
tarn_status tn_host_ticket_refused(const struct tn_host_ticket *ticket, const char *why, int error);

#endif
