// SPDX-License-Identifier: Apache-2.0
// Claims about the order of memory by streams. The plug-in lies in the same program as the test
// here, on one Tarn, so that the test can give work to the streams that the plug-in has wrapped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"
#include "support/gate.h"

#define MIB ((ssize_t)1 << 20)

static void *const first = (void *)0x1110;
static void *const second = (void *)0x2220;

static int use_software_device(void **state) {
    (void)state;
    return setenv("TARN_TORCH_DEVICE", "host:0,memory=64M", 1);
}

// Work on a vendor's stream that goes on until the gate opens.
static void hold(void *native, struct gate *gate) {
    struct tn_torch_device *device = tn_torch_device(0, "test");
    assert_non_null(device);
    tarn_stream stream = tn_torch_stream(device, native, "test");
    assert_int_equal(tarn_stream_call(stream, pass_gate, gate), TARN_OK);
}

static void open_gate(void *native, struct gate *gate) {
    gate->open = true;
    tarn_stream stream = tn_torch_stream(tn_torch_device(0, "test"), native, "test");
    assert_int_equal(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_OK);
}

// Nearly all of the device, so that whoever wants as much gets this or nothing.
static char *most_of_all(void *native) { return tarn_torch_malloc(40 * MIB, 0, native); }

// The block was freed while `busy` had work: nobody gets it before that work is done, which the
// other side sees by being given other memory, too little for this.
static void assert_kept_until(void *busy, struct gate *gate, void *wanting) {
    char *meanwhile = tarn_torch_malloc(20 * MIB, 0, wanting);
    assert_non_null(meanwhile); // what is left of the device
    struct tarn_torch_statistics stats = {.size = sizeof stats};
    assert_int_equal(tarn_torch_stats(0, &stats), 0);
    assert_int_equal(stats.pending_bytes, 40 * MIB);
    open_gate(busy, gate);
    tarn_torch_free(meanwhile, 0, 0, wanting);
    char *later = most_of_all(wanting);
    assert_non_null(later);
    tarn_torch_free(later, 0, 0, wanting);
    tarn_torch_reset();
    assert_int_equal(tarn_torch_stats(0, &stats), 0);
    assert_true(stats.pending_bytes == 0 && stats.held_bytes == 0);
}

static void another_stream_waits_for_the_blocks_own(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    char *block = most_of_all(first);
    assert_non_null(block);
    hold(first, &gate);
    tarn_torch_free(block, 0, 0, first);
    assert_kept_until(first, &gate, second);
}

static void the_own_stream_need_not_wait(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    char *block = most_of_all(first);
    hold(first, &gate);
    tarn_torch_free(block, 0, 0, first);
    assert_ptr_equal(most_of_all(first), block);
    tarn_torch_free(block, 0, 0, first);
    open_gate(first, &gate);
    tarn_torch_reset();
}

static void a_recorded_stream_is_waited_for(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    char *block = most_of_all(first);
    hold(second, &gate);
    tarn_torch_record_stream(block, second);
    tarn_torch_free(block, 0, 0, first);
    assert_kept_until(second, &gate, first); // not even its own stream
}

static void a_free_on_another_stream_waits_for_that_one(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    char *block = most_of_all(first);
    hold(second, &gate);
    tarn_torch_free(block, 0, 0, second);
    assert_kept_until(second, &gate, first);
}

static void the_default_stream_is_a_stream_like_others(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    char *block = most_of_all(NULL);
    hold(NULL, &gate);
    tarn_torch_free(block, 0, 0, NULL);
    assert_kept_until(NULL, &gate, first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_stream_waits_for_the_blocks_own),
        cmocka_unit_test(the_own_stream_need_not_wait),
        cmocka_unit_test(a_recorded_stream_is_waited_for),
        cmocka_unit_test(a_free_on_another_stream_waits_for_that_one),
        cmocka_unit_test(the_default_stream_is_a_stream_like_others),
    };
    return cmocka_run_group_tests(tests, use_software_device, NULL);
}
