// SPDX-License-Identifier: Apache-2.0
// Every system call of every operation fails in turn. The operation then changes nothing, or
// succeeds nevertheless, and all records agree. Unmap, release, free and destroy cannot fail.
#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "backend/host/phys.h"
#include "backend/host/sys.h"

enum { ITEMS = 6 };
#define UNIT (64 * KB)

// The objects that operations use. Made anew for each failure, so that failures do not add up.
struct scene {
    void *p;
    tarn_addr addr;                    // of a reservation of 16 units
    tarn_backend_map_item item[ITEMS]; // device 0 and 1, and one with a file of its own
    tarn_backend_phys shared;          // the one with the file
    int fd;                            // an export of it
    bool mapped;                       // items at addr
    tarn_addr memory;                  // plain
    tarn_addr others;                  // plain, exported
    void *pinned;
    // The object that the operation under test makes.
    tarn_addr made_addr;
    tarn_backend_phys made_phys;
    void *made_pinned;
    int made_fd;
};

static void build(struct scene *s, const char *options) {
    tarn_phys_desc desc = on_device(0);
    tarn_shareable out = {0, -1, 0};
    tarn_key key;
    tarn_pin_class pin_class;
    *s = (struct scene){.p = open_host(options), .made_fd = -1};
    s->addr = reserve(s->p, 16 * UNIT);
    for (int i = 0; i < ITEMS; i++) {
        desc.location.id = i / 2 % 2;
        desc.shareable = i == 3 ? TARN_SHAREABLE_FD : 0;
        s->item[i] = (tarn_backend_map_item){create_with(s->p, UNIT, desc), UNIT};
    }
    s->shared = s->item[3].phys;
    expect_ok(ops->phys_export(s->p, s->shared, TARN_SHAREABLE_FD, &out));
    s->fd = out.fd;
    expect_ok(ops->memory_alloc(s->p, 0, UNIT, &s->memory));
    expect_ok(ops->memory_alloc(s->p, 0, UNIT, &s->others));
    expect_ok(ops->memory_export(s->p, 0, s->others, UNIT, &key));
    expect_ok(engine_write(s->p, 0, s->memory, "mine", 5));
    expect_ok(ops->host_alloc(s->p, 4096, 0, &s->pinned, &pin_class));
}

static void map_items(struct scene *s) {
    expect_ok(ops->map(s->p, s->addr, s->item, ITEMS));
    s->mapped = true;
}

// The engine sees the bytes of plain memory in the file of its record, wherever it lies now.
static void expect_memory_behind_its_handle(const struct scene *s) {
    const struct tn_host *h = (const struct tn_host *)s->p;
    struct tn_interval_entry entry;
    char bytes[5] = "";
    expect_ok(engine_read(s->p, 0, s->memory, bytes, 5));
    assert_string_equal(bytes, "mine");
    assert_true(tn_interval_find(&h->pages, s->memory, &entry));
    const struct tn_host_phys *phys = tn_host_phys_at(h, tn_host_page_slot(entry.value));
    expect_ok(engine_write(s->p, 0, s->memory, "more", 5));
    int fd = phys->arena != NULL ? phys->arena->fd : phys->fd;
    assert_int_equal(pread(fd, bytes, 5, (off_t)phys->offset), 5);
    assert_string_equal(bytes, "more");
}

// Destroys everything, and the object that the operation made.
static void tear_down(struct scene *s) {
    if (s->made_addr != 0) ops->release(s->p, s->made_addr, UNIT);
    if (s->made_phys != 0) ops->phys_destroy(s->p, s->made_phys);
    if (s->made_pinned != NULL) ops->host_free(s->p, s->made_pinned, UNIT);
    if (s->made_fd >= 0) (void)close(s->made_fd);
    if (s->mapped) expect_ok(ops->unmap(s->p, s->addr, ITEMS * UNIT));
    for (int i = 0; i < ITEMS; i++) ops->phys_destroy(s->p, s->item[i].phys);
    (void)close(s->fd);
    expect_memory_behind_its_handle(s);
    ops->memory_free(s->p, 0, s->memory);
    ops->memory_free(s->p, 0, s->others);
    ops->host_free(s->p, s->pinned, 4096);
    ops->release(s->p, s->addr, 16 * UNIT);
    expect_ok(ops->trim(s->p, 0)); // completes what a failing call may have left to complete
    assert_int_equal(free_bytes(s->p, 0), 16 * GB);
    assert_int_equal(free_bytes(s->p, 1), 16 * GB);
    close_host(s->p);
}

