// SPDX-License-Identifier: Apache-2.0
// Keys to plain device memory: the first export moves a block to a file of its own without a
// visible effect, and everything that a key names is checked before it is trusted.
#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/host/phys.h"
#include "backend/host/share.h"
#include "backend/host/slots.h"
#include "backend/host/sys.h"

#define UNIT (64 * KB)

// The positions of the numbers in a key.
enum { FD_AT = 15, NONCE_AT = 24 };

static tarn_addr alloc(void *p, uint64_t size) {
    tarn_addr addr = 0;
    expect_ok(ops->memory_alloc(p, 0, size, &addr));
    return addr;
}

static tarn_key export_key(void *p, tarn_addr addr, uint64_t size) {
    tarn_key key;
    expect_ok(ops->memory_export(p, 0, addr, size, &key));
    return key;
}

static int fd_of(const tarn_key *key) {
    return (int)strtol((const char *)key->bytes + FD_AT, NULL, 16);
}

static void expect_refused(void *p, const tarn_key *key) {
    tarn_addr addr = 77;
    uint64_t size = 0;
    expect_status(ops->memory_import(p, 0, key, &addr, &size), TARN_BAD_HANDLE);
    assert_int_equal(addr, 77);
}

// ---- the move

// Neighbouring blocks share a kernel mapping until one of them moves.
static void expect_counted_move(const char *options, uint64_t views) {
    void *p = open_host(options);
    tarn_addr addr[3];
    char bytes[6] = "";
    for (int i = 0; i < 3; i++) {
        addr[i] = alloc(p, UNIT);
        expect_ok(engine_write(p, 0, addr[i] + 100, i == 1 ? "moved" : "other", 6));
    }
    assert_int_equal(addr[2], addr[0] + 2 * UNIT);
    uint64_t before = mappings_of(p);
    uint64_t lines = kernel_lines(addr[0], addr[2] + UNIT);
    uint64_t left = free_bytes(p, 0);
    char rights[4];
    memcpy(rights, kernel_rights(addr[1]), sizeof rights);
    (void)export_key(p, addr[1], UNIT);
    assert_int_equal(mappings_of(p), before + 2 * views);
    assert_string_equal(kernel_rights(addr[1]), rights);
    if (views == 1) assert_int_equal(kernel_lines(addr[0], addr[2] + UNIT), lines + 2);
    assert_int_equal(free_bytes(p, 0), left);
    for (int i = 0; i < 3; i++) {
        expect_ok(engine_read(p, 0, addr[i] + 100, bytes, 6));
        assert_string_equal(bytes, i == 1 ? "moved" : "other");
    }
    expect_ok(ops->check(p));
    ops->memory_free(p, 0, addr[1]);
    expect_ok(ops->check(p));
    ops->memory_free(p, 0, addr[0]);
    ops->memory_free(p, 0, addr[2]);
    assert_int_equal(free_bytes(p, 0), 16 * GB);
    close_host(p);
}

static void a_block_moves_under_its_address(void **state) {
    (void)state;
    expect_counted_move("granularity=64K,gap=0", 1);
    expect_counted_move("granularity=64K,gap=0,access=strict", 2);
}

static void a_move_keeps_holes(void **state) {
    void *p = open_host("");
    tarn_addr addr = alloc(p, 256 * MB);
    struct stat stat;
    (void)state;
    expect_ok(engine_write(p, 0, addr, "first", 6));
    expect_ok(engine_write(p, 0, addr + 100 * MB, "middle", 7));
    tarn_key key = export_key(p, addr, 256 * MB);
    assert_int_equal(fstat(fd_of(&key), &stat), 0);
    assert_true((uint64_t)stat.st_blocks * 512 < 8 * MB);
    assert_string_equal((char *)cpu(addr), "first");
    assert_string_equal((char *)cpu(addr + 100 * MB), "middle");
    assert_int_equal(cpu(addr)[256 * MB - 1], 0);
    ops->memory_free(p, 0, addr);
    close_host(p);
}

