// SPDX-License-Identifier: Apache-2.0
// Arrays of the software device, through its table: their kernel mappings, and failures of memory,
// kernel mappings and system calls.
#include "setup.h"

#include <errno.h>

#include "backend/host/array.h"
#include "backend/host/phys.h"
#include "backend/host/sys.h"

#define TILE (64 * KB)

// Counts the references released to each owner, which is one of these.
static uint64_t given_back[4];

static void let_go(void *owner, uint64_t count) { *(uint64_t *)owner += count; }

struct scene {
    void *p;
    void *sparse;              // 2 x 2 tiles, one byte an element
    tarn_backend_phys phys[4]; // of two tiles each; owner i is &given_back[i]
    tarn_backend_array_info info;
};

static tarn_array_desc flat(uint32_t flags) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    desc.extent = (tarn_extent){512, 512, 0};
    desc.layers = 1;
    desc.element_bytes = 1;
    desc.flags = flags;
    return desc;
}

static void build(struct scene *s, const char *options) {
    const tarn_array_desc desc = flat(TARN_ARRAY_SPARSE);
    *s = (struct scene){.p = open_host(options)};
    memset(given_back, 0, sizeof given_back);
    expect_ok(ops->array_create(s->p, 0, &desc, let_go, &s->sparse, &s->info));
    for (int i = 0; i < 4; i++) s->phys[i] = create_with(s->p, 2 * TILE, on_device(0));
}

// The tables hold the references that are left, so the array is destroyed first.
static void tear_down(struct scene *s) {
    ops->array_destroy(s->p, s->sparse);
    for (int i = 0; i < 4; i++) {
        assert_null(tn_host_phys_at((struct tn_host *)s->p, (uint32_t)s->phys[i])->view);
        ops->phys_destroy(s->p, s->phys[i]);
    }
    assert_int_equal(free_bytes(s->p, 0), 16 * GB);
    close_host(s->p);
}

static tarn_backend_array_item tile(struct scene *s, uint64_t x, uint64_t y, int phys,
                                    uint64_t page) {
    return (tarn_backend_array_item){.array = s->sparse,
                                     .phys = phys >= 0 ? s->phys[phys] : 0,
                                     .phys_offset = page * TILE,
                                     .owner = phys >= 0 ? &given_back[phys] : NULL,
                                     .offset = {x * 256, y * 256, 0},
                                     .extent = {256, 256, 1}};
}

static tarn_backend_array_copy box(void *array, void *bytes, bool in) {
    tarn_backend_array_copy copy = {
        .extent = {512, 512, 1}, .element_bytes = 1, .device = 0, .peers = {-1, -1}};
    tarn_backend_array_side there = {.array = array};
    tarn_backend_array_side here = {.addr = (tarn_addr)(uintptr_t)bytes, .pitch = 512};
    copy.dst = in ? there : here;
    copy.src = in ? here : there;
    return copy;
}

static unsigned char bytes[512 * 512];

// Fills the array with a pattern and reads it back. Tiles without memory must read zero.
static void expect_tiles(const struct scene *s, const bool mapped[4]) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i % 251 + 1);
    tarn_backend_array_copy in = box(s->sparse, bytes, true);
    tarn_backend_array_copy out = box(s->sparse, bytes, false);
    expect_ok(ops->array_copy(s->p, NULL, &in));
    expect_ok(ops->array_copy(s->p, NULL, &out));
    for (size_t i = 0; i < sizeof bytes; i++) {
        size_t which = i / 512 / 256 * 2 + i % 512 / 256;
        assert_int_equal(bytes[i], mapped[which] ? i % 251 + 1 : 0);
    }
}

// ---- claims

static void a_handle_has_one_view_however_many_tiles_it_backs(void **state) {
    (void)state;
    struct scene s;
    build(&s, "");
    uint64_t before = mappings_of(s.p);
    tarn_backend_array_item all[4] = {tile(&s, 0, 0, 0, 0), tile(&s, 1, 0, 0, 1),
                                      tile(&s, 0, 1, 0, 0), tile(&s, 1, 1, 0, 1)};
    expect_ok(ops->array_map(s.p, NULL, all, 1));
    uint64_t with = mappings_of(s.p);
    assert_true(with > before);
    expect_ok(ops->array_map(s.p, NULL, all, 4));
    assert_int_equal(mappings_of(s.p), with);
    assert_int_equal(given_back[0], 1); // the first tile was replaced by itself
    expect_ok(ops->check(s.p));
    for (int i = 0; i < 4; i++) all[i] = tile(&s, (uint64_t)i % 2, (uint64_t)i / 2, -1, 0);
    expect_ok(ops->array_map(s.p, NULL, all, 4));
    assert_int_equal(given_back[0], 5);
    assert_true(mappings_of(s.p) <= with);
    assert_null(tn_host_phys_at((struct tn_host *)s.p, (uint32_t)s.phys[0])->view);
    tear_down(&s);
}

// With access=strict the CPU has no rights anywhere near; the engine has a view of its own.
static void tiles_work_without_any_right_of_the_cpu(void **state) {
    (void)state;
    const bool mapped[4] = {true, false, true, true};
    struct scene s;
    build(&s, "access=strict");
    tarn_backend_array_item items[3] = {tile(&s, 0, 0, 1, 1), tile(&s, 0, 1, 2, 0),
                                        tile(&s, 1, 1, 3, 1)};
    expect_ok(ops->array_map(s.p, NULL, items, 3));
    expect_tiles(&s, mapped);
    tear_down(&s);
}

