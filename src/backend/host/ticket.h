// SPDX-License-Identifier: Apache-2.0
// A ticket: the data that another process needs to open a memory file of this one. It contains the
// process, its descriptor, and bits of an unpredictable nonce that the trailer of the file repeats.
// A key to plain memory is a ticket as text; a token of a handle is one in 64 bits. There is no
// server: the importer opens the exporter's descriptor through /proc, which the kernel permits to
// processes of the same user. It trusts the file only after the trailer matches.
#pragma once

#include "backend/host/share.h"

struct tn_host_ticket {
    char name[80]; // of the key or token, for messages
    int pid;
    int fd;
    uint64_t nonce[2];
    uint64_t mask[2]; // the known bits of the nonce
};

// Makes the nonce of a new file. SYSTEM, with a text.
tarn_status tn_host_ticket_number(uint64_t nonce[2]);

// Opens the file. BAD_HANDLE: the ticket is invalid or stale. NO_ACCESS: the file excludes this
// process. NO_HANDLES, NO_HOST_MEMORY, SYSTEM. With a text.
tarn_status tn_host_ticket_open(const struct tn_host *h, const struct tn_host_ticket *ticket,
                                enum tn_host_share_kind kind, int *fd,
                                struct tn_host_trailer *trailer);

// Permits processes to use the ticket; TARN_PROCESS_ANY permits all. NO_ACCESS: the ticket belongs
// to another process. NO_HANDLES: the list is full, or no descriptor is free. BAD_HANDLE, SYSTEM.
tarn_status tn_host_ticket_allow(struct tn_host *h, const struct tn_host_ticket *ticket,
                                 enum tn_host_share_kind kind, const int *pids, size_t count);

// Fails with BAD_HANDLE for this reason.
tarn_status tn_host_ticket_refused(const struct tn_host_ticket *ticket, const char *why, int error);
