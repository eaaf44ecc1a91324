// SPDX-License-Identifier: Apache-2.0
// Physical memory of the software device: capacity, fresh contents, page classes, and the pages of
// freed memory.
#include "setup.h"

#include <errno.h>
#include <sys/stat.h>

#include "backend/host/platform.h"
#include "backend/host/sys.h"

static void capacity_is_exact_and_comes_back(void **state) {
    void *p = open_host("memory=1M");
    tarn_phys_desc desc = on_device(0);
    tarn_backend_phys other = 77;
    tarn_backend_phys_info info;
    (void)state;
    tarn_backend_phys most = create(p, 0, MB - 4096);
    tarn_backend_phys last = create(p, 0, 4096);
    assert_int_equal(free_bytes(p, 0), 0);
    assert_int_equal(free_bytes(p, 1), MB); // each device has its own
    expect_status(ops->phys_create(p, 4096, &desc, &other, &info), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(other, 77);
    ops->phys_destroy(p, most);
    expect_status(ops->phys_create(p, MB, &desc, &other, &info), TARN_NO_DEVICE_MEMORY);
    expect_status(ops->phys_create(p, UINT64_MAX & ~4095ull, &desc, &other, &info),
                  TARN_NO_DEVICE_MEMORY);
    most = create(p, 0, MB - 4096);
    ops->phys_destroy(p, last);
    ops->phys_destroy(p, most);
    assert_int_equal(free_bytes(p, 0), MB);
    close_host(p);
}

// Creates, maps, reads every page, writes to every page, unmaps and destroys.
static void expect_fresh(void *p, tarn_addr addr, uint64_t size, int byte, uint32_t shareable) {
    tarn_phys_desc desc = on_device(0);
    desc.shareable = shareable;
    tarn_backend_phys phys = create_with(p, size, desc);
    expect_ok(try_map(p, addr, size, phys));
    expect_ok(grant(p, addr, size, 0, TARN_ACCESS_READ_WRITE));
    for (uint64_t at = 0; at < size; at += 512) assert_int_equal(cpu(addr)[at], byte);
    assert_int_equal(cpu(addr)[size - 1], byte);
    memset(cpu(addr), 0xee, size);
    expect_ok(ops->unmap(p, addr, size));
    ops->phys_destroy(p, phys);
    expect_ok(ops->check(p));
}

static void fresh_memory_never_shows_old_bytes(void **state) {
    static const char *const options[] = {"", "high_water=0", "high_water=256K",
                                          "access=on-grant,pages=huge"};
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        void *p = open_host(options[i]);
        tarn_addr addr = reserve(p, 16 * MB);
        for (int round = 0; round < 3; round++) {
            expect_fresh(p, addr, 128 * KB, 0, 0);           // the same place
            expect_fresh(p, addr, 128 * KB, 0, 0);           // its pages, if they were kept
            expect_fresh(p, addr, 64 * KB, 0, 0);            // a part of it
            expect_fresh(p, addr + 64 * KB, 256 * KB, 0, 0); // across its end
            expect_fresh(p, addr, 2 * MB, 0, 0);             // all over it
            expect_fresh(p, addr, 128 * KB, 0, TARN_SHAREABLE_FD);
        }
        ops->release(p, addr, 16 * MB);
        close_host(p);
    }
}

static void poison_fills_fresh_memory_and_nothing_else(void **state) {
    void *p = open_host("poison=219");
    tarn_addr addr = reserve(p, 4 * MB);
    tarn_backend_phys phys = create(p, 0, MB);
    (void)state;
    for (int round = 0; round < 2; round++) {
        expect_fresh(p, addr, 128 * KB, 219, 0);
        expect_fresh(p, addr, 64 * KB, 219, TARN_SHAREABLE_FD);
        expect_fresh(p, addr, MB, 219, 0);
    }
    expect_ok(try_map(p, addr, MB, phys));
    expect_ok(grant(p, addr, MB, 0, TARN_ACCESS_READ_WRITE));
    cpu(addr)[0] = 1;
    expect_ok(grant(p, addr, MB, 0, TARN_ACCESS_NONE));
    expect_ok(grant(p, addr, MB, 0, TARN_ACCESS_READ));
    assert_int_equal(cpu(addr)[0], 1); // poisoned once, not at each grant
    assert_int_equal(cpu(addr)[1], 219);
    expect_ok(ops->unmap(p, addr, MB));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, 4 * MB);
    close_host(p);
}

