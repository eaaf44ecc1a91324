// SPDX-License-Identifier: Apache-2.0
// Plain device memory, peers, and pinned host memory of the software device.
#include "setup.h"

#include <errno.h>
#include <sys/mman.h>

#include "backend/host/platform.h"
#include "backend/host/sys.h"

static void plain_memory_is_fresh_and_takes_capacity(void **state) {
    static const char *const options[] = {"memory=1G", "memory=1G,access=strict"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        void *p = open_host(options[i]);
        tarn_addr one = 0;
        tarn_addr two = 0;
        char bytes[5000];
        char back[5000];
        expect_ok(ops->memory_alloc(p, 0, 5000, &one));
        expect_ok(ops->memory_alloc(p, 1, 300 * MB, &two)); // more than a window
        assert_int_equal(one % 256, 0);
        assert_int_equal(free_bytes(p, 0), GB - 8192);
        assert_int_equal(free_bytes(p, 1), GB - 300 * MB);
        expect_ok(engine_read(p, 0, one, back, sizeof back));
        memset(bytes, 0, sizeof bytes);
        assert_memory_equal(bytes, back, sizeof back);
        memset(bytes, 9, sizeof bytes);
        expect_ok(engine_write(p, 0, one, bytes, sizeof bytes));
        expect_ok(engine_write(p, 1, two + 300 * MB - 5000, bytes, sizeof bytes));
        expect_ok(engine_read(p, 0, one, back, sizeof back));
        assert_memory_equal(bytes, back, sizeof back);
        assert_string_equal(kernel_rights(one), i == 0 ? "rw-" : "---");
        ops->memory_free(p, 0, one);
        ops->memory_free(p, 1, two);
        assert_int_equal(free_bytes(p, 0), GB);
        assert_int_equal(free_bytes(p, 1), GB);
        close_host(p);
    }
}

