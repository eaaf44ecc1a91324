// SPDX-License-Identifier: Apache-2.0
// Failures of native calls, over a vendor that promises nothing: each scenario runs with the n-th
// call failing, for n = 1, 2, 3, ... until it succeeds. A failure must leave nothing behind in the
// vendor's state or ours, and must restore what was there before.
#include "unit/backend/vendor/fake.h"

enum { G = FAKE_G, PIECES = 4 };

FAKE_BACKEND(spans, FAKE_USUAL, .spans = true)
FAKE_BACKEND(single, FAKE_USUAL, .verify_maps = true)
FAKE_BACKEND(tied, FAKE_USUAL, .one_owner = true)

// The vendor's rights of all pieces.
static void assert_rights(tarn_addr addr, int device, int want) {
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(fake_find(addr + (tarn_addr)i * G)->rights[device], want);
}

static tarn_status grant(tarn_addr addr) {
    const tarn_grant first = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ};
    const tarn_grant then[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                               {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ},
                               {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ}};
    tarn_status status = tarn_map_set_access(addr, PIECES * G, &first, 1);
    if (status != TARN_OK) {
        assert_rights(addr, 0, TARN_ACCESS_NONE);
        return status;
    }
    status = tarn_map_set_access(addr, PIECES * G, then, 3);
    assert_rights(addr, 0, status == TARN_OK ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_READ);
    assert_rights(addr, 1, status == TARN_OK ? TARN_ACCESS_READ : TARN_ACCESS_NONE);
    assert_rights(addr, 2, status == TARN_OK ? TARN_ACCESS_READ : TARN_ACCESS_NONE);
    return status;
}

static tarn_status map_pieces(tarn_device *device, tarn_addr addr) {
    tarn_map_item items[PIECES];
    size_t made = 0;
    tarn_status status = TARN_OK;
    while (made < PIECES && status == TARN_OK) {
        items[made].bytes = G;
        status = tarn_phys_create(device, G, NULL, &items[made].phys);
        made += status == TARN_OK ? 1 : 0;
    }
    status = status == TARN_OK ? tarn_map_many(addr, items, PIECES) : status;
    assert_int_equal(fake_mapped(), status == TARN_OK ? PIECES : 0);
    while (made > 0) assert_ok(tarn_phys_release(items[--made].phys));
    return status;
}

static tarn_status virtual_memory(tarn_device *device) {
    tarn_addr addr = 0;
    tarn_status status = tarn_space_reserve(device, PIECES * G, 16 * G, 0, &addr);
    if (status != TARN_OK) return status;
    assert_int_equal(addr % (16 * G), 0);
    status = map_pieces(device, addr);
    if (status == TARN_OK) {
        status = grant(addr);
        fake.countdown = -1; // taking down cannot fail
        assert_ok(tarn_unmap(addr, PIECES * G, 0));
    }
    fake.countdown = -1;
    assert_ok(tarn_space_release(addr));
    return status;
}

static tarn_status memory(tarn_device *device) {
    static char own[8192];
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr addr = 0;
    tarn_addr aligned = 0;
    void *host = NULL;
    bool registered = false;
    desc.bytes = 1000;
    desc.alignment = 1 << 16;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    status = status == TARN_OK ? tarn_memory_alloc_with(device, &desc, &aligned) : status;
    status = status == TARN_OK ? tarn_host_alloc(device, 1000, 0, &host) : status;
    if (status == TARN_OK) {
        status = tarn_host_register(device, own, sizeof own, 0);
        registered = status == TARN_OK;
    }
    assert_int_equal(aligned % (1 << 16), 0);
    fake.countdown = -1;
    assert_ok(registered ? tarn_host_unregister(own) : TARN_OK);
    assert_ok(tarn_host_free(host));
    assert_ok(tarn_memory_free(aligned, 0));
    assert_ok(tarn_memory_free(addr, 0));
    return status;
}

static void count(void *arg) { ++*(int *)arg; }