static uint64_t arena_bytes(void *p) {
    const struct tn_host *h = (const struct tn_host *)p;
    struct stat stat;
    if (h->arenas[1][0].fd < 0) return 0;
    assert_int_equal(fstat(h->arenas[1][0].fd, &stat), 0);
    return (uint64_t)stat.st_blocks * 512;
}

static void fill(void *p, tarn_addr addr, uint64_t size, tarn_backend_phys phys) {
    expect_ok(try_map(p, addr, size, phys));
    expect_ok(grant(p, addr, size, 0, TARN_ACCESS_READ_WRITE));
    memset(cpu(addr), 1, size);
    expect_ok(ops->unmap(p, addr, size));
}

static void pages_are_kept_up_to_the_high_water_mark_and_go_at_trim(void **state) {
    void *p = open_host("high_water=1M,pages=base");
    tarn_addr addr = reserve(p, 16 * MB);
    tarn_backend_phys phys[4];
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        phys[i] = create(p, 0, 512 * KB);
        fill(p, addr + i * MB, 512 * KB, phys[i]);
    }
    assert_int_equal(arena_bytes(p), 2 * MB);
    for (int i = 0; i < 4; i++) ops->phys_destroy(p, phys[i]);
    assert_int_equal(arena_bytes(p), MB);
    assert_int_equal(free_bytes(p, 0), 16 * GB); // kept pages are not the device's loss
    expect_ok(ops->check(p));
    expect_ok(ops->trim(p, 0));
    assert_int_equal(arena_bytes(p), 0);
    ops->release(p, addr, 16 * MB);
    close_host(p);
}

