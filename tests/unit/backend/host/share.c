// SPDX-License-Identifier: Apache-2.0
// Memory shared between processes by descriptor: it outlives its exporter, both sides see writes,
// and a descriptor that is not a complete and sealed export is refused.
#include "setup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static tarn_backend_phys create_shareable(void *p, uint64_t size) {
    tarn_phys_desc desc = on_device(1);
    desc.shareable = TARN_SHAREABLE_FD;
    return create_with(p, size, desc);
}

static int export_fd(void *p, tarn_backend_phys phys) {
    tarn_shareable out = {0, -1, 0};
    expect_ok(ops->phys_export(p, phys, TARN_SHAREABLE_FD, &out));
    assert_int_equal(out.type, TARN_SHAREABLE_FD);
    assert_true(out.fd > 2);
    return out.fd;
}

static tarn_status import_fd(void *p, int fd, tarn_backend_phys *phys,
                             tarn_backend_phys_info *info) {
    const tarn_shareable in = {TARN_SHAREABLE_FD, fd, 0};
    return ops->phys_import(p, 0, &in, phys, info);
}

static void expect_refused(void *p, int fd) {
    tarn_backend_phys phys = 77;
    tarn_backend_phys_info info;
    expect_status(import_fd(p, fd, &phys, &info), TARN_BAD_HANDLE);
    assert_int_equal(phys, 77);
}

static tarn_addr open_view(void *p, tarn_backend_phys phys, uint64_t size) {
    tarn_addr addr = reserve(p, size);
    expect_ok(try_map(p, addr, size, phys));
    expect_ok(grant(p, addr, size, 0, TARN_ACCESS_READ_WRITE));
    return addr;
}

static void close_view(void *p, tarn_addr addr, uint64_t size) {
    expect_ok(ops->unmap(p, addr, size));
    ops->release(p, addr, size);
}

static void an_import_is_the_same_memory_under_a_new_name(void **state) {
    void *p = open_host("");
    void *q = open_host("devices=1");
    tarn_backend_phys phys = create_shareable(p, 2 * MB);
    tarn_backend_phys again = 0;
    tarn_backend_phys other = 0;
    tarn_backend_phys_info info;
    (void)state;
    int fd = export_fd(p, phys);
    uint64_t left = free_bytes(p, 1);
    expect_ok(import_fd(p, fd, &again, &info));
    assert_int_not_equal(again, phys);
    assert_int_equal(info.bytes, 2 * MB);
    assert_int_equal(info.location.id, 1);
    assert_int_equal(info.shareable, TARN_SHAREABLE_FD);
    expect_ok(import_fd(q, fd, &other, &info));
    assert_int_equal(info.location.id, 0); // there is no device 1 there
    assert_int_equal(free_bytes(p, 1), left);
    (void)close(fd);
    tarn_addr one = open_view(p, phys, 2 * MB);
    tarn_addr two = open_view(p, again, 2 * MB);
    tarn_addr three = open_view(q, other, MB);
    cpu(one)[100] = 5;
    assert_int_equal(cpu(two)[100], 5);
    cpu(three)[MB - 1] = 6;
    assert_int_equal(cpu(one)[MB - 1], 6);
    close_view(p, one, 2 * MB);
    ops->phys_destroy(p, phys);
    assert_int_equal(cpu(two)[100], 5);
    close_view(p, two, 2 * MB);
    close_view(q, three, MB);
    ops->phys_destroy(p, again);
    ops->phys_destroy(q, other);
    close_host(p);
    close_host(q);
}

static void an_importer_sees_the_fresh_contents_of_the_exporter(void **state) {
    void *p = open_host("poison=9");
    void *q = open_host("");
    tarn_backend_phys phys = create_shareable(p, 64 * KB);
    tarn_backend_phys other = 0;
    tarn_backend_phys_info info;
    (void)state;
    int fd = export_fd(p, phys); // nobody has looked at it yet
    expect_ok(import_fd(q, fd, &other, &info));
    (void)close(fd);
    tarn_addr addr = open_view(q, other, 64 * KB);
    assert_int_equal(cpu(addr)[64 * KB - 1], 9);
    cpu(addr)[0] = 1;
    tarn_addr mine = open_view(p, phys, 64 * KB);
    assert_int_equal(cpu(mine)[0], 1); // and the exporter does not poison it again
    close_view(p, mine, 64 * KB);
    close_view(q, addr, 64 * KB);
    ops->phys_destroy(p, phys);
    ops->phys_destroy(q, other);
    close_host(p);
    close_host(q);
}