static tarn_status order(tarn_device *device) {
    tarn_stream first = 0;
    tarn_stream second = 0;
    tarn_event event = 0;
    int calls = 0;
    tarn_status status = tarn_stream_create(device, &first);
    status = status == TARN_OK ? tarn_stream_create(device, &second) : status;
    status = status == TARN_OK ? tarn_event_create(device, &event) : status;
    status = status == TARN_OK ? tarn_event_record(event, first) : status;
    status = status == TARN_OK ? tarn_stream_wait(second, event, 0) : status;
    status = status == TARN_OK ? tarn_stream_call(second, count, &calls) : status;
    assert_int_equal(calls, status == TARN_OK ? 1 : 0);
    fake.countdown = -1;
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(second));
    assert_ok(tarn_stream_destroy(first));
    return status;
}

static void fail_each(const char *uri, tarn_status (*scenario)(tarn_device *device)) {
    tarn_device *device = fake_device(uri);
    long saved = fake_alive();
    long failures = 0;
    do {
        uint64_t left = 0;
        fake.countdown = failures++;
        fake.fired = false;
        tarn_status status = scenario(device);
        fake.countdown = -1;
        assert_true((status == TARN_OK) != fake.fired);
        assert_int_equal(fake_alive(), saved);
        assert_ok(tarn_device_query_memory(device, &left, NULL));
        assert_int_equal(left, 1 << 20);
        assert_ok(tarn_platform_verify(device));
    } while (fake.fired);
    assert_true(failures > 4);
    assert_ok(tarn_device_close(device));
    assert_int_equal(fake_alive(), 0);
}

static void a_failing_call_leaves_nothing_of_virtual_memory(void **state) {
    (void)state;
    fail_each("spans:0,memory=1M", virtual_memory);
    fail_each("single:0,memory=1M", virtual_memory);
}

static void a_failing_call_leaves_no_memory(void **state) {
    (void)state;
    fail_each("spans:0,memory=1M", memory);
}

static void a_failing_call_leaves_no_stream(void **state) {
    (void)state;
    fail_each("spans:0,memory=1M", order);
}

// Opening asks, tries and takes back. Where a trial fails the device is used without.
static void a_failing_call_at_opening_leaves_nothing(void **state) {
    tarn_status status = TARN_OK;
    (void)state;
    for (long n = 0; n == 0 || fake.fired; n++) {
        tarn_device *device = NULL;
        fake.countdown = n;
        fake.fired = false;
        status = tarn_device_open("single:0", &device);
        fake.countdown = -1;
        if (status == TARN_OK) assert_ok(tarn_device_close(device));
        assert_int_equal(fake_alive(), 0);
    }
    assert_ok(status);
}

// ---- previous state

static tarn_addr map_each(tarn_device *device, tarn_phys phys) {
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(device, PIECES * G, 0, 0, &addr));
    for (int i = 0; i < PIECES; i++) assert_ok(tarn_map(addr + (tarn_addr)i * G, G, phys));
    return addr;
}

static tarn_phys create_on(tarn_device *device, int ordinal) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.location = (tarn_location){TARN_LOCATION_DEVICE, ordinal};
    assert_ok(tarn_phys_create(device, G, &desc, &phys));
    return phys;
}

static tarn_status set_right(tarn_addr addr, uint64_t bytes, int device, tarn_access access) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, device}, access};
    return tarn_map_set_access(addr, bytes, &grant, 1);
}

