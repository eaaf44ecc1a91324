// SPDX-License-Identifier: Apache-2.0
// Claims about the first words: what a stranger on the socket says wrong, or hands over wrong,
// costs it the channel and us nothing, no descriptor either.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channel/channel.h"

#include "support/channel.h"

struct hello {
    uint64_t magic;
    uint32_t version, page, slot_bytes, ports, slots, in_flight;
    uint64_t arena_bytes, prefault;
};

static const struct hello good_hello = {
    UINT64_C(0x6e61686372617421), 1, 4096, TN_DESCRIPTOR_BYTES, 64, 1024, 4096, 4 * MIB, 0};

// The honest side, on a thread.
struct honest {
    tarn_arena *arena;
    int socket;
    tarn_status status;
    tarn_channel *end;
    pthread_t thread;
    int stranger; // the other end
    int descriptors;
};

static int count_descriptors(void) {
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    assert_non_null(all);
    while (readdir(all) != NULL) {
        count++;
    }
    (void)closedir(all);
    return count;
}

static void *greet(void *arg) {
    struct honest *h = (struct honest *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = h->arena;
    h->status = tarn_channel_attach(h->socket, &desc, LONG_ENOUGH, &h->end);
    return NULL;
}

static void begin(struct honest *h) {
    int sockets[2];
    *h = (struct honest){.arena = channel_arena(4 * MIB)};
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    h->socket = sockets[0];
    h->stranger = sockets[1];
    h->descriptors = count_descriptors();
    assert_int_equal(pthread_create(&h->thread, NULL, greet, h), 0);
}

static void refused(struct honest *h, tarn_status status) {
    assert_int_equal(pthread_join(h->thread, NULL), 0);
    (void)close(h->stranger);
    assert_int_equal(h->status, status);
    assert_null(h->end);
    (void)close(h->socket);
    assert_int_equal(count_descriptors(), h->descriptors - 2);
    channel_end_arena(h->arena);
}

// ---- what a stranger says

union ancillary {
    struct cmsghdr align;
    unsigned char bytes[CMSG_SPACE(8 * sizeof(int))];
};

static void say_with(const struct honest *h, const void *data, size_t bytes, int type,
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
    assert_int_equal(sendmsg(h->stranger, &message, MSG_NOSIGNAL), (ssize_t)bytes);
}

static void say_hello(const struct honest *h, const struct hello *hello) {
    struct ucred self = {getpid(), geteuid(), getegid()};
    say_with(h, hello, sizeof *hello, SCM_CREDENTIALS, &self, sizeof self);
}

static void hand_over(const struct honest *h, const int *fds, size_t count) {
    uint64_t word = good_hello.magic;
    say_with(h, &word, sizeof word, SCM_RIGHTS, fds, count * sizeof *fds);
}

static int memory(uint64_t bytes, int seals) {
    int fd = memfd_create("stranger", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static uint64_t box_bytes(void) {
    struct tn_mailbox_shape shape = {64, 1024, 4096};
    return tn_mailbox_bytes(&shape);
}

// ---- claims

static void hello_wrong(struct hello hello, tarn_status status) {
    struct honest h;
    begin(&h);
    say_hello(&h, &hello);
    refused(&h, status);
}

static void hello_of_another_kind_is_unsupported(void **state) {
    struct hello hello = good_hello;
    (void)state;
    hello.magic++;
    hello_wrong(hello, TARN_UNSUPPORTED);
    hello = good_hello;
    hello.version++;
    hello_wrong(hello, TARN_UNSUPPORTED);
    hello = good_hello;
    hello.page = 65536;
    hello_wrong(hello, TARN_UNSUPPORTED);
    hello = good_hello;
    hello.slot_bytes = 256;
    hello_wrong(hello, TARN_UNSUPPORTED);
}

static void hello_with_numbers_out_of_range_is_corrupt(void **state) {
    struct hello hello = good_hello;
    (void)state;
    hello.ports = 65537;
    hello_wrong(hello, TARN_CORRUPT);
    hello = good_hello;
    hello.slots = 1000;
    hello_wrong(hello, TARN_CORRUPT);
    hello = good_hello;
    hello.in_flight = 0;
    hello_wrong(hello, TARN_CORRUPT);
    hello = good_hello;
    hello.arena_bytes = 4 * MIB + 4096;
    hello_wrong(hello, TARN_CORRUPT);
    hello = good_hello;
    hello.arena_bytes = UINT64_C(1) << 41;
    hello_wrong(hello, TARN_CORRUPT);
}

static void greeting_of_another_length_is_corrupt(void **state) {
    struct honest h;
    (void)state;
    begin(&h);
    say_with(&h, "short", 5, 0, NULL, 0);
    refused(&h, TARN_CORRUPT);
}

static void descriptors_must_be_two(void **state) {
    const size_t counts[] = {0, 1, 3};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct honest h;
        begin(&h);
        int fd = memory(4 * MIB, F_SEAL_SHRINK); // closed again below
        int fds[3] = {fd, fd, fd};
        say_hello(&h, &good_hello);
        hand_over(&h, fds, counts[i]);
        (void)close(fd);
        refused(&h, TARN_CORRUPT);
    }
}

static void with_memory(int arena, int box, tarn_status status) {
    struct honest h;
    begin(&h);
    int fds[2] = {arena, box};
    say_hello(&h, &good_hello);
    hand_over(&h, fds, 2);
    assert_int_equal(pthread_join(h.thread, NULL), 0);
    assert_int_equal(h.status, status);
    assert_null(h.end);
    (void)close(h.stranger);
    (void)close(h.socket);
    assert_int_equal(count_descriptors(), h.descriptors - 2);
    (void)close(arena);
    (void)close(box);
    channel_end_arena(h.arena);
}

// A file that shrinks under a mapping kills who touches it.
static void memory_that_may_shrink_is_refused(void **state) {
    (void)state;
    with_memory(memory(4 * MIB, F_SEAL_GROW), memory(box_bytes(), F_SEAL_SHRINK), TARN_CORRUPT);
    with_memory(memory(4 * MIB, F_SEAL_SHRINK), memory(box_bytes(), F_SEAL_GROW), TARN_CORRUPT);
}

static void memory_of_another_size_is_refused(void **state) {
    (void)state;
    with_memory(memory(2 * MIB, F_SEAL_SHRINK), memory(box_bytes(), F_SEAL_SHRINK), TARN_CORRUPT);
    with_memory(memory(4 * MIB, F_SEAL_SHRINK), memory(box_bytes() - 4096, F_SEAL_SHRINK),
                TARN_CORRUPT);
}

static void what_is_no_memory_is_refused(void **state) {
    (void)state;
    with_memory(open("/dev/zero", O_RDWR | O_CLOEXEC), memory(box_bytes(), F_SEAL_SHRINK),
                TARN_CORRUPT);
    with_memory(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), memory(box_bytes(), F_SEAL_SHRINK),
                TARN_CORRUPT);
}

// What the peer claims to have prefaulted is not made here.
static void claim_of_prefaulted_pages_fills_nothing(void **state) {
    struct honest h;
    struct hello hello = good_hello;
    struct verdict {
        uint64_t magic;
        int64_t status;
    } verdict = {good_hello.magic, TARN_OK};
    int arena = memory(4 * MIB, F_SEAL_SHRINK);
    int fds[2] = {arena, memory(box_bytes(), F_SEAL_SHRINK)};
    struct stat file;
    (void)state;
    begin(&h);
    hello.prefault = UINT64_MAX;
    say_hello(&h, &hello);
    hand_over(&h, fds, 2);
    say_with(&h, &verdict, sizeof verdict, 0, NULL, 0);
    assert_int_equal(pthread_join(h.thread, NULL), 0);
    assert_int_equal(h.status, TARN_OK);
    assert_int_equal(fstat(arena, &file), 0);
    assert_int_equal(file.st_blocks, 0);
    assert_ok(tarn_channel_close(h.end));
    (void)close(h.stranger);
    (void)close(fds[0]);
    (void)close(fds[1]);
    channel_end_arena(h.arena);
}

static void refusing_peer_is_reported(void **state) {
    struct honest h;
    struct verdict {
        uint64_t magic;
        int64_t status;
    } verdict = {good_hello.magic, TARN_NO_ADDRESS_SPACE};
    int fds[2] = {memory(4 * MIB, F_SEAL_SHRINK), memory(box_bytes(), F_SEAL_SHRINK)};
    (void)state;
    begin(&h);
    say_hello(&h, &good_hello);
    hand_over(&h, fds, 2);
    h.descriptors -= 2; // the two that are closed next
    (void)close(fds[0]);
    (void)close(fds[1]);
    say_with(&h, &verdict, sizeof verdict, 0, NULL, 0);
    refused(&h, TARN_PEER_GONE);
}

static void peer_that_leaves_is_gone(void **state) {
    struct honest h;
    (void)state;
    begin(&h);
    say_hello(&h, &good_hello);
    (void)shutdown(h.stranger, SHUT_RDWR);
    refused(&h, TARN_PEER_GONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_of_another_kind_is_unsupported),
        cmocka_unit_test(hello_with_numbers_out_of_range_is_corrupt),
        cmocka_unit_test(greeting_of_another_length_is_corrupt),
        cmocka_unit_test(descriptors_must_be_two),
        cmocka_unit_test(memory_that_may_shrink_is_refused),
        cmocka_unit_test(memory_of_another_size_is_refused),
        cmocka_unit_test(what_is_no_memory_is_refused),
        cmocka_unit_test(claim_of_prefaulted_pages_fills_nothing),
        cmocka_unit_test(refusing_peer_is_reported),
        cmocka_unit_test(peer_that_leaves_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
