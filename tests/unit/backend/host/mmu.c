// SPDX-License-Identifier: Apache-2.0
// Accesses of the engine: translations, the rights that count, and the texts of faults.
#include "setup.h"

#include "backend/host/platform.h"

// The platform of each test: 4 devices, 8 MB reserved, device 1's memory at the start of it.
struct scene {
    void *p;
    struct tn_host *h;
    tarn_addr addr;
    tarn_backend_phys phys;
};

static struct scene begin(const char *options) {
    struct scene s = {.p = open_host(options)};
    s.h = (struct tn_host *)s.p;
    s.addr = reserve(s.p, 8 * MB);
    s.phys = create(s.p, 1, MB);
    expect_ok(try_map(s.p, s.addr, MB, s.phys));
    return s;
}

static void end(struct scene *s) {
    expect_ok(ops->unmap(s->p, s->addr, MB));
    ops->phys_destroy(s->p, s->phys);
    ops->release(s->p, s->addr, 8 * MB);
    close_host(s->p);
}

static tarn_status may(struct scene *s, int device, int peer, tarn_access need) {
    const int devices[3] = {device, peer, -1};
    return mmu_check(s->h, s->addr, MB, need, devices);
}

static void the_error_names(const char *text) {
    tarn_error error;
    (void)tarn_last_error(&error);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, error.message);
}

static void rights_of_executor_owner_and_peers_count_and_no_others(void **state) {
    struct scene s = begin("devices=4");
    (void)state;
    expect_status(may(&s, 0, -1, TARN_ACCESS_READ), TARN_NO_ACCESS);
    expect_ok(grant(s.p, s.addr, MB, 2, TARN_ACCESS_READ_WRITE));
    expect_ok(may(&s, 2, -1, TARN_ACCESS_READ_WRITE));
    expect_ok(may(&s, 0, 2, TARN_ACCESS_READ_WRITE));
    expect_status(may(&s, 0, 3, TARN_ACCESS_READ), TARN_NO_ACCESS);
    expect_status(may(&s, 1, -1, TARN_ACCESS_READ), TARN_NO_ACCESS); // owning gives no right
    expect_ok(grant(s.p, s.addr, MB, 2, TARN_ACCESS_NONE));
    expect_ok(grant(s.p, s.addr, MB, 1, TARN_ACCESS_READ));
    expect_ok(may(&s, 0, -1, TARN_ACCESS_READ)); // but a right of the owner is everybody's
    expect_status(may(&s, 0, 1, TARN_ACCESS_READ_WRITE), TARN_NO_ACCESS);
    expect_ok(grant_host(s.p, s.addr, MB, TARN_ACCESS_READ_WRITE));
    expect_status(may(&s, 0, -1, TARN_ACCESS_READ_WRITE), TARN_NO_ACCESS); // no device's right
    end(&s);
}

static void memory_of_the_host_is_owned_by_the_host(void **state) {
    struct scene s = begin("");
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    const int devices[3] = {1, -1, -1};
    (void)state;
    desc.location.type = TARN_LOCATION_HOST;
    tarn_backend_phys phys = create_with(s.p, MB, desc);
    uint64_t before = free_bytes(s.p, 0);
    expect_ok(try_map(s.p, s.addr + MB, MB, phys));
    expect_ok(grant_host(s.p, s.addr + MB, MB, TARN_ACCESS_READ_WRITE));
    expect_ok(mmu_check(s.h, s.addr + MB, MB, TARN_ACCESS_READ_WRITE, devices));
    assert_int_equal(free_bytes(s.p, 0), before);
    expect_ok(ops->unmap(s.p, s.addr + MB, MB));
    ops->phys_destroy(s.p, phys);
    end(&s);
}

static void a_run_goes_on_over_neighbours_while_the_right_holds(void **state) {
    struct scene s = begin("");
    const int devices[3] = {0, -1, -1};
    tarn_backend_map_item items[3];
    void *at = NULL;
    uint64_t run = 0;
    (void)state;
    for (int i = 0; i < 3; i++) items[i] = (tarn_backend_map_item){create(s.p, i % 2, MB), MB};
    expect_ok(ops->map(s.p, s.addr + MB, items, 3));
    expect_ok(grant(s.p, s.addr, 4 * MB, 0, TARN_ACCESS_READ_WRITE));
    expect_ok(grant(s.p, s.addr + 3 * MB, MB, 0, TARN_ACCESS_READ));
    struct tn_reader *reader = tn_host_mmu_lock_shared(s.h);
    expect_ok(
        tn_host_mmu_translate(s.h, s.addr + 10, 8 * MB, TARN_ACCESS_READ, devices, &at, &run));
    assert_ptr_equal(at, cpu(s.addr + 10));
    assert_int_equal(run, 4 * MB - 10); // then nothing is mapped
    expect_ok(tn_host_mmu_translate(s.h, s.addr + 10, 8 * MB, TARN_ACCESS_READ_WRITE, devices, &at,
                                    &run));
    assert_int_equal(run, 3 * MB - 10); // then there is no right to write
    expect_ok(tn_host_mmu_translate(s.h, s.addr + 10, 5, TARN_ACCESS_READ, devices, &at, &run));
    assert_int_equal(run, 5);
    tn_host_mmu_unlock_shared(s.h, reader);
    expect_ok(ops->unmap(s.p, s.addr + 2 * MB, MB));
    reader = tn_host_mmu_lock_shared(s.h);
    expect_ok(tn_host_mmu_translate(s.h, s.addr, 4 * MB, TARN_ACCESS_READ, devices, &at, &run));
    assert_int_equal(run, 2 * MB); // not over a gap, though what follows it may be read
    tn_host_mmu_unlock_shared(s.h, reader);
    expect_ok(try_map(s.p, s.addr + 2 * MB, MB, items[1].phys));
    expect_ok(grant(s.p, s.addr + 2 * MB, MB, 0, TARN_ACCESS_READ_WRITE));
    expect_status(mmu_check(s.h, s.addr, 4 * MB + 1, TARN_ACCESS_READ, devices), TARN_NOT_MAPPED);
    expect_ok(mmu_check(s.h, s.addr, 4 * MB, TARN_ACCESS_READ, devices));
    expect_ok(ops->unmap(s.p, s.addr + MB, 3 * MB));
    for (int i = 0; i < 3; i++) ops->phys_destroy(s.p, items[i].phys);
    end(&s);
}

