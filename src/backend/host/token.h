// SPDX-License-Identifier: Apache-2.0
// Tokens of handles: tickets (ticket.h) in 64 bits. Process and descriptor leave 22 bits for the
// nonce, so a stale token is mistaken for a valid one once in 4 million times. The list in the file
// decides which processes may import.
#pragma once

#include "backend/host/share.h"

// Makes the token of a handle's file. NO_HANDLES: process or descriptor number does not fit.
// SYSTEM.
tarn_status tn_host_token_make(const struct tn_host *h, int fd, tarn_shareable *out);

// Opens the file of a token as a new descriptor. Fails as tn_host_ticket_open().
tarn_status tn_host_token_open(const struct tn_host *h, uint64_t token, int *fd,
                               struct tn_host_trailer *trailer);
