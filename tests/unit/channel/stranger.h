// SPDX-License-Identifier: Apache-2.0
// A stranger at the other end of a handshake: it sends any messages and descriptors it likes.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel/channel.h"

#include "support/channel.h"

struct hello {
    uint64_t magic;
    uint32_t version, page, descriptor_bytes, ports, slots, in_flight;
    uint64_t arena_bytes, prefault;
};

static const struct hello good_hello = {
    UINT64_C(0x6e61686372617421), 1, 4096, TN_DESCRIPTOR_BYTES, 64, 1024, 4096, 4 * MIB, 0};

union ancillary {
    struct cmsghdr align;
    unsigned char bytes[CMSG_SPACE(8 * sizeof(int))];
};

static inline void send_with(int socket, const void *data, size_t bytes, int type,
                             const void *beside, size_t beside_bytes) {
    union ancillary control;
    struct iovec part = {(void *)(uintptr_t)data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (beside_bytes != 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(beside_bytes);
        control.align.cmsg_len = CMSG_LEN(beside_bytes);
        control.align.cmsg_level = SOL_SOCKET;
        control.align.cmsg_type = type;
        memcpy(CMSG_DATA(&control.align), beside, beside_bytes);
    }
    assert_int_equal(sendmsg(socket, &message, MSG_NOSIGNAL), (ssize_t)bytes);
}

static inline void send_hello(int socket, const struct hello *hello) {
    struct ucred self = {getpid(), geteuid(), getegid()};
    send_with(socket, hello, sizeof *hello, SCM_CREDENTIALS, &self, sizeof self);
}

static inline void send_fds(int socket, const int *fds, size_t count) {
    uint64_t word = good_hello.magic;
    send_with(socket, &word, sizeof word, SCM_RIGHTS, fds, count * sizeof *fds);
}

static inline int memory(uint64_t bytes, int seals) {
    int fd = memfd_create("stranger", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static inline uint64_t mailbox_bytes(void) {
    struct tn_mailbox_shape shape = {64, 1024, 4096};
    return tn_mailbox_bytes(&shape);
}

static inline void send_verdict(int socket, uint64_t magic, int64_t status) {
    struct verdict {
        uint64_t magic;
        int64_t status;
    } verdict = {magic, status};
    send_with(socket, &verdict, sizeof verdict, 0, NULL, 0);
}
