// SPDX-License-Identifier: Apache-2.0
// Claims about shared memory and boxes: what is sealed, who may write, where things lie.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "channel/mailbox.h"

static void size_is_sealed_and_the_start_aligned(void **state) {
    struct tn_shm shm;
    (void)state;
    assert_int_equal(tn_shm_create("test", 4096, TN_SHM_HUGE, TN_SHM_ALL_WRITE, &shm), TARN_OK);
    assert_int_equal((uintptr_t)shm.base % TN_SHM_HUGE, 0);
    assert_int_not_equal(ftruncate(shm.fd, 0), 0);
    assert_int_not_equal(ftruncate(shm.fd, 8192), 0);
    shm.base[4095] = 1;
    tn_shm_close(&shm);
    assert_int_equal(shm.fd, -1);
    tn_shm_close(&shm);
}

static void memory_of_one_writer_is_mapped_for_reading_by_others(void **state) {
    struct tn_shm own;
    struct tn_shm other = TN_SHM_NONE;
    (void)state;
    assert_int_equal(tn_shm_create("test", 4096, TN_SHM_PAGE, TN_SHM_ONE_WRITES, &own), TARN_OK);
    assert_true(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, own.fd, 0) == MAP_FAILED);
    assert_int_equal(tn_shm_adopt(dup(own.fd), 4096, TN_SHM_PAGE, false, &other), TARN_OK);
    own.base[7] = 42;
    assert_int_equal(other.base[7], 42);
    tn_shm_close_file(&other);
    assert_int_equal(other.base[7], 42);
    tn_shm_close(&other);
    tn_shm_close(&own);
}

static void shapes_are_checked(void **state) {
    const struct tn_mailbox_shape good[] = {{1, 1, 1}, {65536, 65536, 65536}, {3, 8, 2}};
    const struct tn_mailbox_shape bad[] = {{0, 1, 1}, {65537, 1, 1},  {1, 0, 1},      {1, 3, 1},
                                           {1, 1, 0}, {1, 131072, 1}, {1, 1, 131072}, {1, 1, 6}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(tn_mailbox_shape_valid(&good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tn_mailbox_shape_valid(&bad[i]));
}

// Nothing in a box overlaps, and all of it lies within.
static void parts_of_a_box_lie_apart(void **state) {
    const struct tn_mailbox_shape shape = {1025, 16, 1024};
    struct tn_mailbox box;
    (void)state;
    assert_int_equal(tn_mailbox_create(&shape, &box), TARN_OK);
    const unsigned char *base = box.shm.base;
    const unsigned char *granted = (const unsigned char *)box.granted;
    const unsigned char *returns = (const unsigned char *)box.returns;
    const unsigned char *slots = (const unsigned char *)box.slots;
    assert_true(granted - base >= (ptrdiff_t)sizeof(struct tn_mailbox_head));
    assert_true(returns - granted >= 1025 * 4);
    assert_true(slots - returns >= 1024 * 8);
    assert_int_equal(slots - base + 16 * TN_DESCRIPTOR_BYTES, tn_mailbox_bytes(&shape));
    assert_int_equal(box.shm.bytes, tn_mailbox_bytes(&shape));
    tn_mailbox_close(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_sealed_and_the_start_aligned),
        cmocka_unit_test(memory_of_one_writer_is_mapped_for_reading_by_others),
        cmocka_unit_test(shapes_are_checked),
        cmocka_unit_test(parts_of_a_box_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
