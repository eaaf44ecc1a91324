// SPDX-License-Identifier: Apache-2.0
// See api.h.
#include "support/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void api_assert_status(tarn_status got, tarn_status want, const char *expression, const char *file,
                       int line) {
    if (got == want) {
        return;
    }
    tarn_error error;
    (void)tarn_last_error(&error);
    print_error("%s\n  gave %s, not %s; last error: %s\n", expression, tarn_status_name(got),
                tarn_status_name(want), error.message);
    _fail(file, line);
}

static const char *device_name(void) {
    const char *name = getenv("TARN_TEST_DEVICE");
    return name != NULL ? name : "host:0";
}

const char *api_backend(void) {
    static char backend[16];
    (void)snprintf(backend, sizeof backend, "%s", device_name());
    backend[strcspn(backend, ":")] = '\0';
    return backend;
}

tarn_device *api_open(int ordinal, const char *options) {
    char uri[160];
    tarn_device *device = NULL;
    (void)snprintf(uri, sizeof uri, "%s:%d,%s", api_backend(), ordinal, options);
    assert_ok(tarn_device_open(uri, &device));
    return device;
}

tarn_stats api_stats(tarn_device *device) {
    tarn_stats stats = {.size = sizeof stats};
    assert_ok(tarn_device_stats(device, &stats));
    return stats;
}

int api_setup(void **state) {
    struct api *api = calloc(1, sizeof *api);
    assert_non_null(api);
    api->info.size = sizeof api->info;
    assert_ok(tarn_device_open(device_name(), &api->device));
    assert_ok(tarn_device_sibling(api->device, 1, &api->peer));
    assert_ok(tarn_device_query(api->device, &api->info));
    api->g = api->info.granularity_minimum;
    api->bytes = (api->info.features & TARN_FEATURE_BYTES) != 0;
    *state = api;
    return 0;
}

int api_teardown(void **state) {
    struct api *api = *state;
    tarn_stats stats = api_stats(api->device);
    assert_int_equal(stats.reservations, 0);
    assert_int_equal(stats.handles, 0);
    assert_int_equal(stats.mappings, 0);
    assert_int_equal(stats.memory_blocks, 0);
    assert_int_equal(stats.imported_blocks, 0);
    assert_int_equal(stats.host_blocks, 0);
    assert_int_equal(stats.streams, 0);
    assert_int_equal(stats.events, 0);
    assert_int_equal(stats.arrays, 0);
    assert_int_equal(stats.tiles, 0);
    assert_ok(tarn_check(api->device));
    assert_ok(tarn_device_close(api->peer));
    assert_ok(tarn_device_close(api->device));
    free(api);
    return 0;
}

tarn_addr api_map_new(struct api *api, uint64_t bytes) {
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    tarn_grant grant = api_grant(api->info.ordinal, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_space_reserve(api->device, bytes, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, bytes, NULL, &phys));
    assert_ok(tarn_map(addr, bytes, phys));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_map_set_access(addr, bytes, &grant, 1));
    return addr;
}

void api_unmap_all(tarn_addr addr, uint64_t bytes) {
    assert_ok(tarn_unmap(addr, bytes, 0));
    assert_ok(tarn_space_release(addr, bytes));
}
