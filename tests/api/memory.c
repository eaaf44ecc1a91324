// SPDX-License-Identifier: Apache-2.0
// Plain device memory, pinned host memory, and what an address is.
#include "support/api.h"

#include <stdlib.h>
#include <string.h>

static void device_memory_holds_what_is_copied_in(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_int_equal(addr % 256, 0);
    char out[1000];
    char back[1000];
    memset(out, 0x37, sizeof out);
    memset(back, 0, sizeof back);
    assert_ok(tarn_copy(api->device, addr, TARN_ADDR(out), sizeof out, 0));
    assert_ok(tarn_copy(api->device, TARN_ADDR(back), addr, sizeof back, 0));
    if (api->bytes) assert_memory_equal(out, back, sizeof out);
    assert_ok(tarn_memory_free(addr, 0));
}

static void copies_stay_inside_the_memory(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    char bytes[2000] = {0};
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_copy(api->device, addr, TARN_ADDR(bytes), 1000, 0));
    assert_status(tarn_copy(api->device, addr, TARN_ADDR(bytes), 1001, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_copy(api->device, addr + 999, TARN_ADDR(bytes), 2, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_copy(api->device, addr, TARN_ADDR(bytes), UINT64_MAX, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_fill(api->device, addr, 0, 4, UINT64_MAX / 2, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
}

static void free_knows_only_starts_and_only_once(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 4096, &addr));
    assert_status(tarn_memory_free(addr + 64, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_memory_free(TARN_ADDR(&addr), 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_memory_free(addr, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(0, 0));
    addr = api_map_new(api, api->g);
    assert_status(tarn_memory_free(addr, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_host_free((void *)(uintptr_t)addr), TARN_BAD_ADDRESS);
    api_unmap_all(addr, api->g);
}

static void device_memory_counts_against_capacity(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=8M");
    tarn_addr addr = 0;
    tarn_addr more = 0;
    uint64_t left = 0;
    assert_ok(tarn_memory_alloc(device, 8u << 20, &addr));
    assert_ok(tarn_device_query_memory(device, &left, NULL));
    assert_int_equal(left, 0);
    assert_status(tarn_memory_alloc(device, 1, &more), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_memory_alloc(device, 8u << 20, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_status(tarn_memory_alloc(device, UINT64_MAX, &addr), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_device_close(device));
}

static void every_kind_of_address_is_told(void **state) {
    struct api *api = *state;
    tarn_address_info info = TARN_INIT(tarn_address_info);
    tarn_addr space = 0;
    tarn_addr memory = 0;
    void *host = NULL;
    api_need_peer(api);
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &space));
    assert_ok(tarn_memory_alloc(api->peer, 100, &memory));
    assert_ok(tarn_host_alloc(api->device, 100, 0, &host));
    assert_ok(tarn_address_query(space, &info));
    assert_int_equal(info.kind, TARN_ADDRESS_RESERVED);
    assert_ok(tarn_address_query(memory + 99, &info));
    assert_int_equal(info.kind, TARN_ADDRESS_MEMORY);
    assert_int_equal(info.base, memory);
    assert_int_equal(info.bytes, 100);
    assert_int_equal(info.location.id, 1);
    assert_ok(tarn_address_query(TARN_ADDR(host), &info));
    assert_int_equal(info.kind, TARN_ADDRESS_HOST);
    assert_ok(tarn_address_query(TARN_ADDR(&info), &info));
    assert_int_equal(info.kind, TARN_ADDRESS_UNKNOWN);
    assert_ok(tarn_address_query(UINT64_MAX, &info));
    assert_int_equal(info.kind, TARN_ADDRESS_UNKNOWN);
    assert_status(tarn_address_query(space, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_host_free(host));
    assert_ok(tarn_memory_free(memory, 0));
    assert_ok(tarn_space_release(space));
}

static void pinned_memory_is_zero_writable_and_says_its_class(void **state) {
    struct api *api = *state;
    unsigned char *host = NULL;
    assert_ok(tarn_host_alloc(api->device, 5000, 0, (void **)&host));
    assert_int_equal((uintptr_t)host % 4096, 0);
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(host[i], 0);
        host[i] = 1;
    }
    tarn_address_info info = api_look(TARN_ADDR(host) + 4999);
    assert_int_equal(info.kind, TARN_ADDRESS_HOST);
    assert_int_equal(info.base, TARN_ADDR(host));
    assert_int_equal(info.bytes, 5000);
    assert_in_range(info.pin_class, TARN_PIN_PLAIN, TARN_PIN_LOCKED);
    assert_int_not_equal(api_look(TARN_ADDR(host) + 5000).kind, TARN_ADDRESS_HOST);
    assert_status(tarn_host_free(host + 1), TARN_BAD_ADDRESS);
    assert_status(tarn_host_unregister(host), TARN_BAD_ADDRESS);
    assert_ok(tarn_host_free(host));
    assert_status(tarn_host_free(host), TARN_BAD_ADDRESS);
    assert_ok(tarn_host_free(NULL));
}

static void memory_on_touch_is_plain_and_not_locked(void **state) {
    struct api *api = *state;
    unsigned char *host = NULL;
    assert_status(tarn_host_alloc(api->device, 5000, TARN_HOST_ON_TOUCH | TARN_HOST_MUST_LOCK,
                                  (void **)&host),
                  TARN_BAD_ARGUMENT);
    assert_status(tarn_host_register(api->device, api, 8, TARN_HOST_ON_TOUCH), TARN_BAD_ARGUMENT);
    assert_ok(tarn_host_alloc(api->device, 5000, TARN_HOST_ON_TOUCH, (void **)&host));
    // pinned memory of a GPU or NPU is always locked
    assert_int_not_equal(api_look(TARN_ADDR(host)).pin_class, TARN_PIN_POPULATED);
    assert_ok(tarn_fill(api->device, TARN_ADDR(host), 1, 1, 5000, 0));
    assert_int_equal(host[4999], 1);
    assert_ok(tarn_host_free(host));
}

static void host_requests_are_checked(void **state) {
    struct api *api = *state;
    void *host = NULL;
    assert_status(tarn_host_alloc(NULL, 1, 0, &host), TARN_BAD_ARGUMENT);
    assert_status(tarn_host_alloc(api->device, 0, 0, &host), TARN_BAD_ARGUMENT);
    assert_status(tarn_host_alloc(api->device, 1, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_host_alloc(api->device, 1, 1u << 31, &host), TARN_BAD_ARGUMENT);
    assert_status(tarn_host_alloc(api->device, (uint64_t)1 << 62, 0, &host), TARN_NO_HOST_MEMORY);
    assert_null(host);
}

static void registration_is_refused_where_it_overlaps(void **state) {
    struct api *api = *state;
    char *own = aligned_alloc(4096, 16384);
    assert_non_null(own);
    memset(own, 0, 16384);
    assert_ok(tarn_host_register(api->device, own + 100, 5000, 0));
    assert_status(tarn_host_register(api->device, own + 5000, 100, 0), TARN_BUSY);
    assert_status(tarn_host_register(api->device, NULL, 100, 0), TARN_BAD_ARGUMENT);
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_ok(tarn_address_query(TARN_ADDR(own + 100), &info));
    assert_int_equal(info.kind, TARN_ADDRESS_REGISTERED);
    tarn_addr memory = 0;
    assert_ok(tarn_memory_alloc(api->device, 5000, &memory));
    assert_ok(tarn_copy(api->device, memory, TARN_ADDR(own + 100), 5000, 0));
    assert_status(tarn_copy(api->device, memory, TARN_ADDR(own), 5000, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(memory, 0));
    assert_status(tarn_host_free(own + 100), TARN_BAD_ADDRESS);
    assert_ok(tarn_host_unregister(own + 100));
    assert_status(tarn_host_unregister(own + 100), TARN_BAD_ADDRESS);
    free(own);
}

static void peers_may_copy_plain_memory(void **state) {
    struct api *api = *state;
    tarn_addr a = 0;
    tarn_addr b = 0;
    api_need_peer(api);
    assert_ok(tarn_memory_alloc(api->device, 100, &a));
    assert_ok(tarn_memory_alloc(api->peer, 100, &b));
    assert_ok(tarn_fill(api->device, a, 0x11, 1, 100, 0));
    assert_ok(tarn_copy(api->peer, b, a, 100, 0));
    unsigned char back[100] = {0};
    assert_ok(tarn_copy(api->device, TARN_ADDR(back), b, 100, 0));
    if (api->bytes) assert_int_equal(back[99], 0x11);
    assert_ok(tarn_memory_free(a, 0));
    assert_ok(tarn_memory_free(b, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(device_memory_holds_what_is_copied_in, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(copies_stay_inside_the_memory, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(free_knows_only_starts_and_only_once, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(device_memory_counts_against_capacity, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(every_kind_of_address_is_told, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(pinned_memory_is_zero_writable_and_says_its_class,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(memory_on_touch_is_plain_and_not_locked, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(host_requests_are_checked, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(registration_is_refused_where_it_overlaps, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(peers_may_copy_plain_memory, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
