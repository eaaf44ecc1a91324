// SPDX-License-Identifier: Apache-2.0
// See api.h.
#include "support/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/gate.h"

void api_assert_status(tarn_status got, tarn_status want, const char *expression, const char *file,
                       int line) {
    if (got == want) return;
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
    tarn_status status = tarn_device_open(uri, &device);
    if (status == TARN_UNSUPPORTED) skip();
    assert_ok(status);
    return device;
}

// ---- what a device has

void api_need(const struct api *api, uint32_t features) {
    if ((api->info.features & features) != features) skip();
}

void api_need_peer(const struct api *api) {
    if (api->peer == NULL) skip();
}

void api_need_own_addresses(void) {
    if (getenv("TARN_TEST_REAL_CARD") != NULL) skip();
}

void api_need_setting(const struct api *api, const char *key) {
    tarn_setting setting;
    for (unsigned i = 0; tarn_device_query_setting(api->device, i, &setting) == TARN_OK; i++)
        if (strcmp(setting.key, key) == 0) return;
    skip();
}

static bool has_keys(tarn_device *device) {
    tarn_addr addr = 0;
    tarn_key key;
    assert_ok(tarn_memory_alloc(device, 1, &addr));
    tarn_status status = tarn_memory_export(addr, &key);
    assert_ok(tarn_memory_free(addr, 0));
    assert_true(status == TARN_OK || status == TARN_UNSUPPORTED);
    return status == TARN_OK;
}

bool api_has_keys(const struct api *api) { return has_keys(api->device); }

void api_need_keys(const struct api *api) {
    if (!api_has_keys(api)) skip();
}

// In main() nothing of cmocka works: what cannot be opened is for the tests to say.
bool api_device_has(uint32_t features) {
    tarn_device *device = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    if (tarn_device_open(device_name(), &device) != TARN_OK) return true;
    bool has =
        tarn_device_query(device, &info) != TARN_OK || (info.features & features) == features;
    (void)tarn_device_close(device);
    return has;
}

int api_cannot(const char *what) {
    printf("skipped: %s has no %s\n", api_backend(), what);
    return 77;
}

bool api_device_has_keys(void) {
    tarn_device *device = NULL;
    if (tarn_device_open(device_name(), &device) != TARN_OK) return true;
    bool has = has_keys(device);
    (void)tarn_device_close(device);
    return has;
}

tarn_platform_stats api_stats(tarn_device *device) {
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_platform_query_stats(device, &stats));
    return stats;
}

// A test that fails may leave a gate closed, and the next one would wait behind it for ever.
static void pass_closed_gates(tarn_device *device) {
    pass_gates(true);
    (void)tarn_device_synchronize(device, TARN_FOREVER);
    pass_gates(false);
}

int api_setup(void **state) {
    struct api *api = calloc(1, sizeof *api);
    assert_non_null(api);
    api->info.struct_size = sizeof api->info;
    assert_ok(tarn_device_open(device_name(), &api->device));
    assert_ok(tarn_device_query(api->device, &api->info));
    if (api->info.device_count > 1) assert_ok(tarn_device_sibling(api->device, 1, &api->peer));
    api->g = api->info.granularity_minimum;
    api->bytes = (api->info.features & TARN_FEATURE_BYTES) != 0;
    *state = api;
    return 0;
}

int api_teardown(void **state) {
    struct api *api = *state;
    tarn_platform_stats stats = api_stats(api->device);
    if (stats.streams != 0) pass_closed_gates(api->device);
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
    assert_ok(tarn_platform_verify(api->device));
    assert_ok(tarn_device_close(api->peer));
    assert_ok(tarn_device_close(api->device));
    free(api);
    return 0;
}

void api_write(tarn_device *device, tarn_addr addr, const void *bytes, uint64_t size) {
    assert_ok(tarn_copy(device, addr, TARN_ADDR(bytes), size, 0));
}

void api_read(tarn_device *device, tarn_addr addr, void *bytes, uint64_t size) {
    assert_ok(tarn_copy(device, TARN_ADDR(bytes), addr, size, 0));
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
    assert_ok(tarn_space_release(addr));
}