static void imports_can_be_exported_again_and_leak_nothing(void **state) {
    void *p = open_host("");
    tarn_backend_phys phys = create_shareable(p, 64 * KB);
    (void)state;
    int before = dup(0);
    for (int i = 0; i < 200; i++) {
        tarn_backend_phys next = 0;
        tarn_backend_phys_info info;
        int fd = export_fd(p, phys);
        expect_ok(import_fd(p, fd, &next, &info));
        (void)close(fd);
        ops->phys_destroy(p, phys);
        phys = next;
    }
    ops->phys_destroy(p, phys);
    int after = dup(0);
    assert_true(after <= before + 1);
    (void)close(before);
    (void)close(after);
    close_host(p);
}

static void what_was_not_created_to_be_shared_is_not(void **state) {
    void *p = open_host("");
    tarn_backend_phys phys = create(p, 0, 64 * KB);
    tarn_shareable out = {0, -1, 0};
    (void)state;
    expect_status(ops->phys_export(p, phys, TARN_SHAREABLE_FD, &out), TARN_BAD_ARGUMENT);
    assert_int_equal(out.fd, -1);
    ops->phys_destroy(p, phys);
    close_host(p);
}

// ---- hostile descriptors

static int memory_file(uint64_t size, int seals) {
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    if (seals != 0) assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static void foreign_descriptors_are_refused(void **state) {
    void *p = open_host("");
    int pair[2];
    int pipes[2];
    (void)state;
    expect_refused(p, -1);
    expect_refused(p, 12345);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(pipe(pipes), 0);
    const int fds[] = {
        open("/dev/zero", O_RDWR),
        open("/proc/self/exe", O_RDONLY),
        open("/", O_RDONLY),
        memory_file(8192, 0),
        memory_file(0, SEALS),
        memory_file(4096, SEALS),
        memory_file(8192, SEALS),
        memory_file(8191, SEALS),
        memory_file(1 << 20, F_SEAL_SHRINK),
        pair[0],
        pair[1],
        pipes[0],
        pipes[1],
        open("/tmp", O_TMPFILE | O_RDWR, 0600),
    };
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        expect_refused(p, fds[i]);
        (void)close(fds[i]);
    }
    close_host(p);
}