static void more_than_the_capacity_is_refused(void **state) {
    void *p = open_host("memory=1M");
    tarn_addr addr = 77;
    (void)state;
    expect_status(ops->memory_alloc(p, 0, MB + 1, &addr), TARN_NO_DEVICE_MEMORY);
    expect_status(ops->memory_alloc(p, 0, UINT64_MAX, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(addr, 77);
    close_host(p);
}

static void freed_memory_is_a_fault_and_not_a_crash(void **state) {
    void *p = open_host("");
    tarn_addr addr = 0;
    void *pinned = NULL;
    tarn_pin_class pin_class;
    char bytes[16] = {0};
    (void)state;
    expect_ok(ops->memory_alloc(p, 0, 4096, &addr));
    expect_ok(ops->host_alloc(p, 4096, 0, &pinned, &pin_class));
    ops->memory_free(p, 0, addr);
    ops->host_free(p, pinned, 4096);
    expect_status(engine_write(p, 0, addr, bytes, sizeof bytes), TARN_NOT_MAPPED);
    expect_status(engine_read(p, 0, TARN_ADDR(pinned), bytes, sizeof bytes), TARN_NOT_MAPPED);
    assert_string_equal(kernel_rights(addr), "---");
    assert_string_equal(kernel_rights(TARN_ADDR(pinned)), "---");
    close_host(p);
}

static void freed_room_is_used_again(void **state) {
    void *p = open_host("");
    tarn_addr addr = 0;
    (void)state;
    expect_ok(ops->memory_alloc(p, 0, 4096, &addr));
    ops->memory_free(p, 0, addr);
    uint64_t before = mappings_of(p);
    for (int i = 0; i < 200; i++) {
        expect_ok(ops->memory_alloc(p, 0, 16 * MB, &addr)); // 3.2 GB in all
        ops->memory_free(p, 0, addr);
    }
    assert_int_equal(mappings_of(p), before);
    close_host(p);
}

static void large_plain_memory_can_have_huge_pages(void **state) {
    void *p = open_host("pages=huge");
    tarn_addr small = 0;
    tarn_addr large = 0;
    (void)state;
    expect_ok(ops->memory_alloc(p, 0, 4096, &small));
    expect_ok(ops->memory_alloc(p, 0, 3 * MB, &large));
    assert_int_equal(large % (2 * MB), 0);
    ops->memory_free(p, 0, small);
    ops->memory_free(p, 0, large);
    close_host(p);
}

// With the option, each allocation has the pattern, whether its pages were used before or not.
static void poison_is_in_all_fresh_plain_memory(void **state) {
    void *p = open_host("poison=165,high_water=64M");
    (void)state;
    for (int i = 0; i < 300; i++) { // more than once round the window
        tarn_addr addr = 0;
        expect_ok(ops->memory_alloc(p, 0, MB, &addr));
        assert_int_equal(cpu(addr)[0], 165);
        assert_int_equal(cpu(addr)[MB - 1], 165);
        memset(cpu(addr), 1, MB);
        ops->memory_free(p, 0, addr);
    }
    close_host(p);
}

static void blocks_keep_the_gap_from_each_other(void **state) {
    void *p = open_host("gap=64K");
    tarn_addr last = 0;
    tarn_pin_class pin_class;
    (void)state;
    for (int i = 0; i < 2000; i++) { // more than once round the window
        tarn_addr addr = 0;
        expect_ok(ops->memory_alloc(p, 0, 4096, &addr));
        assert_string_equal(kernel_rights(addr - 1), "---");
        assert_string_equal(kernel_rights(addr + 4096), "---");
        assert_true(addr + 4096 + 64 * 1024 <= last || last + 4096 + 64 * 1024 <= addr);
        if (last != 0) ops->memory_free(p, 0, last);
        last = addr;
    }
    ops->memory_free(p, 0, last);
    void *one = NULL;
    void *two = NULL;
    expect_ok(ops->host_alloc(p, 100, 0, &one, &pin_class));
    expect_ok(ops->host_alloc(p, 100, 0, &two, &pin_class));
    assert_int_equal((char *)two - (char *)one, 4096 + 64 * 1024);
    ops->host_free(p, one, 100);
    ops->host_free(p, two, 100);
    close_host(p);
}

// Each block between gaps is a mapping of its own.
static void no_gap_is_kept_when_mappings_are_rare(void **state) {
    void *p = open_host("gap=64K,vma_budget=64");
    tarn_addr blocks[200];
    (void)state;
    for (int i = 0; i < 200; i++) expect_ok(ops->memory_alloc(p, 0, 4096, &blocks[i]));
    assert_true(blocks[1] - blocks[0] > 4096);
    assert_int_equal(blocks[199] - blocks[198], 4096);
    for (int i = 0; i < 200; i++) ops->memory_free(p, 0, blocks[i]);
    close_host(p);
}

static uint32_t rights_at(void *p, tarn_addr addr) {
    struct tn_interval_entry entry = {0, 0, 0};
    struct tn_host *h = (struct tn_host *)p;
    struct tn_reader *reader = tn_host_mmu_lock_shared(h);
    assert_true(tn_interval_find(&h->pages, addr, &entry));
    tn_host_mmu_unlock_shared(h, reader);
    return tn_host_page_rights(entry.value);
}

static void peers_reach_existing_and_future_plain_memory(void **state) {
    void *p = open_host("devices=3");
    tarn_addr before = 0;
    tarn_addr after = 0;
    tarn_addr other = 0;
    (void)state;
    const uint32_t own = tn_host_right(tn_host_location(1), TARN_ACCESS_READ_WRITE);
    const uint32_t both = own | tn_host_right(tn_host_location(2), TARN_ACCESS_READ_WRITE);
    assert_true(ops->peer_can(p, 2, 1));
    assert_false(ops->peer_can(p, 1, 1));
    expect_ok(ops->memory_alloc(p, 1, 4096, &before));
    expect_ok(ops->memory_alloc(p, 0, 4096, &other));
    assert_int_equal(rights_at(p, before), own);
    expect_ok(ops->peer_set(p, 2, 1, true));
    expect_ok(ops->memory_alloc(p, 1, 4096, &after));
    assert_int_equal(rights_at(p, before), both);
    assert_int_equal(rights_at(p, after), both);
    assert_int_equal(rights_at(p, other),
                     tn_host_right(tn_host_location(0), TARN_ACCESS_READ_WRITE));
    expect_ok(ops->peer_set(p, 2, 1, false));
    assert_int_equal(rights_at(p, before), own);
    ops->memory_free(p, 1, before);
    ops->memory_free(p, 1, after);
    ops->memory_free(p, 0, other);
    close_host(p);
}

// ---- pinned memory

static void pinned_memory_tells_what_was_obtained(void **state) {
    static const struct {
        uint32_t fail;
        tarn_pin_class pin_class;
    } cases[] = {
        {0, TARN_PIN_LOCKED},
        {TN_HOST_SYS_MLOCK, TARN_PIN_POPULATED},
    };
    void *p = open_host("");
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        void *ptr = NULL;
        tarn_pin_class pin_class = TARN_PIN_PLAIN;
        tn_host_sys_fail(cases[i].fail, 1, ENOMEM);
        expect_ok(ops->host_alloc(p, 100000, 0, &ptr, &pin_class));
        tn_host_sys_fail(0, 0, 0);
        assert_int_equal(TARN_ADDR(ptr) % 4096, 0);
        if (i == 1 || pin_class != TARN_PIN_POPULATED) // here an ordinary user has 8 MB
            assert_int_equal(pin_class, cases[i].pin_class);
        for (int at = 0; at < 100000; at += 100) assert_int_equal(((char *)ptr)[at], 0);
        memset(ptr, 1, 100000);
        expect_ok(ops->check(p));
        ops->host_free(p, ptr, 100000);
    }
    close_host(p);
}

static void memory_on_touch_is_never_pinned(void **state) {
    void *p = open_host("");
    void *ptr = NULL;
    tarn_pin_class pin_class = TARN_PIN_LOCKED;
    (void)state;
    tn_host_sys_fail(TN_HOST_SYS_MLOCK | TN_HOST_SYS_MADVISE, 1, ENOMEM);
    expect_ok(ops->host_alloc(p, 100000, TARN_HOST_ON_TOUCH, &ptr, &pin_class));
    assert_false(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
    assert_int_equal(pin_class, TARN_PIN_PLAIN);
    expect_ok(ops->check(p));
    ops->host_free(p, ptr, 100000);
    expect_ok(ops->check(p));
    close_host(p);
}

static void a_lock_that_must_be_is_refused_without_trace(void **state) {
    void *p = open_host("");
    void *ptr = NULL;
    tarn_pin_class pin_class;
    (void)state;
    expect_ok(ops->host_alloc(p, 4096, 0, &ptr, &pin_class)); // the window exists
    uint64_t before = mappings_of(p);
    void *other = NULL;
    tn_host_sys_fail(TN_HOST_SYS_MLOCK, 1, ENOMEM);
    expect_status(ops->host_alloc(p, 4096, TARN_HOST_MUST_LOCK, &other, &pin_class),
                  TARN_NO_HOST_MEMORY);
    assert_null(other);
    assert_int_equal(mappings_of(p), before);
    ops->host_free(p, ptr, 4096);
    close_host(p);
}

static void every_device_may_use_pinned_memory(void **state) {
    void *p = open_host("access=strict");
    void *ptr = NULL;
    tarn_pin_class pin_class;
    char bytes[8] = "tarnish";
    (void)state;
    expect_ok(ops->host_alloc(p, 3 * MB, 0, &ptr, &pin_class));
    expect_ok(engine_write(p, 1, TARN_ADDR(ptr) + 3 * MB - 8, bytes, 8));
    assert_string_equal((char *)ptr + 3 * MB - 8, "tarnish");
    ops->host_free(p, ptr, 3 * MB);
    close_host(p);
}

// ---- registered memory

// Returns the kilobytes locked in the mapping that contains an address.
static long locked_kb(const void *ptr) {
    FILE *smaps = fopen("/proc/self/smaps", "re");
    char line[512];
    bool inside = false;
    long kb = -1;
    assert_non_null(smaps);
    while (kb < 0 && fgets(line, sizeof line, smaps) != NULL) {
        unsigned long long start;
        unsigned long long end;
        if (sscanf(line, "%llx-%llx", &start, &end) == 2)
            inside = start <= TARN_ADDR(ptr) && TARN_ADDR(ptr) < end;
        else if (inside)
            (void)sscanf(line, "Locked: %ld", &kb);
    }
    (void)fclose(smaps);
    return kb;
}

static void registered_neighbours_keep_the_page_they_share_locked(void **state) {
    void *p = open_host("");
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    char *bytes =
        (char *)mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_ptr_not_equal(bytes, MAP_FAILED);
    expect_ok(ops->host_register(p, bytes + 100, 4096, 0, &pin_class)); // pages 0 and 1
    if (pin_class != TARN_PIN_LOCKED || locked_kb(bytes) <= 0) {
        ops->host_unregister(p, bytes + 100, 4096);
        (void)munmap(bytes, 4 * 4096);
        close_host(p);
        skip();
    }
    expect_ok(ops->host_register(p, bytes + 4096 + 200, 4096, 0, &pin_class)); // pages 1 and 2
    assert_true(locked_kb(bytes + 8192) > 0);
    expect_status(ops->host_register(p, bytes + 150, 10, 0, &pin_class), TARN_BUSY);
    ops->host_unregister(p, bytes + 4096 + 200, 4096);
    assert_true(locked_kb(bytes + 4096) > 0);
    assert_int_equal(locked_kb(bytes + 8192), 0);
    expect_ok(ops->host_register(p, bytes + 4096 + 200, 4096, 0, &pin_class));
    ops->host_unregister(p, bytes + 100, 4096);
    assert_int_equal(locked_kb(bytes), 0);
    assert_true(locked_kb(bytes + 4096) > 0);
    ops->host_unregister(p, bytes + 4096 + 200, 4096);
    assert_int_equal(locked_kb(bytes + 4096), 0);
    (void)munmap(bytes, 4 * 4096);
    close_host(p);
}

static void memory_that_is_not_mapped_cannot_be_registered(void **state) {
    void *p = open_host("");
    tarn_pin_class pin_class = (tarn_pin_class)77;
    char *bytes =
        (char *)mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_ptr_not_equal(bytes, MAP_FAILED);
    assert_int_equal(munmap(bytes + 8192, 4096), 0);
    expect_status(ops->host_register(p, bytes, 4 * 4096, 0, &pin_class), TARN_BAD_ADDRESS);
    expect_status(ops->host_register(p, (void *)(uintptr_t)(UINT64_MAX - 10), 100, 0, &pin_class),
                  TARN_BAD_ADDRESS);
    expect_ok(ops->host_register(p, bytes, 8192, 0, &pin_class));
    ops->host_unregister(p, bytes, 8192);
    (void)munmap(bytes, 8192);
    (void)munmap(bytes + 3 * 4096, 4096);
    close_host(p);
}

static void memory_that_may_only_be_read_can_be_registered(void **state) {
    void *p = open_host("");
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    void *bytes = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_ptr_not_equal(bytes, MAP_FAILED);
    tn_host_sys_fail(TN_HOST_SYS_MLOCK, 1, EPERM);
    expect_ok(ops->host_register(p, bytes, 8192, 0, &pin_class));
    assert_int_equal(pin_class, TARN_PIN_POPULATED);
    ops->host_unregister(p, bytes, 8192);
    (void)munmap(bytes, 8192);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_memory_is_fresh_and_takes_capacity),
        cmocka_unit_test(more_than_the_capacity_is_refused),
        cmocka_unit_test(freed_memory_is_a_fault_and_not_a_crash),
        cmocka_unit_test(freed_room_is_used_again),
        cmocka_unit_test(large_plain_memory_can_have_huge_pages),
        cmocka_unit_test(poison_is_in_all_fresh_plain_memory),
        cmocka_unit_test(blocks_keep_the_gap_from_each_other),
        cmocka_unit_test(no_gap_is_kept_when_mappings_are_rare),
        cmocka_unit_test(peers_reach_existing_and_future_plain_memory),
        cmocka_unit_test(pinned_memory_tells_what_was_obtained),
        cmocka_unit_test(memory_on_touch_is_never_pinned),
        cmocka_unit_test(a_lock_that_must_be_is_refused_without_trace),
        cmocka_unit_test(every_device_may_use_pinned_memory),
        cmocka_unit_test(registered_neighbours_keep_the_page_they_share_locked),
        cmocka_unit_test(memory_that_is_not_mapped_cannot_be_registered),
        cmocka_unit_test(memory_that_may_only_be_read_can_be_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
