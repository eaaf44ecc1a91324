// SPDX-License-Identifier: Apache-2.0
// Claims about the life of regions, over a backend that counts what it frees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/address/retire.h"

#define BASE  ((tarn_addr)1 << 36)
#define BYTES ((uint64_t)1 << 20)

static struct {
    unsigned spaces, blocks, imports, pinned, registered, waits;
    tarn_addr last;
} freed;

static void free_space(void *p, tarn_addr addr, uint64_t bytes) {
    (void)p;
    assert_int_equal(bytes, BYTES);
    freed.spaces++;
    freed.last = addr;
}

static void free_block(void *p, int device, tarn_addr addr) {
    (void)p;
    (void)device;
    freed.blocks++;
    freed.last = addr;
}

static void close_block(void *p, int device, tarn_addr addr) {
    (void)p;
    (void)device;
    freed.imports++;
    freed.last = addr;
}

static void free_pinned(void *p, void *ptr, uint64_t bytes) {
    (void)p;
    assert_int_equal(bytes, BYTES);
    freed.pinned++;
    freed.last = (uintptr_t)ptr;
}

static void unregister(void *p, void *ptr, uint64_t bytes) {
    (void)p;
    (void)bytes;
    freed.registered++;
    freed.last = (uintptr_t)ptr;
}

static tarn_status count_wait(void *p, int device, uint64_t deadline) {
    (void)p;
    (void)device;
    (void)deadline;
    freed.waits++;
    return TARN_OK;
}

static const tarn_backend ops = {.release = free_space,
                                 .memory_free = free_block,
                                 .memory_close = close_block,
                                 .host_free = free_pinned,
                                 .host_unregister = unregister,
                                 .device_synchronize = count_wait};

enum { DEVICES = 2 };

static struct tn_platform *platform;

static int open_platform(void **state) {
    (void)state;
    platform = calloc(1, sizeof *platform + DEVICES * sizeof platform->devices[0]);
    assert_non_null(platform);
    platform->ops = &ops;
    platform->device_count = DEVICES;
    return 0;
}

static int close_platform(void **state) {
    (void)state;
    free(platform);
    return 0;
}

static int set_up(void **state) {
    (void)state;
    memset(&freed, 0, sizeof freed);
    return 0;
}

static struct tn_region *new_region(enum tn_region_kind kind) {
    struct tn_region *region = tn_region_new(kind, platform, NULL);
    assert_non_null(region);
    region->base = BASE;
    region->bytes = BYTES;
    return region;
}

static void publish(enum tn_region_kind kind) {
    assert_int_equal(tn_region_publish(new_region(kind), 0, "a test"), TARN_OK);
    assert_int_equal(platform->in_backend, 1);
}

static void each_kind_is_freed_once_by_its_own_call(void **state) {
    unsigned *const counts[] = {[TN_REGION_SPACE] = &freed.spaces,
                                [TN_REGION_MEMORY] = &freed.blocks,
                                [TN_REGION_HOST] = &freed.pinned,
                                [TN_REGION_REGISTERED] = &freed.registered,
                                [TN_REGION_IMPORTED] = &freed.imports};
    (void)state;
    for (int kind = TN_REGION_SPACE; kind <= TN_REGION_IMPORTED; kind++) {
        (void)set_up(NULL);
        publish((enum tn_region_kind)kind);
        assert_int_equal(tn_retire((enum tn_region_kind)kind, NULL, BASE, 0, 0, "a test"), TARN_OK);
        assert_int_equal(*counts[kind], 1);
        assert_int_equal(
            freed.spaces + freed.blocks + freed.pinned + freed.registered + freed.imports, 1);
        assert_int_equal(freed.last, BASE);
        assert_int_equal(platform->in_backend, 0);
        assert_int_equal(tn_retire((enum tn_region_kind)kind, NULL, BASE, 0, 0, "a test"),
                         TARN_BAD_ADDRESS);
    }
}

static void memory_waits_for_every_device_unless_told_otherwise(void **state) {
    (void)state;
    publish(TN_REGION_MEMORY);
    assert_int_equal(tn_retire(TN_REGION_MEMORY, NULL, BASE, 0, 0, "a test"), TARN_OK);
    assert_int_equal(freed.waits, 2);
    publish(TN_REGION_MEMORY);
    assert_int_equal(tn_retire(TN_REGION_MEMORY, NULL, BASE, 0, TARN_NO_WAIT, "a test"), TARN_OK);
    publish(TN_REGION_SPACE); // nothing is mapped in it, so no work can use it
    assert_int_equal(tn_retire(TN_REGION_SPACE, NULL, BASE, BYTES, 0, "a test"), TARN_OK);
    assert_int_equal(freed.waits, 2);
}

static void a_refused_call_frees_nothing(void **state) {
    (void)state;
    publish(TN_REGION_SPACE);
    assert_int_equal(tn_retire(TN_REGION_MEMORY, NULL, BASE, 0, 0, "a test"), TARN_BAD_ADDRESS);
    assert_int_equal(tn_retire(TN_REGION_SPACE, NULL, BASE, BYTES / 2, 0, "a test"),
                     TARN_BAD_ADDRESS);
    assert_int_equal(freed.spaces, 0);
    platform->forked = true;
    assert_int_equal(tn_retire(TN_REGION_SPACE, NULL, BASE, BYTES, 0, "a test"), TARN_FORKED);
    platform->forked = false;
    assert_int_equal(tn_retire(TN_REGION_SPACE, NULL, BASE, BYTES, 0, "a test"), TARN_OK);
}

static void a_region_that_cannot_be_published_is_freed(void **state) {
    (void)state;
    publish(TN_REGION_MEMORY);
    assert_int_equal(tn_region_publish(new_region(TN_REGION_IMPORTED), 0, "a test"), TARN_BUSY);
    assert_int_equal(freed.imports, 1);
    assert_int_equal(freed.blocks, 0);
    assert_int_equal(platform->in_backend, 1);
    assert_int_equal(tarn_free(BASE, 0), TARN_OK);
    assert_int_equal(freed.blocks, 1);
}

static void an_abandoned_region_is_freed_by_no_backend(void **state) {
    (void)state;
    publish(TN_REGION_REGISTERED);
    tn_region_abandon(TN_REGION_REGISTERED, BASE);
    tn_region_abandon(TN_REGION_REGISTERED, BASE); // another thread was faster
    assert_int_equal(freed.registered, 0);
    assert_int_equal(platform->in_backend, 0);
}

static void free_takes_memory_by_its_address_alone(void **state) {
    (void)state;
    assert_int_equal(tarn_free(0, 0), TARN_OK);
    assert_int_equal(tarn_free(BASE, 0), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_free(BASE, 0x80), TARN_BAD_ARGUMENT);
    publish(TN_REGION_HOST);
    assert_int_equal(tarn_free(BASE + 1, 0), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_free(BASE, 0), TARN_OK);
    assert_int_equal(freed.pinned, 1);
    publish(TN_REGION_SPACE); // a reservation has a call of its own
    assert_int_equal(tarn_free(BASE, 0), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_space_release(BASE), TARN_OK);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        CLAIM(each_kind_is_freed_once_by_its_own_call),
        CLAIM(memory_waits_for_every_device_unless_told_otherwise),
        CLAIM(a_refused_call_frees_nothing),
        CLAIM(a_region_that_cannot_be_published_is_freed),
        CLAIM(an_abandoned_region_is_freed_by_no_backend),
        CLAIM(free_takes_memory_by_its_address_alone),
    };
    return cmocka_run_group_tests(tests, open_platform, close_platform);
}
