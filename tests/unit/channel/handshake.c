// SPDX-License-Identifier: Apache-2.0
// Claims about the handshake: a stranger that sends wrong messages or wrong descriptors gets no
// channel, and this process loses nothing, no descriptor either.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stranger.h"

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
    while (readdir(all) != NULL) count++;
    (void)closedir(all);
    return count;
}

static void *attach_honest(void *arg) {
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
    assert_int_equal(pthread_create(&h->thread, NULL, attach_honest, h), 0);
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

// ---- claims

static void hello_wrong(struct hello hello, tarn_status status) {
    struct honest h;
    begin(&h);
    send_hello(h.stranger, &hello);
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
    hello.page = 2048;
    hello_wrong(hello, TARN_UNSUPPORTED);
    hello = good_hello;
    hello.descriptor_bytes = 256;
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
    hello.arena_bytes = 0;
    hello_wrong(hello, TARN_CORRUPT);
}

static void shorter_hello_is_corrupt(void **state) {
    struct honest h;
    (void)state;
    begin(&h);
    send_with(h.stranger, "short", 5, 0, NULL, 0);
    refused(&h, TARN_CORRUPT);
}

static void longer_hello_is_corrupt(void **state) {
    struct honest h;
    struct ucred self = {getpid(), geteuid(), getegid()};
    unsigned char bytes[sizeof good_hello + 8] = {0};
    (void)state;
    memcpy(bytes, &good_hello, sizeof good_hello);
    begin(&h);
    send_with(h.stranger, bytes, sizeof bytes, SCM_CREDENTIALS, &self, sizeof self);
    refused(&h, TARN_CORRUPT);
}

static void do_nothing(int signal) { (void)signal; }

static void signals_do_not_end_a_handshake(void **state) {
    struct honest h;
    struct sigaction action = {.sa_handler = do_nothing}, before; // without SA_RESTART
    (void)state;
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    begin(&h);
    for (int i = 0; i < 20; i++) {
        (void)usleep(1000); // it waits for the hello by then
        assert_int_equal(pthread_kill(h.thread, SIGUSR1), 0);
    }
    send_with(h.stranger, "short", 5, 0, NULL, 0);
    refused(&h, TARN_CORRUPT);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

// Only root may claim another user.
static void another_user_is_refused(void **state) {
    struct honest h;
    struct ucred other = {getpid(), geteuid() + 1, getegid()};
    (void)state;
    if (geteuid() != 0) skip();
    begin(&h);
    send_with(h.stranger, &good_hello, sizeof good_hello, SCM_CREDENTIALS, &other, sizeof other);
    refused(&h, TARN_NO_ACCESS);
}

static void descriptors_must_be_two(void **state) {
    const size_t counts[] = {0, 1, 3};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct honest h;
        begin(&h);
        int fd = memory(4 * MIB, F_SEAL_SHRINK); // closed again below
        int fds[3] = {fd, fd, fd};
        send_hello(h.stranger, &good_hello);
        send_fds(h.stranger, fds, counts[i]);
        (void)close(fd);
        refused(&h, TARN_CORRUPT);
    }
}

static void with_memory(int arena, int mailbox, tarn_status status) {
    struct honest h;
    begin(&h);
    int fds[2] = {arena, mailbox};
    send_hello(h.stranger, &good_hello);
    send_fds(h.stranger, fds, 2);
    assert_int_equal(pthread_join(h.thread, NULL), 0);
    assert_int_equal(h.status, status);
    assert_null(h.end);
    (void)close(h.stranger);
    (void)close(h.socket);
    assert_int_equal(count_descriptors(), h.descriptors - 2);
    (void)close(arena);
    (void)close(mailbox);
    channel_end_arena(h.arena);
}

// A file that shrinks under a mapping kills the process that touches it.
static void memory_that_may_shrink_is_refused(void **state) {
    (void)state;
    with_memory(memory(4 * MIB, F_SEAL_GROW), memory(mailbox_bytes(), F_SEAL_SHRINK), TARN_CORRUPT);
    with_memory(memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_GROW), TARN_CORRUPT);
}

static void memory_of_another_size_is_refused(void **state) {
    (void)state;
    with_memory(memory(2 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_SHRINK),
                TARN_CORRUPT);
    with_memory(memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes() - 4096, F_SEAL_SHRINK),
                TARN_CORRUPT);
}

static void file_that_is_no_memory_is_refused(void **state) {
    (void)state;
    with_memory(open("/dev/zero", O_RDWR | O_CLOEXEC), memory(mailbox_bytes(), F_SEAL_SHRINK),
                TARN_CORRUPT);
    with_memory(open("/proc/self/exe", O_RDONLY | O_CLOEXEC),
                memory(mailbox_bytes(), F_SEAL_SHRINK), TARN_CORRUPT);
}

static uint64_t blocks_of(int fd) {
    struct stat file;
    assert_int_equal(fstat(fd, &file), 0);
    return (uint64_t)file.st_blocks;
}

// A complete handshake whose peer claims that all pages exist.
static void accept_prefaulted(int arena, int mailbox) {
    struct honest h;
    struct hello hello = good_hello;
    int fds[2] = {arena, mailbox};
    begin(&h);
    hello.prefault = UINT64_MAX;
    send_hello(h.stranger, &hello);
    send_fds(h.stranger, fds, 2);
    send_verdict(h.stranger, good_hello.magic, TARN_OK);
    assert_int_equal(pthread_join(h.thread, NULL), 0);
    assert_int_equal(h.status, TARN_OK);
    assert_ok(tarn_channel_close(h.end));
    (void)close(h.stranger);
    channel_end_arena(h.arena);
}

