// SPDX-License-Identifier: Apache-2.0
// Greeting. Three messages each way: hello (with the sender's credentials, which the kernel
// vouches for), descriptors, verdict.
#include "channel/handshake.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "channel/arena.h"

#define MAGIC   UINT64_C(0x6e61686372617421)
#define VERSION 1u
#define FDS     2

struct hello {
    uint64_t magic;
    uint32_t version;
    uint32_t page;
    uint32_t slot_bytes;
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

// Room for the control messages that we send or accept.
union ancillary {
    struct cmsghdr align;
    unsigned char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(FDS * sizeof(int))];
};

// ---- messages

static int left_ms(uint64_t deadline_ns) {
    uint64_t now = tn_now_ns();
    if (deadline_ns == UINT64_MAX) {
        return -1;
    }
    uint64_t left = deadline_ns > now ? (deadline_ns - now + 999999) / 1000000 : 0;
    return left > 1000000 ? 1000000 : (int)left;
}

static tarn_status await(int fd, short events, uint64_t deadline_ns) {
    struct pollfd p = {fd, events, 0};
    int ready;
    do {
        ready = poll(&p, 1, left_ms(deadline_ns));
    } while ((ready < 0 && errno == EINTR) || (ready == 0 && tn_now_ns() < deadline_ns));
    return ready > 0 ? TARN_OK : tn_fail(TARN_TIMED_OUT, "the peer did not answer the greeting");
}

static tarn_status gone(const char *call, int code) {
    return tn_fail_native(TARN_PEER_GONE, call, code, "the peer went away during the greeting");
}

static tarn_status say(const struct tn_handshake_state *g, void *data, size_t bytes, void *control,
                       size_t control_bytes) {
    struct iovec part = {data, bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = control_bytes};
    for (;;) {
        ssize_t n = sendmsg(g->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n == (ssize_t)bytes) {
            return TARN_OK;
        }
        if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
            return gone("sendmsg", n >= 0 ? 0 : errno);
        }
        tarn_status status = await(g->socket, POLLOUT, g->deadline_ns);
        if (status != TARN_OK) {
            return status;
        }
    }
}

static void close_all(const int *fds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        (void)close(fds[i]);
    }
}

// What came beside a message. Descriptors beyond the two that are due are closed.
struct beside {
    struct ucred credentials;
    bool has_credentials;
    int fds[FDS];
    size_t count;
};

static void take_fds(struct beside *beside, const struct cmsghdr *header) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
        int fd;
        memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
        if (beside->count < FDS) {
            beside->fds[beside->count++] = fd;
        } else {
            (void)close(fd);
        }
    }
}

static void take_beside(struct beside *beside, struct msghdr *message) {
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    for (; header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET) {
            continue;
        }
        if (header->cmsg_type == SCM_RIGHTS) {
            take_fds(beside, header);
        } else if (header->cmsg_type == SCM_CREDENTIALS) {
            memcpy(&beside->credentials, CMSG_DATA(header), sizeof beside->credentials);
            beside->has_credentials = true;
        }
    }
}

// One message of exactly `bytes`, with `fds` descriptors beside it.
static tarn_status hear(const struct tn_handshake_state *g, void *data, size_t bytes, size_t fds,
                        struct beside *beside) {
    union ancillary control;
    struct iovec part = {data, bytes};
    memset(beside, 0, sizeof *beside);
    tarn_status status = await(g->socket, POLLIN, g->deadline_ns);
    if (status != TARN_OK) {
        return status;
    }
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(g->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n <= 0) {
        return gone("recvmsg", n == 0 ? 0 : errno);
    }
    take_beside(beside, &message);
    if (n == (ssize_t)bytes && (message.msg_flags & MSG_TRUNC) == 0 && beside->count == fds) {
        return TARN_OK;
    }
    close_all(beside->fds, beside->count);
    return tn_fail(TARN_CORRUPT,
                   "the peer greets with %zd bytes and %zu descriptors, not %zu and %zu", n,
                   beside->count, bytes, fds);
}

// ---- hello

static tarn_status say_hello(const struct tn_handshake_state *g) {
    union ancillary control;
    const tarn_channel_desc *d = &g->desc;
    struct hello hello = {
        MAGIC,    VERSION,      TN_SHM_PAGE,         TN_DESCRIPTOR_BYTES, d->ports,
        d->slots, d->in_flight, d->arena->shm.bytes, d->arena->prefault};
    struct ucred self = {getpid(), geteuid(), getegid()};
    memset(&control, 0, sizeof control);
    control.align.cmsg_len = CMSG_LEN(sizeof self);
    control.align.cmsg_level = SOL_SOCKET;
    control.align.cmsg_type = SCM_CREDENTIALS;
    memcpy(CMSG_DATA(&control.align), &self, sizeof self);
    return say(g, &hello, sizeof hello, &control, CMSG_SPACE(sizeof self));
}

static tarn_status check_hello(const struct hello *h) {
    if (h->magic != MAGIC || h->version != VERSION || h->page != TN_SHM_PAGE ||
        h->slot_bytes != TN_DESCRIPTOR_BYTES) {
        return tn_fail(TARN_UNSUPPORTED,
                       "the peer speaks version %u with pages of %u and slots of %u bytes",
                       h->version, h->page, h->slot_bytes);
    }
    struct tn_mailbox_shape shape = {h->ports, h->slots, h->in_flight};
    if (!tn_mailbox_shape_valid(&shape) || h->arena_bytes == 0 ||
        h->arena_bytes % TN_ARENA_ALIGN != 0 || h->arena_bytes > UINT64_C(1) << 40) {
        return tn_fail(TARN_CORRUPT, "the peer has %u ports, %u slots, %u in flight, %llu bytes",
                       h->ports, h->slots, h->in_flight, (unsigned long long)h->arena_bytes);
    }
    return TARN_OK;
}

