// SPDX-License-Identifier: Apache-2.0
// See partner.h.
#include "support/partner.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/child.h"

// ---- who plays

struct stage {
    int ends[2];
    part *body;
};

static void play_child(void *arg) {
    const struct stage *stage = arg;
    struct partner parent = {stage->ends[1], getppid()};
    (void)close(stage->ends[0]);
    stage->body(&parent);
    (void)close(parent.line);
}

struct partner partner_begin(part *child) {
    struct stage stage = {{-1, -1}, child};
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, stage.ends), 0);
    pid_t pid = child_begin(play_child, &stage);
    (void)close(stage.ends[1]);
    return (struct partner){stage.ends[0], pid};
}

void partner_end(struct partner *child) {
    if (child->line >= 0) (void)close(child->line);
    if (child->pid != 0) child_end(child->pid);
    *child = (struct partner){-1, 0};
}

void partner_kill(struct partner *child) {
    int status = 0;
    assert_int_equal(kill(child->pid, SIGKILL), 0);
    assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    child->pid = 0;
}

struct cast {
    part *parent;
    part *child;
};

static void play_parent(void *arg) {
    const struct cast *cast = arg;
    struct partner child = partner_begin(cast->child);
    cast->parent(&child);
    partner_end(&child);
}

void play(part *parent, part *child) {
    struct cast cast = {parent, child};
    hip_in_child(play_parent, &cast, NULL);
}

// ---- the line

void say(const struct partner *other, char word) {
    assert_int_equal(send(other->line, &word, 1, MSG_NOSIGNAL), 1);
}

void hear(const struct partner *other, char word) {
    char heard = 0;
    assert_int_equal(recv(other->line, &heard, 1, 0), 1);
    assert_int_equal(heard, word);
}

// A message of one byte with room for the rights to one descriptor.
struct parcel {
    char byte;
    struct iovec bytes;
    _Alignas(struct cmsghdr) char rights[CMSG_SPACE(sizeof(int))];
    struct msghdr message;
};

static void pack(struct parcel *parcel) {
    memset(parcel, 0, sizeof *parcel);
    parcel->bytes = (struct iovec){&parcel->byte, 1};
    parcel->message.msg_iov = &parcel->bytes;
    parcel->message.msg_iovlen = 1;
    parcel->message.msg_control = parcel->rights;
    parcel->message.msg_controllen = sizeof parcel->rights;
}

void send_fd(const struct partner *other, int fd) {
    struct parcel parcel;
    pack(&parcel);
    struct cmsghdr *rights = CMSG_FIRSTHDR(&parcel.message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    assert_int_equal(sendmsg(other->line, &parcel.message, MSG_NOSIGNAL), 1);
}

int receive_fd(const struct partner *other) {
    struct parcel parcel;
    int fd = -1;
    pack(&parcel);
    assert_int_equal(recvmsg(other->line, &parcel.message, MSG_CMSG_CLOEXEC), 1);
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&parcel.message);
    assert_non_null(rights);
    assert_int_equal(rights->cmsg_type, SCM_RIGHTS);
    memcpy(&fd, CMSG_DATA(rights), sizeof fd);
    assert_true(fd >= 0);
    return fd;
}

// ---- out of the other's table

void let_take(void) {
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // where only ancestors may, otherwise
}

int take_fd(const struct partner *other, int number) {
    int process = (int)syscall(SYS_pidfd_open, other->pid, 0);
    int fd = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, number, 0);
    int why = errno;
    if (process >= 0) assert_int_equal(close(process), 0);
    errno = why;
    return fd;
}