static void unknown_addresses_are_ordinary_memory_up_to_the_next_space(void **state) {
    struct scene s = begin("");
    const int devices[3] = {0, -1, -1};
    char mine[64];
    void *at = NULL;
    uint64_t run = 0;
    (void)state;
    struct tn_reader *reader = tn_host_mmu_lock_shared(s.h);
    expect_ok(tn_host_mmu_translate(s.h, TARN_ADDR(mine), sizeof mine, TARN_ACCESS_READ_WRITE,
                                    devices, &at, &run));
    assert_ptr_equal(at, mine);
    assert_int_equal(run, sizeof mine);
    expect_ok(tn_host_mmu_translate(s.h, s.addr - 16, 32, TARN_ACCESS_READ, devices, &at, &run));
    assert_int_equal(run, 16);
    expect_status(
        tn_host_mmu_translate(s.h, UINT64_MAX - 3, 8, TARN_ACCESS_READ, devices, &at, &run),
        TARN_BAD_ADDRESS);
    tn_host_mmu_unlock_shared(s.h, reader);
    end(&s);
}

static void faults_name_address_reservation_and_device(void **state) {
    struct scene s = begin("");
    char text[64];
    (void)state;
    (void)snprintf(text, sizeof text, "read 0x%llx", (unsigned long long)s.addr);
    expect_status(may(&s, 0, -1, TARN_ACCESS_READ), TARN_NO_ACCESS);
    the_error_names(text);
    the_error_names("host:0");
    the_error_names("memory of host:1");
    expect_ok(grant(s.p, s.addr, MB, 0, TARN_ACCESS_READ_WRITE));
    const int devices[3] = {0, -1, -1};
    expect_status(mmu_check(s.h, s.addr, 2 * MB, TARN_ACCESS_READ, devices), TARN_NOT_MAPPED);
    (void)snprintf(text, sizeof text, "at 0x%llx in the reservation 0x%llx",
                   (unsigned long long)(s.addr + MB), (unsigned long long)s.addr);
    the_error_names(text);
    end(&s);
}

// ---- access=strict

static void strict_hides_device_memory_from_the_cpu_and_not_from_the_engine(void **state) {
    struct scene s = begin("access=strict");
    char bytes[100];
    char back[100];
    (void)state;
    memset(bytes, 3, sizeof bytes);
    expect_ok(grant(s.p, s.addr, MB, 0, TARN_ACCESS_READ_WRITE));
    assert_string_equal(kernel_rights(s.addr), "---");
    expect_ok(engine_write(s.p, 0, s.addr + MB - 100, bytes, sizeof bytes));
    expect_ok(engine_read(s.p, 0, s.addr + MB - 100, back, sizeof back));
    assert_memory_equal(bytes, back, sizeof bytes);
    expect_ok(grant_host(s.p, s.addr, MB, TARN_ACCESS_READ));
    assert_string_equal(kernel_rights(s.addr), "r--");
    assert_int_equal(cpu(s.addr)[MB - 1], 3); // both views are the same bytes
    assert_int_equal(cpu(s.addr)[MB - 101], 0);
    end(&s);
}

static void strict_counts_both_views(void **state) {
    struct scene s = begin("access=strict");
    const int devices[3] = {0, -1, -1};
    void *at = NULL;
    uint64_t run = 0;
    (void)state;
    expect_ok(grant(s.p, s.addr, MB, 0, TARN_ACCESS_READ));
    struct tn_reader *reader = tn_host_mmu_lock_shared(s.h);
    expect_ok(tn_host_mmu_translate(s.h, s.addr, 1, TARN_ACCESS_READ, devices, &at, &run));
    tn_host_mmu_unlock_shared(s.h, reader);
    tarn_addr alias = TARN_ADDR(at);
    assert_int_not_equal(alias, s.addr);
    assert_int_equal(kernel_lines(s.addr, s.addr + 8 * MB), 2);
    assert_int_equal(kernel_lines(alias, alias + 8 * MB), 2);
    assert_int_equal(mappings_of(s.p), 4);
    expect_ok(ops->unmap(s.p, s.addr, MB));
    assert_string_equal(kernel_rights(alias), "---");
    assert_int_equal(mappings_of(s.p), 2);
    expect_ok(try_map(s.p, s.addr, MB, s.phys));
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rights_of_executor_owner_and_peers_count_and_no_others),
        cmocka_unit_test(memory_of_the_host_is_owned_by_the_host),
        cmocka_unit_test(a_run_goes_on_over_neighbours_while_the_right_holds),
        cmocka_unit_test(unknown_addresses_are_ordinary_memory_up_to_the_next_space),
        cmocka_unit_test(faults_name_address_reservation_and_device),
        cmocka_unit_test(strict_hides_device_memory_from_the_cpu_and_not_from_the_engine),
        cmocka_unit_test(strict_counts_both_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
