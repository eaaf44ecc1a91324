// SPDX-License-Identifier: Apache-2.0
// A million maps in address order take one kernel mapping. The budget refuses growth early, changes
// nothing then, and never refuses an unmap.
#include "setup.h"

#include <sys/resource.h>

#include "backend/host/platform.h"
#include "base/atomic.h"

#define UNIT (64 * KB)

// ---- a million

static void a_million_maps_in_address_order_are_one_kernel_mapping(void **state) {
    const uint64_t count = SLOW ? 20000 : 1000000;
    const uint64_t size = 64 * KB;
    void *p = open_host("memory=64T");
    tarn_addr addr = reserve(p, count * size);
    tarn_phys_desc desc = on_device(0);
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        tarn_backend_map_item item = {0, size};
        if (ops->phys_create(p, size, &desc, &phys, &info) != TARN_OK) fail();
        item.phys = phys;
        if (ops->map(p, addr + i * size, &item, 1) != TARN_OK) fail();
    }
    assert_int_equal(kernel_lines(addr, addr + count * size), 1);
    assert_int_equal(mappings_of(p), 1);
    expect_ok(grant(p, addr, count * size, 0, TARN_ACCESS_READ_WRITE));
    cpu(addr)[0] = 1;
    cpu(addr + count * size)[-1] = 2;
    assert_int_equal(kernel_lines(addr, addr + count * size), 1);
    expect_ok(ops->unmap(p, addr, count * size));
    assert_int_equal(kernel_lines(addr, addr + count * size), 1);
    assert_int_equal(mappings_of(p), 1);
    for (uint64_t i = 0; i < count; i++)
        ops->phys_destroy(p, (tarn_backend_phys)(i + phys - count + 1));
    ops->release(p, addr, count * size);
    close_host(p);
}

// ---- refusals

// Maps every other unit and grants rights until they are refused. Returns the number of mappings.
static uint64_t scatter(void *p, tarn_addr addr, uint64_t units, tarn_backend_phys phys) {
    for (uint64_t i = 0; i < units; i++) {
        expect_ok(try_map(p, addr + 2 * i * UNIT, UNIT, phys));
        tarn_status status = grant_host(p, addr + 2 * i * UNIT, UNIT, TARN_ACCESS_READ);
        if (status != TARN_OK) {
            expect_status(status, TARN_NO_MAPPINGS);
            expect_ok(ops->unmap(p, addr + 2 * i * UNIT, UNIT));
            return i;
        }
    }
    return units;
}

static void the_budget_refuses_early_and_everything_still_works(void **state) {
    static const char *const options[] = {"vma_budget=42", "vma_budget=83,access=strict"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        void *p = open_host(options[i]);
        tarn_addr addr = reserve(p, 100 * UNIT);
        tarn_backend_phys phys = create(p, 0, UNIT);
        tarn_addr other = 77;
        tarn_error error;
        // Each grant but the first takes two mappings (or four) and two stay spare.
        uint64_t mapped = scatter(p, addr, 50, phys);
        assert_int_equal(mapped, 20);
        (void)tarn_last_error(&error);
        assert_non_null(strstr(error.message, i == 0 ? "40 of 42 are used" : "80 of 83 are used"));
        assert_non_null(strstr(error.message, "vm.max_map_count"));
        expect_ok(ops->check(p));
        assert_int_equal(mappings_of(p), i == 0 ? 40 : 80);
        expect_status(ops->reserve(p, UNIT, 0, 0, &other), TARN_NO_MAPPINGS);
        assert_int_equal(other, 77);
        // Existing mappings can be changed and unmapped, which makes room again.
        expect_ok(grant(p, addr, UNIT, 0, TARN_ACCESS_READ_WRITE));
        expect_ok(engine_write(p, 0, addr, "x", 1));
        for (uint64_t m = 0; m < mapped; m++) expect_ok(ops->unmap(p, addr + 2 * m * UNIT, UNIT));
        assert_int_equal(mappings_of(p), i == 0 ? 1 : 2);
        assert_int_equal(scatter(p, addr, 50, phys), mapped);
        for (uint64_t m = 0; m < mapped; m++) expect_ok(ops->unmap(p, addr + 2 * m * UNIT, UNIT));
        ops->phys_destroy(p, phys);
        ops->release(p, addr, 100 * UNIT);
        close_host(p);
    }
}

