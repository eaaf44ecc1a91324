// SPDX-License-Identifier: Apache-2.0
// The fault handler: stray CPU accesses to device memory become reports; other faults go on.
#include "support/api.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/fault.h>

static sigjmp_buf back;
static tarn_fault seen;
static char seen_text[256];

static void note_and_leave(const tarn_fault *fault, void *arg) {
    seen = *fault;
    (void)strncpy(seen_text, fault->text, sizeof seen_text - 1);
    *(int *)arg += 1;
    siglongjmp(back, 1);
}

// Touches addr and comes back, whether it faults or not.
static void touch(tarn_addr addr, bool write) {
    volatile char *byte = (volatile char *)(uintptr_t)addr;
    if (sigsetjmp(back, 1) == 0) {
        if (write)
            *byte = 1;
        else
            (void)*byte;
    }
}

static void a_stray_access_is_reported_with_place_handle_and_rights(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_BYTES | TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_RIGHTS);
    int calls = 0;
    tarn_phys phys = 0;
    tarn_grant read_only[] = {api_grant(0, TARN_ACCESS_READ),
                              {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ}};
    tarn_addr addr = api_map_new(api, api->g);
    assert_ok(tarn_map_set_access(addr, api->g, read_only, 2));
    phys = api_look(addr).phys;
    assert_ok(tarn_fault_install(note_and_leave, &calls));
    touch(addr + 100, false);
    assert_int_equal(calls, 0);
    touch(addr + 100, true);
    assert_int_equal(calls, 1);
    assert_int_equal(seen.addr, addr + 100);
    assert_int_equal(seen.reservation, addr);
    assert_true(seen.inside);
    assert_int_equal(seen.mapping, addr);
    assert_int_equal(seen.mapping_bytes, api->g);
    assert_int_equal(seen.phys, phys);
    assert_int_equal(seen.host_access, TARN_ACCESS_READ);
#if defined(__x86_64__)
    assert_true(seen.write);
#endif
    assert_non_null(strstr(seen_text, "handle"));
    assert_ok(tarn_unmap(addr, api->g, 0));
    touch(addr, false);
    assert_int_equal(calls, 2);
    assert_int_equal(seen.mapping, 0);
    assert_non_null(strstr(seen_text, "nothing mapped"));
    assert_ok(tarn_fault_remove());
    assert_ok(tarn_space_release(addr));
}

static void one_handler_at_a_time(void **state) {
    (void)state;
    assert_status(tarn_fault_remove(), TARN_BAD_ARGUMENT);
    assert_ok(tarn_fault_install(NULL, NULL));
    assert_status(tarn_fault_install(NULL, NULL), TARN_BUSY);
    assert_ok(tarn_fault_remove());
}

static void leave_by_the_old_door(int signal_number) { _exit(signal_number == SIGSEGV ? 42 : 1); }

// In a child: a fault outside of all reservations must reach the handler that was there before.
static void faults_elsewhere_reach_the_former_handler(void **state) {
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, leave_by_the_old_door);
        int calls = 0;
        if (tarn_fault_install(note_and_leave, &calls) != TARN_OK) _exit(2);
        static volatile uintptr_t nowhere = 16; // volatile: the compiler must not know
        *(volatile char *)nowhere = 1;
        _exit(3);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stray_access_is_reported_with_place_handle_and_rights,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(one_handler_at_a_time, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(faults_elsewhere_reach_the_former_handler, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
