// SPDX-License-Identifier: Apache-2.0
// Handles to physical memory: references, properties, capacity.
#include "support/api.h"

#include <string.h>
#include <unistd.h>

static void a_handle_dies_with_its_last_user_reference(void **state) {
    struct api *api = *state;
    tarn_phys phys = 0;
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
    assert_ok(tarn_phys_retain(phys));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_phys_release(phys));
    assert_status(tarn_phys_release(phys), TARN_BAD_HANDLE);
    assert_status(tarn_phys_retain(phys), TARN_BAD_HANDLE);
}

static void a_handle_value_is_never_used_again(void **state) {
    struct api *api = *state;
    tarn_phys first = 0;
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &first));
    assert_ok(tarn_phys_release(first));
    for (int i = 0; i < 1000; i++) {
        tarn_phys next = 0;
        assert_ok(tarn_phys_create(api->device, api->g, NULL, &next));
        assert_int_not_equal(next, first);
        assert_ok(tarn_phys_release(next));
    }
}

static void a_mapped_handle_without_users_stays_good_for_map_and_query(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    assert_ok(tarn_space_reserve(api->device, 2 * api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
    assert_ok(tarn_map(addr, api->g, phys));
    assert_ok(tarn_phys_release(phys));
    assert_status(tarn_phys_release(phys), TARN_BAD_HANDLE);
    assert_ok(tarn_map(addr + api->g, api->g, phys));
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(phys, &info));
    assert_int_equal(info.user_refs, 0);
    assert_int_equal(info.map_refs, 2);
    assert_ok(tarn_unmap(addr, 2 * api->g, 0));
    assert_status(tarn_phys_query(phys, &info), TARN_BAD_HANDLE);
    assert_ok(tarn_space_release(addr));
}

static void query_tells_what_was_created(void **state) {
    struct api *api = *state;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    int last = api->info.device_count - 1;
    desc.location = (tarn_location){TARN_LOCATION_DEVICE, last};
    desc.usage = TARN_USAGE_TILE_POOL;
    memcpy(desc.user, (const uint64_t[]){1, UINT64_MAX, 3, 4}, sizeof desc.user);
    tarn_phys phys = 0;
    assert_ok(tarn_phys_create(api->device, 5 * api->g, &desc, &phys));
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(phys, &info));
    assert_int_equal(info.bytes, 5 * api->g);
    assert_int_equal(info.location.type, TARN_LOCATION_DEVICE);
    assert_int_equal(info.location.id, last);
    assert_int_equal(info.usage, TARN_USAGE_TILE_POOL);
    assert_int_equal(info.user_refs, 1);
    assert_memory_equal(info.user, desc.user, sizeof desc.user);
    assert_false(info.imported);
    assert_ok(tarn_phys_release(phys));
}

static void bad_requests_are_refused_and_change_nothing(void **state) {
    struct api *api = *state;
    tarn_phys phys = 7;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    uint64_t before = 0;
    uint64_t after = 0;
    assert_ok(tarn_device_query_memory(api->device, &before, NULL));
    assert_status(tarn_phys_create(NULL, api->g, NULL, &phys), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_create(api->device, 0, NULL, &phys), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_create(api->device, api->g, NULL, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_phys_create(api->device, api->g - 1, NULL, &phys), TARN_MISALIGNED);
    desc.location = (tarn_location){(tarn_location_type)9, 0};
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_BAD_ARGUMENT);
    desc.location = (tarn_location){TARN_LOCATION_DEVICE, api->info.device_count};
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_BAD_DEVICE);
    desc.location = (tarn_location){TARN_LOCATION_DEVICE, -1};
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_BAD_DEVICE);
    desc = (tarn_phys_desc)TARN_INIT(tarn_phys_desc);
    desc.usage = 1u << 31;
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_BAD_ARGUMENT);
    desc = (tarn_phys_desc)TARN_INIT(tarn_phys_desc);
    desc.shareable = 1u << 31;
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_UNSUPPORTED);
    desc = (tarn_phys_desc)TARN_INIT(tarn_phys_desc);
    desc.struct_size = 0;
    assert_status(tarn_phys_create(api->device, api->g, &desc, &phys), TARN_BAD_STRUCT);
    assert_int_equal(phys, 7);
    assert_ok(tarn_device_query_memory(api->device, &after, NULL));
    assert_int_equal(before, after);
}

