// SPDX-License-Identifier: Apache-2.0
// Copies and fills: their checks, and their bytes beside a naive loop.
#include "support/api.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void requests_are_checked(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    char bytes[64] = {0};
    api_need_peer(api);
    assert_ok(tarn_memory_alloc(api->device, 64, &addr));
    assert_ok(tarn_stream_create(api->peer, &stream));
    assert_status(tarn_copy(NULL, addr, TARN_ADDR(bytes), 8, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_copy(api->device, 0, TARN_ADDR(bytes), 8, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_copy(api->device, addr, 0, 8, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_copy(api->device, addr, TARN_ADDR(bytes), 8, stream), TARN_BAD_ARGUMENT);
    assert_status(tarn_copy(api->device, addr, addr + 4, 8, 0), TARN_BAD_ARGUMENT);
    assert_ok(tarn_copy(api->device, addr, addr + 8, 8, 0));
    assert_ok(tarn_copy(api->device, 0, 0, 0, 0));
    assert_status(tarn_fill(api->device, addr, 1, 3, 1, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_fill(api->device, addr + 1, 1, 4, 1, 0), TARN_MISALIGNED);
    assert_status(tarn_fill(api->device, 0, 1, 4, 1, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_copy_box(api->device, NULL, 0), TARN_BAD_ARGUMENT);
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = addr;
    desc.src = TARN_ADDR(bytes);
    desc.width = 8;
    desc.height = 2;
    desc.dst_pitch = 8;
    desc.src_pitch = 7;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.src_pitch = UINT64_MAX / 2 + 9;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ADDRESS);
    desc.src_pitch = 8;
    desc.depth = 3;
    desc.dst_slice_pitch = 16;
    desc.src_slice_pitch = 15;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.src_slice_pitch = UINT64_MAX / 2;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ADDRESS);
    desc.struct_size = 3;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_STRUCT);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_memory_free(addr, 0));
}

static void memory_that_is_gone_is_refused(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    char byte = 0;
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &addr));
    assert_status(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0), TARN_NOT_MAPPED);
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_memory_alloc(api->device, 100, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    if (!api->bytes) // elsewhere the number may be anybody's pointer again
        assert_status(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0), TARN_BAD_ADDRESS);
}

enum { SIDE = 64 };

struct picture {
    unsigned char bytes[SIDE * SIDE];
};

static void load(struct api *api, tarn_addr addr, const struct picture *picture) {
    assert_ok(tarn_copy(api->device, addr, TARN_ADDR(picture), sizeof *picture, 0));
}

static void expect(struct api *api, tarn_addr addr, const struct picture *want) {
    struct picture got;
    memset(&got, 0, sizeof got);
    assert_ok(tarn_copy(api->device, TARN_ADDR(&got), addr, sizeof got, 0));
    if (api->bytes) assert_memory_equal(&got, want, sizeof got);
}

static unsigned below(unsigned *seed, unsigned n) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

static void random_rectangles_are_copied_as_a_loop_would(void **state) {
    struct api *api = *state;
    struct picture from;
    struct picture to;
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    unsigned seed = 7;
    memset(&to, 0, sizeof to);
    for (unsigned i = 0; i < sizeof from; i++) from.bytes[i] = (unsigned char)(i * 7 + i / 251);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, sizeof to, &addr));
    load(api, addr, &to);
    for (int round = 0; round < 300; round++) {
        unsigned width = 1 + below(&seed, SIDE);
        unsigned height = 1 + below(&seed, SIDE);
        unsigned dx = below(&seed, SIDE - width + 1);
        unsigned dy = below(&seed, SIDE - height + 1);
        unsigned sx = below(&seed, SIDE - width + 1);
        unsigned sy = below(&seed, SIDE - height + 1);
        tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
        desc.dst = addr + dy * SIDE + dx;
        desc.src = TARN_ADDR(from.bytes + sy * SIDE + sx);
        desc.width = width;
        desc.height = height;
        desc.dst_pitch = desc.src_pitch = SIDE;
        assert_ok(tarn_copy_box(api->device, &desc, round % 2 == 0 ? 0 : stream));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        for (unsigned y = 0; y < height; y++)
            memcpy(to.bytes + (dy + y) * SIDE + dx, from.bytes + (sy + y) * SIDE + sx, width);
    }
    expect(api, addr, &to);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
}

