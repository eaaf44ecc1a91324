// SPDX-License-Identifier: Apache-2.0
// The properties in which vendors differ, each on a fake device: how the shared back-end treats
// them.
#include "unit/backend/vendor/fake.h"

#include <fcntl.h>
#include <stdio.h>

enum { G = FAKE_G };

// ---- a vendor that queues nothing, and one without host functions as well

static struct tn_native defer_copy(void *d, void *stream, tarn_addr dst, tarn_addr src,
                                   uint64_t bytes) {
    (void)d, (void)stream, (void)dst, (void)src, (void)bytes;
    return (struct tn_native){TN_NATIVE_DEFER, __func__};
}

static struct tn_native fake_copy_now(void *d, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    return fake_copy(d, NULL, dst, src, bytes);
}

// ---- a vendor that exports descriptors

static struct tn_native fake_export(void *d, uint64_t handle, tarn_shareable *out) {
    FAKE_CALL;
    out->fd = dup((int)handle - 1);
    return FAKE_OK;
}

static struct tn_native fake_import(void *d, int device, const tarn_shareable *in,
                                    uint64_t *handle) {
    FAKE_CALL;
    (void)device;
    int fd = dup(in->fd);
    if (fd < 0) return (struct tn_native){FAKE_WRONG, __func__};
    fake.handles++;
    *handle = (uint64_t)fd + 1;
    return FAKE_OK;
}

FAKE_BACKEND(plain, FAKE_USUAL, .spans = true)
FAKE_BACKEND(wary, FAKE_USUAL, .verify_maps = true)
FAKE_BACKEND(stern, FAKE_USUAL, .whole_maps = true, .one_owner = true, .grants_owner = true,
             .full_rights_only = true)
FAKE_BACKEND(sharing, FAKE_USUAL, .shareable = TARN_SHAREABLE_FD, .export = fake_export,
             .import = fake_import)
FAKE_BACKEND(lazy, .copy = defer_copy, .copy_now = fake_copy_now, .stream_call = fake_stream_call)
FAKE_BACKEND(mute, .copy = defer_copy, .copy_now = fake_copy_now)

static const char *last_text(void) {
    static char text[512];
    tarn_error error;
    (void)tarn_last_error(&error);
    (void)snprintf(text, sizeof text, "%s", error.message);
    return text;
}

static tarn_addr reserve(tarn_device *device, uint64_t granules) {
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(device, granules * G, 0, 0, &addr));
    return addr;
}

static tarn_phys create(tarn_device *device, uint64_t granules, int ordinal) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.location = (tarn_location){TARN_LOCATION_DEVICE, ordinal};
    assert_ok(tarn_phys_create(device, granules * G, &desc, &phys));
    return phys;
}

// ---- reservations

// Far above the first reservation, so that no first fit returns it by chance.
static void a_hint_reaches_the_vendor(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0");
    tarn_addr first = reserve(device, 1);
    tarn_addr hint = (first & ~(((tarn_addr)1 << 30) - 1)) - ((tarn_addr)1 << 36);
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(device, 2 * G, 0, hint, &addr));
    assert_int_equal(addr, hint);
    assert_ok(tarn_space_release(addr));
    // A vendor that ignores the alignment: the hint is given up, the alignment is not.
    assert_ok(tarn_space_reserve(device, 2 * G, 16 * G, hint + G, &addr));
    assert_int_equal(addr % (16 * G), 0);
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_space_release(first));
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake_alive(), 0);
}

// ---- mappings