static void trim_frees_neighbours_by_one_call(void **state) {
    void *p = open_host("high_water=8M,pages=base");
    tarn_addr addr = reserve(p, 16 * MB);
    tarn_backend_phys phys[8];
    (void)state;
    for (uint64_t i = 0; i < 8; i++) {
        phys[i] = create(p, 0, 64 * KB);
        fill(p, addr + i * 64 * KB, 64 * KB, phys[i]);
    }
    for (int i = 0; i < 8; i++) ops->phys_destroy(p, phys[i]);
    tn_host_sys_fail(TN_HOST_SYS_FALLOCATE, 2, ENOMEM); // would hit a second call
    expect_ok(ops->trim(p, 0));
    assert_false(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    assert_int_equal(arena_bytes(p), 0);
    ops->release(p, addr, 16 * MB);
    close_host(p);
}

static void old_bytes_stay_hidden_when_the_system_does_not_free_them(void **state) {
    void *p = open_host("high_water=0");
    tarn_addr addr = reserve(p, 16 * MB);
    tarn_backend_phys phys = create(p, 0, 512 * KB);
    (void)state;
    fill(p, addr, 512 * KB, phys);
    tn_host_sys_fail(TN_HOST_SYS_FALLOCATE, 1, ENOMEM);
    ops->phys_destroy(p, phys);
    assert_true(tn_host_sys_failed());
    expect_ok(ops->check(p));
    tn_host_sys_fail(TN_HOST_SYS_FALLOCATE, 1, ENOMEM); // cleaning a part of it fails too
    expect_fresh(p, addr + 64 * KB, 128 * KB, 0, 0);
    assert_true(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    expect_fresh(p, addr, 512 * KB, 0, 0);
    expect_fresh(p, addr, 512 * KB, 0, 0);
    ops->release(p, addr, 16 * MB);
    close_host(p);
}

static void a_handle_costs_no_descriptor(void **state) {
    enum { COUNT = 3000 };
    void *p = open_host("");
    static tarn_backend_phys phys[COUNT];
    (void)state;
    int before = dup(0);
    for (int i = 0; i < COUNT; i++) phys[i] = create(p, 0, 4096);
    int after = dup(0);
    assert_int_equal(after, before + 1);
    (void)close(before);
    (void)close(after);
    for (int i = 0; i < COUNT; i++) ops->phys_destroy(p, phys[i]);
    close_host(p);
}

static void what_cannot_be_given_is_unsupported(void **state) {
    void *p = open_host("");
    tarn_backend_phys phys = 77;
    tarn_backend_phys_info info;
    tarn_phys_desc fabric = on_device(0);
    (void)state;
    fabric.shareable = TARN_SHAREABLE_TOKEN << 1;
    expect_status(ops->phys_create(p, 4096, &fabric, &phys, &info), TARN_UNSUPPORTED);
    assert_int_equal(phys, 77);
    close_host(p);
}

static void host_memory_beyond_the_machine_is_refused(void **state) {
    void *p = open_host("");
    const struct tn_host *h = (const struct tn_host *)p;
    uint64_t whole = h->probe.memory / 4096 * 4096;
    tarn_backend_phys phys = 77;
    tarn_backend_phys_info info;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    (void)state;
    desc.location.type = TARN_LOCATION_HOST;
    for (desc.shareable = 0; desc.shareable <= TARN_SHAREABLE_FD; desc.shareable++) {
        expect_status(ops->phys_create(p, whole + 4096, &desc, &phys, &info), TARN_NO_HOST_MEMORY);
        expect_status(ops->phys_create(p, UINT64_MAX - 4095, &desc, &phys, &info),
                      TARN_NO_HOST_MEMORY);
    }
    assert_int_equal(phys, 77);
    close_host(p);
}

static void a_node_is_one_of_the_machines(void **state) {
    void *p = open_host("");
    const struct tn_host *h = (const struct tn_host *)p;
    tarn_status there = h->probe.one_node ? TARN_OK : TARN_UNSUPPORTED;
    tarn_backend_phys phys = 77;
    tarn_backend_phys_info info;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    (void)state;
    desc.location = (tarn_location){TARN_LOCATION_HOST_NUMA, 100000};
    expect_status(ops->phys_create(p, 4096, &desc, &phys, &info), TARN_BAD_DEVICE);
    desc.location.id = -1;
    expect_status(ops->phys_create(p, 4096, &desc, &phys, &info), TARN_BAD_DEVICE);
    assert_int_equal(phys, 77);
    desc.location.id = 0;
    for (int type = TARN_LOCATION_HOST_NUMA; type <= TARN_LOCATION_HOST_NUMA_CURRENT; type++) {
        desc.location.type = (tarn_location_type)type;
        expect_status(ops->phys_create(p, 4096, &desc, &phys, &info), there);
        if (there == TARN_OK) ops->phys_destroy(p, phys);
        desc.location.id = 99; // ignored for the thread's own node
    }
    close_host(p);
}

static void the_page_class_obtained_is_told(void **state) {
    void *p = open_host("pages=huge");
    const struct tn_host *h = (const struct tn_host *)p;
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    tarn_phys_desc desc = on_device(0);
    tarn_page_class huge = h->probe.huge ? TARN_PAGE_HUGE : TARN_PAGE_BASE;
    (void)state;
    expect_ok(ops->phys_create(p, 2 * MB, &desc, &phys, &info));
    assert_int_equal(info.page_class, huge);
    ops->phys_destroy(p, phys);
    desc.page_class = TARN_PAGE_BASE;
    expect_ok(ops->phys_create(p, 2 * MB, &desc, &phys, &info));
    assert_int_equal(info.page_class, TARN_PAGE_BASE);
    assert_int_equal(info.location.type, TARN_LOCATION_DEVICE);
    assert_int_equal(info.location.id, 0);
    ops->phys_destroy(p, phys);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity_is_exact_and_comes_back),
        cmocka_unit_test(fresh_memory_never_shows_old_bytes),
        cmocka_unit_test(poison_fills_fresh_memory_and_nothing_else),
        cmocka_unit_test(pages_are_kept_up_to_the_high_water_mark_and_go_at_trim),
        cmocka_unit_test(trim_frees_neighbours_by_one_call),
        cmocka_unit_test(old_bytes_stay_hidden_when_the_system_does_not_free_them),
        cmocka_unit_test(a_handle_costs_no_descriptor),
        cmocka_unit_test(what_cannot_be_given_is_unsupported),
        cmocka_unit_test(host_memory_beyond_the_machine_is_refused),
        cmocka_unit_test(a_node_is_one_of_the_machines),
        cmocka_unit_test(the_page_class_obtained_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
