// SPDX-License-Identifier: Apache-2.0
// Formats and reads tokens. See token.h.
#include "backend/host/token.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "backend/host/ticket.h"
#include "base/error.h"

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

tarn_status tn_host_token_make(const struct tn_host *h, int fd, tarn_shareable *out) {
    struct tn_host_trailer trailer;
    uint64_t pid = (uint64_t)getpid();
    const char *flaw = tn_host_share_read(h, fd, TN_HOST_SHARE_PHYS, &trailer);
    if (flaw != NULL) {
        return tn_fail_native(TARN_SYSTEM, "pread", errno,
                              "descriptor %d, the file of a handle: %s", fd, flaw);
    }
    TN_REFUSE((uint64_t)fd > MASK(FD_BITS) || pid > MASK(PID_BITS), TARN_NO_HANDLES,
              "descriptor %d of process %d does not fit a token", fd, (int)pid);
    uint64_t token = pid << (FD_BITS + NONCE_BITS) | (uint64_t)fd << NONCE_BITS |
                     (trailer.nonce[0] & MASK(NONCE_BITS));
    *out = (tarn_shareable){.type = TARN_SHAREABLE_TOKEN, .fd = -1, .token = token};
    return TARN_OK;
}

tarn_status tn_host_token_open(const struct tn_host *h, uint64_t token, int *fd,
                               struct tn_host_trailer *trailer) {
    const struct tn_host_ticket ticket = read_token(token);
    return tn_host_ticket_open(h, &ticket, TN_HOST_SHARE_PHYS, fd, trailer);
}

tarn_status tn_host_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                               size_t count) {
    const struct tn_host_ticket ticket = read_token(exported->token);
    return tn_host_ticket_allow((struct tn_host *)p, &ticket, TN_HOST_SHARE_PHYS, pids, count);
}
