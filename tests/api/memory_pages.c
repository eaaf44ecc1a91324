// SPDX-License-Identifier: Apache-2.0
// Plain device memory and handles in pages of a class: what is charged, what is told, alignment.
#include "support/api.h"

#include <stdio.h>
#include <unistd.h>

static const uint64_t KB = 1024;
static const uint64_t MB = 1024 * 1024;
static const uint64_t GB = 1024 * 1024 * 1024;

static tarn_status alloc(tarn_device *device, uint64_t bytes, tarn_page_class page_class,
                         uint64_t alignment, tarn_addr *addr) {
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    desc.bytes = bytes;
    desc.page_class = page_class;
    desc.alignment = alignment;
    return tarn_memory_alloc_with(device, &desc, addr);
}

static uint64_t free_bytes(tarn_device *device) {
    uint64_t bytes = 0;
    assert_ok(tarn_device_query_memory(device, &bytes, NULL));
    return bytes;
}

static tarn_address_info look(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_ok(tarn_address_query(addr, &info));
    return info;
}

// Skips where pages of a class, or giant ones, cannot be asked for.
static void need_pages(const struct api *api, uint32_t features) {
    tarn_addr addr = 0;
    api_need(api, features);
    tarn_status status = alloc(api->device, 1, TARN_PAGE_BASE, 0, &addr);
    if (status == TARN_UNSUPPORTED) skip();
    assert_ok(status);
    assert_ok(tarn_memory_free(addr, 0));
}

static tarn_device *open_small_granules(const char *options) {
    char text[64];
    (void)snprintf(text, sizeof text, "granularity=4K,%s", options);
    return api_open(0, text);
}

static void whole_pages_of_the_class_are_charged(void **state) {
    need_pages(*state, TARN_FEATURE_GIANT_PAGES);
    const struct {
        uint64_t bytes;
        tarn_page_class page_class;
        uint64_t charged;
        uint64_t page;
    } rows[] = {
        {1, TARN_PAGE_DEFAULT, 4 * KB, 4 * KB},    {1, TARN_PAGE_BASE, 4 * KB, 4 * KB},
        {4096, TARN_PAGE_BASE, 4 * KB, 4 * KB},    {4097, TARN_PAGE_BASE, 8 * KB, 4 * KB},
        {1, TARN_PAGE_HUGE, 2 * MB, 2 * MB},       {2 * MB + 1, TARN_PAGE_HUGE, 4 * MB, 2 * MB},
        {3 * GB, TARN_PAGE_GIANT, 3 * GB, 1 * GB}, {1, TARN_PAGE_GIANT, 1 * GB, 1 * GB},
    };
    tarn_device *device = open_small_granules("memory=4G");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tarn_addr addr = 0;
        assert_ok(alloc(device, rows[i].bytes, rows[i].page_class, 0, &addr));
        const tarn_address_info info = look(addr + rows[i].bytes - 1);
        assert_int_equal(info.kind, TARN_ADDRESS_MEMORY);
        assert_int_equal(info.bytes, rows[i].bytes);
        assert_int_equal(info.charged_bytes, rows[i].charged);
        assert_int_equal(info.page_bytes, rows[i].page);
        assert_int_equal(free_bytes(device), 4 * GB - rows[i].charged);
        assert_ok(tarn_platform_verify(device));
        assert_ok(tarn_memory_free(addr, 0));
        assert_int_equal(free_bytes(device), 4 * GB);
    }
    assert_ok(tarn_device_close(device));
}

// What a page costs does not depend on what the system has beneath; that is told apart.
static void the_pages_beneath_are_told(void **state) {
    need_pages(*state, 0);
    tarn_device *device = open_small_granules("memory=8M");
    tarn_addr addr = 0;
    assert_ok(alloc(device, 100, TARN_PAGE_BASE, 0, &addr));
    assert_int_equal(look(addr).page_class, TARN_PAGE_BASE);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(alloc(device, 100, TARN_PAGE_HUGE, 0, &addr));
    assert_in_range(look(addr).page_class, TARN_PAGE_BASE, TARN_PAGE_HUGE);
    assert_int_equal(look(addr).page_bytes, 2 * MB);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
}