static void a_move_for_which_there_are_no_mappings_is_refused(void **state) {
    void *p = open_host("granularity=64K,gap=0,vma_budget=5");
    tarn_addr addr[3];
    tarn_key key;
    (void)state;
    for (int i = 0; i < 3; i++) addr[i] = alloc(p, UNIT);
    uint64_t before = mappings_of(p);
    expect_status(ops->memory_export(p, 0, addr[1], UNIT, &key), TARN_NO_MAPPINGS);
    assert_int_equal(mappings_of(p), before);
    expect_ok(engine_write(p, 0, addr[1], "still", 6));
    for (int i = 0; i < 3; i++) ops->memory_free(p, 0, addr[i]);
    close_host(p);
}

static void peers_reach_imports_like_any_memory_of_the_device(void **state) {
    void *p = open_host("");
    tarn_addr addr = alloc(p, UNIT);
    tarn_addr other = 0;
    uint64_t size = 0;
    char bytes[4];
    (void)state;
    tarn_key key = export_key(p, addr, UNIT - 5);
    expect_ok(ops->memory_import(p, 0, &key, &other, &size));
    assert_int_equal(size, UNIT - 5);
    expect_ok(engine_write(p, 0, other, "abc", 4));
    expect_ok(engine_read(p, 0, addr, bytes, 4));
    assert_string_equal(bytes, "abc");
    expect_ok(ops->peer_set(p, 1, 0, true));
    memset(bytes, 0, sizeof bytes);
    expect_ok(engine_read(p, 1, other, bytes, 4));
    assert_string_equal(bytes, "abc");
    ops->memory_close(p, 0, other);
    expect_status(engine_read(p, 0, other, bytes, 4), TARN_NOT_MAPPED);
    ops->memory_free(p, 0, addr);
    close_host(p);
}

// ---- what keys may name

static void a_trailer_that_lies_is_refused(void **state) {
    void *p = open_host("");
    tarn_addr addr = alloc(p, UNIT);
    tarn_key key = export_key(p, addr, UNIT);
    struct tn_host_trailer good;
    int fd = fd_of(&key);
    (void)state;
    assert_int_equal(pread(fd, &good, sizeof good, UNIT), sizeof good);
    struct tn_host_trailer bad[9];
    for (size_t i = 0; i < 9; i++) bad[i] = good;
    bad[0].bytes += 4096;
    bad[1].bytes -= 4096;
    bad[2].asked = 0;
    bad[3].asked = UNIT + 1;
    bad[4].kind = TN_HOST_SHARE_PHYS;
    bad[5].version++;
    bad[6].magic[0] = 'X';
    bad[7].nonce[1]++;
    bad[8].page_class = 99;
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(pwrite(fd, &bad[i], sizeof good, UNIT), sizeof good);
        expect_refused(p, &key);
    }
    assert_int_equal(pwrite(fd, &good, sizeof good, UNIT), sizeof good);
    tarn_addr other = 0;
    uint64_t size = 0;
    expect_ok(ops->memory_import(p, 0, &key, &other, &size));
    ops->memory_close(p, 0, other);
    ops->memory_free(p, 0, addr);
    close_host(p);
}

static tarn_key aimed_at(const tarn_key *key, int fd) {
    tarn_key aimed = *key;
    char text[16];
    (void)snprintf(text, sizeof text, "%08x", (unsigned)fd);
    memcpy(aimed.bytes + FD_AT, text, 8);
    return aimed;
}

// The same trailer with the same nonce, in a file that another process can truncate.
static int unsealed_copy(int fd) {
    int copy = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct tn_host_trailer trailer;
    assert_true(copy >= 0);
    assert_int_equal(ftruncate(copy, UNIT + 4096), 0);
    assert_int_equal(pread(fd, &trailer, sizeof trailer, UNIT), sizeof trailer);
    assert_int_equal(pwrite(copy, &trailer, sizeof trailer, UNIT), sizeof trailer);
    return copy;
}

