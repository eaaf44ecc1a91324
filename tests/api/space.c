// SPDX-License-Identifier: Apache-2.0
// Reservations.
#include "support/api.h"

static void a_reservation_is_aligned_and_known_by_every_byte(void **state) {
    struct api *api = *state;
    for (uint64_t alignment = 0; alignment <= 64 * api->g;
         alignment = alignment ? alignment * 2 : 2) {
        tarn_addr addr = 0;
        assert_ok(tarn_space_reserve(api->device, 3 * api->g, alignment, 0, &addr));
        assert_int_equal(addr % (alignment > api->g ? alignment : api->g), 0);
        tarn_address_info info = api_look(addr + 3 * api->g - 1);
        assert_int_equal(info.kind, TARN_ADDRESS_RESERVED);
        assert_int_equal(info.base, addr);
        assert_int_equal(info.bytes, 3 * api->g);
        assert_int_not_equal(api_look(addr + 3 * api->g).kind, TARN_ADDRESS_RESERVED);
        assert_ok(tarn_space_release(addr));
        assert_int_not_equal(api_look(addr).kind, TARN_ADDRESS_RESERVED);
    }
}

static void bad_arguments_are_refused(void **state) {
    struct api *api = *state;
    tarn_addr addr = 7;
    assert_status(tarn_space_reserve(NULL, api->g, 0, 0, &addr), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_reserve(api->device, api->g, 0, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_reserve(api->device, 0, 0, 0, &addr), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_reserve(api->device, api->g, 3, 0, &addr), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_reserve(api->device, api->g - 1, 0, 0, &addr), TARN_MISALIGNED);
    assert_int_equal(addr, 7);
}

static void address_space_runs_out_cleanly(void **state) {
    struct api *api = *state;
    tarn_addr addr = 7;
    assert_status(tarn_space_reserve(api->device, (uint64_t)1 << 62, 0, 0, &addr),
                  TARN_NO_ADDRESS_SPACE);
    assert_status(tarn_space_reserve(api->device, api->g, (uint64_t)1 << 63, 0, &addr),
                  TARN_NO_ADDRESS_SPACE);
    assert_int_equal(addr, 7);
}

static void a_hint_that_is_taken_or_misaligned_is_passed_over(void **state) {
    struct api *api = *state;
    api_need_own_addresses();
    tarn_addr first = 0;
    tarn_addr second = 0;
    assert_ok(tarn_space_reserve(api->device, 8 * api->g, 0, 0, &first));
    assert_ok(tarn_space_reserve(api->device, 8 * api->g, 0, first, &second));
    assert_int_not_equal(first, second);
    assert_ok(tarn_space_release(second));
    assert_ok(tarn_space_reserve(api->device, api->g, 0, first + 1, &second));
    assert_ok(tarn_space_release(second));
    assert_ok(tarn_space_release(first));
}

// First fit would place none of these there: the hints lie far from all that is reserved, each in the
// middle of free space, and one between two reservations.
static void a_hint_far_from_first_fit_is_honoured(void **state) {
    struct api *api = *state;
    api_need_own_addresses();
    // Not farther: the thread sanitizer leaves processes 1.5 TiB, of which randomised addresses take
    // up to 1 TiB, and maps a hint outside it at address 0.
    const uint64_t far = (uint64_t)1 << 36;
    const uint64_t giant = (uint64_t)1 << 30;
    tarn_addr first = 0;
    tarn_addr got[3] = {0};
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, 0, 0, &first));
    if (first < 3 * far) { // or it leaves only the lowest addresses
        assert_ok(tarn_space_release(first));
        skip();
    }
    // Processes have free space below a new reservation, platforms of numbers above it. Multiples of
    // 1 GiB, because AscendCL ignores hints that are less aligned than the size.
    tarn_addr base = first < (uint64_t)1 << 57 ? first - 2 * far : first + 2 * far;
    base -= base % giant;
    const tarn_addr hints[3] = {base, base + far, base + far / 2 + 3 * giant};
    for (int i = 0; i < 3; i++) {
        assert_ok(tarn_space_reserve(api->device, 5 * api->g, 0, hints[i], &got[i]));
        assert_int_equal(got[i], hints[i]);
    }
    for (int i = 0; i < 3; i++) {
        tarn_address_info info = api_look(hints[i] + 5 * api->g - 1);
        assert_int_equal(info.base, hints[i]);
        assert_int_equal(info.bytes, 5 * api->g);
        assert_ok(tarn_space_release(got[i]));
    }
    assert_ok(tarn_space_release(first));
}

// A stale pointer finds nothing, until its addresses are asked for.
static void released_addresses_stay_unused(void **state) {
    enum { ROUNDS = 100 };
    struct api *api = *state;
    tarn_addr addr[ROUNDS];
    tarn_addr again = 0;
    api_need_own_addresses();
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip(); // it leaves a process no part of the address space that the kernel does not use
#endif
#endif
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bytes = (uint64_t)(1 + i % 3) * api->g;
        assert_ok(tarn_space_reserve(api->device, bytes, 0, 0, &addr[i]));
        for (int k = 0; k < i; k++)
            assert_true(addr[k] + (uint64_t)(1 + k % 3) * api->g <= addr[i] ||
                        addr[i] + bytes <= addr[k]);
        assert_ok(tarn_space_release(addr[i]));
    }
    assert_ok(tarn_space_reserve(api->device, api->g, 0, addr[0], &again));
    assert_int_equal(again, addr[0]);
    assert_ok(tarn_space_release(again));
}

static void release_wants_the_start_of_a_reservation(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, 0, 0, &addr));
    assert_status(tarn_space_release(0), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_release(addr + api->g), TARN_BAD_ADDRESS);
    assert_status(tarn_space_release_sized(0, 4 * api->g), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_release_sized(addr, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_space_release_sized(addr, 3 * api->g), TARN_BAD_ADDRESS);
    assert_ok(tarn_space_release(addr));
    assert_status(tarn_space_release(addr), TARN_BAD_ADDRESS);
}

static void release_is_refused_while_mapped(void **state) {
    struct api *api = *state;
    tarn_addr addr = api_map_new(api, api->g);
    assert_status(tarn_space_release(addr), TARN_BUSY);
    api_unmap_all(addr, api->g);
}

static void reservations_cost_no_device_memory(void **state) {
    struct api *api = *state;
    uint64_t before = 0;
    uint64_t after = 0;
    tarn_addr addr = 0;
    assert_ok(tarn_device_query_memory(api->device, &before, NULL));
    assert_ok(tarn_space_reserve(api->device, (uint64_t)32 << 30, 0, 0, &addr));
    assert_ok(tarn_device_query_memory(api->device, &after, NULL));
    assert_int_equal(before, after);
    assert_ok(tarn_space_release(addr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reservation_is_aligned_and_known_by_every_byte, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(bad_arguments_are_refused, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(address_space_runs_out_cleanly, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_hint_that_is_taken_or_misaligned_is_passed_over,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_hint_far_from_first_fit_is_honoured, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(released_addresses_stay_unused, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(release_wants_the_start_of_a_reservation, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(release_is_refused_while_mapped, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(reservations_cost_no_device_memory, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