// The state that must not change on failure.
struct state {
    uint64_t mappings;
    uint64_t lines;
    uint64_t free_bytes[2];
    uint64_t handles;
    char rights[ITEMS][4];
};

static uint64_t live_handles(const void *p) {
    const struct tn_host *h = (const struct tn_host *)p;
    uint64_t count = 0;
    for (uint32_t slot = 1; slot < h->phys_count; slot++) count += tn_host_phys_at(h, slot)->live;
    return count;
}

static struct state look(const struct scene *s) {
    struct state state;
    memset(&state, 0, sizeof state);
    state.mappings = mappings_of(s->p);
    state.lines = kernel_lines(s->addr, s->addr + 16 * UNIT);
    state.free_bytes[0] = free_bytes(s->p, 0);
    state.free_bytes[1] = free_bytes(s->p, 1);
    state.handles = live_handles(s->p);
    for (uint64_t i = 0; i < ITEMS; i++)
        memcpy(state.rights[i], kernel_rights(s->addr + i * UNIT), 4);
    return state;
}

// ---- the operations

static tarn_status do_reserve(struct scene *s) {
    return ops->reserve(s->p, UNIT, 4 * MB, 0, &s->made_addr);
}

static tarn_status do_create(struct scene *s) {
    tarn_phys_desc desc = on_device(1);
    tarn_backend_phys_info info;
    return ops->phys_create(s->p, UNIT, &desc, &s->made_phys, &info);
}

static tarn_status do_create_shareable(struct scene *s) {
    tarn_phys_desc desc = on_device(1);
    tarn_backend_phys_info info;
    desc.shareable = TARN_SHAREABLE_FD;
    return ops->phys_create(s->p, UNIT, &desc, &s->made_phys, &info);
}

static tarn_status do_map(struct scene *s) {
    tarn_status status = ops->map(s->p, s->addr, s->item, ITEMS);
    s->mapped = status == TARN_OK;
    return status;
}

static tarn_status do_access(struct scene *s) {
    return grant(s->p, s->addr, ITEMS * UNIT, 0, TARN_ACCESS_READ_WRITE);
}

// Two stretches, so that the second can fail after the first.
static tarn_status do_narrow(struct scene *s) {
    return grant(s->p, s->addr, ITEMS * UNIT, 1, TARN_ACCESS_NONE);
}

static tarn_status do_unmap(struct scene *s) {
    s->mapped = false;
    return ops->unmap(s->p, s->addr, ITEMS * UNIT);
}

static tarn_status do_export(struct scene *s) {
    tarn_shareable out = {0, -1, 0};
    tarn_status status = ops->phys_export(s->p, s->shared, TARN_SHAREABLE_FD, &out);
    s->made_fd = out.fd;
    return status;
}

static tarn_status do_token(struct scene *s) {
    tarn_phys_desc desc = on_device(1);
    tarn_backend_phys_info info;
    tarn_backend_phys phys = 0;
    tarn_shareable out = {0, -1, 0};
    const int pids[] = {1, 2};
    desc.shareable = TARN_SHAREABLE_TOKEN;
    tarn_status status = ops->phys_create(s->p, UNIT, &desc, &phys, &info);
    if (status != TARN_OK) return status;
    status = ops->phys_export(s->p, phys, TARN_SHAREABLE_TOKEN, &out);
    status = status == TARN_OK ? ops->phys_allow(s->p, &out, pids, 2) : status;
    status = status == TARN_OK ? ops->phys_import(s->p, 0, &out, &s->made_phys, &info) : status;
    ops->phys_destroy(s->p, phys);
    return status;
}

static tarn_status do_import(struct scene *s) {
    const tarn_shareable in = {TARN_SHAREABLE_FD, s->fd, 0};
    tarn_backend_phys_info info;
    return ops->phys_import(s->p, 0, &in, &s->made_phys, &info);
}

static tarn_status do_memory(struct scene *s) {
    tarn_addr addr = 0;
    tarn_status status = ops->memory_alloc(s->p, 1, 100 * MB, &addr); // needs a window
    if (status == TARN_OK) ops->memory_free(s->p, 1, addr);
    return status;
}

static tarn_status do_key(struct scene *s) {
    tarn_key key;
    return ops->memory_export(s->p, 0, s->memory, UNIT, &key);
}

static tarn_status do_descriptor(struct scene *s) {
    return ops->memory_export_fd(s->p, s->memory, UNIT, &s->made_fd);
}

static tarn_status do_descriptor_of_mapping(struct scene *s) {
    return ops->memory_export_fd(s->p, s->addr, UNIT, &s->made_fd);
}

