// SPDX-License-Identifier: Apache-2.0
// Rights on mappings: what is recorded, and what it does to copies and to the CPU.
#include "support/api.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A reservation with `n` mappings of one granule each, no rights.
static tarn_addr lay(struct api *api, uint64_t n) {
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, n * api->g, 0, 0, &addr));
    for (uint64_t i = 0; i < n; i++) {
        tarn_phys phys = 0;
        assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
        assert_ok(tarn_map(addr + i * api->g, api->g, phys));
        assert_ok(tarn_phys_release(phys));
    }
    return addr;
}

static tarn_access access_of(tarn_addr addr, int device) {
    tarn_access access = (tarn_access)99;
    assert_ok(tarn_map_get_access(addr, (tarn_location){TARN_LOCATION_DEVICE, device}, &access));
    return access;
}

static void a_new_mapping_gives_no_rights(void **state) {
    struct api *api = *state;
    tarn_addr addr = lay(api, 1);
    assert_int_equal(access_of(addr, 0), TARN_ACCESS_NONE);
    if (api->peer != NULL) assert_int_equal(access_of(addr + api->g - 1, 1), TARN_ACCESS_NONE);
    char byte = 0;
    assert_status(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0), TARN_NO_ACCESS);
    api_unmap_all(addr, api->g);
}

static void rights_are_per_location_and_change_both_ways(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_RIGHTS);
    api_need_peer(api);
    tarn_addr addr = lay(api, 2);
    tarn_grant both[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                         {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ}};
    assert_ok(tarn_map_set_access(addr, 2 * api->g, both, 2));
    for (uint64_t i = 0; i < 2; i++) {
        assert_int_equal(access_of(addr + i * api->g, 0), TARN_ACCESS_READ_WRITE);
        assert_int_equal(access_of(addr + i * api->g, 1), TARN_ACCESS_READ);
    }
    tarn_grant none = api_grant(0, TARN_ACCESS_NONE);
    assert_ok(tarn_map_set_access(addr + api->g, api->g, &none, 1));
    assert_int_equal(access_of(addr, 0), TARN_ACCESS_READ_WRITE);
    assert_int_equal(access_of(addr + api->g, 0), TARN_ACCESS_NONE);
    assert_int_equal(access_of(addr + api->g, 1), TARN_ACCESS_READ);
    api_unmap_all(addr, 2 * api->g);
}

static void the_later_grant_for_a_location_wins(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_RIGHTS);
    tarn_addr addr = lay(api, 1);
    tarn_grant grants[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                           {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ}};
    assert_ok(tarn_map_set_access(addr, api->g, grants, 2));
    assert_int_equal(access_of(addr, 0), TARN_ACCESS_READ);
    char byte = 1;
    assert_status(tarn_copy(api->device, addr, TARN_ADDR(&byte), 1, 0), TARN_NO_ACCESS);
    assert_ok(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0));
    api_unmap_all(addr, api->g);
}

static void unmap_forgets_rights(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
    assert_ok(tarn_map(addr, api->g, phys));
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    assert_ok(tarn_unmap(addr, api->g, 0));
    assert_ok(tarn_map(addr, api->g, phys));
    assert_int_equal(access_of(addr, 0), TARN_ACCESS_NONE);
    assert_ok(tarn_phys_release(phys));
    api_unmap_all(addr, api->g);
}