static void random_fills_write_what_a_loop_would(void **state) {
    struct api *api = *state;
    struct picture want;
    tarn_addr addr = 0;
    unsigned seed = 3;
    memset(&want, 0, sizeof want);
    assert_ok(tarn_memory_alloc(api->device, sizeof want, &addr));
    load(api, addr, &want);
    for (int round = 0; round < 300; round++) {
        unsigned element = 1u << below(&seed, 3);
        unsigned width = 1 + below(&seed, SIDE / element);
        unsigned height = 1 + below(&seed, SIDE);
        unsigned x = below(&seed, SIDE / element - width + 1) * element;
        unsigned y = below(&seed, SIDE - height + 1);
        uint32_t value = below(&seed, 1u << 24) * 977u;
        tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
        desc.dst = addr + y * SIDE + x;
        desc.width = width;
        desc.height = height;
        desc.pitch = SIDE;
        desc.value = value;
        desc.element_bytes = element;
        assert_ok(tarn_fill_box(api->device, &desc, 0));
        for (unsigned row = 0; row < height; row++)
            for (unsigned i = 0; i < width; i++)
                memcpy(want.bytes + (y + row) * SIDE + x + i * element, &value, element);
    }
    expect(api, addr, &want);
    assert_ok(tarn_memory_free(addr, 0));
}

static void fill_requests_are_checked(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 4096, &addr));
    tarn_fill_desc desc = TARN_INIT(tarn_fill_desc);
    assert_status(tarn_fill_box(api->device, NULL, 0), TARN_BAD_ARGUMENT);
    assert_ok(tarn_fill_box(api->device, &desc, 0)); // no elements
    desc.width = 4;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.dst = addr;
    assert_ok(tarn_fill_box(api->device, &desc, 0)); // of 1 byte
    desc.element_bytes = 8;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.element_bytes = 4;
    desc.height = 2;
    desc.pitch = 15;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.pitch = 18;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_MISALIGNED);
    desc.pitch = 20;
    desc.depth = 2;
    desc.slice_pitch = 32;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    desc.slice_pitch = 38;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_MISALIGNED);
    desc.slice_pitch = 4096 - 32;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_ADDRESS);
    desc.slice_pitch = 4096 - 36; // up to the last byte
    assert_ok(tarn_fill_box(api->device, &desc, 0));
    desc.struct_size = sizeof desc.struct_size;
    assert_status(tarn_fill_box(api->device, &desc, 0), TARN_BAD_STRUCT);
    assert_ok(tarn_memory_free(addr, 0));
}

// One box from a cube to a cube, and a fill of another, beside loops.
enum { EDGE = 24 };

struct cube {
    unsigned char at[EDGE][EDGE][EDGE];
};

static uint64_t offset_in_cube(unsigned z, unsigned y, unsigned x) {
    return ((uint64_t)z * EDGE + y) * EDGE + x;
}

static void fill_cube(struct cube *cube, unsigned z, unsigned y, unsigned x, unsigned side,
                      unsigned char value) {
    for (unsigned k = 0; k < side; k++)
        for (unsigned j = 0; j < side; j++) memset(&cube->at[z + k][y + j][x], value, side);
}