// The pieces have different rights, and the call is about the middle ones only.
static void failed_rights_restore_each_mapping(void **state) {
    static const int before[PIECES] = {TARN_ACCESS_READ, TARN_ACCESS_READ_WRITE, TARN_ACCESS_NONE,
                                       TARN_ACCESS_READ};
    const tarn_grant grants[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ},
                                 {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ_WRITE}};
    tarn_device *device = fake_device("spans:0");
    tarn_phys phys = create_on(device, 0);
    tarn_addr addr = map_each(device, phys);
    tarn_status status = TARN_CORRUPT;
    long failures = 0;
    (void)state;
    for (int i = 0; i < PIECES; i++)
        assert_ok(set_right(addr + (tarn_addr)i * G, G, 0, (tarn_access)before[i]));
    while (status != TARN_OK) {
        fake.countdown = failures++;
        status = tarn_map_set_access(addr + G, 2 * G, grants, 2);
        fake.countdown = -1;
        for (int i = 0; i < PIECES; i++) {
            bool changed = status == TARN_OK && (i == 1 || i == 2);
            const int *rights = fake_find(addr + (tarn_addr)i * G)->rights;
            assert_int_equal(rights[0], changed ? TARN_ACCESS_READ : before[i]);
            assert_int_equal(rights[1], changed ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_NONE);
        }
    }
    assert_int_equal(failures, 5); // two rights of two pieces
    assert_ok(tarn_unmap(addr, PIECES * G, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

// The mappings from the failed one on are still there. A vendor without spans has lost those
// before.
static void a_failed_unmap_can_be_repeated(void **state) {
    static const char *const uris[] = {"spans:0", "single:0"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_device *device = fake_device(uris[i]);
        tarn_phys phys = create_on(device, 0);
        tarn_addr addr = map_each(device, phys);
        fake.bad_unmap = i == 0 ? 1 : 2;
        assert_status(tarn_unmap(addr, PIECES * G, 0), TARN_NATIVE);
        assert_int_equal(fake_mapped(), i == 0 ? PIECES : PIECES - 1);
        assert_ok(tarn_platform_verify(device));
        if (i == 0) { // rights can still be restored
            fake.countdown = 1;
            assert_true(set_right(addr, PIECES * G, 0, TARN_ACCESS_READ) != TARN_OK);
            assert_rights(addr, 0, TARN_ACCESS_NONE);
        }
        tarn_addr rest = addr + (tarn_addr)i * G;
        assert_ok(tarn_unmap(rest, addr + PIECES * G - rest, 0));
        assert_int_equal(fake_mapped(), 0);
        assert_ok(tarn_phys_release(phys));
        assert_ok(tarn_space_release(addr));
        assert_ok(tarn_device_close(device));
        assert_int_equal(fake_alive(), 0);
    }
}

static void a_failed_map_ties_the_reservation_to_nobody(void **state) {
    tarn_device *device = fake_device("tied:0");
    tarn_phys phys[2] = {create_on(device, 0), create_on(device, 1)};
    tarn_addr addr = 0;
    (void)state;
    assert_ok(tarn_space_reserve(device, G, 0, 0, &addr));
    fake.countdown = 0;
    assert_status(tarn_map(addr, G, phys[1]), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_map(addr, G, phys[0]));
    assert_ok(tarn_unmap(addr, G, 0));
    assert_status(tarn_map(addr, G, phys[1]), TARN_UNSUPPORTED);
    assert_ok(tarn_phys_release(phys[0]));
    assert_ok(tarn_phys_release(phys[1]));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
}

// On another device, a record needs a native event of that device.
static void a_failed_record_keeps_the_previous_one(void **state) {
    tarn_device *devices[2] = {fake_device("spans:0"), fake_device("spans:1")};
    tarn_stream streams[2] = {0, 0};
    tarn_event event = 0;
    (void)state;
    for (int i = 0; i < 2; i++) assert_ok(tarn_stream_create(devices[i], &streams[i]));
    assert_ok(tarn_event_create(devices[0], &event));
    assert_ok(tarn_event_record(event, streams[0]));
    for (long n = 0; n < 2; n++) { // creating it fails, then recording it
        fake.countdown = n;
        assert_true(tarn_event_record(event, streams[1]) != TARN_OK);
        assert_int_equal(fake.events, 1);
        fake.queried = -1;
        assert_ok(tarn_event_query(event));
        assert_int_equal(fake.queried, 0);
    }
    assert_ok(tarn_event_record(event, streams[1]));
    assert_ok(tarn_event_query(event));
    assert_int_equal(fake.queried, 1);
    assert_int_equal(fake.events, 1);
    assert_ok(tarn_event_destroy(event));
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_stream_destroy(streams[i]));
        assert_ok(tarn_device_close(devices[i]));
    }
    assert_int_equal(fake_alive(), 0);
}

static int start(void **state) {
    (void)state;
    fake.countdown = -1;
    fake_register(&spans_driver, spans_open);
    fake_register(&single_driver, single_open);
    fake_register(&tied_driver, tied_open);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_call_leaves_nothing_of_virtual_memory),
        cmocka_unit_test(a_failing_call_leaves_no_memory),
        cmocka_unit_test(a_failing_call_leaves_no_stream),
        cmocka_unit_test(a_failing_call_at_opening_leaves_nothing),
        cmocka_unit_test(failed_rights_restore_each_mapping),
        cmocka_unit_test(a_failed_unmap_can_be_repeated),
        cmocka_unit_test(a_failed_map_ties_the_reservation_to_nobody),
        cmocka_unit_test(a_failed_record_keeps_the_previous_one),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