static tarn_status do_import_key(struct scene *s) {
    tarn_key key;
    uint64_t size = 0;
    tarn_addr addr = 0;
    if (ops->memory_export(s->p, 0, s->others, UNIT, &key) != TARN_OK)
        return TARN_NO_HANDLES; // when it is reading its mark that fails
    tarn_status status = ops->memory_import(s->p, 1, &key, &addr, &size);
    if (status == TARN_OK) {
        assert_int_equal(size, UNIT);
        ops->memory_close(s->p, 1, addr);
    }
    return status;
}

static tarn_status do_pinned(struct scene *s) {
    tarn_pin_class pin_class;
    return ops->host_alloc(s->p, UNIT, 0, &s->made_pinned, &pin_class);
}

static tarn_status do_register(struct scene *s) {
    static char bytes[100];
    tarn_pin_class pin_class;
    tarn_status status = ops->host_register(s->p, bytes, sizeof bytes, 0, &pin_class);
    if (status == TARN_OK) ops->host_unregister(s->p, bytes, sizeof bytes);
    return status;
}

static tarn_status do_trim(struct scene *s) { return ops->trim(s->p, 0); }

// An operation, its preparation, and the calls that may fail without making it fail.
struct operation {
    const char *name;
    tarn_status (*run)(struct scene *);
    bool mapped;  // with the items mapped
    bool granted; // and with rights of device 1 to all, and of device 0 to half of them
    bool cannot_fail;
};

static const struct operation operations[] = {
    {"reserve", do_reserve, false, false, false},
    {"create", do_create, false, false, false},
    {"create shareable", do_create_shareable, false, false, false},
    {"map", do_map, false, false, false},
    {"set access", do_access, true, false, false},
    {"narrow access", do_narrow, true, true, false},
    {"unmap", do_unmap, true, false, true},
    {"unmap what was granted", do_unmap, true, true, true},
    {"export", do_export, false, false, false},
    {"import", do_import, false, false, false},
    {"token", do_token, false, false, false},
    {"memory", do_memory, false, false, false},
    {"key", do_key, false, false, false},
    {"descriptor", do_descriptor, false, false, false},
    {"descriptor of a mapping", do_descriptor_of_mapping, true, false, false},
    {"descriptor of a granted mapping", do_descriptor_of_mapping, true, true, false},
    {"import by key", do_import_key, false, false, false},
    {"pinned", do_pinned, false, false, false},
    {"register", do_register, false, false, false},
    {"trim", do_trim, false, false, false},
};

// Returns true if there was no n-th call.
static bool fail_nth(const struct operation *operation, const char *options, uint64_t nth) {
    struct scene s;
    build(&s, options);
    if (operation->mapped) map_items(&s);
    if (operation->granted) {
        expect_ok(grant(s.p, s.addr, 3 * UNIT, 0, TARN_ACCESS_READ));
        expect_ok(grant(s.p, s.addr, ITEMS * UNIT, 1, TARN_ACCESS_READ_WRITE));
    }
    struct state before = look(&s);
    tn_host_sys_fail(TN_HOST_SYS_ALL, nth, ENOMEM);
    tarn_status status = operation->run(&s);
    bool failed = tn_host_sys_failed();
    tn_host_sys_fail(0, 0, 0);
    struct state after = look(&s);
    if (!failed || operation->cannot_fail) expect_ok(status);
    if (status != TARN_OK && memcmp(&before, &after, sizeof before) != 0) {
        fail_msg("%s (%s), call %llu: a failure changed something", operation->name, options,
                 (unsigned long long)nth);
    }
    expect_ok(ops->check(s.p));
    if (operation->run == do_map && status != TARN_OK)
        expect_ok(do_map(&s)); // it works once the system does
    tear_down(&s);
    return !failed;
}

static void every_failing_call_leaves_all_as_it_was(void **state) {
    static const char *const options[] = {"high_water=0", "access=strict", "pages=huge",
                                          "poison=7"};
    (void)state;
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
            uint64_t nth = 1;
            while (!fail_nth(&operations[i], options[o], nth)) {
                nth += 1 + nth / 32; // poisoning is thousands of equal calls
                assert_true(nth < 10000);
            }
        }
    }
}

