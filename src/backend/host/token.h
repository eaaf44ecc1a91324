// SPDX-License-Identifier: Apache-2.0
// Tokens of handles: tickets (ticket.h) in 64 bits. What is left of them beside process and
// descriptor are 22 bits that cannot be guessed, so a stale token is told from a good one all but
// once in 4 million times. Who must not import is kept out by the list in the file.
#ifndef TARN_HOST_TOKEN_H
#define TARN_HOST_TOKEN_H

#include "backend/host/share.h"

// The token of a handle's file, for export. NO_HANDLES: its number is too large; SYSTEM. With a
// text.
tarn_status tn_host_token_make(const struct tn_host *h, int fd, tarn_shareable *out);

// Opens the file behind a token, a new descriptor. Statuses of tn_host_ticket_open().
tarn_status tn_host_token_open(const struct tn_host *h, uint64_t token, int *fd,
                               struct tn_host_trailer *trailer);

#endif
