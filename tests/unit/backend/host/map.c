// SPDX-License-Identifier: Apache-2.0
// Reserving, mapping, unmapping and rights on the software device, compared with the kernel's view.
#include "setup.h"

#include <errno.h>

#include "backend/host/sys.h"

static void reservations_are_aligned_and_inaccessible(void **state) {
    void *p = open_host("");
    (void)state;
    for (uint64_t alignment = 0; alignment <= GB;
         alignment = alignment == 0 ? 4096 : alignment * 8) {
        tarn_addr addr = 0;
        expect_ok(ops->reserve(p, 64 * KB, alignment, 0, &addr));
        assert_int_equal(addr % (alignment == 0 ? 4096 : alignment), 0);
        assert_string_equal(kernel_rights(addr), "---");
        assert_string_equal(kernel_rights(addr + 60 * KB), "---");
        ops->release(p, addr, 64 * KB);
    }
    close_host(p);
}

static void a_free_hint_is_taken_exactly_and_a_taken_one_falls_back(void **state) {
    void *p = open_host("");
    // In the middle of what was free: a sanitizer may map memory of its own at either end.
    tarn_addr room = reserve(p, 64 * MB);
    tarn_addr first = room + 16 * MB;
    tarn_addr second = 0;
    tarn_addr third = 0;
    (void)state;
    ops->release(p, room, 64 * MB);
    expect_ok(ops->reserve(p, 4 * MB, 0, first, &second));
    assert_int_equal(second, first);
    expect_ok(ops->reserve(p, 4 * MB, 0, first + MB, &third));
    assert_true(third + 4 * MB <= first || third >= first + 4 * MB);
    ops->release(p, second, 4 * MB);
    ops->release(p, third, 4 * MB);
    close_host(p);
}

// Far from the place that the kernel would choose, so that only the hint explains the result.
static void a_free_hint_far_from_first_fit_is_taken_exactly(void **state) {
    static const char *const policies[] = {"access=on-grant", "access=strict"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        void *p = open_host(policies[i]);
        tarn_addr room = reserve(p, GB);
        ops->release(p, room, GB);
        for (uint64_t at = 96 * MB; at < GB; at += 288 * MB) {
            tarn_addr addr = 0;
            expect_ok(ops->reserve(p, 4 * MB, 2 * MB, room - room % (2 * MB) + at, &addr));
            assert_int_equal(addr, room - room % (2 * MB) + at);
            ops->release(p, addr, 4 * MB);
        }
        close_host(p);
    }
}

static void a_misaligned_hint_falls_back(void **state) {
    void *p = open_host("");
    tarn_addr room = reserve(p, 64 * MB);
    tarn_addr addr = 0;
    (void)state;
    ops->release(p, room, 64 * MB);
    tarn_addr hint = room - room % (2 * MB) + 32 * MB + 4096;
    expect_ok(ops->reserve(p, 4 * MB, 2 * MB, hint, &addr));
    assert_int_equal(addr % (2 * MB), 0);
    assert_int_not_equal(addr, hint);
    ops->release(p, addr, 4 * MB);
    close_host(p);
}

static void wild_hints_fall_back(void **state) {
    static const tarn_addr hints[] = {1,
                                      4096,
                                      UINT64_MAX - 4095,
                                      (uint64_t)1 << 63,
                                      (uint64_t)1 << 48,
                                      ((uint64_t)1 << 48) - 4096};
    void *p = open_host("");
    (void)state;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        tarn_addr addr = 0;
        expect_ok(ops->reserve(p, 64 * KB, 0, hints[i], &addr));
        assert_string_equal(kernel_rights(addr), "---");
        ops->release(p, addr, 64 * KB);
    }
    close_host(p);
}

static void too_large_a_reservation_is_refused_and_harmless(void **state) {
    void *p = open_host("");
    uint64_t before = mappings_of(p);
    tarn_addr addr = 77;
    (void)state;
    expect_status(ops->reserve(p, (uint64_t)1 << 60, 0, 0, &addr), TARN_NO_ADDRESS_SPACE);
    expect_status(ops->reserve(p, UINT64_MAX - 4095, 2 * MB, 0, &addr), TARN_NO_ADDRESS_SPACE);
    expect_status(ops->reserve(p, 4096, (uint64_t)1 << 63, 0, &addr), TARN_NO_ADDRESS_SPACE);
    assert_int_equal(addr, 77);
    assert_int_equal(mappings_of(p), before);
    close_host(p);
}