static void only_the_bytes_asked_for_may_be_used(void **state) {
    struct api *api = *state;
    need_pages(api, 0);
    tarn_addr addr = 0;
    assert_ok(alloc(api->device, 1000, TARN_PAGE_HUGE, 0, &addr));
    assert_ok(tarn_fill(api->device, addr, 7, 1, 1000, 0));
    assert_status(tarn_fill(api->device, addr, 7, 1, 1001, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_free(addr + 512, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
}

static void pages_run_out_before_bytes_do(void **state) {
    need_pages(*state, TARN_FEATURE_GIANT_PAGES);
    tarn_device *device = open_small_granules("memory=7M");
    tarn_addr addr[4] = {0};
    for (int i = 0; i < 3; i++) assert_ok(alloc(device, 1, TARN_PAGE_HUGE, 0, &addr[i]));
    assert_status(alloc(device, 1, TARN_PAGE_HUGE, 0, &addr[3]), TARN_NO_DEVICE_MEMORY);
    assert_status(alloc(device, 1, TARN_PAGE_GIANT, 0, &addr[3]), TARN_NO_DEVICE_MEMORY);
    assert_ok(alloc(device, 1 * MB, TARN_PAGE_BASE, 0, &addr[3])); // what is no whole page is left
    assert_int_equal(free_bytes(device), 0);
    for (int i = 0; i < 4; i++) assert_ok(tarn_memory_free(addr[i], 0));
    assert_ok(tarn_device_close(device));
}

static void starts_are_aligned_as_asked(void **state) {
    struct api *api = *state;
    tarn_addr addr[8] = {0};
    const uint64_t alignments[8] = {1, 512, 64 * KB, 2 * MB, 2 * MB, 64 * MB, GB, GB};
    for (int i = 0; i < 8; i++) {
        assert_ok(alloc(api->device, 1000, TARN_PAGE_DEFAULT, alignments[i], &addr[i]));
        assert_int_equal(addr[i] % alignments[i], 0);
        assert_int_equal(addr[i] % 256, 0);
        assert_ok(tarn_fill(api->device, addr[i], 1, 1, 1000, 0));
    }
    assert_ok(tarn_platform_verify(api->device));
    for (int i = 0; i < 8; i++) assert_ok(tarn_memory_free(addr[i], 0));
}

static void bad_requests_are_refused_and_change_nothing(void **state) {
    struct api *api = *state;
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr addr = 7;
    desc.bytes = 100;
    assert_status(tarn_memory_alloc_with(NULL, &desc, &addr), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_alloc_with(api->device, NULL, &addr), TARN_BAD_ARGUMENT);
    assert_status(tarn_memory_alloc_with(api->device, &desc, NULL), TARN_BAD_ARGUMENT);
    assert_status(alloc(api->device, 0, TARN_PAGE_HUGE, 0, &addr), TARN_BAD_ARGUMENT);
    assert_status(alloc(api->device, 1, TARN_PAGE_BASE, 48, &addr), TARN_BAD_ARGUMENT);
    assert_status(alloc(api->device, 1, TARN_PAGE_BASE, 2 * GB, &addr), TARN_BAD_ARGUMENT);
    assert_status(alloc(api->device, 1, (tarn_page_class)4, 0, &addr), TARN_BAD_ARGUMENT);
    assert_status(alloc(api->device, 1, (tarn_page_class)-1, 0, &addr), TARN_BAD_ARGUMENT);
    bool giant = (api->info.features & TARN_FEATURE_GIANT_PAGES) != 0;
    int last = giant ? TARN_PAGE_GIANT : TARN_PAGE_DEFAULT;
    uint64_t before = free_bytes(api->device);
    for (int page_class = TARN_PAGE_DEFAULT; page_class <= last; page_class++) {
        assert_status(alloc(api->device, UINT64_MAX, (tarn_page_class)page_class, 0, &addr),
                      TARN_NO_DEVICE_MEMORY);
        assert_status(alloc(api->device, (uint64_t)1 << 62, (tarn_page_class)page_class, 0, &addr),
                      TARN_NO_DEVICE_MEMORY);
    }
    desc.struct_size = 4;
    assert_status(tarn_memory_alloc_with(api->device, &desc, &addr), TARN_BAD_STRUCT);
    assert_int_equal(addr, 7);
    assert_int_equal(free_bytes(api->device), before);
}

static void zeros_allocate_like_tarn_memory_alloc(void **state) {
    struct api *api = *state;
    tarn_device *device = api_open(0, "memory=64M"); // where every byte is counted
    tarn_addr with = 0;
    tarn_addr plain = 0;
    assert_ok(alloc(device, 1000, TARN_PAGE_DEFAULT, 0, &with));
    assert_ok(tarn_memory_alloc(device, 1000, &plain));
    const tarn_address_info a = look(with);
    const tarn_address_info b = look(plain);
    assert_int_equal(a.charged_bytes, api->g);
    assert_int_equal(b.charged_bytes, api->g);
    assert_int_equal(a.page_bytes, b.page_bytes);
    assert_int_equal(a.page_class, b.page_class);
    assert_int_equal(free_bytes(device), 64 * MB - 2 * api->g);
    assert_ok(tarn_memory_free(with, 0));
    assert_ok(tarn_memory_free(plain, 0));
    assert_ok(tarn_device_close(device));
}

static void a_key_reaches_memory_in_pages(void **state) {
    struct api *api = *state;
    need_pages(api, 0);
    api_need_keys(api);
    tarn_addr addr = 0;
    tarn_addr other = 0;
    tarn_key key;
    assert_ok(alloc(api->device, 3 * MB, TARN_PAGE_HUGE, 2 * MB, &addr));
    assert_ok(tarn_memory_export(addr, &key));
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_int_equal(look(addr).charged_bytes, 4 * MB);
    assert_int_equal(look(other).bytes, 3 * MB);
    assert_int_equal(look(other).charged_bytes, 0); // the exporter pays
    assert_ok(tarn_memory_free(other, 0));
    assert_ok(tarn_memory_free(addr, 0));
}

// ---- giant pages

static void handles_of_giant_pages_have_whole_ones(void **state) {
    need_pages(*state, TARN_FEATURE_GIANT_PAGES);
    tarn_device *device = open_small_granules("memory=4G");
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_phys phys = 0;
    desc.page_class = TARN_PAGE_GIANT;
    assert_status(tarn_phys_create(device, GB + 2 * MB, &desc, &phys), TARN_MISALIGNED);
    assert_ok(tarn_phys_create(device, 2 * GB, &desc, &phys));
    assert_ok(tarn_phys_query(phys, &info));
    assert_int_equal(info.page_bytes, GB);
    assert_int_equal(free_bytes(device), 2 * GB);
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(device, 2 * GB, GB, 0, &addr));
    assert_ok(tarn_map(addr, 2 * GB, phys));
    assert_int_equal(look(addr + GB).page_bytes, GB);
    assert_int_equal(look(addr + GB).charged_bytes, 0);
    assert_ok(tarn_unmap(addr, 2 * GB, 0));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_device_close(device));
}

static void the_page_asked_for_is_told_of_handles(void **state) {
    struct api *api = *state;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    const uint64_t pages[] = {api->g, 4 * KB, 2 * MB};
    for (int page_class = TARN_PAGE_DEFAULT; page_class <= TARN_PAGE_HUGE; page_class++) {
        tarn_phys phys = 0;
        desc.page_class = (tarn_page_class)page_class;
        assert_ok(tarn_phys_create(api->device, api->g, &desc, &phys));
        assert_ok(tarn_phys_query(phys, &info));
        assert_int_equal(info.page_bytes, pages[page_class]);
        assert_ok(tarn_phys_release(phys));
    }
}

// The way from one process to another leads through an export, also within one process.
static void the_page_asked_for_travels_with_an_export(void **state) {
    struct api *api = *state;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_shareable out = {0};
    tarn_phys phys = 0;
    tarn_phys other = 0;
    api_need(api, TARN_FEATURE_GIANT_PAGES);
    desc.page_class = TARN_PAGE_GIANT;
    desc.shareable = api->info.shareable & (0 - api->info.shareable); // one of them
    if (desc.shareable == 0) skip();
    assert_ok(tarn_phys_create(api->device, GB, &desc, &phys));
    assert_ok(tarn_phys_export(phys, desc.shareable, &out));
    assert_ok(tarn_phys_import(api->device, &out, &other));
    assert_ok(tarn_phys_query(other, &info));
    assert_int_equal(info.page_bytes, GB);
    assert_ok(tarn_phys_release(other));
    assert_ok(tarn_phys_release(phys));
    if (out.type == TARN_SHAREABLE_FD) assert_int_equal(close(out.fd), 0);
}

static void a_device_without_giant_pages_says_so(void **state) {
    api_need_setting(*state, "giant");
    tarn_device *device = api_open(0, "giant=off");
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    desc.page_class = TARN_PAGE_GIANT;
    assert_ok(tarn_device_query(device, &info));
    assert_int_equal(info.features & TARN_FEATURE_GIANT_PAGES, 0);
    assert_status(alloc(device, 1, TARN_PAGE_GIANT, 0, &addr), TARN_UNSUPPORTED);
    assert_status(tarn_phys_create(device, GB, &desc, &phys), TARN_UNSUPPORTED);
    assert_ok(alloc(device, 1, TARN_PAGE_HUGE, 0, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(whole_pages_of_the_class_are_charged),
        TEST(the_pages_beneath_are_told),
        TEST(only_the_bytes_asked_for_may_be_used),
        TEST(pages_run_out_before_bytes_do),
        TEST(starts_are_aligned_as_asked),
        TEST(bad_requests_are_refused_and_change_nothing),
        TEST(zeros_allocate_like_tarn_memory_alloc),
        TEST(a_key_reaches_memory_in_pages),
        TEST(handles_of_giant_pages_have_whole_ones),
        TEST(the_page_asked_for_is_told_of_handles),
        TEST(the_page_asked_for_travels_with_an_export),
        TEST(a_device_without_giant_pages_says_so),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