static void a_map_that_maps_nothing_is_detected(void **state) {
    (void)state;
    tarn_device *device = fake_device("wary:0");
    tarn_addr addr = reserve(device, 1);
    tarn_phys phys = create(device, 1, 0);
    fake.lies = true;
    assert_status(tarn_map(addr, G, phys), TARN_NATIVE);
    assert_non_null(strstr(last_text(), "fake_is_mapped"));
    fake.lies = false;
    assert_ok(tarn_map(addr, G, phys));
    assert_ok(tarn_unmap(addr, G, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

static long unmaps_of_three(const char *uri) {
    tarn_device *device = fake_device(uri);
    tarn_addr addr = reserve(device, 3);
    tarn_phys phys = create(device, 1, 0);
    for (int i = 0; i < 3; i++) assert_ok(tarn_map(addr + (tarn_addr)i * G, G, phys));
    fake.unmaps = 0;
    assert_ok(tarn_unmap(addr, 3 * G, 0));
    long calls = fake.unmaps;
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake_alive(), 0);
    return calls;
}

static void ranges_are_unmapped_in_one_call_if_the_vendor_allows_it(void **state) {
    (void)state;
    assert_int_equal(unmaps_of_three("plain:0"), 1);
    assert_int_equal(unmaps_of_three("wary:0"), 3);
}

static void memory_is_mapped_completely_if_the_vendor_requires_it(void **state) {
    (void)state;
    tarn_device *device = fake_device("stern:0");
    tarn_addr addr = reserve(device, 2);
    tarn_phys phys = create(device, 2, 0);
    assert_status(tarn_map(addr, G, phys), TARN_UNSUPPORTED);
    assert_ok(tarn_map(addr, 2 * G, phys));
    assert_ok(tarn_unmap(addr, 2 * G, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

static void a_reservation_stays_with_its_first_device(void **state) {
    (void)state;
    tarn_device *device = fake_device("stern:0");
    tarn_addr addr = reserve(device, 2);
    tarn_phys phys[2] = {create(device, 1, 0), create(device, 1, 1)};
    const tarn_map_item both[2] = {{phys[1], G}, {phys[0], G}};
    assert_status(tarn_map_many(addr, both, 2), TARN_UNSUPPORTED);
    assert_ok(tarn_map(addr, G, phys[1])); // the refused list has not tied it
    assert_ok(tarn_unmap(addr, G, 0));
    assert_status(tarn_map(addr, G, phys[0]), TARN_UNSUPPORTED); // for good
    assert_ok(tarn_map(addr, G, phys[1]));
    assert_ok(tarn_unmap(addr, G, 0));
    assert_ok(tarn_phys_release(phys[0]));
    assert_ok(tarn_phys_release(phys[1]));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

static void rights_that_exist_already_are_not_requested(void **state) {
    (void)state;
    tarn_device *device = fake_device("stern:0");
    tarn_addr addr = reserve(device, 1);
    tarn_phys phys = create(device, 1, 0);
    tarn_grant owner = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_grant other = {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ_WRITE};
    assert_ok(tarn_map(addr, G, phys));
    fake.accesses = 0;
    assert_ok(tarn_map_set_access(addr, G, &owner, 1));
    assert_int_equal(fake.accesses, 0);
    assert_ok(tarn_map_set_access(addr, G, &other, 1));
    assert_int_equal(fake.accesses, 1);
    assert_ok(tarn_map_set_access(addr, G, &other, 1)); // has it
    assert_int_equal(fake.accesses, 1);
    other.access = TARN_ACCESS_READ;
    assert_status(tarn_map_set_access(addr, G, &other, 1), TARN_UNSUPPORTED);
    other.access = TARN_ACCESS_NONE;
    assert_status(tarn_map_set_access(addr, G, &other, 1), TARN_UNSUPPORTED);
    assert_int_equal(fake_find(addr)->rights[1], TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_unmap(addr, G, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

static void imported_memory_is_measured_by_mapping(void **state) {
    (void)state;
    tarn_device *device = fake_device("sharing:0");
    for (uint64_t granules = 1; granules < 20; granules++) {
        tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        tarn_shareable out = {0};
        tarn_phys phys = 0;
        tarn_phys twin = 0;
        desc.shareable = TARN_SHAREABLE_FD;
        assert_ok(tarn_phys_create(device, granules * G, &desc, &phys));
        assert_ok(tarn_phys_export(phys, TARN_SHAREABLE_FD, &out));
        assert_true(out.fd > 2);
        assert_int_equal(fcntl(out.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        assert_ok(tarn_phys_import(device, &out, &twin));
        assert_ok(tarn_phys_query(twin, &info));
        assert_int_equal(info.bytes, granules * G);
        assert_ok(tarn_phys_release(twin));
        assert_ok(tarn_phys_release(phys));
        assert_int_equal(close(out.fd), 0);
    }
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake_alive(), 0);
}

// ---- order

static void a_fault_is_reported_at_every_later_call(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0");
    tarn_stream stream = 0;
    char bytes[2] = {1, 2};
    for (int i = 0; i < 2; i++) { // a code without a meaning is a fault too
        assert_ok(tarn_stream_create(device, &stream));
        fake.wait = i == 0 ? FAKE_FAULT : FAKE_ODD;
        assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
        assert_ok(tarn_device_synchronize(device, TARN_FOREVER) == TARN_OK || i == 1
                      ? TARN_OK
                      : TARN_CORRUPT);
        fake.wait = 0;
        tarn_clear_error();
        assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
        assert_non_null(strstr(last_text(), "FAKE"));
        assert_status(tarn_stream_query(stream), TARN_DEVICE_FAILED);
        assert_status(tarn_stream_synchronize(stream, 1000), TARN_DEVICE_FAILED);
        assert_status(tarn_copy(NULL, TARN_ADDR(bytes), TARN_ADDR(bytes + 1), 1, stream),
                      TARN_DEVICE_FAILED);
        assert_ok(tarn_stream_destroy(stream));
    }
    assert_ok(tarn_device_close(device));
}

static void a_deadline_ends_a_wait_without_vendor_support(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0");
    tarn_stream stream = 0;
    tarn_event event = 0;
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_event_create(device, &event));
    assert_ok(tarn_event_record(event, stream));
    fake.wait = FAKE_BUSY;
    assert_status(tarn_stream_synchronize(stream, 100000), TARN_TIMED_OUT);
    assert_status(tarn_event_synchronize(event, 100000), TARN_TIMED_OUT);
    assert_status(tarn_device_synchronize(device, 100000), TARN_TIMED_OUT);
    fake.wait = 0;
    assert_ok(tarn_device_synchronize(device, 100000));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake_alive(), 0);
}

struct inside {
    tarn_addr addr;
    tarn_stream stream;
    tarn_status status;
};

static void fill_inside(void *arg) {
    struct inside *inside = arg;
    inside->status = tarn_fill(NULL, inside->addr, 7, 1, 100, inside->stream);
}

static void a_host_function_may_call_the_library(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0");
    struct inside inside = {.status = TARN_CORRUPT};
    assert_ok(tarn_stream_create(device, &inside.stream));
    assert_ok(tarn_memory_alloc(device, 100, &inside.addr));
    assert_ok(tarn_stream_call(inside.stream, fill_inside, &inside));
    assert_ok(tarn_stream_synchronize(inside.stream, TARN_FOREVER));
    assert_ok(inside.status);
    assert_int_equal(*(char *)(uintptr_t)inside.addr, 7);
    assert_ok(tarn_memory_free(inside.addr, 0));
    assert_ok(tarn_stream_destroy(inside.stream));
    assert_ok(tarn_device_close(device));
}

// By a host function if the vendor supports them, else by the caller.
static void deferred_work_runs_in_stream_order(void **state) {
    static const char *const uris[] = {"lazy:0", "mute:0"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_device *device = fake_device(uris[i]);
        tarn_stream stream = 0;
        tarn_addr addr = 0;
        char back[16] = "";
        assert_ok(tarn_stream_create(device, &stream));
        assert_ok(tarn_memory_alloc(device, sizeof back, &addr));
        assert_ok(tarn_copy(NULL, addr, TARN_ADDR("in the end"), 11, stream));
        assert_ok(tarn_copy(NULL, TARN_ADDR(back), addr, 11, stream));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_string_equal(back, "in the end");
        assert_ok(tarn_memory_free(addr, 0));
        assert_ok(tarn_stream_destroy(stream));
        assert_ok(tarn_device_close(device));
    }
}

// ---- boxes

static void boxes_become_rows(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0");
    unsigned char from[4 * 4 * 4];
    unsigned char to[4 * 4 * 4] = {0};
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    for (unsigned i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i + 1);
    desc.dst = TARN_ADDR(to);
    desc.src = TARN_ADDR(from);
    desc.width = 3;
    desc.height = 2;
    desc.depth = 2;
    desc.dst_pitch = desc.src_pitch = 4;
    desc.dst_slice_pitch = desc.src_slice_pitch = 16;
    assert_ok(tarn_copy_box(device, &desc, 0));
    for (unsigned i = 0; i < sizeof to; i++) {
        bool inside = i % 4 < 3 && i / 4 % 4 < 2 && i / 16 < 2;
        assert_int_equal(to[i], inside ? from[i] : 0);
    }
    assert_ok(tarn_device_close(device));
}

// ---- the platform

static void the_current_device_is_restored(void **state) {
    (void)state;
    tarn_addr addr = 0;
    fake.current = 7;
    tarn_device *device = fake_device("plain:1");
    assert_ok(tarn_memory_alloc(device, 100, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake.current, 7);
}

static const char *setting_of(tarn_device *device, const char *key) {
    tarn_setting setting;
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++)
        if (strcmp(setting.key, key) == 0) return setting.value;
    return "";
}

static void a_device_without_virtual_memory_is_used(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_addr addr = 0;
    fake.countdown = 4; // after the count, the properties, the memory and the reservation
    assert_ok(tarn_device_open("plain:0", &device));
    fake.countdown = -1;
    assert_ok(tarn_device_query(device, &info));
    assert_int_equal(info.features & TARN_FEATURE_VMM, 0);
    assert_non_null(strstr(setting_of(device, "vmm"), "fake_create"));
    assert_status(tarn_space_reserve(device, G, 0, 0, &addr), TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "fake_create"));
    assert_ok(tarn_memory_alloc(device, 100, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
}

static void the_memory_limit_holds(void **state) {
    (void)state;
    tarn_device *device = fake_device("plain:0,memory=8K");
    tarn_phys phys = create(device, 1, 0);
    tarn_addr addr = 0;
    tarn_addr more = 0;
    assert_ok(tarn_memory_alloc(device, 1, &addr));
    assert_status(tarn_memory_alloc(device, 1, &more), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_memory_alloc(device, G, &more));
    assert_ok(tarn_memory_free(more, 0));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
}

static void impossible_options_are_named(void **state) {
    tarn_device *device = NULL;
    (void)state;
    assert_status(tarn_device_open("plain:0,granularity=2K", &device), TARN_UNSUPPORTED);
    assert_status(tarn_device_open("plain:0,granularity=12K", &device), TARN_BAD_CONFIG);
    assert_status(tarn_device_open("plain:0,library=/no/such.so", &device), TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "/no/such.so"));
    assert_status(tarn_device_open("plain:2", &device), TARN_BAD_DEVICE);
    assert_ok(setenv("TARN_FAKE_LIBRARY", "/from/the/environment.so", 1));
    assert_status(tarn_device_open("plain:0", &device), TARN_UNSUPPORTED);
    assert_non_null(strstr(last_text(), "/from/the/environment.so"));
    assert_ok(unsetenv("TARN_FAKE_LIBRARY"));
    assert_null(device);
}

static int start(void **state) {
    (void)state;
    fake.countdown = -1;
    fake_register(&plain_driver, plain_open);
    fake_register(&wary_driver, wary_open);
    fake_register(&stern_driver, stern_open);
    fake_register(&sharing_driver, sharing_open);
    fake_register(&lazy_driver, lazy_open);
    fake_register(&mute_driver, mute_open);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hint_reaches_the_vendor),
        cmocka_unit_test(a_map_that_maps_nothing_is_detected),
        cmocka_unit_test(ranges_are_unmapped_in_one_call_if_the_vendor_allows_it),
        cmocka_unit_test(memory_is_mapped_completely_if_the_vendor_requires_it),
        cmocka_unit_test(a_reservation_stays_with_its_first_device),
        cmocka_unit_test(rights_that_exist_already_are_not_requested),
        cmocka_unit_test(imported_memory_is_measured_by_mapping),
        cmocka_unit_test(a_fault_is_reported_at_every_later_call),
        cmocka_unit_test(a_deadline_ends_a_wait_without_vendor_support),
        cmocka_unit_test(a_host_function_may_call_the_library),
        cmocka_unit_test(deferred_work_runs_in_stream_order),
        cmocka_unit_test(boxes_become_rows),
        cmocka_unit_test(the_current_device_is_restored),
        cmocka_unit_test(a_device_without_virtual_memory_is_used),
        cmocka_unit_test(the_memory_limit_holds),
        cmocka_unit_test(impossible_options_are_named),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