static void a_map_has_no_rights_until_they_are_granted(void **state) {
    void *p = open_host("");
    tarn_addr addr = reserve(p, MB);
    tarn_backend_phys phys = create(p, 0, MB);
    (void)state;
    expect_ok(try_map(p, addr, MB, phys));
    assert_string_equal(kernel_rights(addr), "---");
    expect_ok(grant(p, addr, MB, 0, TARN_ACCESS_READ));
    assert_string_equal(kernel_rights(addr), "r--");
    expect_ok(grant(p, addr, MB, 1, TARN_ACCESS_READ_WRITE));
    assert_string_equal(kernel_rights(addr), "rw-");
    cpu(addr)[5] = 42;
    expect_ok(grant(p, addr, MB, 1, TARN_ACCESS_NONE));
    assert_string_equal(kernel_rights(addr), "r--");
    assert_int_equal(cpu(addr)[5], 42);
    expect_ok(grant(p, addr, MB, 0, TARN_ACCESS_NONE));
    assert_string_equal(kernel_rights(addr), "---");
    expect_ok(ops->unmap(p, addr, MB));
    expect_ok(try_map(p, addr, MB, phys));
    assert_string_equal(kernel_rights(addr), "---"); // a new mapping inherits nothing
    expect_ok(ops->unmap(p, addr, MB));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, MB);
    close_host(p);
}

static void the_last_grant_for_a_location_wins(void **state) {
    const tarn_grant grants[] = {
        {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
        {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE},
        {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ},
        {{TARN_LOCATION_HOST_NUMA, 0}, TARN_ACCESS_NONE}, // the same location as HOST
    };
    void *p = open_host("");
    tarn_addr addr = reserve(p, MB);
    tarn_backend_phys phys = create(p, 0, MB);
    (void)state;
    expect_ok(try_map(p, addr, MB, phys));
    expect_ok(ops->set_access(p, addr, MB, grants, 4));
    assert_string_equal(kernel_rights(addr), "r--");
    expect_ok(ops->unmap(p, addr, MB));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, MB);
    close_host(p);
}

static void contents_live_as_long_as_the_handle(void **state) {
    void *p = open_host("");
    tarn_addr one = reserve(p, 4 * MB);
    tarn_addr two = reserve(p, 4 * MB);
    tarn_backend_phys phys = create(p, 0, MB);
    (void)state;
    expect_ok(try_map(p, one + MB, MB, phys));
    expect_ok(grant(p, one + MB, MB, 0, TARN_ACCESS_READ_WRITE));
    memset(cpu(one + MB), 7, MB);
    expect_ok(ops->unmap(p, one + MB, MB));
    assert_string_equal(kernel_rights(one + MB), "---");
    ops->release(p, one, 4 * MB); // its addresses go, the bytes do not
    expect_ok(try_map(p, two, MB, phys));
    expect_ok(grant(p, two, MB, 0, TARN_ACCESS_READ));
    assert_int_equal(cpu(two)[0], 7);
    assert_int_equal(cpu(two)[MB - 1], 7);
    expect_ok(ops->unmap(p, two, MB));
    ops->phys_destroy(p, phys);
    ops->release(p, two, 4 * MB);
    close_host(p);
}

static void two_mappings_of_a_handle_are_one_memory(void **state) {
    void *p = open_host("");
    tarn_addr addr = reserve(p, 4 * MB);
    tarn_backend_phys phys = create(p, 0, MB);
    const tarn_backend_map_item items[] = {{phys, MB}, {phys, 64 * KB}, {phys, MB}};
    (void)state;
    expect_ok(ops->map(p, addr, items, 3));
    expect_ok(grant(p, addr, 2 * MB + 64 * KB, 0, TARN_ACCESS_READ_WRITE));
    memset(cpu(addr), 1, MB);
    assert_int_equal(cpu(addr + MB)[64 * KB - 1], 1);
    cpu(addr + MB + 64 * KB)[10] = 99;
    assert_int_equal(cpu(addr)[10], 99);
    assert_int_equal(cpu(addr + MB)[10], 99);
    expect_ok(ops->unmap(p, addr, 2 * MB + 64 * KB));
    ops->phys_destroy(p, phys);
    ops->release(p, addr, 4 * MB);
    close_host(p);
}