static void keys_to_other_descriptors_are_refused(void **state) {
    void *p = open_host("");
    tarn_addr addr = alloc(p, UNIT);
    tarn_addr more = alloc(p, UNIT);
    tarn_key key = export_key(p, addr, UNIT);
    tarn_key another = export_key(p, more, UNIT);
    int pipes[2];
    int fds[6];
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    fds[0] = pipes[0];
    fds[1] = pipes[1];
    fds[2] = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    fds[3] = unsealed_copy(fd_of(&key));
    fds[4] = open("/dev/zero", O_RDWR | O_CLOEXEC);
    fds[5] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int before = dup(0);
    for (int i = 0; i < 6; i++) {
        tarn_key aimed = aimed_at(&key, fds[i]);
        assert_true(fds[i] >= 0);
        expect_refused(p, &aimed);
    }
    tarn_key aimed = aimed_at(&key, fd_of(&another));
    expect_refused(p, &aimed);
    const struct tn_host *h = (const struct tn_host *)p;
    aimed = aimed_at(&key, h->arenas[1][0].fd);
    expect_refused(p, &aimed);
    assert_int_equal(close(before), 0);
    int after = dup(0);
    assert_int_equal(after, before); // nothing was left open
    assert_int_equal(close(after), 0);
    for (int i = 0; i < 6; i++) assert_int_equal(close(fds[i]), 0);
    ops->memory_free(p, 0, addr);
    ops->memory_free(p, 0, more);
    close_host(p);
}

static void a_key_to_a_handle_is_refused(void **state) {
    void *p = open_host("");
    tarn_addr addr = alloc(p, UNIT);
    tarn_key key = export_key(p, addr, UNIT);
    tarn_phys_desc desc = on_device(0);
    tarn_shareable out = {0, -1, 0};
    (void)state;
    desc.shareable = TARN_SHAREABLE_FD;
    tarn_backend_phys phys = create_with(p, UNIT, desc);
    expect_ok(ops->phys_export(p, phys, TARN_SHAREABLE_FD, &out));
    tarn_key aimed = aimed_at(&key, out.fd);
    memset(aimed.bytes + NONCE_AT, '0', 32);
    expect_refused(p, &aimed);
    (void)close(out.fd);
    ops->phys_destroy(p, phys);
    ops->memory_free(p, 0, addr);
    close_host(p);
}

static void a_platform_of_coarser_granules_refuses_the_key(void **state) {
    void *p = open_host("granularity=4K");
    void *q = open_host("granularity=64K");
    tarn_addr addr = alloc(p, 4096);
    tarn_addr large = alloc(p, UNIT);
    tarn_addr other = 0;
    uint64_t size = 0;
    (void)state;
    tarn_key key = export_key(p, addr, 4096);
    expect_refused(q, &key);
    key = export_key(p, large, 9);
    expect_ok(ops->memory_import(q, 1, &key, &other, &size));
    assert_int_equal(size, 9);
    ops->memory_close(q, 1, other);
    ops->memory_free(p, 0, addr);
    ops->memory_free(p, 0, large);
    close_host(p);
    close_host(q);
}

// ---- descriptors

enum { VIEWS = 3 };

// A handle that is mapped at three addresses: with rights, without, and with fewer.
struct views {
    void *p;
    tarn_backend_phys phys;
    tarn_addr at[VIEWS];
    int fd;
};

static void open_views(struct views *v, const char *options) {
    *v = (struct views){.p = open_host(options), .fd = -1};
    v->phys = create_with(v->p, UNIT, on_device(0));
    const tarn_backend_map_item item = {v->phys, UNIT};
    for (int i = 0; i < VIEWS; i++) {
        v->at[i] = reserve(v->p, UNIT);
        expect_ok(ops->map(v->p, v->at[i], &item, 1));
    }
    expect_ok(grant(v->p, v->at[0], UNIT, 0, TARN_ACCESS_READ_WRITE));
    expect_ok(grant(v->p, v->at[2], UNIT, 0, TARN_ACCESS_READ));
    expect_ok(engine_write(v->p, 0, v->at[0], "before", 7));
}