static tarn_status check_user(const struct tn_handshake_state *g, const struct beside *beside) {
    if (!beside->has_credentials) {
        return tn_fail(TARN_CORRUPT, "the peer does not say who it is");
    }
    if ((g->desc.flags & TARN_CHANNEL_ANY_USER) == 0 && beside->credentials.uid != geteuid()) {
        return tn_fail(TARN_NO_ACCESS, "the peer is of user %u, this process of %u",
                       beside->credentials.uid, geteuid());
    }
    return TARN_OK;
}

static tarn_status exchange_hellos(struct tn_handshake_state *g, struct hello *peer) {
    struct beside beside;
    int yes = 1;
    if (setsockopt(g->socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) {
        return tn_fail_native(TARN_BAD_ARGUMENT, "setsockopt", errno, "socket %d", g->socket);
    }
    tarn_status status = say_hello(g);
    if (status != TARN_OK || (status = hear(g, peer, sizeof *peer, 0, &beside)) != TARN_OK ||
        (status = check_user(g, &beside)) != TARN_OK || (status = check_hello(peer)) != TARN_OK) {
        return status;
    }
    g->peer_pid = beside.credentials.pid;
    g->peer_in_flight = peer->in_flight;
    return TARN_OK;
}

// ---- descriptors

static tarn_status hand_over(const struct tn_handshake_state *g) {
    union ancillary control;
    uint64_t word = MAGIC;
    int fds[FDS] = {g->desc.arena->shm.fd, g->own.shm.fd};
    memset(&control, 0, sizeof control);
    control.align.cmsg_len = CMSG_LEN(sizeof fds);
    control.align.cmsg_level = SOL_SOCKET;
    control.align.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.align), fds, sizeof fds);
    return say(g, &word, sizeof word, &control, CMSG_SPACE(sizeof fds));
}

static tarn_status take_over(struct tn_handshake_state *g, const struct hello *peer) {
    uint64_t word;
    struct beside beside;
    struct tn_mailbox_shape shape = {peer->ports, peer->slots, g->desc.in_flight};
    tarn_status status = hear(g, &word, sizeof word, FDS, &beside);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_shm_adopt(beside.fds[0], peer->arena_bytes, TN_ARENA_ALIGN, true, &g->peer_arena);
    if (status != TARN_OK) {
        goto err_close;
    }
    status = tn_mailbox_adopt(beside.fds[1], &shape, &g->peer);
    if (status != TARN_OK) {
        goto err_arena;
    }
    status = tn_shm_populate(&g->peer_arena, peer->prefault, true);
    if (status != TARN_OK) {
        tn_mailbox_close(&g->peer);
        tn_shm_close(&g->peer_arena);
        return status;
    }
    tn_shm_forget_file(&g->peer_arena);
    tn_shm_forget_file(&g->peer.shm);
    return TARN_OK;

err_arena:
    tn_shm_close(&g->peer_arena);
    beside.fds[0] = beside.fds[1];
    beside.count = 1;
err_close:
    close_all(beside.fds, beside.count);
    return status;
}

// ---- verdict

// Says how it went here and hears how it went there. A failure of ours goes before one of theirs.
static tarn_status agree(const struct tn_handshake_state *g, tarn_status mine) {
    struct beside beside;
    struct verdict verdict = {MAGIC, mine};
    if (mine != TARN_OK) {
        struct tn_error_saved kept;
        tn_error_save(&kept);
        (void)say(g, &verdict, sizeof verdict, NULL, 0);
        tn_error_restore(&kept);
        return mine;
    }
    tarn_status status = say(g, &verdict, sizeof verdict, NULL, 0);
    if (status != TARN_OK || (status = hear(g, &verdict, sizeof verdict, 0, &beside)) != TARN_OK) {
        return status;
    }
    if (verdict.magic != MAGIC || verdict.status != TARN_OK) {
        return tn_fail(TARN_PEER_GONE, "the peer refused the channel: %s",
                       tarn_status_name((tarn_status)verdict.status));
    }
    return TARN_OK;
}

static int open_process(int pid) {
#ifdef SYS_pidfd_open
    return pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
#else
    (void)pid;
    return -1;
#endif
}

tarn_status tn_handshake(struct tn_handshake_state *g) {
    struct hello peer;
    tarn_status status = exchange_hellos(g, &peer);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_mailbox_shape shape = {g->desc.ports, g->desc.slots, peer.in_flight};
    status = tn_mailbox_create(&shape, &g->own);
    if (status != TARN_OK) {
        return status;
    }
    status = hand_over(g);
    if (status != TARN_OK) {
        goto err_own;
    }
    status = agree(g, take_over(g, &peer));
    if (status != TARN_OK) {
        goto err_peer;
    }
    g->pidfd = open_process(g->peer_pid);
    int no = 0; // only costs from here on
    (void)setsockopt(g->socket, SOL_SOCKET, SO_PASSCRED, &no, sizeof no);
    return TARN_OK;

err_peer:
    tn_mailbox_close(&g->peer);
    tn_shm_close(&g->peer_arena);
err_own:
    tn_mailbox_close(&g->own);
    return status;
}

void tn_handshake_release(struct tn_handshake_state *g) {
    if (g->pidfd >= 0) {
        (void)close(g->pidfd);
    }
    tn_mailbox_close(&g->peer);
    tn_shm_close(&g->peer_arena);
    tn_mailbox_close(&g->own);
}