// Overlapping offsets would show as one block's pattern in another.
static void handles_first_mapped_at_one_address_do_not_share_bytes(void **state) {
    enum { COUNT = 40 };
    void *p = open_host("");
    tarn_addr addr = reserve(p, 16 * MB);
    tarn_backend_phys phys[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        phys[i] = create(p, 0, 64 * KB + (uint64_t)(i % 3) * 64 * KB);
        uint64_t size = 64 * KB + (uint64_t)(i % 3) * 64 * KB;
        expect_ok(try_map(p, addr, size, phys[i]));
        expect_ok(grant(p, addr, size, 0, TARN_ACCESS_READ_WRITE));
        assert_int_equal(cpu(addr)[size - 1], 0);
        memset(cpu(addr), i + 1, size);
        expect_ok(ops->unmap(p, addr, size));
        expect_ok(ops->check(p));
    }
    for (int i = 0; i < COUNT; i++) {
        uint64_t size = 64 * KB + (uint64_t)(i % 3) * 64 * KB;
        expect_ok(try_map(p, addr, size, phys[i]));
        expect_ok(grant(p, addr, size, 0, TARN_ACCESS_READ));
        for (uint64_t at = 0; at < size; at += 4096) assert_int_equal(cpu(addr)[at], i + 1);
        expect_ok(ops->unmap(p, addr, size));
    }
    for (int i = 0; i < COUNT; i++) ops->phys_destroy(p, phys[i]);
    ops->release(p, addr, 16 * MB);
    close_host(p);
}

// A handle larger than its first mapping occupies the file behind that mapping too.
static void mapping_a_prefix_keeps_the_rest_apart(void **state) {
    void *p = open_host("");
    tarn_addr addr = reserve(p, 4 * MB);
    tarn_backend_phys large = create(p, 0, 2 * MB);
    tarn_backend_phys small = create(p, 0, MB);
    (void)state;
    expect_ok(try_map(p, addr, 64 * KB, large));
    expect_ok(try_map(p, addr + 64 * KB, MB, small));
    expect_ok(grant(p, addr, MB + 64 * KB, 0, TARN_ACCESS_READ_WRITE));
    memset(cpu(addr + 64 * KB), 5, MB);
    expect_ok(try_map(p, addr + 2 * MB, 2 * MB, large));
    expect_ok(grant(p, addr + 2 * MB, 2 * MB, 0, TARN_ACCESS_READ_WRITE));
    for (uint64_t at = 0; at < 2 * MB; at += 4096) assert_int_equal(cpu(addr + 2 * MB)[at], 0);
    expect_ok(ops->unmap(p, addr, MB + 64 * KB));
    expect_ok(ops->unmap(p, addr + 2 * MB, 2 * MB));
    ops->phys_destroy(p, large);
    ops->phys_destroy(p, small);
    ops->release(p, addr, 4 * MB);
    close_host(p);
}

static void maps_in_address_order_are_one_kernel_mapping(void **state) {
    enum { COUNT = 500 };
    void *p = open_host("");
    tarn_addr addr = reserve(p, COUNT * MB);
    tarn_backend_phys phys[COUNT];
    (void)state;
    for (int i = COUNT - 1; i >= 0; i--) { // backwards is as good
        phys[i] = create(p, 0, MB);
        expect_ok(try_map(p, addr + (uint64_t)i * MB, MB, phys[i]));
    }
    assert_int_equal(kernel_lines(addr, addr + COUNT * MB), 1);
    expect_ok(grant(p, addr, COUNT * MB, 0, TARN_ACCESS_READ_WRITE));
    assert_int_equal(kernel_lines(addr, addr + COUNT * MB), 1);
    expect_ok(grant(p, addr + 7 * MB, MB, 0, TARN_ACCESS_READ));
    assert_int_equal(kernel_lines(addr, addr + COUNT * MB), 3);
    assert_int_equal(mappings_of(p), 3);
    expect_ok(ops->unmap(p, addr + 100 * MB, 2 * MB));
    assert_int_equal(kernel_lines(addr, addr + COUNT * MB), 5);
    assert_int_equal(mappings_of(p), 5);
    expect_ok(ops->unmap(p, addr, 100 * MB));
    expect_ok(ops->unmap(p, addr + 102 * MB, (COUNT - 102) * MB));
    assert_int_equal(kernel_lines(addr, addr + COUNT * MB), 1); // the reserve has healed
    assert_int_equal(mappings_of(p), 1);
    for (int i = 0; i < COUNT; i++) ops->phys_destroy(p, phys[i]);
    ops->release(p, addr, COUNT * MB);
    assert_int_equal(mappings_of(p), 0);
    close_host(p);
}

