// SPDX-License-Identifier: Apache-2.0
// All or nothing above a driver: each scenario runs over a stand-in that fails the n-th call that
// takes something, for n = 1, 2, 3, ... until it runs through. After each failure the caller undoes
// what it had, and neither Tarn nor the driver may have anything left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "standin/cuda/exports.h"

enum { PIECES = 4, PAGEABLE = 3 << 20 };

static uint64_t g; // granularity

#define assert_ok(call) assert_int_equal((call), TARN_OK)

// ---- scenarios: return the first failure, having undone everything

static tarn_status map_pieces(tarn_device *device, tarn_addr addr) {
    tarn_map_item items[PIECES];
    size_t made = 0;
    tarn_status status = TARN_OK;
    while (made < PIECES && status == TARN_OK) {
        items[made].bytes = g;
        status = tarn_phys_create(device, g, NULL, &items[made].phys);
        made += status == TARN_OK;
    }
    if (status == TARN_OK) status = tarn_map_many(addr, items, PIECES);
    while (made > 0) assert_ok(tarn_phys_release(items[--made].phys));
    return status;
}

// What the driver lets device 0 do must be what Tarn says of it.
static void assert_rights(tarn_device *device, tarn_addr addr, tarn_access want) {
    tarn_access access = TARN_ACCESS_NONE;
    tarn_location location = {TARN_LOCATION_DEVICE, 0};
    char byte = 0;
    long left = standin_cuda_fail(-1);
    for (int i = 0; i < PIECES; i++) {
        assert_ok(tarn_map_get_access(addr + (uint64_t)i * g, location, &access));
        assert_int_equal(access, want);
        assert_ok(tarn_copy(device, TARN_ADDR(&byte), addr + (uint64_t)i * g, 1, 0));
    }
    (void)standin_cuda_fail(left);
}

static tarn_status grant_pieces(tarn_device *device, tarn_addr addr) {
    tarn_grant first = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ};
    tarn_grant both[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                         {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ}};
    tarn_status status = tarn_map_set_access(addr, PIECES * g, &first, 1);
    if (status == TARN_OK) {
        status = tarn_map_set_access(addr, PIECES * g, both, 2);
        assert_rights(device, addr, status == TARN_OK ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_READ);
    }
    return status;
}

static tarn_status virtual_memory(tarn_device *device) {
    tarn_addr addr = 0;
    tarn_status status = tarn_space_reserve(device, PIECES * g, 0, 0, &addr);
    if (status != TARN_OK) return status;
    status = map_pieces(device, addr);
    if (status == TARN_OK) {
        status = grant_pieces(device, addr);
        assert_ok(tarn_unmap(addr, PIECES * g, 0));
    }
    assert_ok(tarn_space_release(addr));
    return status;
}

static tarn_status sharing(tarn_device *device) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable out = {0, -1, 0};
    tarn_phys phys = 0;
    tarn_phys twin = 0;
    desc.shareable = TARN_SHAREABLE_FD;
    tarn_status status = tarn_phys_create(device, 2 * g, &desc, &phys);
    if (status != TARN_OK) return status;
    status = tarn_phys_export(phys, TARN_SHAREABLE_FD, &out);
    if (status == TARN_OK) {
        status = tarn_phys_import(device, &out, &twin);
        assert_int_equal(close(out.fd), 0);
    }
    if (status == TARN_OK) assert_ok(tarn_phys_release(twin));
    assert_ok(tarn_phys_release(phys));
    return status;
}

static tarn_status plain_memory(tarn_device *device) {
    static char own[8192];
    tarn_addr addr = 0;
    void *host = NULL;
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    status = status == TARN_OK ? tarn_host_alloc(device, 1000, 0, &host) : status;
    status = status == TARN_OK ? tarn_fill(device, addr, 1, 1, 1000, 0) : status;
    status = status == TARN_OK ? tarn_copy(device, TARN_ADDR(host), addr, 1000, 0) : status;
    status = status == TARN_OK ? tarn_host_register(device, own, sizeof own, 0) : status;
    if (status == TARN_OK) assert_ok(tarn_host_unregister(own));
    assert_ok(tarn_host_free(host));
    assert_ok(tarn_memory_free(addr, 0));
    return status;
}

static void nothing(void *arg) { (void)arg; }