static void a_failed_map_keeps_what_is_in_the_handles(void **state) {
    (void)state;
    for (uint64_t nth = 1; nth < 20; nth++) {
        struct scene s;
        char bytes[4] = "";
        build(&s, "high_water=0");
        map_items(&s);
        expect_ok(grant(s.p, s.addr, ITEMS * UNIT, 0, TARN_ACCESS_READ_WRITE));
        expect_ok(engine_write(s.p, 0, s.addr, "old", 4));
        expect_ok(do_unmap(&s));
        tn_host_sys_fail(TN_HOST_SYS_ALL, nth, ENOMEM);
        tarn_status status = ops->map(s.p, s.addr + UNIT, s.item, ITEMS);
        tn_host_sys_fail(0, 0, 0);
        if (status == TARN_OK) expect_ok(ops->unmap(s.p, s.addr + UNIT, ITEMS * UNIT));
        map_items(&s);
        expect_ok(grant(s.p, s.addr, ITEMS * UNIT, 0, TARN_ACCESS_READ));
        expect_ok(engine_read(s.p, 0, s.addr, bytes, 4));
        assert_string_equal(bytes, "old");
        tear_down(&s);
    }
}

static void opening_a_platform_survives_every_failing_call(void **state) {
    (void)state;
    int before = dup(0);
    for (uint64_t nth = 1;; nth++) {
        void *p = NULL;
        tn_host_sys_fail(TN_HOST_SYS_ALL, nth, EPERM);
        tarn_status status = ops->platform_open("", &p);
        bool failed = tn_host_sys_failed();
        tn_host_sys_fail(0, 0, 0);
        if (status == TARN_OK)
            close_host(p); // without sealing there is only no sharing
        else
            assert_null(p);
        if (!failed) {
            expect_ok(status);
            break;
        }
    }
    int after = dup(0);
    assert_int_equal(after, before + 1); // no descriptor is left behind
    (void)close(before);
    (void)close(after);
}

static void refusals_have_their_own_status(void **state) {
    struct scene s;
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    tarn_phys_desc desc = on_device(0);
    (void)state;
    build(&s, "");
    desc.shareable = TARN_SHAREABLE_FD;
    tn_host_sys_fail(TN_HOST_SYS_MEMFD, 1, EMFILE);
    expect_status(ops->phys_create(s.p, UNIT, &desc, &phys, &info), TARN_NO_HANDLES);
    tn_host_sys_fail(TN_HOST_SYS_FCNTL, 1, EMFILE);
    expect_status(do_export(&s), TARN_NO_HANDLES);
    map_items(&s);
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    expect_status(do_access(&s), TARN_NO_MAPPINGS);
    expect_ok(do_access(&s));
    tn_host_sys_fail(TN_HOST_SYS_MPROTECT, 1, ENOMEM);
    expect_status(grant(s.p, s.addr, UNIT, 0, TARN_ACCESS_READ), TARN_NO_MAPPINGS);
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    expect_status(ops->reserve(s.p, (uint64_t)1 << 60, 0, 0, &s.made_addr), TARN_NO_ADDRESS_SPACE);
    tn_host_sys_fail(0, 0, 0);
    tear_down(&s);
}

// ---- ghosts