static void a_run_of_items_of_two_devices_holds_the_right_bytes(void **state) {
    void *p = open_host("");
    tarn_addr addr = reserve(p, 8 * MB);
    tarn_backend_map_item items[8];
    (void)state;
    for (int i = 0; i < 8; i++) {
        items[i].phys = create(p, i / 2 % 2, MB);
        items[i].size = MB;
    }
    expect_ok(ops->map(p, addr, items, 8));
    expect_ok(grant(p, addr, 8 * MB, 1, TARN_ACCESS_READ_WRITE));
    assert_int_equal(kernel_lines(addr, addr + 8 * MB), 4);
    assert_int_equal(mappings_of(p), 4);
    for (int i = 0; i < 8; i++) cpu(addr + (uint64_t)i * MB)[3] = (unsigned char)(i + 1);
    expect_ok(ops->unmap(p, addr, 8 * MB));
    for (int i = 0; i < 8; i++) {
        expect_ok(try_map(p, addr, MB, items[i].phys));
        expect_ok(grant_host(p, addr, MB, TARN_ACCESS_READ));
        assert_int_equal(cpu(addr)[3], i + 1);
        expect_ok(ops->unmap(p, addr, MB));
        ops->phys_destroy(p, items[i].phys);
    }
    ops->release(p, addr, 8 * MB);
    close_host(p);
}

// At most `most` of `calls` may be made until expect_few_calls().
static void allow_calls(uint32_t calls, uint64_t most) { tn_host_sys_fail(calls, most + 1, EIO); }

static void expect_few_calls(void) {
    assert_false(tn_host_sys_failed());
    tn_host_sys_fail(0, 0, 0);
}

static void mappings_without_rights_take_no_system_call(void **state) {
    static const char *const policies[] = {"access=on-grant", "access=strict"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        void *p = open_host(policies[i]);
        tarn_addr addr = reserve(p, 4 * MB);
        tarn_backend_phys phys = create(p, 0, MB);
        uint64_t before = mappings_of(p);
        expect_ok(try_map(p, addr, MB, phys)); // the file exists
        expect_ok(ops->unmap(p, addr, MB));
        allow_calls(TN_HOST_SYS_ALL & ~(uint32_t)TN_HOST_SYS_MEMORY, 0);
        expect_ok(try_map(p, addr + MB, MB, phys));
        expect_ok(try_map(p, addr + 3 * MB, MB, phys));
        assert_int_equal(mappings_of(p), before);
        expect_ok(ops->unmap(p, addr + MB, MB));
        expect_few_calls();
        expect_ok(grant(p, addr + 3 * MB, MB, 1, TARN_ACCESS_READ_WRITE));
        expect_ok(engine_write(p, 1, addr + 3 * MB, "kept", 5));
        expect_ok(grant(p, addr + 3 * MB, MB, 1, TARN_ACCESS_NONE));
        assert_int_equal(mappings_of(p), before);
        expect_ok(grant_host(p, addr + 3 * MB, MB, TARN_ACCESS_READ));
        assert_string_equal((const char *)cpu(addr + 3 * MB), "kept");
        expect_ok(ops->unmap(p, addr + 3 * MB, MB));
        ops->phys_destroy(p, phys);
        ops->release(p, addr, 4 * MB);
        close_host(p);
    }
}

