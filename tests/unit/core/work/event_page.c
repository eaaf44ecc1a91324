// SPDX-License-Identifier: Apache-2.0
// Claims about the page of a shared event: records, and keys for other processes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/work/event_page.h"

static int set_up(void **state) {
    struct tn_event_page *page = NULL;
    assert_int_equal(tn_event_page_create(&page), TARN_OK);
    *state = page;
    return 0;
}

static int tear_down(void **state) {
    tn_event_page_put(*state);
    return 0;
}

static uint64_t begin(struct tn_event_page *page) {
    uint64_t record = 0;
    assert_int_equal(tn_event_page_begin(page, &record), TARN_OK);
    return record;
}

static void a_record_is_pending_until_it_passes(void **state) {
    struct tn_event_page *page = *state;
    assert_int_equal(tn_event_page_last(page), 0);
    uint64_t first = begin(page), second = begin(page);
    assert_int_equal(tn_event_page_last(page), second);
    assert_int_equal(tn_event_page_process(second), getpid());
    tn_event_page_pass(page, second, false);
    assert_int_equal(tn_event_page_state(page, first), TN_EVENT_PENDING);
    assert_int_equal(tn_event_page_state(page, second), TN_EVENT_PASSED);
    tn_event_page_pass(page, first, true);
    assert_int_equal(tn_event_page_state(page, first), TN_EVENT_FAILED);
    assert_int_equal(tn_event_page_state(page, second), TN_EVENT_PASSED);
}

static void records_beyond_the_page_are_refused_until_the_oldest_passes(void **state) {
    struct tn_event_page *page = *state;
    uint64_t first = begin(page), next = 0, count = 1;
    while (tn_event_page_begin(page, &next) == TARN_OK) count++;
    assert_true(count > 100 && count < 4096 / sizeof(uint64_t));
    tn_event_page_pass(page, first, true);
    uint64_t again = begin(page); // in the slot of the first one
    assert_int_equal(tn_event_page_state(page, again), TN_EVENT_PENDING);
    tn_event_page_pass(page, again, false);
    assert_int_equal(tn_event_page_state(page, first), TN_EVENT_PASSED); // long ago
}

static void a_key_is_of_other_processes_only(void **state) {
    struct tn_event_page *opened = NULL;
    tarn_key key;
    assert_int_equal(tn_event_page_key(*state, &key), TARN_OK);
    assert_int_equal(tn_event_page_open(&key, &opened), TARN_BAD_ARGUMENT);
    key.bytes[7]++; // no longer a key, or that of another process
    assert_int_equal(tn_event_page_open(&key, &opened), TARN_BAD_HANDLE);
    memset(&key, 0, sizeof key);
    assert_int_equal(tn_event_page_open(&key, &opened), TARN_BAD_HANDLE);
}

// Returns an exit status for the child. It has no key to the page that it opened.
static int pass_in_child(const tarn_key *key, uint64_t record) {
    struct tn_event_page *page = NULL;
    tarn_key other = *key;
    if (tn_event_page_open(key, &page) != TARN_OK) return 1;
    if (tn_event_page_key(page, &other) != TARN_BAD_ARGUMENT) return 2;
    if (tn_event_page_state(page, record) != TN_EVENT_PENDING) return 3;
    uint64_t own = 0;
    if (tn_event_page_begin(page, &own) != TARN_OK) return 4;
    tn_event_page_pass(page, own, false);
    tn_event_page_pass(page, record, true);
    tn_event_page_put(page);
    return 0;
}

static void two_processes_see_each_others_records(void **state) {
    struct tn_event_page *page = *state;
    tarn_key key;
    uint64_t record = begin(page);
    int status = -1;
    assert_int_equal(tn_event_page_key(page, &key), TARN_OK);
    pid_t child = fork();
    if (child == 0) _exit(pass_in_child(&key, record));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(tn_event_page_state(page, record), TN_EVENT_FAILED);
    assert_int_equal(tn_event_page_process(tn_event_page_last(page)), child);
    assert_int_equal(tn_event_page_state(page, tn_event_page_last(page)), TN_EVENT_PASSED);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CLAIM(a_record_is_pending_until_it_passes),
        CLAIM(records_beyond_the_page_are_refused_until_the_oldest_passes),
        CLAIM(a_key_is_of_other_processes_only),
        CLAIM(two_processes_see_each_others_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