static tarn_status order(tarn_device *device) {
    static char bytes[PAGEABLE];
    tarn_stream first = 0;
    tarn_stream second = 0;
    tarn_event event = 0;
    tarn_addr addr = 0;
    tarn_status status = tarn_stream_create(device, &first);
    status = status == TARN_OK ? tarn_stream_create(device, &second) : status;
    status = status == TARN_OK ? tarn_event_create(device, &event) : status;
    status = status == TARN_OK ? tarn_memory_alloc(device, PAGEABLE, &addr) : status;
    status = status == TARN_OK ? tarn_copy(NULL, addr, TARN_ADDR(bytes), PAGEABLE, first) : status;
    status = status == TARN_OK ? tarn_event_record(event, first) : status;
    status = status == TARN_OK ? tarn_stream_wait(second, event, 0) : status;
    status = status == TARN_OK ? tarn_stream_call(second, nothing, NULL) : status;
    status = status == TARN_OK ? tarn_copy(NULL, TARN_ADDR(bytes), addr, PAGEABLE, second) : status;
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(second));
    assert_ok(tarn_stream_destroy(first));
    assert_ok(tarn_memory_free(addr, 0));
    return status;
}

static tarn_status peers(tarn_device *device) {
    tarn_device *peer = NULL;
    assert_ok(tarn_device_sibling(device, 1, &peer));
    tarn_status status = tarn_device_enable_peer(device, peer);
    if (status == TARN_OK) assert_ok(tarn_device_disable_peer(device, peer));
    assert_ok(tarn_device_close(peer));
    return status;
}

static tarn_status pool(tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *made = NULL;
    tarn_addr addr[6] = {0};
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = 24u << 20;
    tarn_status status = tarn_pool_create(&desc, &made);
    for (int i = 0; i < 6 && status == TARN_OK; i++)
        status = tarn_pool_alloc(made, (uint64_t)(i % 3 + 1) * 700000u, 0, &addr[i]);
    for (int i = 0; i < 6 && made != NULL; i++) assert_ok(tarn_pool_free(made, addr[i]));
    assert_ok(tarn_pool_destroy(made));
    return status;
}

// ---- the loop

struct scenario {
    const char *name;
    tarn_status (*run)(tarn_device *device);
};

// Opens a device over a driver that fails no call.
static tarn_device *open_good(void) {
    tarn_device *device = NULL;
    long left = standin_cuda_fail(-1);
    assert_ok(tarn_device_open("cuda:0", &device));
    (void)standin_cuda_fail(left);
    return device;
}

static bool run_once(const struct scenario *scenario, long n) {
    tarn_device *device = open_good();
    (void)standin_cuda_fail(n);
    tarn_status status = scenario->run(device);
    bool fired = standin_cuda_fail(-1) < 0;
    assert_ok(tarn_platform_verify(device));
    assert_ok(tarn_device_close(device)); // BUSY if Tarn had anything left
    if (standin_cuda_alive() != 0 || (!fired && status != TARN_OK)) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fail_msg("%s, call %ld: %s, %lu alive (%s)", scenario->name, n, tarn_status_name(status),
                 standin_cuda_alive(), error.message);
    }
    return fired;
}

static void any_failing_call_of_the_driver_changes_nothing(void **state) {
    static const struct scenario scenarios[] = {
        {"virtual memory", virtual_memory},
        {"sharing", sharing},
        {"plain memory", plain_memory},
        {"order", order},
        {"peers", peers},
        {"pool", pool},
    };
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        long n = 0;
        while (run_once(&scenarios[i], n)) n++;
        assert_true(n > 0);
    }
}

// Opening tries things; what fails of that is a device that has less, or none.
static void a_platform_that_opens_badly_leaves_nothing(void **state) {
    bool fired = true;
    (void)state;
    for (long n = 0; fired; n++) {
        tarn_device *device = NULL;
        (void)standin_cuda_fail(n);
        tarn_status status = tarn_device_open("cuda:0", &device);
        fired = standin_cuda_fail(-1) < 0;
        assert_true(status == TARN_OK || (fired && device == NULL));
        assert_ok(tarn_device_close(device));
        assert_int_equal(standin_cuda_alive(), 0);
    }
}

static int set_up(void **state) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    char path[512];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/cuda/libcuda.so.1", getenv("STANDIN"));
    assert_int_equal(setenv("TARN_CUDA_LIBRARY", path, 1), 0);
    tarn_device *device = open_good();
    assert_ok(tarn_device_query(device, &info));
    g = info.granularity_minimum;
    assert_ok(tarn_device_close(device));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_failing_call_of_the_driver_changes_nothing),
        cmocka_unit_test(a_platform_that_opens_badly_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