static void boxes_are_moved_as_loops_would(void **state) {
    struct api *api = *state;
    static struct cube want;
    static struct cube got;
    static unsigned char host[7 * 7 * 7];
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    unsigned seed = 5;
    memset(&want, 0, sizeof want);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, sizeof want, &addr));
    assert_ok(tarn_fill(api->device, addr, 0, 1, sizeof want, 0));
    for (unsigned round = 0; round < 60; round++) {
        unsigned side = 1 + below(&seed, 7);
        unsigned z = below(&seed, EDGE - side);
        unsigned y = below(&seed, EDGE - side);
        unsigned x = below(&seed, EDGE - side);
        tarn_copy_desc copy = TARN_INIT(tarn_copy_desc);
        tarn_fill_desc fill = TARN_INIT(tarn_fill_desc);
        memset(host, (int)round + 1, sizeof host);
        copy.dst = fill.dst = addr + offset_in_cube(z, y, x);
        copy.src = TARN_ADDR(host);
        copy.width = copy.height = copy.depth = side;
        fill.width = fill.height = fill.depth = side;
        copy.dst_pitch = fill.pitch = EDGE;
        copy.dst_slice_pitch = fill.slice_pitch = EDGE * EDGE;
        copy.src_pitch = side;
        copy.src_slice_pitch = (uint64_t)side * side;
        fill.value = 0x100 + round + 1; // its low byte counts
        tarn_stream where = round % 3 == 0 ? 0 : stream;
        assert_ok(round % 2 == 0 ? tarn_copy_box(api->device, &copy, where)
                                 : tarn_fill_box(api->device, &fill, where));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        fill_cube(&want, z, y, x, side, (unsigned char)(round + 1));
    }
    assert_ok(tarn_copy(api->device, TARN_ADDR(&got), addr, sizeof got, 0));
    if (api->bytes) assert_memory_equal(&got, &want, sizeof got);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
}

// The last row of the last slice lies in nothing: not a byte of the others may move.
static void a_box_is_checked_whole_before_it_moves(void **state) {
    struct api *api = *state;
    uint64_t g = api->g;
    tarn_addr addr = api_map_new(api, 4 * g);
    static unsigned char bytes[8];
    unsigned char back = 0;
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    tarn_fill_desc fill = TARN_INIT(tarn_fill_desc);
    memset(bytes, 9, sizeof bytes);
    assert_ok(tarn_fill(api->device, addr, 1, 1, 4 * g, 0));
    desc.dst = fill.dst = addr;
    desc.src = TARN_ADDR(bytes);
    desc.width = fill.width = 2;
    desc.height = desc.depth = fill.height = fill.depth = 2;
    desc.dst_pitch = fill.pitch = 2 * g;
    desc.dst_slice_pitch = fill.slice_pitch = 2 * g + 2;
    desc.src_pitch = 2;
    desc.src_slice_pitch = 4;
    fill.value = 9;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_fill_box(api->device, &fill, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_copy(api->device, TARN_ADDR(&back), addr, 1, 0));
    assert_int_equal(back, api->bytes ? 1 : 0);
    assert_int_equal(api_stats(api->device).copied_bytes, 4 * g + 1);
    api_unmap_all(addr, 4 * g);
}

static void interleaved_rows_do_not_overlap(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 8192, &addr));
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = addr;
    desc.src = addr + 32;
    desc.width = 32;
    desc.height = 64;
    desc.dst_pitch = desc.src_pitch = 64;
    assert_ok(tarn_copy_box(api->device, &desc, 0));
    desc.width = 33;
    assert_status(tarn_copy_box(api->device, &desc, 0), TARN_BAD_ARGUMENT);
    assert_ok(tarn_memory_free(addr, 0));
}

static void a_large_copy_arrives_whole(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    uint64_t size = (24u << 20) + 13;
    unsigned char *out = malloc(size);
    unsigned char *back = calloc(1, size);
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    assert_non_null(out);
    assert_non_null(back);
    for (uint64_t i = 0; i < size; i++) out[i] = (unsigned char)(i ^ i >> 11);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, size, &addr));
    assert_ok(tarn_copy(NULL, addr, TARN_ADDR(out), size, stream));
    assert_ok(tarn_copy(NULL, TARN_ADDR(back), addr, size, stream));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_memory_equal(out, back, size);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
    free(out);
    free(back);
}