static void poison_fills_what_a_tile_shows_first(void **state) {
    (void)state;
    struct scene s;
    build(&s, "poison=165");
    tarn_backend_array_item item = tile(&s, 1, 0, 0, 1);
    expect_ok(ops->array_map(s.p, NULL, &item, 1));
    tarn_backend_array_copy out = box(s.sparse, bytes, false);
    expect_ok(ops->array_copy(s.p, NULL, &out));
    assert_int_equal(bytes[255], 0);
    assert_int_equal(bytes[256], 165);
    tear_down(&s);
}

// Each system call and allocation of a map of four handles fails in turn. A failure changes
// nothing.
static void a_map_that_fails_half_way_has_changed_nothing(void **state) {
    (void)state;
    const bool before[4] = {true, false, false, false};
    const bool after[4] = {true, true, true, true};
    uint64_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        struct scene s;
        build(&s, "");
        tarn_backend_array_item items[4] = {tile(&s, 0, 0, 0, 0), tile(&s, 1, 0, 1, 0),
                                            tile(&s, 0, 1, 2, 0), tile(&s, 1, 1, 3, 0)};
        expect_ok(ops->array_map(s.p, NULL, items, 1));
        uint64_t mappings = mappings_of(s.p);
        tn_host_sys_fail(TN_HOST_SYS_ALL, failures + 1, ENOMEM);
        tarn_status status = ops->array_map(s.p, NULL, items, 4);
        failed = tn_host_sys_failed();
        tn_host_sys_fail(0, 0, 0);
        if (status != TARN_OK) {
            assert_true(failed);
            assert_int_equal(given_back[0] + given_back[1] + given_back[2] + given_back[3], 0);
            assert_int_equal(mappings_of(s.p), mappings);
            assert_null(tn_host_phys_at((struct tn_host *)s.p, (uint32_t)s.phys[1])->view);
        }
        expect_ok(ops->check(s.p));
        expect_tiles(&s, status == TARN_OK ? after : before);
        tear_down(&s);
    }
    assert_true(failures >= 4);
}

static void creation_that_fails_half_way_leaves_nothing(void **state) {
    (void)state;
    void *p = open_host("");
    static const uint32_t kinds[3] = {0, TARN_ARRAY_DEFERRED, TARN_ARRAY_SPARSE};
    for (int i = 0; i < 3; i++) {
        const tarn_array_desc desc = flat(kinds[i]);
        tarn_backend_array_info info;
        void *array = NULL;
        uint64_t nth = 1;
        tn_host_sys_fail(TN_HOST_SYS_MEMORY, nth, ENOMEM);
        while (ops->array_create(p, 0, &desc, let_go, &array, &info) != TARN_OK) {
            assert_true(tn_host_sys_failed());
            assert_null(array);
            assert_int_equal(free_bytes(p, 0), 16 * GB);
            expect_ok(ops->check(p));
            tn_host_sys_fail(TN_HOST_SYS_MEMORY, ++nth, ENOMEM);
        }
        tn_host_sys_fail(0, 0, 0);
        assert_true(nth > 1);
        ops->array_destroy(p, array);
    }
    close_host(p);
}

static void views_come_out_of_the_budget_of_kernel_mappings(void **state) {
    (void)state;
    struct scene s;
    build(&s, "vma_budget=6");
    tarn_phys_desc desc = on_device(0);
    desc.shareable = TARN_SHAREABLE_FD; // files of their own: such views never merge
    tarn_backend_phys own[4];
    uint64_t made = 0;
    tarn_status status;
    do {
        tarn_backend_array_item item = tile(&s, made % 2, made / 2, 0, 0);
        own[made] = item.phys = create_with(s.p, TILE, desc);
        item.owner = &given_back[made];
        status = ops->array_map(s.p, NULL, &item, 1);
        made++;
    } while (status == TARN_OK && made < 4);
    expect_status(status, TARN_NO_MAPPINGS);
    expect_ok(ops->check(s.p));
    tarn_backend_array_item all = tile(&s, 0, 0, -1, 0);
    all.extent[0] = all.extent[1] = 512;
    expect_ok(ops->array_map(s.p, NULL, &all, 1));
    for (uint64_t i = 0; i < made; i++) {
        assert_int_equal(given_back[i], i + 1 < made);
        ops->phys_destroy(s.p, own[i]);
    }
    tear_down(&s);
}

static void the_check_notices_a_tile_without_its_reference(void **state) {
    (void)state;
    struct scene s;
    build(&s, "");
    struct tn_host *h = (struct tn_host *)s.p;
    struct tn_host_array *array = (struct tn_host_array *)s.sparse;
    tarn_backend_array_item item = tile(&s, 0, 0, 0, 0);
    expect_ok(ops->array_map(s.p, NULL, &item, 1));
    expect_ok(ops->check(s.p));
    array->table[3] = array->table[0];
    expect_status(ops->check(s.p), TARN_CORRUPT);
    array->mapped++;
    expect_status(ops->check(s.p), TARN_CORRUPT);
    tn_host_phys_at(h, (uint32_t)s.phys[0])->view->refs++;
    expect_ok(ops->check(s.p));
    array->table[2] = tn_host_entry((uint32_t)s.phys[1], 0); // which has no view
    expect_status(ops->check(s.p), TARN_CORRUPT);
    array->table[2] = 0;
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_has_one_view_however_many_tiles_it_backs),
        cmocka_unit_test(tiles_work_without_any_right_of_the_cpu),
        cmocka_unit_test(poison_fills_what_a_tile_shows_first),
        cmocka_unit_test(a_map_that_fails_half_way_has_changed_nothing),
        cmocka_unit_test(creation_that_fails_half_way_leaves_nothing),
        cmocka_unit_test(views_come_out_of_the_budget_of_kernel_mappings),
        cmocka_unit_test(the_check_notices_a_tile_without_its_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
