// SPDX-License-Identifier: Apache-2.0
// The handshake over a local socket, three messages each way: hello (with credentials that the
// kernel verifies), descriptors, verdict.
#include "channel/handshake.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/uncancelled.h"
#include "channel/arena.h"

#define MAGIC   UINT64_C(0x6e61686372617421)
#define VERSION 1u
#define FDS     2

struct hello {
    uint64_t magic;
    uint32_t version;
    uint32_t page;
    uint32_t descriptor_bytes;
    uint32_t ports;
    uint32_t slots;
    uint32_t in_flight;
    uint64_t arena_bytes;
    uint64_t prefault;
};

struct verdict {
    uint64_t magic;
    int64_t status;
};

// Room for one control message that this side sends, or for all that it accepts.
union ancillary {
    struct cmsghdr header;
    unsigned char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(FDS * sizeof(int))];
};

// ---- the state

struct tn_handshake_state tn_handshake_state_make(int socket, const tarn_channel_desc *desc,
                                                  uint64_t deadline_ns) {
    uint64_t limit = tn_deadline(TN_HANDSHAKE_MAX_NS);
    return (struct tn_handshake_state){.socket = socket,
                                       .desc = *desc,
                                       .deadline_ns = deadline_ns < limit ? deadline_ns : limit,
                                       .own = {.shm = TN_SHM_NONE},
                                       .peer = {.shm = TN_SHM_NONE},
                                       .peer_arena = TN_SHM_NONE,
                                       .pidfd = -1};
}

// ---- messages

static tarn_status poll_socket(const struct tn_handshake_state *h, short events) {
    struct pollfd p = {h->socket, events, 0};
    int ready;
    do {
        ready = poll(&p, 1, tn_ms_until(h->deadline_ns));
    } while ((ready < 0 && errno == EINTR) || (ready == 0 && tn_now_ns() < h->deadline_ns));
    if (ready < 0) return tn_fail_native(TARN_NO_HOST_MEMORY, "poll", errno, "a handshake");
    return ready > 0 ? TARN_OK
                     : tn_fail(TARN_TIMED_OUT, "the peer did not finish the handshake in time");
}

static tarn_status fail_message(const char *call, int code) {
    if (code == ENOMEM || code == ENOBUFS)
        return tn_fail_native(TARN_NO_HOST_MEMORY, call, code, "a message of the handshake");
    return tn_fail_native(TARN_PEER_GONE, call, code, "the peer went away during the handshake");
}

// Sends one message, with a control message of `type` if `control_bytes` is not zero.
static tarn_status send_part(const struct tn_handshake_state *h, void *data, size_t bytes, int type,
                             const void *control, size_t control_bytes) {
    union ancillary ancillary;
    struct iovec part = {data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    TARN_ASSERT(CMSG_SPACE(control_bytes) <= sizeof ancillary);
    if (control_bytes != 0) {
        memset(&ancillary, 0, sizeof ancillary);
        ancillary.header.cmsg_len = CMSG_LEN(control_bytes);
        ancillary.header.cmsg_level = SOL_SOCKET;
        ancillary.header.cmsg_type = type;
        memcpy(CMSG_DATA(&ancillary.header), control, control_bytes);
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE(control_bytes);
    }
    for (;;) {
        ssize_t n = sendmsg(h->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n == (ssize_t)bytes) return TARN_OK;
        if (n >= 0 || (errno != EAGAIN && errno != EINTR))
            return fail_message("sendmsg", n >= 0 ? 0 : errno);
        TN_TRY(poll_socket(h, POLLOUT));
    }
}

static void close_all(const int *fds, size_t count) {
    for (size_t i = 0; i < count; i++) tn_close(fds[i]);
}

// The descriptors and credentials of a message. Descriptors beyond the two expected ones are
// closed.
struct attachments {
    struct ucred credentials;
    bool has_credentials;
    int fds[FDS];
    size_t count;
};

static void read_attachments(struct attachments *a, struct msghdr *message) {
    memset(a, 0, sizeof *a);
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS) {
            memcpy(&a->credentials, CMSG_DATA(header), sizeof a->credentials);
            a->has_credentials = true;
        }
        size_t fds =
            header->cmsg_type == SCM_RIGHTS ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
        for (size_t i = 0; i < fds; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            if (a->count < FDS)
                a->fds[a->count++] = fd;
            else
                tn_close(fd);
        }
    }
}