static void a_struct_of_a_newer_header_is_read_when_its_tail_is_zero(void **state) {
    struct api *api = *state;
    struct {
        tarn_phys_desc desc;
        uint64_t later[4];
    } newer = {TARN_INIT(tarn_phys_desc), {0}};
    tarn_phys phys = 0;
    newer.desc.struct_size = sizeof newer;
    assert_ok(tarn_phys_create(api->device, api->g, &newer.desc, &phys));
    assert_ok(tarn_phys_release(phys));
    newer.later[2] = 1;
    assert_status(tarn_phys_create(api->device, api->g, &newer.desc, &phys), TARN_BAD_STRUCT);
}

static void a_struct_of_an_older_header_has_no_words(void **state) {
    struct api *api = *state;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_phys phys = 0;
    desc.struct_size = offsetof(tarn_phys_desc, user);
    memset(desc.user, 0xff, sizeof desc.user);
    assert_ok(tarn_phys_create(api->device, api->g, &desc, &phys));
    assert_ok(tarn_phys_query(phys, &info));
    assert_memory_equal(info.user, (const uint64_t[4]){0}, sizeof info.user);
    assert_ok(tarn_phys_release(phys));
}

// The first two of the creator's words travel, the others belong to his process.
static void words_go_with_the_memory(void **state) {
    struct api *api = *state;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_shareable out = {0};
    tarn_phys phys = 0;
    tarn_phys twin = 0;
    desc.shareable = api->info.shareable & (0 - api->info.shareable); // one of them
    memcpy(desc.user, (const uint64_t[]){1, UINT64_MAX, 3, 4}, sizeof desc.user);
    if (desc.shareable == 0) skip();
    assert_ok(tarn_phys_create(api->device, api->g, &desc, &phys));
    assert_ok(tarn_phys_export(phys, desc.shareable, &out));
    assert_ok(tarn_phys_import(api->device, &out, &twin));
    assert_ok(tarn_phys_query(twin, &info));
    bool travel = info.user[0] != 0 || info.user[1] != 0; // both, or none where the backend cannot
    assert_memory_equal(info.user,
                        ((const uint64_t[]){travel ? 1 : 0, travel ? UINT64_MAX : 0, 0, 0}),
                        sizeof info.user);
    if (out.type == TARN_SHAREABLE_FD) assert_int_equal(close(out.fd), 0);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_phys_release(twin));
}

static void numbers_that_are_no_handles_are_refused(void **state) {
    (void)state;
    static const tarn_phys wrong[] = {0, 1, 0xffffffffffffffffu, 0xdeadbeefu};
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_status(tarn_phys_release(wrong[i]), TARN_BAD_HANDLE);
        assert_status(tarn_phys_query(wrong[i], &info), TARN_BAD_HANDLE);
    }
}

static void a_stream_is_no_physical_memory(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_status(tarn_phys_release(stream), TARN_BAD_HANDLE);
    assert_ok(tarn_stream_destroy(stream));
}

static void capacity_is_exact_and_comes_back(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=16M,granularity=4K");
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_ok(tarn_device_query(device, &info));
    uint64_t piece = 1u << 20;
    tarn_phys phys[16];
    for (int i = 0; i < 16; i++) {
        uint64_t left = 0;
        assert_ok(tarn_phys_create(device, piece, NULL, &phys[i]));
        assert_ok(tarn_device_query_memory(device, &left, NULL));
        assert_int_equal(left, (15u - (unsigned)i) * piece);
    }
    tarn_phys more = 0;
    assert_status(tarn_phys_create(device, info.granularity_minimum, NULL, &more),
                  TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_phys_release(phys[7]));
    assert_ok(tarn_phys_create(device, piece, NULL, &phys[7]));
    for (int i = 0; i < 16; i++) assert_ok(tarn_phys_release(phys[i]));
    uint64_t left = 0;
    assert_ok(tarn_device_query_memory(device, &left, NULL));
    assert_int_equal(left, 16 * piece);
    assert_ok(tarn_device_close(device));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_handle_dies_with_its_last_user_reference, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_handle_value_is_never_used_again, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_mapped_handle_without_users_stays_good_for_map_and_query,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(query_tells_what_was_created, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(bad_requests_are_refused_and_change_nothing, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_struct_of_a_newer_header_is_read_when_its_tail_is_zero,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_struct_of_an_older_header_has_no_words, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(words_go_with_the_memory, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(numbers_that_are_no_handles_are_refused, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_stream_is_no_physical_memory, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(capacity_is_exact_and_comes_back, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