static void expect_views(const struct views *v, const char *wanted) {
    char bytes[8] = "";
    for (int i = 0; i < VIEWS; i += 2) {
        expect_ok(engine_read(v->p, 0, v->at[i], bytes, 7));
        assert_string_equal(bytes, wanted);
    }
    expect_status(engine_read(v->p, 0, v->at[1], bytes, 7), TARN_NO_ACCESS);
}

static void close_views(const struct views *v) {
    for (int i = 0; i < VIEWS; i++) {
        expect_ok(ops->unmap(v->p, v->at[i], UNIT));
        ops->release(v->p, v->at[i], UNIT);
    }
    ops->phys_destroy(v->p, v->phys);
    assert_int_equal(free_bytes(v->p, 0), 16 * GB);
    close_host(v->p);
}

static void all_mappings_of_a_handle_move_with_it(void **state) {
    static const char *const options[] = {"granularity=64K", "granularity=64K,access=strict"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct views v;
        char bytes[8] = "";
        open_views(&v, options[i]);
        expect_ok(ops->memory_export_fd(v.p, v.at[1], UNIT, &v.fd));
        expect_views(&v, "before");
        expect_ok(engine_write(v.p, 0, v.at[0], "behind", 7));
        expect_views(&v, "behind");
        assert_int_equal(pread(v.fd, bytes, 7, 0), 7);
        assert_string_equal(bytes, "behind");
        assert_int_equal(pwrite(v.fd, "theirs", 7, 0), 7);
        expect_views(&v, "theirs");
        expect_ok(grant(v.p, v.at[1], UNIT, 0, TARN_ACCESS_READ));
        expect_ok(engine_read(v.p, 0, v.at[1], bytes, 7));
        assert_string_equal(bytes, "theirs");
        close_views(&v);
        assert_int_equal(pread(v.fd, bytes, 7, 0), 7); // it outlives the handle
        assert_string_equal(bytes, "theirs");
        assert_int_equal(close(v.fd), 0);
    }
}

static void a_failed_move_leaves_all_mappings_as_they_were(void **state) {
    bool failed = true;
    int unused = dup(0);
    (void)state;
    assert_int_equal(close(unused), 0);
    for (uint64_t nth = 1; failed; nth++) {
        struct views v;
        open_views(&v, "granularity=64K,access=strict");
        const struct tn_host *h = (const struct tn_host *)v.p;
        uint64_t before = mappings_of(v.p);
        tn_host_sys_fail(TN_HOST_SYS_ALL, nth, ENOMEM);
        tarn_status status = ops->memory_export_fd(v.p, v.at[2], UNIT, &v.fd);
        failed = tn_host_sys_failed();
        tn_host_sys_fail(0, 0, 0);
        assert_int_equal(status == TARN_OK, v.fd >= 0);
        if (status != TARN_OK) {
            assert_int_equal(mappings_of(v.p), before);
            assert_int_equal(h->own_files, 0);
        }
        assert_true(failed || status == TARN_OK);
        expect_views(&v, "before");
        expect_ok(engine_write(v.p, 0, v.at[0], "behind", 7));
        expect_views(&v, "behind");
        if (v.fd >= 0) assert_int_equal(close(v.fd), 0);
        close_views(&v);
        assert_int_equal(dup(0), unused); // no descriptor was left open
        assert_int_equal(close(unused), 0);
        assert_true(nth < 100);
    }
}

static bool file_has(int fd, const char *text) {
    static char bytes[UNIT + 8192];
    ssize_t length = pread(fd, bytes, sizeof bytes, 0);
    assert_true(length >= (ssize_t)UNIT);
    return memmem(bytes, (size_t)length, text, strlen(text)) != NULL;
}