// ---- a source that the call takes

static void wait_for_gate(void *gate) {
    while (!atomic_load((atomic_bool *)gate)) (void)usleep(100);
}

// Submits the copy behind a blocked function, and changes the source before the function ends.
// Deadlocks if the call waits for the stream.
static void a_taken_source_may_change_at_once(void **state) {
    struct api *api = *state;
    enum { ROWS = 3, WIDTH = 700, PITCH = 1000, BYTES = ROWS * WIDTH };
    unsigned char source[ROWS * PITCH];
    unsigned char back[BYTES] = {0};
    unsigned char want[BYTES];
    atomic_bool gate = false;
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    if (!api->bytes) skip();
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, BYTES, &addr));
    for (size_t i = 0; i < sizeof source; i++) source[i] = (unsigned char)(i * 7 >> (i % 3));
    for (size_t i = 0; i < BYTES; i++) want[i] = source[i / WIDTH * PITCH + i % WIDTH];
    desc.dst = addr;
    desc.src = TARN_ADDR(source);
    desc.width = WIDTH;
    desc.height = ROWS;
    desc.dst_pitch = WIDTH;
    desc.src_pitch = PITCH;
    desc.flags = TARN_COPY_TAKE_SOURCE;
    assert_ok(tarn_stream_call(stream, wait_for_gate, &gate));
    assert_ok(tarn_copy_box(NULL, &desc, stream));
    memset(source, 0, sizeof source);
    atomic_store(&gate, true);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_copy(api->device, TARN_ADDR(back), addr, BYTES, TARN_STREAM_NONE));
    assert_memory_equal(back, want, BYTES);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_memory_free(addr, 0));
}

// Nothing of them is left, as builds with ASan find.
static void sources_taken_by_a_stream_that_drops_its_work_end_with_it(void **state) {
    struct api *api = *state;
    char bytes[100] = {0};
    atomic_bool gate = false;
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    tarn_addr addr = 0;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    if (tarn_stream_abort(stream) == TARN_UNSUPPORTED) {
        assert_ok(tarn_stream_destroy(stream));
        skip();
    }
    assert_ok(tarn_memory_alloc(api->device, sizeof bytes, &addr));
    desc.dst = addr;
    desc.src = TARN_ADDR(bytes);
    desc.width = sizeof bytes;
    desc.flags = TARN_COPY_TAKE_SOURCE;
    assert_ok(tarn_stream_call(stream, wait_for_gate, &gate));
    for (int i = 0; i < 3; i++) assert_ok(tarn_copy_box(NULL, &desc, stream));
    assert_ok(tarn_stream_abort(stream));
    atomic_store(&gate, true);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_memory_free(addr, 0));
}

static void unknown_flags_of_a_copy_are_refused(void **state) {
    struct api *api = *state;
    char byte = 0;
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1, &addr));
    desc.dst = addr;
    desc.src = TARN_ADDR(&byte);
    desc.width = 1;
    desc.flags = 2;
    assert_status(tarn_copy_box(api->device, &desc, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    desc.flags = 0;
    desc.zero = 1;
    assert_status(tarn_copy_box(api->device, &desc, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    desc.zero = 0;
    desc.flags = TARN_COPY_TAKE_SOURCE;
    assert_ok(tarn_copy_box(api->device, &desc, TARN_STREAM_NONE));
    assert_ok(tarn_memory_free(addr, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_are_checked, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_taken_source_may_change_at_once, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(sources_taken_by_a_stream_that_drops_its_work_end_with_it,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(unknown_flags_of_a_copy_are_refused, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(memory_that_is_gone_is_refused, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(random_rectangles_are_copied_as_a_loop_would, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(random_fills_write_what_a_loop_would, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(fill_requests_are_checked, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(boxes_are_moved_as_loops_would, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_box_is_checked_whole_before_it_moves, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(interleaved_rows_do_not_overlap, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_large_copy_arrives_whole, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