static void bad_grants_are_refused_and_nothing_is_applied(void **state) {
    struct api *api = *state;
    tarn_addr addr = lay(api, 2);
    uint64_t g = api->g;
    tarn_grant good = api_grant(0, TARN_ACCESS_READ_WRITE);
    const struct {
        tarn_grant grant;
        tarn_status status;
    } bad[] = {
        {{{TARN_LOCATION_DEVICE, -1}, TARN_ACCESS_READ}, TARN_BAD_DEVICE},
        {{{TARN_LOCATION_DEVICE, api->info.device_count}, TARN_ACCESS_READ}, TARN_BAD_DEVICE},
        {{{(tarn_location_type)0, 0}, TARN_ACCESS_READ}, TARN_BAD_ARGUMENT},
        {{{(tarn_location_type)77, 0}, TARN_ACCESS_READ}, TARN_BAD_ARGUMENT},
        {{{TARN_LOCATION_DEVICE, 0}, (tarn_access)2}, TARN_BAD_ARGUMENT},
        {{{TARN_LOCATION_DEVICE, 0}, (tarn_access)-1}, TARN_BAD_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tarn_grant grants[] = {good, bad[i].grant};
        assert_status(tarn_map_set_access(addr, 2 * g, grants, 2), bad[i].status);
        assert_int_equal(access_of(addr, 0), TARN_ACCESS_NONE);
    }
    assert_status(tarn_map_set_access(0, g, &good, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_map_set_access(addr, 0, &good, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_map_set_access(addr, g, NULL, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_map_set_access(addr, g, &good, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_map_set_access(addr, g - 1, &good, 1), TARN_BAD_ADDRESS);
    assert_status(tarn_map_set_access(addr, g + 1, &good, 1), TARN_BAD_ADDRESS);
    assert_status(tarn_map_set_access(addr, 2 * g + 1, &good, 1), TARN_BAD_ADDRESS);
    assert_status(tarn_map_set_access((tarn_addr)(uintptr_t)&good, g, &good, 1), TARN_BAD_ADDRESS);
    api_unmap_all(addr, 2 * g);
}

static void a_copy_may_cross_mappings_but_no_gap(void **state) {
    struct api *api = *state;
    uint64_t g = api->g;
    tarn_addr addr = lay(api, 3);
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_map_set_access(addr, 3 * g, &grant, 1));
    assert_ok(tarn_fill(api->device, addr + g / 2, 7, 1, 2 * g, 0));
    assert_ok(tarn_unmap(addr + g, g, 0));
    assert_status(tarn_fill(api->device, addr + g / 2, 7, 1, 2 * g, 0), TARN_NOT_MAPPED);
    assert_ok(tarn_unmap(addr, g, 0));
    assert_ok(tarn_unmap(addr + 2 * g, g, 0));
    assert_ok(tarn_space_release(addr));
}

static void the_owners_right_lets_another_device_copy(void **state) {
    struct api *api = *state;
    api_need_peer(api);
    tarn_addr addr = api_map_new(api, api->g); // device 0 owns it and may write
    char byte = 3;
    assert_ok(tarn_copy(api->peer, addr, TARN_ADDR(&byte), 1, 0));
    assert_ok(tarn_fill(api->peer, addr, 3, 1, 1, 0));
    if ((api->info.features & TARN_FEATURE_RIGHTS) == 0) {
        api_unmap_all(addr, api->g);
        return;
    }
    tarn_grant swap[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_NONE},
                         {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ}};
    assert_ok(tarn_map_set_access(addr, api->g, swap, 2));
    assert_status(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0), TARN_NO_ACCESS);
    assert_ok(tarn_copy(api->peer, TARN_ADDR(&byte), addr, 1, 0));
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = TARN_ADDR(&byte);
    desc.src = addr;
    desc.width = 1;
    desc.peers[0] = api->peer;
    assert_ok(tarn_copy_box(api->device, &desc, 0));
    api_unmap_all(addr, api->g);
}

// Does the CPU fault when it writes there?
static bool write_faults(tarn_addr addr) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)signal(SIGBUS, SIG_DFL);
        *(volatile char *)(uintptr_t)addr = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) ||
           WEXITSTATUS(status) != 0; // sanitizers turn the signal into an exit code
}

static void the_cpu_faults_without_a_grant_and_not_with_one(void **state) {
    struct api *api = *state;
    tarn_grant grant = {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ};
    api_need(api, TARN_FEATURE_BYTES | TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_RIGHTS);
    tarn_addr addr = lay(api, 1);
    assert_true(write_faults(addr));
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    assert_true(write_faults(addr));
    grant.access = TARN_ACCESS_READ_WRITE;
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    assert_false(write_faults(addr));
    assert_ok(tarn_unmap(addr, api->g, 0));
    assert_true(write_faults(addr));
    assert_ok(tarn_space_release(addr));
}

// The software device, unless it is told to be strict: the CPU is the device.
static void what_a_device_may_do_the_cpu_may(void **state) {
    struct api *api = *state;
    api_need_setting(api, "access");
    tarn_addr addr = lay(api, 1);
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ);
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    assert_true(write_faults(addr));
    grant.access = TARN_ACCESS_READ_WRITE;
    assert_ok(tarn_map_set_access(addr, api->g, &grant, 1));
    assert_false(write_faults(addr));
    api_unmap_all(addr, api->g);
}

static void strict_access_hides_device_memory_from_the_cpu(void **state) {
    struct api *api = *state;
    api_need_setting(api, "access");
    struct api strict = {0};
    strict.device = api_open(0, "memory=64M,access=strict");
    strict.g = api->g;
    tarn_addr addr = api_map_new(&strict, api->g);
    assert_true(write_faults(addr));
    char out[8] = "tarn";
    char back[8] = "";
    assert_ok(tarn_copy(strict.device, addr, TARN_ADDR(out), sizeof out, 0));
    assert_ok(tarn_copy(strict.device, TARN_ADDR(back), addr, sizeof back, 0));
    assert_string_equal(back, "tarn");
    tarn_grant host = {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE};
    assert_ok(tarn_map_set_access(addr, api->g, &host, 1));
    assert_string_equal((const char *)(uintptr_t)addr, "tarn");
    api_unmap_all(addr, api->g);
    tarn_addr plain = 0;
    assert_ok(tarn_memory_alloc(strict.device, 100, &plain));
    assert_true(write_faults(plain));
    assert_ok(tarn_memory_free(plain, 0));
    assert_ok(tarn_device_close(strict.device));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_mapping_gives_no_rights, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(rights_are_per_location_and_change_both_ways, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(the_later_grant_for_a_location_wins, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(unmap_forgets_rights, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(bad_grants_are_refused_and_nothing_is_applied, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_copy_may_cross_mappings_but_no_gap, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(the_owners_right_lets_another_device_copy, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(the_cpu_faults_without_a_grant_and_not_with_one, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(what_a_device_may_do_the_cpu_may, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(strict_access_hides_device_memory_from_the_cpu, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