// A copy of a valid export, changed at one position before it is sealed.
static int forged(int original, uint64_t size, uint64_t at, int byte, int seals) {
    int fd = memory_file(size, 0);
    char page[4096];
    for (uint64_t offset = 0; offset < size; offset += sizeof page) {
        memset(page, 0, sizeof page);
        (void)!pread(original, page, sizeof page, (off_t)offset);
        assert_int_equal(pwrite(fd, page, sizeof page, (off_t)offset), sizeof page);
    }
    if (byte >= 0) {
        char one = (char)byte;
        assert_int_equal(pwrite(fd, &one, 1, (off_t)at), 1);
    }
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static void damaged_exports_are_refused(void **state) {
    void *p = open_host("");
    tarn_backend_phys phys = create_shareable(p, 64 * KB);
    tarn_backend_phys good = 0;
    tarn_backend_phys_info info;
    int fd = export_fd(p, phys);
    struct stat stat;
    (void)state;
    assert_int_equal(fstat(fd, &stat), 0);
    uint64_t size = (uint64_t)stat.st_size;
    assert_int_equal(size, 64 * KB + 4096);
    int copy = forged(fd, size, 0, -1, SEALS); // the forger's work itself is accepted
    expect_ok(import_fd(p, copy, &good, &info));
    ops->phys_destroy(p, good);
    (void)close(copy);
    for (uint64_t at = 64 * KB; at < 64 * KB + 44; at++) {
        // Every byte of the trailer is checked, except usage and location, which have many values.
        bool free_value =
            (at >= 64 * KB + 24 && at < 64 * KB + 25) || (at >= 64 * KB + 28 && at < 64 * KB + 29);
        copy = forged(fd, size, at, 0x7f, SEALS);
        if (!free_value && at < 64 * KB + 40) expect_refused(p, copy);
        (void)close(copy);
    }
    const struct {
        uint64_t size;
        int seals;
    } cases[] = {
        {size - 4096, SEALS},
        {size + 4096, SEALS},
        {size, F_SEAL_SHRINK | F_SEAL_SEAL},
        {size, F_SEAL_GROW | F_SEAL_SEAL},
        {size, F_SEAL_SHRINK | F_SEAL_GROW},
        {size, SEALS | F_SEAL_WRITE},
        {size, SEALS | F_SEAL_FUTURE_WRITE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        copy = forged(fd, cases[i].size, 0, -1, cases[i].seals);
        expect_refused(p, copy);
        (void)close(copy);
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int read_only = open(path, O_RDONLY);
    expect_refused(p, read_only);
    (void)close(read_only);
    (void)close(fd);
    ops->phys_destroy(p, phys);
    close_host(p);
}

static void an_export_of_a_finer_platform_is_refused(void **state) {
    void *fine = open_host("");
    void *coarse = open_host("granularity=2M");
    tarn_backend_phys phys = create_shareable(fine, 64 * KB);
    int fd = export_fd(fine, phys);
    (void)state;
    expect_refused(coarse, fd);
    (void)close(fd);
    ops->phys_destroy(fine, phys);
    close_host(fine);
    close_host(coarse);
}

static void an_exported_file_cannot_shrink_or_grow(void **state) {
    void *p = open_host("");
    tarn_backend_phys phys = create_shareable(p, 64 * KB);
    int fd = export_fd(p, phys);
    (void)state;
    assert_int_not_equal(ftruncate(fd, 4096), 0);
    assert_int_not_equal(ftruncate(fd, 1 << 20), 0);
    assert_int_not_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
    (void)close(fd);
    ops->phys_destroy(p, phys);
    close_host(p);
}

// ---- other processes

static void send_fd(int socket, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    char byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (sendmsg(socket, &message, 0) != 1) _exit(2);
}

static int receive_fd(int socket) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    char byte;
    int fd = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    assert_int_equal(recvmsg(socket, &message, 0), 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

// Exports memory filled with a pattern, waits for one byte back, then sleeps until killed.
static void exporter(int socket) {
    void *p = NULL;
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    tarn_phys_desc desc = on_device(0);
    tarn_addr addr = 0;
    tarn_shareable out;
    char byte;
    desc.struct_size = sizeof desc;
    desc.shareable = TARN_SHAREABLE_FD;
    if (ops->platform_open("", &p) != TARN_OK ||
        ops->phys_create(p, MB, &desc, &phys, &info) != TARN_OK ||
        ops->reserve(p, MB, 0, 0, &addr) != TARN_OK || try_map(p, addr, MB, phys) != TARN_OK ||
        grant(p, addr, MB, 0, TARN_ACCESS_READ_WRITE) != TARN_OK ||
        ops->phys_export(p, phys, TARN_SHAREABLE_FD, &out) != TARN_OK)
        _exit(3);
    memset(cpu(addr), 0x5a, MB);
    send_fd(socket, out.fd);
    if (read(socket, &byte, 1) != 1 || cpu(addr)[17] != 99) // the importer's write
        _exit(4);
    cpu(addr)[18] = 98;
    (void)!write(socket, &byte, 1);
    for (;;) (void)pause();
}

static void contents_survive_an_exporter_that_is_killed(void **state) {
    int pair[2];
    char byte = 'x';
    int status;
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(pair[0]);
        exporter(pair[1]);
    }
    (void)close(pair[1]);
    int fd = receive_fd(pair[0]);
    void *p = open_host("");
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    expect_ok(import_fd(p, fd, &phys, &info));
    (void)close(fd);
    tarn_addr addr = open_view(p, phys, MB);
    assert_int_equal(cpu(addr)[0], 0x5a);
    cpu(addr)[17] = 99;
    assert_int_equal(write(pair[0], &byte, 1), 1);
    assert_int_equal(read(pair[0], &byte, 1), 1);
    assert_int_equal(cpu(addr)[18], 98);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    for (uint64_t at = 32; at < MB; at += 32) assert_int_equal(cpu(addr)[at], 0x5a);
    close_view(p, addr, MB);
    ops->phys_destroy(p, phys);
    (void)close(pair[0]);
    close_host(p);
}

static void exports_never_take_the_numbers_of_standard_streams(void **state) {
    int status;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *p = NULL;
        tarn_backend_phys phys = 0;
        tarn_backend_phys_info info;
        tarn_phys_desc desc = on_device(0);
        tarn_shareable out = {0, -1, 0};
        desc.struct_size = sizeof desc;
        desc.shareable = TARN_SHAREABLE_FD;
        (void)close(0);
        (void)close(1);
        (void)close(2);
        bool good = ops->platform_open("", &p) == TARN_OK &&
                    ops->phys_create(p, MB, &desc, &phys, &info) == TARN_OK &&
                    ops->phys_export(p, phys, TARN_SHAREABLE_FD, &out) == TARN_OK && out.fd > 2 &&
                    fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0 && fcntl(2, F_GETFD) < 0 &&
                    (fcntl(out.fd, F_GETFD) & FD_CLOEXEC) != 0;
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_import_is_the_same_memory_under_a_new_name),
        cmocka_unit_test(an_importer_sees_the_fresh_contents_of_the_exporter),
        cmocka_unit_test(imports_can_be_exported_again_and_leak_nothing),
        cmocka_unit_test(what_was_not_created_to_be_shared_is_not),
        cmocka_unit_test(foreign_descriptors_are_refused),
        cmocka_unit_test(damaged_exports_are_refused),
        cmocka_unit_test(an_export_of_a_finer_platform_is_refused),
        cmocka_unit_test(an_exported_file_cannot_shrink_or_grow),
        cmocka_unit_test(contents_survive_an_exporter_that_is_killed),
        cmocka_unit_test(exports_never_take_the_numbers_of_standard_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