static void a_change_of_access_is_refused_whole(void **state) {
    enum { COUNT = 40 };
    void *p = open_host("vma_budget=20");
    tarn_addr addr = reserve(p, COUNT * UNIT);
    tarn_backend_map_item items[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) items[i] = (tarn_backend_map_item){create(p, 0, UNIT), UNIT};
    expect_ok(ops->map(p, addr, items, COUNT));
    int granted = 0;
    while (grant(p, addr + (uint64_t)granted * 2 * UNIT, UNIT, 0, TARN_ACCESS_READ) == TARN_OK)
        granted++;
    assert_in_range(granted, 8, 9);
    assert_string_equal(kernel_rights(addr + (uint64_t)granted * 2 * UNIT), "---");
    expect_ok(ops->check(p));
    assert_int_equal(mappings_of(p), kernel_lines(addr, addr + COUNT * UNIT));
    expect_ok(grant(p, addr, COUNT * UNIT, 0, TARN_ACCESS_READ)); // one mapping again: fits
    assert_int_equal(mappings_of(p), 1);
    expect_ok(ops->unmap(p, addr, COUNT * UNIT));
    for (int i = 0; i < COUNT; i++) ops->phys_destroy(p, items[i].phys);
    ops->release(p, addr, COUNT * UNIT);
    close_host(p);
}

static void the_process_shares_one_budget(void **state) {
    void *p = open_host("");
    void *q = open_host("");
    const struct tn_host *h = (const struct tn_host *)p;
    uint64_t used;
    uint64_t limit;
    (void)state;
    tn_host_budget_query(&h->budget, &used, &limit);
    if (limit > 70000 || SLOW) {
        close_host(p);
        close_host(q);
        skip(); // a machine tuned for more: too slow to fill
    }
    tarn_addr one = reserve(p, 2 * limit * UNIT);
    tarn_addr two = reserve(q, 2 * limit * UNIT);
    tarn_backend_phys first = create(p, 0, UNIT);
    tarn_backend_phys second = create(q, 0, UNIT);
    uint64_t in_p = scatter(p, one, limit / 3, first);
    uint64_t in_q = scatter(q, two, limit, second);
    assert_int_equal(in_p, limit / 3);
    assert_in_range(2 * (in_p + in_q), limit - 8, limit);
    void *memory = malloc(64 * MB); // the rest of the process does not suffer
    assert_non_null(memory);
    free(memory);
    for (uint64_t i = 0; i < in_q; i++) // nor does any unmap
        expect_ok(ops->unmap(q, two + 2 * i * UNIT, UNIT));
    for (uint64_t i = 0; i < in_p; i++) expect_ok(ops->unmap(p, one + 2 * i * UNIT, UNIT));
    ops->phys_destroy(p, first);
    ops->phys_destroy(q, second);
    ops->release(p, one, 2 * limit * UNIT);
    ops->release(q, two, 2 * limit * UNIT);
    close_host(p);
    close_host(q);
}

