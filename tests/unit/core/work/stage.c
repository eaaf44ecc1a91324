// SPDX-License-Identifier: Apache-2.0
// Claims about stages, over a platform that keeps one enqueued function.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/work/stage.h"

static void (*queued)(void *);
static void *queued_arg;
static tarn_status queue_status;

static tarn_status keep_call(void *p, void *stream, void (*fn)(void *), void *arg) {
    (void)p;
    (void)stream;
    queued = fn;
    queued_arg = arg;
    return queue_status;
}

static const tarn_backend ops = {.stream_call = keep_call};
static struct tn_platform platform = {.ops = &ops};
static struct tarn_device device = {.platform = &platform};
static struct tn_stream_or_event stream = {.device = &device};

static int set_up(void **state) {
    (void)state;
    queued = NULL;
    queue_status = TARN_OK;
    stream.stages = NULL;
    return 0;
}

static struct tn_stage *stage_of(const char *bytes, uint64_t size) {
    tarn_backend_copy copy = {
        .src = (tarn_addr)(uintptr_t)bytes, .width = size, .height = 1, .depth = 1};
    struct tn_stage *stage = NULL;
    assert_int_equal(tn_stage_new(&stream, &copy, &stage), TARN_OK);
    assert_memory_equal((const void *)(uintptr_t)copy.src, bytes, size);
    return stage;
}

static void a_copy_reads_what_the_source_was(void **state) {
    char source[2][3][8]; // 2 slices of 3 rows, of which 5 bytes are copied
    tarn_backend_copy copy = {.src = (tarn_addr)(uintptr_t)source,
                              .width = 5,
                              .height = 3,
                              .src_pitch = 8,
                              .depth = 2,
                              .src_slice_pitch = 24};
    struct tn_stage *stage = NULL;
    (void)state;
    for (unsigned i = 0; i < sizeof source; i++) ((char *)source)[i] = (char)i;
    assert_int_equal(tn_stage_new(&stream, &copy, &stage), TARN_OK);
    memset(source, 0xff, sizeof source);
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 3; y++)
            for (unsigned x = 0; x < 5; x++) {
                uint64_t at = copy.src + z * copy.src_slice_pitch + y * copy.src_pitch + x;
                assert_int_equal(*(const char *)(uintptr_t)at, z * 24 + y * 8 + x);
            }
    tn_stage_end(&stream, stage, false);
    assert_null(stream.stages);
}

static void a_stage_ends_behind_its_copy(void **state) {
    (void)state;
    struct tn_stage *first = stage_of("first", 5);
    struct tn_stage *second = stage_of("second", 6);
    tn_stage_end(&stream, first, true);
    assert_ptr_equal(stream.stages, second); // the list has both, the last one first
    assert_non_null(queued);
    queued(queued_arg);
    tn_stage_end(&stream, second, false);
    assert_null(stream.stages);
}

static void stages_that_are_left_end_with_the_stream(void **state) {
    (void)state;
    queue_status = TARN_NO_HOST_MEMORY;
    for (int i = 0; i < 3; i++) tn_stage_end(&stream, stage_of("left", 4), true);
    assert_non_null(stream.stages);
    tn_stage_drop_all(&stream);
    assert_null(stream.stages);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        CLAIM(a_copy_reads_what_the_source_was),
        CLAIM(a_stage_ends_behind_its_copy),
        CLAIM(stages_that_are_left_end_with_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
