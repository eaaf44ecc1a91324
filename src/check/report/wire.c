// SPDX-License-Identifier: Apache-2.0
// The sending side of the protocol between checked processes and `tarn check`; see wire.h.
#include "check/report/wire.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/socket_name.h"

static struct {
    pthread_once_t once;
    struct tn_socket_name name;
    _Atomic bool open;
} wire = {.once = PTHREAD_ONCE_INIT};

static void read_address(void) {
    if (tn_socket_name_read(secure_getenv(TN_CHECK_WIRE_VARIABLE), &wire.name))
        tn_store_relaxed(&wire.open, true);
}

bool tn_check_wire_is_open(void) {
    (void)pthread_once(&wire.once, read_address);
    return tn_load_relaxed(&wire.open);
}

// Returns a socket, or -1. A program that uses all descriptors that it may has reports all the same:
// the limit is raised while one more is made. A descriptor above the limit stays usable.
static int make_socket(void) {
    struct rlimit limit, raised;
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur >= limit.rlim_max)
        return file;
    raised = limit;
    raised.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
        file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    return file;
}

// Returns the connected socket, or -1. A refused connection means that `tarn check` has ended.
static int connect_wire(void) {
    const struct timeval limit = {TN_CHECK_WIRE_SECONDS, 0};
    int result = -1, file = make_socket();
    if (file < 0) return -1;
    (void)setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    (void)setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    do {
        result = connect(file, (const struct sockaddr *)&wire.name.address, wire.name.bytes);
    } while (result != 0 && errno == EINTR);
    if (result == 0) return file;
    if (errno == ECONNREFUSED) tn_store_relaxed(&wire.open, false);
    (void)close(file);
    return -1;
}

static bool send_bytes(int file, const void *data, size_t bytes) {
    const char *from = (const char *)data;
    while (bytes > 0) {
        ssize_t sent = send(file, from, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        from += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

static void receive_answer(int file, struct tn_check_wire_answer *answer) {
    struct tn_check_wire_answer received;
    ssize_t got = -1;
    do {
        got = recv(file, &received, sizeof received, MSG_WAITALL);
    } while (got < 0 && errno == EINTR);
    if (got == sizeof received) *answer = received;
}

bool tn_check_wire_send(struct tn_check_wire_head *head, const char *text, const char *json,
                        struct tn_check_wire_answer *answer) {
    int error = errno;
    int file = tn_check_wire_is_open() ? connect_wire() : -1;
    memcpy(head->token, wire.name.token, sizeof head->token);
    bool sent = file >= 0 && send_bytes(file, head, sizeof *head) &&
                send_bytes(file, text, head->text_bytes) &&
                send_bytes(file, json, head->json_bytes);
    if (sent) receive_answer(file, answer);
    if (file >= 0) (void)close(file);
    errno = error;
    return sent;
}