// Each unmap out of a merged mapping takes two more mappings, until the kernel's limit is near.
static void unmaps_at_the_kernels_limit_still_succeed(void **state) {
    void *p = open_host("memory=64T");
    const struct tn_host *h = (const struct tn_host *)p;
    uint64_t used;
    uint64_t limit;
    (void)state;
    tn_host_budget_query(&h->budget, &used, &limit);
    if (limit > 70000 || SLOW) {
        close_host(p);
        skip();
    }
    const uint64_t count = limit + limit / 4;
    const int device[3] = {0, -1, -1};
    tarn_addr addr = reserve(p, count * UNIT);
    tarn_backend_phys first = create(p, 0, UNIT);
    for (uint64_t i = 0; i < count; i++) {
        tarn_backend_phys phys = i == 0 ? first : create(p, 0, UNIT);
        assert_int_equal(phys, first + i);
        expect_ok(try_map(p, addr + i * UNIT, UNIT, phys));
    }
    expect_ok(grant(p, addr, count * UNIT, 0, TARN_ACCESS_READ));
    assert_int_equal(mappings_of(p), 1);
    for (uint64_t i = 1; i < count; i += 2) expect_ok(ops->unmap(p, addr + i * UNIT, UNIT));
    assert_true(tn_load_relaxed(&h->deferred) > 0); // or this test does not get there
    assert_true(mappings_of(p) > limit);
    for (uint64_t i = 1; i < count; i += 1000) {
        tarn_status wanted = i % 2 != 0 ? TARN_NOT_MAPPED : TARN_OK;
        expect_status(
            mmu_check((struct tn_host *)p, addr + i * UNIT, UNIT, TARN_ACCESS_READ, device),
            wanted);
    }
    void *memory = malloc(64 * MB);
    assert_non_null(memory);
    free(memory);
    tarn_addr other = 0;
    expect_status(ops->reserve(p, UNIT, 0, 0, &other), TARN_NO_MAPPINGS);
    expect_ok(ops->check(p));
    for (uint64_t i = 0; i < count; i += 2) expect_ok(ops->unmap(p, addr + i * UNIT, UNIT));
    assert_int_equal(tn_load_relaxed(&h->deferred), 0);
    assert_int_equal(mappings_of(p), 1);
    assert_int_equal(kernel_lines(addr, addr + count * UNIT), 1);
    for (uint64_t i = 0; i < count; i++) ops->phys_destroy(p, first + i);
    ops->release(p, addr, count * UNIT);
    close_host(p);
}

static void ten_thousand_scattered_mappings_fit(void **state) {
    const uint64_t count = SLOW ? 2000 : 10000;
    void *p = open_host("");
    tarn_addr addr = reserve(p, 2 * count * UNIT);
    tarn_backend_phys phys = create(p, 0, UNIT);
    (void)state;
    assert_int_equal(scatter(p, addr, count, phys), count);
    expect_ok(grant(p, addr + 2 * (count - 1) * UNIT, UNIT, 0, TARN_ACCESS_READ_WRITE));
    cpu(addr + 2 * (count - 1) * UNIT)[0] = 1;
    for (uint64_t i = 0; i < count; i++) expect_ok(ops->unmap(p, addr + 2 * i * UNIT, UNIT));
    assert_int_equal(mappings_of(p), 1);
    ops->phys_destroy(p, phys);
    ops->release(p, addr, 2 * count * UNIT);
    close_host(p);
}

static void descriptors_of_shareable_handles_are_bounded(void **state) {
    struct rlimit old;
    struct rlimit low;
    tarn_phys_desc desc = on_device(0);
    tarn_backend_phys phys[64];
    tarn_backend_phys_info info;
    int made = 0;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    low = old;
    low.rlim_cur = 60;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    void *p = open_host("");
    desc.shareable = TARN_SHAREABLE_FD;
    tarn_status status = TARN_OK;
    while (made < 64 && status == TARN_OK) {
        status = ops->phys_create(p, UNIT, &desc, &phys[made], &info);
        made += status == TARN_OK;
    }
    expect_status(status, TARN_NO_HANDLES);
    assert_in_range(made, 20, 40);
    int fd = dup(0); // the rest of the process has some left
    assert_true(fd >= 0);
    (void)close(fd);
    tarn_backend_phys plain = create(p, 0, UNIT);
    ops->phys_destroy(p, plain);
    while (made > 0) ops->phys_destroy(p, phys[--made]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    close_host(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_maps_in_address_order_are_one_kernel_mapping),
        cmocka_unit_test(the_budget_refuses_early_and_everything_still_works),
        cmocka_unit_test(a_change_of_access_is_refused_whole),
        cmocka_unit_test(the_process_shares_one_budget),
        cmocka_unit_test(unmaps_at_the_kernels_limit_still_succeed),
        cmocka_unit_test(ten_thousand_scattered_mappings_fit),
        cmocka_unit_test(descriptors_of_shareable_handles_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