static void a_run_takes_one_system_call(void **state) {
    enum { COUNT = 50 };
    void *p = open_host("");
    tarn_addr addr = reserve(p, COUNT * MB);
    tarn_backend_map_item items[COUNT];
    (void)state;
    items[0] = (tarn_backend_map_item){create(p, 0, MB), MB};
    expect_ok(ops->map(p, addr, items, 1)); // the file exists
    expect_ok(ops->unmap(p, addr, MB));
    for (int i = 1; i < COUNT; i++) items[i] = (tarn_backend_map_item){create(p, 0, MB), MB};
    for (int round = 0; round < 2; round++) {
        allow_calls(TN_HOST_SYS_ALL & ~(uint32_t)TN_HOST_SYS_MEMORY, 0);
        expect_ok(ops->map(p, addr, items, COUNT));
        expect_few_calls();
        allow_calls(TN_HOST_SYS_ALL, 1);
        expect_ok(grant(p, addr, COUNT * MB, 0, TARN_ACCESS_READ_WRITE));
        expect_few_calls();
        allow_calls(TN_HOST_SYS_ALL, 0);
        expect_ok(grant(p, addr, COUNT * MB, 1, TARN_ACCESS_READ)); // the CPU sees no difference
        expect_few_calls();
        allow_calls(TN_HOST_SYS_ALL, 1);
        expect_ok(ops->unmap(p, addr, COUNT * MB));
        expect_few_calls();
    }
    for (int i = 0; i < COUNT; i++) ops->phys_destroy(p, items[i].phys);
    ops->release(p, addr, COUNT * MB);
    close_host(p);
}

// Whatever mixture of rights a change meets, the CPU's view is right at both ends of every mapping.
static void a_change_over_mixed_rights_reaches_every_mapping(void **state) {
    static const tarn_access before[] = {TARN_ACCESS_READ, TARN_ACCESS_NONE,
                                         TARN_ACCESS_READ_WRITE};
    static const char *const view[] = {"---", "r--", "", "rw-"};
    void *p = open_host("");
    tarn_addr addr = reserve(p, 3 * MB);
    tarn_backend_map_item items[3];
    (void)state;
    for (int i = 0; i < 3; i++) items[i] = (tarn_backend_map_item){create(p, 0, MB), MB};
    expect_ok(ops->map(p, addr, items, 3));
    for (uint64_t mix = 0; mix < 27 * 3; mix++) {
        const tarn_access wanted = before[mix / 27];
        const tarn_access had[] = {before[mix % 3], before[mix / 3 % 3], before[mix / 9 % 3]};
        for (uint64_t i = 0; i < 3; i++) {
            expect_ok(grant(p, addr + i * MB, MB, 0, TARN_ACCESS_NONE));
            expect_ok(grant(p, addr + i * MB, MB, 1, had[i]));
        }
        expect_ok(grant(p, addr, 3 * MB, 0, wanted));
        for (uint64_t i = 0; i < 3; i++)
            assert_string_equal(kernel_rights(addr + i * MB), view[wanted | had[i]]);
        assert_int_equal(kernel_lines(addr, addr + 3 * MB), mappings_of(p));
    }
    expect_ok(ops->unmap(p, addr, 3 * MB));
    for (int i = 0; i < 3; i++) ops->phys_destroy(p, items[i].phys);
    ops->release(p, addr, 3 * MB);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reservations_are_aligned_and_inaccessible),
        cmocka_unit_test(a_free_hint_is_taken_exactly_and_a_taken_one_falls_back),
        cmocka_unit_test(a_free_hint_far_from_first_fit_is_taken_exactly),
        cmocka_unit_test(a_misaligned_hint_falls_back),
        cmocka_unit_test(wild_hints_fall_back),
        cmocka_unit_test(too_large_a_reservation_is_refused_and_harmless),
        cmocka_unit_test(a_map_has_no_rights_until_they_are_granted),
        cmocka_unit_test(the_last_grant_for_a_location_wins),
        cmocka_unit_test(contents_live_as_long_as_the_handle),
        cmocka_unit_test(two_mappings_of_a_handle_are_one_memory),
        cmocka_unit_test(handles_first_mapped_at_one_address_do_not_share_bytes),
        cmocka_unit_test(mapping_a_prefix_keeps_the_rest_apart),
        cmocka_unit_test(maps_in_address_order_are_one_kernel_mapping),
        cmocka_unit_test(mappings_without_rights_take_no_system_call),
        cmocka_unit_test(a_run_takes_one_system_call),
        cmocka_unit_test(a_change_over_mixed_rights_reaches_every_mapping),
        cmocka_unit_test(a_run_of_items_of_two_devices_holds_the_right_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