// Receives one message of exactly `bytes`, accompanied by exactly `fds` descriptors. Returns
// NOT_READY when none has come: the socket was readable when the caller looked, and another thread
// that accepts may have read the message since.
static tarn_status receive_part(const struct tn_handshake_state *h, void *data, size_t bytes,
                                size_t fds, struct attachments *a) {
    union ancillary ancillary;
    struct iovec part = {data, bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &ancillary,
                             .msg_controllen = sizeof ancillary};
    ssize_t n = recvmsg(h->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return TARN_NOT_READY;
    if (n <= 0) return fail_message("recvmsg", n == 0 ? 0 : errno);
    read_attachments(a, &message);
    if (n == (ssize_t)bytes && (message.msg_flags & MSG_TRUNC) == 0 && a->count == fds)
        return TARN_OK;
    close_all(a->fds, a->count);
    if ((message.msg_flags & MSG_CTRUNC) != 0 && a->count < fds)
        return tn_fail_native(TARN_NO_HANDLES, "recvmsg", EMFILE, "the peer's descriptors");
    return tn_fail(TARN_CORRUPT,
                   "the peer's handshake has %zd bytes and %zu descriptors instead of %zu and %zu",
                   n, a->count, bytes, fds);
}

// ---- the three steps

static tarn_status check_hello(const struct tn_handshake_state *h, const struct hello *peer,
                               const struct attachments *a) {
    TN_REFUSE(!a->has_credentials, TARN_CORRUPT, "the peer's handshake has no credentials");
    TN_REFUSE((h->desc.flags & TARN_CHANNEL_ANY_USER) == 0 && a->credentials.uid != geteuid(),
              TARN_NO_ACCESS, "the peer runs as user %u, this process as user %u",
              a->credentials.uid, geteuid());
    TN_REFUSE(peer->magic != MAGIC || peer->version != VERSION || peer->page != TN_SHM_PAGE ||
                  peer->descriptor_bytes != TN_DESCRIPTOR_BYTES,
              TARN_UNSUPPORTED,
              "the peer speaks version %u with pages of %u and descriptors of %u bytes",
              peer->version, peer->page, peer->descriptor_bytes);
    struct tn_mailbox_shape shape = {peer->ports, peer->slots, peer->in_flight};
    TN_REFUSE(!tn_mailbox_shape_valid(&shape) || peer->arena_bytes == 0 ||
                  peer->arena_bytes % TN_ARENA_ALIGN != 0 || peer->arena_bytes > TN_ARENA_MAX,
              TARN_CORRUPT, "the peer claims %u ports, %u slots, %u in flight, %llu bytes of arena",
              peer->ports, peer->slots, peer->in_flight, (unsigned long long)peer->arena_bytes);
    return TARN_OK;
}

tarn_status tn_handshake_begin(const struct tn_handshake_state *h) {
    const tarn_channel_desc *d = &h->desc;
    struct hello hello = {
        MAGIC,    VERSION,      TN_SHM_PAGE,         TN_DESCRIPTOR_BYTES, d->ports,
        d->slots, d->in_flight, d->arena->shm.bytes, d->arena->prefault};
    struct ucred self = {getpid(), geteuid(), getegid()};
    int yes = 1;
    if (setsockopt(h->socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0)
        return tn_fail_native(TARN_BAD_ARGUMENT, "setsockopt", errno, "socket %d", h->socket);
    return send_part(h, &hello, sizeof hello, SCM_CREDENTIALS, &self, sizeof self);
}

// Receives the peer's hello and answers it with this side's descriptors.
static tarn_status receive_hello(struct tn_handshake_state *h) {
    struct hello peer;
    struct attachments a;
    TN_TRY(receive_part(h, &peer, sizeof peer, 0, &a));
    TN_TRY(check_hello(h, &peer, &a));
    TARN_ASSERT(h->own.shm.base == NULL && h->peer.shm.base == NULL);
    h->peer_pid = a.credentials.pid;
    h->peer_in_flight = peer.in_flight;
    h->peer_ports = peer.ports;
    h->peer_slots = peer.slots;
    h->peer_arena_bytes = peer.arena_bytes;
    h->peer_prefault = peer.prefault;
    struct tn_mailbox_shape shape = {h->desc.ports, h->desc.slots, peer.in_flight};
    TN_TRY(tn_mailbox_create(&shape, &h->own));
    uint64_t word = MAGIC;
    int fds[FDS] = {h->desc.arena->shm.fd, h->own.shm.fd};
    TN_TRY(send_part(h, &word, sizeof word, SCM_RIGHTS, fds, sizeof fds));
    h->stage = TN_HANDSHAKE_DESCRIPTORS;
    return TARN_NOT_READY;
}

static tarn_status adopt_descriptors(struct tn_handshake_state *h, const struct attachments *a) {
    struct tn_mailbox_shape shape = {h->peer_ports, h->peer_slots, h->desc.in_flight};
    TARN_ASSERT(a->count == FDS && tn_mailbox_shape_valid(&shape)); // the hello was checked
    tarn_status status =
        tn_shm_adopt(a->fds[0], h->peer_arena_bytes, TN_ARENA_ALIGN, true, &h->peer_arena);
    if (status != TARN_OK) {
        close_all(a->fds, FDS);
        return status;
    }
    status = tn_mailbox_adopt(a->fds[1], &shape, &h->peer);
    if (status != TARN_OK) {
        tn_close(a->fds[1]);
        goto err_arena;
    }
    status = tn_shm_populate(&h->peer_arena, h->peer_prefault, true);
    if (status != TARN_OK) goto err_mailbox;
    tn_shm_close_file(&h->peer_arena);
    tn_shm_close_file(&h->peer.shm);
    return TARN_OK;

err_mailbox:
    tn_mailbox_close(&h->peer);
err_arena:
    tn_shm_close(&h->peer_arena);
    return status;
}

static tarn_status send_verdict(const struct tn_handshake_state *h, tarn_status status) {
    struct verdict verdict = {MAGIC, status};
    return send_part(h, &verdict, sizeof verdict, 0, NULL, 0);
}

// Receives the peer's descriptors and answers them with this side's verdict.
static tarn_status receive_descriptors(struct tn_handshake_state *h) {
    uint64_t word;
    struct attachments a;
    tarn_status status = receive_part(h, &word, sizeof word, FDS, &a);
    if (status == TARN_NOT_READY) return status;
    if (status == TARN_OK) status = adopt_descriptors(h, &a);
    if (status != TARN_OK) {
        TN_ERROR_KEPT;
        (void)send_verdict(h, status);
        return status;
    }
    TN_TRY(send_verdict(h, TARN_OK));
    h->stage = TN_HANDSHAKE_VERDICT;
    return TARN_NOT_READY;
}

static tarn_status receive_verdict(struct tn_handshake_state *h) {
    struct attachments a;
    struct verdict verdict;
    TN_TRY(receive_part(h, &verdict, sizeof verdict, 0, &a));
    TN_REFUSE(verdict.magic != MAGIC || verdict.status != TARN_OK, TARN_PEER_GONE,
              "the peer refused the channel: %s", tarn_status_name((tarn_status)verdict.status));
    TARN_ASSERT(h->own.shm.base != NULL && h->peer.shm.base != NULL);
    h->pidfd = h->peer_pid > 0 ? (int)syscall(SYS_pidfd_open, h->peer_pid, 0) : -1;
    int no = 0; // credentials would cost time with every wake-up
    (void)setsockopt(h->socket, SOL_SOCKET, SO_PASSCRED, &no, sizeof no);
    return TARN_OK;
}

tarn_status tn_handshake_step(struct tn_handshake_state *h) {
    switch (h->stage) {
    case TN_HANDSHAKE_HELLO: return receive_hello(h);
    case TN_HANDSHAKE_DESCRIPTORS: return receive_descriptors(h);
    default: return receive_verdict(h);
    }
}

tarn_status tn_handshake(struct tn_handshake_state *h) {
    tarn_status status = tn_handshake_begin(h);
    if (status != TARN_OK) return status;
    do {
        status = poll_socket(h, POLLIN);
        if (status == TARN_OK) status = tn_handshake_step(h);
    } while (status == TARN_NOT_READY);
    if (status != TARN_OK) tn_handshake_release(h);
    return status;
}

void tn_handshake_release(struct tn_handshake_state *h) {
    if (h->pidfd >= 0) tn_close(h->pidfd);
    tn_mailbox_close(&h->peer);
    tn_shm_close(&h->peer_arena);
    tn_mailbox_close(&h->own);
}