static void a_descriptor_has_no_other_block(void **state) {
    void *p = open_host("granularity=64K,gap=0");
    tarn_addr addr[3];
    int fd = -1;
    (void)state;
    for (int i = 0; i < 3; i++) {
        addr[i] = alloc(p, UNIT);
        expect_ok(engine_write(p, 0, addr[i], i == 1 ? "shared" : "secret", 7));
    }
    expect_ok(ops->memory_export_fd(p, addr[1], UNIT, &fd));
    assert_true(file_has(fd, "shared"));
    assert_false(file_has(fd, "secret"));
    ops->memory_free(p, 0, addr[1]);
    addr[1] = alloc(p, UNIT); // at the same address, in another file
    expect_ok(engine_write(p, 0, addr[1], "secret", 7));
    assert_false(file_has(fd, "secret"));
    assert_true(file_has(fd, "shared"));
    assert_int_equal(close(fd), 0);
    for (int i = 0; i < 3; i++) ops->memory_free(p, 0, addr[i]);
    close_host(p);
}

// One file serves both, in either order.
static void a_block_has_a_descriptor_and_a_key(void **state) {
    void *p = open_host("granularity=64K");
    (void)state;
    for (int first = 0; first < 2; first++) {
        tarn_addr addr = alloc(p, 100);
        tarn_addr other = 0;
        tarn_key key;
        uint64_t size = 0;
        int fd = -1;
        char bytes[7] = "";
        if (first == 0) key = export_key(p, addr, 100);
        expect_ok(ops->memory_export_fd(p, addr, 100, &fd));
        if (first == 1) key = export_key(p, addr, 100);
        expect_ok(ops->memory_import(p, 0, &key, &other, &size));
        assert_int_equal(size, 100);
        expect_ok(engine_write(p, 0, other, "by key", 7));
        assert_int_equal(pread(fd, bytes, 7, 0), 7);
        assert_string_equal(bytes, "by key");
        assert_int_equal(close(fd), 0);
        ops->memory_close(p, 0, other);
        ops->memory_free(p, 0, addr);
    }
    close_host(p);
}

static void a_descriptor_is_imported_as_a_handle(void **state) {
    void *p = open_host("granularity=64K");
    tarn_addr addr = alloc(p, 100);
    tarn_addr at = reserve(p, UNIT);
    tarn_shareable in = {TARN_SHAREABLE_FD, -1, 0};
    tarn_backend_phys_info info;
    tarn_backend_map_item item = {0, UNIT};
    char bytes[7] = "";
    (void)state;
    expect_ok(ops->memory_export_fd(p, addr, 100, &in.fd));
    expect_ok(ops->phys_import(p, 0, &in, &item.phys, &info));
    assert_int_equal(close(in.fd), 0);
    assert_int_equal(info.bytes, UNIT);
    assert_int_equal(info.page_bytes, UNIT);
    assert_int_equal(info.shareable, 0);
    expect_ok(ops->map(p, at, &item, 1));
    expect_ok(grant(p, at, UNIT, 0, TARN_ACCESS_READ_WRITE));
    expect_ok(engine_write(p, 0, addr, "as one", 7));
    ops->memory_free(p, 0, addr);
    expect_ok(engine_read(p, 0, at, bytes, 7));
    assert_string_equal(bytes, "as one");
    expect_ok(ops->unmap(p, at, UNIT));
    ops->phys_destroy(p, item.phys);
    ops->release(p, at, UNIT);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_moves_under_its_address),
        cmocka_unit_test(a_move_keeps_holes),
        cmocka_unit_test(a_move_for_which_there_are_no_mappings_is_refused),
        cmocka_unit_test(peers_reach_imports_like_any_memory_of_the_device),
        cmocka_unit_test(a_trailer_that_lies_is_refused),
        cmocka_unit_test(keys_to_other_descriptors_are_refused),
        cmocka_unit_test(a_key_to_a_handle_is_refused),
        cmocka_unit_test(all_mappings_of_a_handle_move_with_it),
        cmocka_unit_test(a_failed_move_leaves_all_mappings_as_they_were),
        cmocka_unit_test(a_descriptor_has_no_other_block),
        cmocka_unit_test(a_block_has_a_descriptor_and_a_key),
        cmocka_unit_test(a_descriptor_is_imported_as_a_handle),
        cmocka_unit_test(a_platform_of_coarser_granules_refuses_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
