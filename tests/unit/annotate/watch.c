// SPDX-License-Identifier: Apache-2.0
// Accesses by instructions: which of them become events. This program is itself the tool that Tarn's
// client finds, and it owns the pages that are watched.
#include "annotate/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <tarn/face.h>
#include <tarn/tarn.h>

#include "annotate/annotate.h"
#include "annotate/extension.h"

static struct tn_mem_watch pages;
static struct tn_mem_event events[8];
static size_t count;

static void take(const struct tn_mem_event *event) {
    if (event->kind == TN_MEM_WATCH)
        *(const struct tn_mem_watch **)(uintptr_t)event->object = &pages;
    else if (count < sizeof events / sizeof *events)
        events[count++] = *event;
}

typedef int (*get_table)(int module, void (****table)(void), unsigned *size);
__attribute__((visibility("default"))) int InitInjectionMstx(get_table get);
int InitInjectionMstx(get_table get) {
    void (***table)(void) = NULL;
    unsigned size = 0;
    if (get(TN_EXTENSION_MODULE, &table, &size) != 0 || size <= TN_EXTENSION_EVENT) return 1;
    *table[TN_EXTENSION_EVENT] = (void (*)(void))take;
    return 0;
}

static int begin(void **state) {
    (void)state;
    tn_annotate_introduce();
    tn_mem_watch_clear(&pages);
    count = 0;
    return 0;
}

static void accesses_of_the_host_are_emitted_for_watched_pages(void **state) {
    const tarn_addr frame[] = {0, 77};
    (void)state;
    tarn_check_host(0x5000, 4, TARN_CHECK_READ, frame);
    assert_int_equal(count, 0);
    tn_mem_watch_add(&pages, 0x5000, 0x5001);
    tarn_check_host(0x5ffc, 4, TARN_CHECK_READ, frame);
    tarn_check_host(0x4ffc, 0x3000, TARN_CHECK_WRITE | TARN_CHECK_ATOMIC, frame); // around it
    tarn_check_host(0x6000, 4, TARN_CHECK_READ, frame);
    tarn_check_host(0x5000, 0, TARN_CHECK_READ, frame);
    assert_int_equal(count, 2);
    assert_int_equal(events[0].kind, TN_MEM_HOST_ACCESS);
    assert_int_equal(events[0].addr, 0x5ffc);
    assert_int_equal(events[0].flags, TN_MEM_READ);
    assert_int_equal(events[0].object, 77);
    assert_int_equal(events[1].bytes, 0x3000);
    assert_int_equal(events[1].flags, TN_MEM_WRITE | TN_MEM_ATOMIC);
}

static void pages_of_a_range_are_watched_until_they_are_cleared(void **state) {
    (void)state;
    tn_mem_watch_add(&pages, 0x7fff, 0x9001);
    assert_false(tn_mem_watch_has(&pages, 0x6000, 0x1000));
    assert_true(tn_mem_watch_has(&pages, 0x7000, 1));
    assert_true(tn_mem_watch_has(&pages, 0x9fff, 1));
    assert_false(tn_mem_watch_has(&pages, 0xa000, 1));
    tn_mem_watch_add(&pages, 0, UINT64_MAX);
    assert_true(tn_mem_watch_has(&pages, 0xa000, 1));
    tn_mem_watch_clear(&pages);
    assert_false(tn_mem_watch_has(&pages, 0x7000, 0x3000));
}

static void accesses_of_work_are_emitted_as_they_are(void **state) {
    const tarn_check_range ranges[] = {{0x5000, 4, TARN_CHECK_READ}, {0x6000, 8, TARN_CHECK_WRITE}};
    (void)state;
    tarn_check_accesses(ranges, 2, "kernel k");
    tarn_check_accesses(NULL, 0, "kernel k");
    tarn_check_accesses(ranges, 2, NULL);
    assert_int_equal(count, 2);
    assert_int_equal(events[0].kind, TN_MEM_FOOTPRINT);
    assert_int_equal(events[0].object, (uintptr_t)ranges);
    assert_int_equal(events[0].bytes, 2);
    assert_int_equal(events[1].object, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(accesses_of_the_host_are_emitted_for_watched_pages, begin),
        cmocka_unit_test_setup(pages_of_a_range_are_watched_until_they_are_cleared, begin),
        cmocka_unit_test_setup(accesses_of_work_are_emitted_as_they_are, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