// Pages that the peer claims to have are not allocated here.
static void claim_of_prefaulted_pages_fills_nothing(void **state) {
    int arena = memory(4 * MIB, F_SEAL_SHRINK);
    int mailbox = memory(mailbox_bytes(), F_SEAL_SHRINK);
    (void)state;
    accept_prefaulted(arena, mailbox);
    assert_int_equal(blocks_of(arena), 0);
    (void)close(arena);
    (void)close(mailbox);
}

static void fill_file(int fd, uint64_t from, uint64_t end) {
    unsigned char page[4096] = {1};
    for (uint64_t at = from; at < end; at += sizeof page)
        assert_int_equal(pwrite(fd, page, sizeof page, (off_t)at), sizeof page);
}

static void pages_behind_a_hole_do_not_fill_the_hole(void **state) {
    uint64_t half = mailbox_bytes() / 2 & ~UINT64_C(4095);
    int arena = memory(4 * MIB, F_SEAL_SHRINK);
    int mailbox = memory(mailbox_bytes(), F_SEAL_SHRINK);
    (void)state;
    fill_file(arena, 0, MIB);
    fill_file(arena, 3 * MIB, 4 * MIB);
    fill_file(mailbox, half, mailbox_bytes());
    uint64_t mailbox_blocks = blocks_of(mailbox);
    accept_prefaulted(arena, mailbox);
    assert_int_equal(blocks_of(arena), 2 * MIB / 512);
    assert_in_range(blocks_of(mailbox), mailbox_blocks, mailbox_blocks + 4 * 8);
    (void)close(arena);
    (void)close(mailbox);
}

static void verdict_wrong(uint64_t magic, int64_t status) {
    struct honest h;
    int fds[2] = {memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_SHRINK)};
    begin(&h);
    send_hello(h.stranger, &good_hello);
    send_fds(h.stranger, fds, 2);
    h.descriptors -= 2; // the two that are closed next
    (void)close(fds[0]);
    (void)close(fds[1]);
    send_verdict(h.stranger, magic, status);
    refused(&h, TARN_PEER_GONE);
}

static void refusing_peer_is_reported(void **state) {
    (void)state;
    verdict_wrong(good_hello.magic, TARN_NO_ADDRESS_SPACE);
    verdict_wrong(good_hello.magic + 1, TARN_OK);
}

static void peer_that_leaves_is_gone(void **state) {
    struct honest h;
    (void)state;
    begin(&h);
    send_hello(h.stranger, &good_hello);
    (void)shutdown(h.stranger, SHUT_RDWR);
    refused(&h, TARN_PEER_GONE);
}

// Of several threads that see the message of one peer, one reads it; the others call with nothing
// left to read.
static void a_step_without_a_message_changes_nothing(void **state) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    int fds[2] = {memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_SHRINK)};
    int sockets[2];
    char answer[256];
    (void)state;
    desc.arena = channel_arena(4 * MIB);
    desc.ports = good_hello.ports;
    desc.slots = good_hello.slots;
    desc.in_flight = good_hello.in_flight;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    int stranger = sockets[1];
    struct tn_handshake_state h = tn_handshake_state_make(sockets[0], &desc, UINT64_MAX);
    assert_ok(tn_handshake_begin(&h));
    assert_true(recv(stranger, answer, sizeof answer, MSG_DONTWAIT) > 0);
    for (int stage = TN_HANDSHAKE_HELLO; stage <= TN_HANDSHAKE_VERDICT; stage++) {
        bool last = stage == TN_HANDSHAKE_VERDICT;
        assert_status(tn_handshake_step(&h), TARN_NOT_READY);
        assert_int_equal(h.stage, stage);
        assert_int_equal(recv(stranger, answer, sizeof answer, MSG_DONTWAIT), -1);
        if (stage == TN_HANDSHAKE_HELLO)
            send_hello(stranger, &good_hello);
        else if (stage == TN_HANDSHAKE_DESCRIPTORS)
            send_fds(stranger, fds, 2);
        else
            send_verdict(stranger, good_hello.magic, TARN_OK);
        assert_status(tn_handshake_step(&h), last ? TARN_OK : TARN_NOT_READY);
        assert_true(last || recv(stranger, answer, sizeof answer, MSG_DONTWAIT) > 0);
    }
    tn_handshake_release(&h);
    (void)close(sockets[0]);
    (void)close(stranger);
    (void)close(fds[0]);
    (void)close(fds[1]);
    channel_end_arena(desc.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_of_another_kind_is_unsupported),
        cmocka_unit_test(hello_with_numbers_out_of_range_is_corrupt),
        cmocka_unit_test(shorter_hello_is_corrupt),
        cmocka_unit_test(longer_hello_is_corrupt),
        cmocka_unit_test(signals_do_not_end_a_handshake),
        cmocka_unit_test(another_user_is_refused),
        cmocka_unit_test(descriptors_must_be_two),
        cmocka_unit_test(memory_that_may_shrink_is_refused),
        cmocka_unit_test(memory_of_another_size_is_refused),
        cmocka_unit_test(file_that_is_no_memory_is_refused),
        cmocka_unit_test(claim_of_prefaulted_pages_fills_nothing),
        cmocka_unit_test(pages_behind_a_hole_do_not_fill_the_hole),
        cmocka_unit_test(refusing_peer_is_reported),
        cmocka_unit_test(peer_that_leaves_is_gone),
        cmocka_unit_test(a_step_without_a_message_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
