// SPDX-License-Identifier: Apache-2.0
// Addresses of memory that the library has released.
#include "support/api.h"

#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static tarn_address_kind kind_of(tarn_addr addr) { return api_look(addr).kind; }

// Copies from and to the address, and a fill of it, are refused with a text that says why.
static void assert_untouchable(struct api *api, tarn_addr addr) {
    char bytes[16] = "kept";
    tarn_error error;
    assert_status(tarn_copy(api->device, TARN_ADDR(bytes), addr, 16, 0), TARN_BAD_ADDRESS);
    if (addr < UINT64_C(1) << 57) { // numbers are refused as such
        (void)tarn_last_error(&error);
        assert_non_null(strstr(error.message, "released"));
    }
    assert_string_equal(bytes, "kept");
    assert_status(tarn_copy(api->device, addr, TARN_ADDR(bytes), 16, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_fill(api->device, addr, 1, 1, 16, 0), TARN_BAD_ADDRESS);
}

static void released_memory_of_each_kind_is_retired(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    void *pinned = NULL;
    assert_ok(tarn_memory_alloc(api->device, 3 * api->g, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_int_equal(kind_of(addr), TARN_ADDRESS_RETIRED);
    assert_int_equal(kind_of(addr + 3 * api->g - 1), TARN_ADDRESS_RETIRED);
    assert_untouchable(api, addr);
    assert_untouchable(api, addr + 2 * api->g);
    if ((api->info.features & TARN_FEATURE_PINNED) != 0 && strcmp(api_backend(), "host") == 0) {
        assert_ok(tarn_host_alloc(api->device, 100, 0, &pinned));
        assert_ok(tarn_host_free(pinned));
        assert_int_equal(kind_of((tarn_addr)(uintptr_t)pinned), TARN_ADDRESS_RETIRED);
        assert_untouchable(api, (tarn_addr)(uintptr_t)pinned);
    }
}

static void a_released_reservation_is_retired_until_it_is_reserved_again(void **state) {
    struct api *api = *state;
    api_need_own_addresses();
    api_need(api, TARN_FEATURE_VMM);
    tarn_addr addr = 0;
    tarn_addr again = 0;
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, (uint64_t)1 << 30, 0, &addr));
    assert_ok(tarn_space_release(addr));
    assert_int_equal(kind_of(addr), TARN_ADDRESS_RETIRED);
    assert_untouchable(api, addr);
    assert_ok(tarn_space_reserve(api->device, 2 * api->g, 0, addr, &again));
    assert_int_equal(again, addr);
    assert_int_equal(kind_of(addr), TARN_ADDRESS_RESERVED);
    assert_int_equal(kind_of(addr + 2 * api->g), TARN_ADDRESS_RETIRED);
    assert_status(tarn_fill(api->device, addr, 1, 1, 16, 0), TARN_NOT_MAPPED);
    assert_ok(tarn_space_release(addr));
    assert_int_equal(kind_of(addr), TARN_ADDRESS_RETIRED);
}

static void memory_that_the_process_maps_there_is_ordinary(void **state) {
    struct api *api = *state;
    api_need_own_addresses();
    api_need(api, TARN_FEATURE_VMM | TARN_FEATURE_BYTES);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    char bytes[16] = "from elsewhere";
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, 0, 0, &addr));
    assert_ok(tarn_space_release(addr));
    void *hidden = mmap((void *)(uintptr_t)addr, api->g, PROT_NONE, flags, -1, 0);
    assert_ptr_equal(hidden, (void *)(uintptr_t)addr);
    assert_int_equal(kind_of(addr), TARN_ADDRESS_RETIRED); // mapped, but not readable
    assert_untouchable(api, addr);
    assert_int_equal(munmap(hidden, api->g), 0);
    void *own = mmap((void *)(uintptr_t)addr, api->g, PROT_READ | PROT_WRITE, flags, -1, 0);
    assert_ptr_equal(own, (void *)(uintptr_t)addr);
    assert_int_equal(kind_of(addr), TARN_ADDRESS_UNKNOWN);
    assert_ok(tarn_copy(api->device, addr, TARN_ADDR(bytes), 16, 0));
    assert_string_equal((char *)own, "from elsewhere");
    // One byte more than the process has there.
    assert_status(tarn_fill(api->device, addr, 1, 1, api->g + 1, 0), TARN_BAD_ADDRESS);
    assert_int_equal(kind_of(addr + api->g), TARN_ADDRESS_RETIRED);
    assert_int_equal(munmap(own, api->g), 0);
    assert_int_equal(kind_of(addr), TARN_ADDRESS_UNKNOWN); // it was seen in other use
    assert_untouchable(api, addr + api->g);
}

static void memory_of_the_process_is_unknown(void **state) {
    struct api *api = *state;
    if ((api->info.features & TARN_FEATURE_PINNED) != 0) {
        void *own_page =
            mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ok(tarn_host_register(api->device, own_page, 4096, 0));
        assert_ok(tarn_host_unregister(own_page));
        assert_int_equal(munmap(own_page, 4096), 0);
        assert_int_equal(kind_of(TARN_ADDR(own_page)), TARN_ADDRESS_UNKNOWN); // never the library's
    }
    char own = 0;
    assert_int_equal(kind_of(TARN_ADDR(&own)), TARN_ADDRESS_UNKNOWN);
    assert_int_equal(kind_of(0), TARN_ADDRESS_UNKNOWN);
    assert_int_equal(kind_of(UINT64_MAX), TARN_ADDRESS_UNKNOWN);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(memory_of_the_process_is_unknown), // first: later, its address may be a released one
        TEST(released_memory_of_each_kind_is_retired),
        TEST(a_released_reservation_is_retired_until_it_is_reserved_again),
        TEST(memory_that_the_process_maps_there_is_ordinary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