static int signal_of_reading(tarn_addr addr) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)signal(SIGBUS, SIG_DFL);
        _exit(*(volatile const char *)(uintptr_t)addr == 1 ? 0 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static struct scene with_ghosts(const char *options) {
    struct scene s;
    build(&s, options);
    map_items(&s);
    expect_ok(grant(s.p, s.addr, ITEMS * UNIT, 0, TARN_ACCESS_READ_WRITE));
    expect_ok(engine_write(s.p, 0, s.addr, "old", 4));
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    expect_ok(ops->unmap(s.p, s.addr, ITEMS * UNIT));
    assert_true(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    s.mapped = false;
    expect_ok(ops->check(s.p));
    return s;
}

static void what_the_kernel_keeps_mapped_is_gone_for_all(void **state) {
    static const char *const options[] = {"", "access=strict"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene s = with_ghosts(options[i]);
        char bytes[4];
        expect_status(engine_read(s.p, 0, s.addr, bytes, 4), TARN_NOT_MAPPED);
        int got = signal_of_reading(s.addr);
        assert_true(got == SIGSEGV || got == SIGBUS);
        tear_down(&s);
    }
}

static void a_map_of_the_place_completes_the_unmap_first(void **state) {
    struct scene s = with_ghosts("");
    tarn_backend_phys phys = create(s.p, 0, UNIT);
    (void)state;
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    expect_status(try_map(s.p, s.addr + UNIT, UNIT, phys), TARN_NO_MAPPINGS);
    tn_host_sys_fail(0, 0, 0);
    expect_ok(ops->check(s.p));
    expect_ok(try_map(s.p, s.addr + UNIT, UNIT, phys));
    expect_ok(grant(s.p, s.addr + UNIT, UNIT, 0, TARN_ACCESS_READ_WRITE));
    cpu(s.addr + UNIT)[UNIT - 1] = 1;
    assert_int_equal(cpu(s.addr + UNIT)[0], 0);
    expect_ok(ops->unmap(s.p, s.addr + UNIT, UNIT)); // which completes the others too
    assert_int_equal(kernel_lines(s.addr, s.addr + 16 * UNIT), 1);
    ops->phys_destroy(s.p, phys);
    tear_down(&s);
}

static void a_handle_is_held_until_the_unmap_is_complete(void **state) {
    struct scene s = with_ghosts("");
    const struct tn_host *h = (const struct tn_host *)s.p;
    uint64_t used = h->used[1]; // of device 0
    (void)state;
    assert_int_equal(tn_load_relaxed(&h->deferred), ITEMS);
    ops->phys_destroy(s.p, s.item[0].phys);
    assert_int_equal(h->used[1], used);
    expect_ok(ops->check(s.p));
    expect_ok(ops->trim(s.p, 0));
    assert_int_equal(h->used[1], used - UNIT);
    s.item[0].phys = create(s.p, 0, UNIT); // for tear_down
    tear_down(&s);
}

static void a_query_of_free_memory_completes_unmaps(void **state) {
    struct scene s = with_ghosts("");
    const struct tn_host *h = (const struct tn_host *)s.p;
    uint64_t left = 16 * GB - h->used[1];
    (void)state;
    ops->phys_destroy(s.p, s.item[0].phys);
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    assert_int_equal(free_bytes(s.p, 0), left); // the first one is refused once more
    assert_int_equal(tn_load_relaxed(&h->deferred), 1);
    tn_host_sys_fail(0, 0, 0);
    assert_int_equal(free_bytes(s.p, 0), left + UNIT);
    s.item[0].phys = create(s.p, 0, UNIT); // for tear_down
    tear_down(&s);
}

static void memory_of_unmaps_is_not_short(void **state) {
    void *p = open_host("memory=1M");
    tarn_addr addr = 0;
    (void)state;
    expect_ok(ops->memory_alloc(p, 0, MB, &addr));
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    ops->memory_free(p, 0, addr);
    assert_true(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    ops->phys_destroy(p, create(p, 0, MB));
    expect_ok(ops->memory_alloc(p, 0, MB, &addr));
    expect_status(ops->memory_alloc(p, 0, MB, &addr), TARN_NO_DEVICE_MEMORY);
    ops->memory_free(p, 0, addr);
    close_host(p);
}

static void a_release_ends_ghosts(void **state) {
    struct scene s = with_ghosts("access=strict");
    (void)state;
    for (int i = 0; i < ITEMS; i++) ops->phys_destroy(s.p, s.item[i].phys);
    ops->release(s.p, s.addr, 16 * UNIT);
    expect_ok(ops->check(s.p));
    assert_int_equal(free_bytes(s.p, 0), 16 * GB - 2 * UNIT); // plain memory
    s.addr = reserve(s.p, 16 * UNIT);
    for (int i = 0; i < ITEMS; i++) s.item[i].phys = create(s.p, 0, UNIT);
    tear_down(&s);
}

static void peers_do_not_bring_back_freed_memory(void **state) {
    void *p = open_host("");
    tarn_addr addr = 0;
    char bytes[4];
    (void)state;
    expect_ok(ops->memory_alloc(p, 0, UNIT, &addr));
    tn_host_sys_fail(TN_HOST_SYS_MMAP, 1, ENOMEM);
    ops->memory_free(p, 0, addr);
    assert_true(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    expect_ok(ops->peer_set(p, 1, 0, true));
    expect_status(engine_read(p, 1, addr, bytes, 4), TARN_NOT_MAPPED);
    expect_ok(ops->trim(p, 1));
    assert_int_equal(free_bytes(p, 0), 16 * GB);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_call_leaves_all_as_it_was),
        cmocka_unit_test(a_failed_map_keeps_what_is_in_the_handles),
        cmocka_unit_test(opening_a_platform_survives_every_failing_call),
        cmocka_unit_test(refusals_have_their_own_status),
        cmocka_unit_test(what_the_kernel_keeps_mapped_is_gone_for_all),
        cmocka_unit_test(a_map_of_the_place_completes_the_unmap_first),
        cmocka_unit_test(a_handle_is_held_until_the_unmap_is_complete),
        cmocka_unit_test(a_query_of_free_memory_completes_unmaps),
        cmocka_unit_test(memory_of_unmaps_is_not_short),
        cmocka_unit_test(a_release_ends_ghosts),
        cmocka_unit_test(peers_do_not_bring_back_freed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
