// SPDX-License-Identifier: Apache-2.0
// Carriers of the kernel: a stream socket, a SEQPACKET socket, a pipe fed by vmsplice, and
// process_vm_readv. Each reuses as few buffers as it can, which favours it.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "stream.h"

#define SOCKET_BUFFER (8 << 20)
#define PACKET        UINT64_C(65536) // a larger packet needs contiguous kernel memory
#define PIPE_BYTES    (1 << 20)

// Writes a message in pieces of at most `piece` bytes.
static void write_all(struct stream *stream, int fd, const void *data, uint64_t piece) {
    const char *at = (const char *)data;
    for (uint64_t left = stream->bytes; left > 0;) {
        ssize_t n = write(fd, at, left < piece ? left : piece);
        if (n <= 0) stream_fail(stream, "write");
        at += n;
        left -= (uint64_t)n;
    }
}

static void read_all(struct stream *stream, int fd, void *data, uint64_t piece) {
    char *at = (char *)data;
    for (uint64_t left = stream->bytes; left > 0;) {
        ssize_t n = read(fd, at, left < piece ? left : piece);
        if (n <= 0) stream_fail(stream, "read");
        at += n;
        left -= (uint64_t)n;
    }
}

static void enlarge(int socket) {
    int bytes = SOCKET_BUFFER;
    if (setsockopt(socket, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes) != 0)
        (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

// Sends one end of a descriptor pair, which the producer creates, to the consumer.
static void give(struct stream *stream, int socket, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memset(&control, 0, sizeof control);
    control.header.cmsg_len = CMSG_LEN(sizeof fd);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    if (sendmsg(socket, &message, 0) != 1) stream_fail(stream, "sendmsg");
    (void)close(fd);
}

static int take(struct stream *stream, int socket) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    int fd;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, 0) != 1) stream_fail(stream, "recvmsg");
    memcpy(&fd, CMSG_DATA(&control.header), sizeof fd);
    return fd;
}

static void send_messages(struct stream *stream, int fd, uint64_t piece) {
    void *buffer = stream_memory(stream->bytes);
    bool more = true;
    for (uint64_t n = 0; more; n++) {
        more = stream_write(stream, n, buffer);
        write_all(stream, fd, buffer, piece);
    }
}

static void receive_messages(struct stream *stream, int fd, uint64_t piece) {
    void *buffer = stream_memory(stream->bytes);
    do {
        read_all(stream, fd, buffer, piece);
    } while (stream_read(stream, buffer));
}

// ---- stream socket

static void stream_out(struct stream *stream, int socket, bool large) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) stream_fail(stream, "socketpair");
    if (large) enlarge(ends[0]);
    give(stream, socket, ends[1]);
    send_messages(stream, ends[0], UINT64_MAX);
}

static void produce_stream(struct stream *stream, int socket, const char *name) {
    (void)name;
    stream_out(stream, socket, false);
}

static void produce_stream_large(struct stream *stream, int socket, const char *name) {
    (void)name;
    stream_out(stream, socket, true);
}

static void consume_stream(struct stream *stream, int socket, const char *name) {
    (void)name;
    receive_messages(stream, take(stream, socket), UINT64_MAX);
}

// A small buffer stays in the caches. A large one needs fewer wakes.
const struct carrier carry_stream = {"unix stream", produce_stream, consume_stream};
const struct carrier carry_stream_large = {"unix stream 8M", produce_stream_large, consume_stream};

// ---- SEQPACKET socket, in packets

static void produce_packets(struct stream *stream, int socket, const char *name) {
    (void)name;
    enlarge(socket);
    send_messages(stream, socket, PACKET);
}

static void consume_packets(struct stream *stream, int socket, const char *name) {
    (void)name;
    receive_messages(stream, socket, PACKET);
}

const struct carrier carry_seqpacket = {"seqpacket 64K", produce_packets, consume_packets};

// ---- pipe, by vmsplice: pages enter the pipe without a copy and are copied out

static void splice_all(struct stream *stream, int fd, void *data) {
    struct iovec left = {data, stream->bytes};
    while (left.iov_len > 0) {
        ssize_t n = vmsplice(fd, &left, 1, 0);
        if (n <= 0) stream_fail(stream, "vmsplice");
        left.iov_base = (char *)left.iov_base + n;
        left.iov_len -= (size_t)n;
    }
}

// A buffer may be written again once the pipe holds none of its pages. That is certain when the
// pipe has accepted its own capacity after the buffer.
static void produce_pipe(struct stream *stream, int socket, const char *name) {
    int ends[2];
    uint64_t buffers = PIPE_BYTES / stream->bytes + 2;
    char *memory = (char *)stream_memory(buffers * stream->bytes);
    bool more = true;
    (void)name;
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) < 0)
        stream_fail(stream, "pipe");
    give(stream, socket, ends[0]);
    for (uint64_t n = 0; more; n++) {
        void *buffer = memory + n % buffers * stream->bytes;
        more = stream_write(stream, n, buffer);
        splice_all(stream, ends[1], buffer);
    }
    char byte;
    (void)!read(socket, &byte, 1); // the pages must live until they are read
}

static void consume_pipe(struct stream *stream, int socket, const char *name) {
    (void)name;
    receive_messages(stream, take(stream, socket), UINT64_MAX);
}

const struct carrier carry_vmsplice = {"vmsplice", produce_pipe, consume_pipe};

// ---- process_vm_readv: the consumer copies out of the producer

static void produce_readable(struct stream *stream, int socket, const char *name) {
    char *memory = (char *)stream_memory(stream->depth * stream->bytes);
    uint64_t said[2] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)memory};
    bool more = true;
    char byte;
    (void)name;
#ifdef PR_SET_PTRACER
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
#endif
    (void)!write(socket, said, sizeof said);
    for (uint64_t n = 0; more; n++) {
        if (n >= stream->depth && read(socket, &byte, 1) != 1) stream_fail(stream, "read");
        more = stream_write(stream, n, memory + n % stream->depth * stream->bytes);
        if (write(socket, &byte, 1) != 1) stream_fail(stream, "write");
    }
    while (read(socket, &byte, 1) == 1) { // the memory must live until it is read
    }
}

static void copy_out(struct stream *stream, const uint64_t said[2], uint64_t at, void *buffer) {
    struct iovec here = {buffer, stream->bytes};
    struct iovec there = {(void *)(uintptr_t)(said[1] + at), stream->bytes};
    if (process_vm_readv((pid_t)said[0], &here, 1, &there, 1, 0) != (ssize_t)stream->bytes)
        stream_fail(stream, "process_vm_readv");
}

static void consume_readable(struct stream *stream, int socket, const char *name) {
    void *buffer = stream_memory(stream->bytes);
    uint64_t said[2];
    char byte;
    (void)name;
    if (read(socket, said, sizeof said) != sizeof said) stream_fail(stream, "read");
    for (uint64_t n = 0;; n++) {
        if (read(socket, &byte, 1) != 1) stream_fail(stream, "read");
        copy_out(stream, said, n % stream->depth * stream->bytes, buffer);
        (void)!write(socket, &byte, 1);
        if (!stream_read(stream, buffer)) return;
    }
}

const struct carrier carry_readv = {"process_vm_readv", produce_readable, consume_readable};
