// SPDX-License-Identifier: Apache-2.0
// What the API tests share: a device to work on, named by TARN_TEST_DEVICE, status assertions that
// show the library's own error text, and the proof that a test left nothing behind.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tarn/face.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

// A region to begin: tarn_annotate_region_begin_with(REGION_OF(...)).
#define REGION_OF(addr, bytes, occupied, stream, name)                                             \
    (&(tarn_region_desc){sizeof(tarn_region_desc), addr, bytes, occupied, stream, name})

// The state that api_setup() gives each test.
struct api {
    tarn_device *device;
    tarn_device *peer; // another device of the platform; NULL where there is one device only
    tarn_device_info info;
    uint64_t g; // minimum granularity
    bool bytes; // memory holds bytes
};

// A test that begins with one of these is skipped where the device lacks what it needs.
void api_need(const struct api *api, uint32_t features);
void api_need_peer(const struct api *api);
void api_need_own_addresses(void); // not the driver of a GPU, which ignores hints and keeps ranges
void api_need_setting(const struct api *api, const char *key); // an option of the platform
void api_need_keys(const struct api *api);
bool api_has_keys(const struct api *api);

// For main(): returns true if the device under test has these features, or keys.
bool api_device_has(uint32_t features);
bool api_device_has_keys(void);
// For main() without them: prints that the device lacks `what`, and returns the exit status for it.
int api_cannot(const char *what);

// cmocka fixtures. The teardown fails the test if anything is alive, or the books do not balance.
int api_setup(void **state);
int api_teardown(void **state);

// "host" or "sim": the backend under test.
const char *api_backend(void);

// Opens a device of the backend under test with options of its own ("memory=64M"); asserts success,
// or skips the test where a known option cannot be had (UNSUPPORTED).
tarn_device *api_open(int ordinal, const char *options);

void api_assert_status(tarn_status got, tarn_status want, const char *expression, const char *file,
                       int line);
#define assert_status(call, want) api_assert_status((call), (want), #call, __FILE__, __LINE__)
#define assert_ok(call)           assert_status(call, TARN_OK)

// The statistics now.
tarn_platform_stats api_stats(tarn_device *device);

// A mapping of `bytes` new bytes, read-write for the device, at a new reservation; and its end.
tarn_addr api_map_new(struct api *api, uint64_t bytes);
void api_unmap_all(tarn_addr addr, uint64_t bytes);

// Bytes into and out of device memory, by copies of the device.
void api_write(tarn_device *device, tarn_addr addr, const void *bytes, uint64_t size);
void api_read(tarn_device *device, tarn_addr addr, void *bytes, uint64_t size);

// Returns the answer of the library about any number as an address.
static inline tarn_address_info api_look(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_int_equal(tarn_address_query(addr, &info), TARN_OK);
    return info;
}

static inline tarn_grant api_grant(int ordinal, tarn_access access) {
    return (tarn_grant){{TARN_LOCATION_DEVICE, ordinal}, access};
}
