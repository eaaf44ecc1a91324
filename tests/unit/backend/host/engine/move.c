// SPDX-License-Identifier: Apache-2.0
// Copies and fills of the software device: they move the right bytes, no others, and obey rights.
#include "world.h"

#include <time.h>

#include "backend/host/engine/bulk.h"

#define WORLD_BYTES (WORLD_PAGES * WORLD_PAGE)
#define MIB         ((uint64_t)1 << 20)

// The expected contents of the world, computed by the simple loops below.
static unsigned char model[WORLD_BYTES];

static void model_copy(const tarn_backend_copy *c) {
    for (uint64_t row = 0; row < c->height * c->depth; row++) {
        uint64_t z = row / c->height;
        uint64_t y = row % c->height;
        memcpy(model + (c->dst - WORLD_BASE) + z * c->dst_slice_pitch + y * c->dst_pitch,
               model + (c->src - WORLD_BASE) + z * c->src_slice_pitch + y * c->src_pitch, c->width);
    }
}

static void model_fill(const tarn_backend_fill *f) {
    for (uint64_t row = 0; row < f->height * f->depth; row++) {
        uint64_t first = row / f->height * f->slice_pitch + row % f->height * f->pitch;
        for (uint64_t x = 0; x < f->width; x++) {
            unsigned byte = (unsigned)(x % f->element_bytes);
            model[f->dst - WORLD_BASE + first + x] = (unsigned char)(f->value >> (8 * byte) & 0xff);
        }
    }
}

static void assert_world_is_the_model(struct tn_host *h) {
    for (uint64_t page = 0; page < WORLD_PAGES; page++) {
        assert_memory_equal(world_at(h, WORLD_BASE + page * WORLD_PAGE), model + page * WORLD_PAGE,
                            WORLD_PAGE);
    }
}

static struct tn_host *world_with_noise(void) {
    struct tn_host *h = world_open(2);
    uint64_t random = 42;
    for (uint64_t i = 0; i < WORLD_BYTES; i += sizeof random) {
        (void)world_random(&random);
        memcpy(model + i, &random, sizeof random);
    }
    for (uint64_t i = 0; i < WORLD_BYTES; i += WORLD_PAGE)
        memcpy(world_at(h, WORLD_BASE + i), model + i, WORLD_PAGE);
    return h;
}

struct box {
    uint64_t width, height, depth;
    uint64_t pitch, slice;
};

// Returns a size that is often small, often odd, and sometimes large.
static uint64_t some_size(uint64_t *random, uint64_t most) {
    unsigned bits = (unsigned)(world_random(random) % 22);
    uint64_t size = 1 + world_random(random) % ((uint64_t)1 << bits);
    return size < most ? size : most;
}

// Returns a pitch: `bytes`, and sometimes up to 99 more, if `count` of them fit half of the world.
static uint64_t some_stride(uint64_t *random, uint64_t bytes, uint64_t count) {
    uint64_t stride = bytes + world_random(random) % 100;
    return world_random(random) % 4 == 0 || stride * count > WORLD_BYTES / 2 ? bytes : stride;
}

// Makes a box in the half of the world that begins at `half`. Slices without gaps and slices of one
// row are as likely as others.
static tarn_addr some_place(uint64_t *random, uint64_t half, struct box *box) {
    box->pitch = some_stride(random, box->width, box->height * box->depth);
    box->slice = some_stride(random, box->pitch * box->height, box->depth);
    uint64_t slack = WORLD_BYTES / 2 - box->slice * box->depth;
    if (box->depth == 1) box->slice = world_random(random); // counts for nothing
    if (box->height == 1) box->pitch = world_random(random);
    return WORLD_BASE + half * WORLD_BYTES / 2 + world_random(random) % (slack + 1);
}

static struct box some_box(uint64_t *random, uint64_t widest, unsigned element_bytes) {
    struct box box = {.width = some_size(random, widest) * element_bytes};
    box.height = some_size(random, WORLD_BYTES / 2 / box.width);
    box.depth = some_size(random, WORLD_BYTES / 2 / box.width / box.height);
    if (world_random(random) % 3 == 0)
        box.depth = 1;
    else if (world_random(random) % 3 == 0)
        box.height = 1;
    return box;
}

static tarn_backend_copy some_copy(uint64_t *random) {
    struct box to = some_box(random, WORLD_BYTES / 2, 1);
    struct box from = to;
    uint64_t half = world_random(random) % 2;
    tarn_addr dst = some_place(random, half, &to);
    tarn_addr src = some_place(random, 1 - half, &from);
    return (tarn_backend_copy){.dst = dst,
                               .src = src,
                               .width = to.width,
                               .height = to.height,
                               .depth = to.depth,
                               .dst_pitch = to.pitch,
                               .src_pitch = from.pitch,
                               .dst_slice_pitch = to.slice,
                               .src_slice_pitch = from.slice,
                               .peers = {-1, -1}};
}

static void copies_of_boxes_are_those_of_a_naive_loop(void **state) {
    struct tn_host *h = world_with_noise();
    void *stream = world_stream(h, 0);
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < 120; i++) {
        tarn_backend_copy copy = some_copy(&random);
        void *where = i % 2 == 0 ? stream : NULL;
        if (where == NULL)
            assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
        model_copy(&copy);
        assert_int_equal(tn_host_copy(h, where, &copy), TARN_OK);
    }
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_world_is_the_model(h);
    world_close(h);
}

static tarn_backend_fill some_fill(uint64_t *random) {
    static const unsigned sizes[] = {1, 2, 4};
    unsigned element = sizes[world_random(random) % 3];
    struct box box = some_box(random, WORLD_BYTES / 8, element);
    tarn_addr dst = some_place(random, 0, &box);
    return (tarn_backend_fill){.dst = dst,
                               .width = box.width,
                               .height = box.height,
                               .depth = box.depth,
                               .pitch = box.pitch,
                               .slice_pitch = box.slice,
                               .value = (uint32_t)world_random(random),
                               .element_bytes = element};
}

static void fills_of_boxes_are_those_of_a_naive_loop(void **state) {
    struct tn_host *h = world_with_noise();
    void *stream = world_stream(h, 0);
    uint64_t random = 11;
    (void)state;
    for (int i = 0; i < 120; i++) {
        tarn_backend_fill fill = some_fill(&random);
        void *where = i % 2 == 0 ? stream : NULL;
        if (where == NULL)
            assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
        model_fill(&fill);
        assert_int_equal(tn_host_fill(h, where, &fill), TARN_OK);
    }
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_world_is_the_model(h);
    world_close(h);
}

// A copy of the smallest size that bypasses the cache, at every offset from a cache line.
static void a_huge_copy_moves_every_byte_and_no_other(void **state) {
    const uint64_t bytes = TN_HOST_BULK_BYTES + 3 * 4096 + 77;
    unsigned char *from = (unsigned char *)malloc(bytes + 128);
    unsigned char *to = (unsigned char *)malloc(bytes + 128);
    struct tn_host *h = world_open(1);
    (void)state;
    assert_true(from != NULL && to != NULL);
    for (uint64_t i = 0; i < bytes + 128; i++) from[i] = (unsigned char)(i * 31 + i / 4096);
    for (uint64_t offset = 0; offset < 64; offset += 21) {
        memset(to, 0xee, bytes + 128);
        assert_int_equal(
            world_copy(h, NULL, addr_of(to + offset), addr_of(from + 63 - offset), bytes), TARN_OK);
        assert_int_equal(memcmp(to + offset, from + 63 - offset, bytes), 0);
        for (uint64_t i = 0; i < 64; i++)
            assert_true(to[offset + bytes + i] == 0xee && (i >= offset || to[i] == 0xee));
    }
    world_close(h);
    free(from);
    free(to);
}

static void ordinary_host_memory_goes_in_and_comes_out(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    static unsigned char in[3 * 1024 * 1024 + 5], out[sizeof in];
    (void)state;
    for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)(i * 31 + i / 4096);
    assert_int_equal(world_copy(h, stream, WORLD_BASE + 77, addr_of(in), sizeof in), TARN_OK);
    assert_int_equal(world_copy(h, stream, addr_of(out), WORLD_BASE + 77, sizeof in), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_memory_equal(in, out, sizeof in);
    memset(out, 0, sizeof out);
    assert_int_equal(world_copy(h, NULL, addr_of(out), WORLD_BASE + 77, sizeof in), TARN_OK);
    assert_memory_equal(in, out, sizeof in);
    world_close(h);
}

// The last page is a hole: in one row, in many rows, in one piece and in many.
static void a_copy_without_stream_that_fails_writes_nothing(void **state) {
    struct tn_host *h = world_with_noise();
    const uint64_t hole = 1000;
    (void)state;
    world_set_mapped(h, hole, false);
    const tarn_addr end = WORLD_BASE + hole * WORLD_PAGE + 1;
    for (uint64_t bytes = 2; bytes < 3 * MIB; bytes = bytes * 3 + 1) {
        assert_int_equal(world_copy(h, NULL, end - bytes, WORLD_BASE + 5 * MIB, bytes),
                         TARN_NOT_MAPPED);
        assert_int_equal(world_copy(h, NULL, WORLD_BASE + 5 * MIB, end - bytes, bytes),
                         TARN_NOT_MAPPED);
        assert_int_equal(world_fill(h, NULL, end - bytes, 0, bytes), TARN_NOT_MAPPED);
    }
    tarn_backend_copy rows = {.dst = end - 300 * 5000,
                              .src = WORLD_BASE + 5 * MIB,
                              .width = 4000,
                              .height = 301,
                              .depth = 1,
                              .dst_pitch = 5000,
                              .src_pitch = 4001,
                              .device = 0,
                              .peers = {-1, -1}};
    assert_int_equal(tn_host_copy(h, NULL, &rows), TARN_NOT_MAPPED);
    assert_world_is_the_model(h);
    world_close(h);
}

static void rows_need_no_memory_between_them(void **state) {
    struct tn_host *h = world_with_noise();
    (void)state;
    for (uint64_t page = 1; page < 100; page += 2) world_set_mapped(h, page, false);
    tarn_backend_fill fill = {.dst = WORLD_BASE,
                              .width = WORLD_PAGE,
                              .height = 50,
                              .depth = 1,
                              .pitch = 2 * WORLD_PAGE,
                              .value = 0x12345678,
                              .element_bytes = 4,
                              .device = 0};
    model_fill(&fill);
    assert_int_equal(tn_host_fill(h, NULL, &fill), TARN_OK);
    assert_world_is_the_model(h);
    world_close(h);
}

static void rights_are_asked_of_the_device_its_peers_and_the_owner(void **state) {
    struct tn_host *h = world_open(1);
    struct world_page *page = &h->pages[0];
    tarn_backend_copy copy = {.dst = WORLD_BASE,
                              .src = WORLD_BASE + WORLD_PAGE,
                              .width = 8,
                              .height = 1,
                              .depth = 1,
                              .dst_pitch = 8,
                              .src_pitch = 8,
                              .device = 0,
                              .peers = {-1, -1}};
    (void)state;
    page->access[0] = TARN_ACCESS_READ;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_NO_ACCESS);
    page->access[1] = TARN_ACCESS_READ_WRITE;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_NO_ACCESS);
    copy.peers[1] = 1;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_OK);
    copy.peers[1] = -1;
    page->owner = 1;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_OK);
    page->access[1] = TARN_ACCESS_READ;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_NO_ACCESS);
    copy.dst = WORLD_BASE + WORLD_PAGE;
    copy.src = WORLD_BASE;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_OK); // reading is enough for a source
    page->access[0] = page->access[1] = TARN_ACCESS_NONE;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_NO_ACCESS);
    world_close(h);
}

// Rights are checked when the copy runs, whatever they were at submission.
static void rights_are_asked_when_work_runs(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    struct world_block block;
    tarn_error error;
    (void)state;
    world_block(h, stream, &block);
    assert_int_equal(world_copy(h, stream, WORLD_BASE, WORLD_BASE + 4 * MIB, 100), TARN_OK);
    pthread_rwlock_wrlock(&h->lock);
    h->pages[4 * MIB / WORLD_PAGE].access[0] = TARN_ACCESS_NONE;
    pthread_rwlock_unlock(&h->lock);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_DEVICE_FAILED);
    tarn_last_error(&error);
    assert_non_null(strstr(error.message, "copy of 100 x 1 x 1 bytes from 0x1000000000400000 to "
                                          "0x1000000000000000 on device 0: NO_ACCESS: page 1024"));
    world_close(h);
}

// Checking and moving a small copy share the translations, and so do the rows of one run.
static void rows_of_one_run_are_translated_once(void **state) {
    struct tn_host *h = world_open(1);
    unsigned char target[4096];
    tarn_backend_copy copy = {.dst = addr_of(target),
                              .src = WORLD_BASE + 16,
                              .width = 32,
                              .height = 20,
                              .depth = 1,
                              .dst_pitch = 64,
                              .src_pitch = 128,
                              .device = 0,
                              .peers = {-1, -1}};
    (void)state;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_OK);
    assert_int_equal(h->translations, 2);
    copy.src = WORLD_BASE + WORLD_PAGE - 64; // the rows lie in two pages
    h->pages[0].at = 0;
    h->pages[1].at = 2;
    assert_int_equal(tn_host_copy(h, NULL, &copy), TARN_OK);
    assert_in_range(h->translations, 2 + 3, 2 + 6);
    world_close(h);
}

static void idle_workers_help_with_a_large_copy(void **state) {
    struct tn_host *h = world_with_noise();
    void *stream = world_stream(h, 0);
    const uint64_t bytes = 7 * MIB + 4321;
    unsigned char *out = (unsigned char *)malloc(bytes);
    (void)state;
    assert_non_null(out);
    h->engine.helpers_max = 3;
    for (int i = 0; i < 20; i++) {
        memset(out, 0, bytes);
        assert_int_equal(world_copy(h, stream, addr_of(out), WORLD_BASE + 99, bytes), TARN_OK);
        assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
        assert_int_equal(memcmp(out, model + 99, bytes), 0);
    }
    assert_int_equal(h->engine.worker_count, 2);
    free(out);
    world_close(h);
}

static pthread_t main_thread;

static void others_are_slow(struct tn_host *h) {
    struct timespec t = {0, pthread_equal(pthread_self(), main_thread) ? 1000000 : 4000000};
    (void)h;
    (void)nanosleep(&t, NULL);
}

static void *release_soon(void *arg) {
    struct timespec t = {0, 5000000};
    (void)nanosleep(&t, NULL);
    world_unblock((struct world_block *)arg);
    return NULL;
}

// This thread runs the copy, since the only worker is busy. The worker helps in the middle. A place
// that no worker took is withdrawn with the others.
static void copy_with_one_helper(unsigned places) {
    struct tn_host *h = world_with_noise();
    void *blocked = world_stream(h, 0);
    void *stream = world_stream(h, 0);
    struct world_block block;
    pthread_t thread;
    const uint64_t bytes = 5 * MIB;
    unsigned char *out = (unsigned char *)calloc(1, bytes);
    assert_non_null(out);
    main_thread = pthread_self();
    h->before = others_are_slow;
    h->engine.helpers_max = places;
    h->engine.workers_max = 1;
    world_block(h, blocked, &block);
    assert_int_equal(world_copy(h, stream, addr_of(out), WORLD_BASE, bytes), TARN_OK);
    assert_int_equal(pthread_create(&thread, NULL, release_soon, &block), 0);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(memcmp(out, model, bytes), 0);
    pthread_join(thread, NULL);
    assert_null(h->engine.parallels);
    assert_int_equal(h->engine.parallel_places, 0);
    free(out);
    world_close(h);
}

static void a_large_copy_is_complete_when_its_last_helper_is(void **state) {
    (void)state;
    copy_with_one_helper(1);
    copy_with_one_helper(2);
}

static void a_violation_ends_a_large_copy_whoever_meets_it(void **state) {
    struct tn_host *h = world_open(3);
    unsigned char *out = (unsigned char *)malloc(8 * MIB);
    tarn_error error;
    (void)state;
    assert_non_null(out);
    h->engine.helpers_max = 3;
    for (uint64_t page = 0; page < WORLD_PAGES; page += 97) {
        void *stream = world_stream(h, 0);
        world_set_mapped(h, page, false);
        assert_int_equal(world_copy(h, stream, addr_of(out), WORLD_BASE, 8 * MIB), TARN_OK);
        assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_DEVICE_FAILED);
        tarn_last_error(&error);
        assert_non_null(strstr(error.message, "NOT_MAPPED: page "));
        world_set_mapped(h, page, true);
        tn_host_stream_destroy(h, stream);
    }
    free(out);
    world_close(h);
}

static void unmap_all(struct tn_host *h) {
    for (uint64_t page = 0; page < WORLD_PAGES; page++) world_set_mapped(h, page, false);
}

// The call itself holds the MMU once, before the work is queued.
static void unmap_after_submission(struct tn_host *h) { h->between = unmap_all; }

// The second piece begins in a run of pages that the first one has already translated.
static void nothing_translated_outlives_a_hold_of_the_mmu(void **state) {
    struct tn_host *h = world_open(1);
    void *stream = world_stream(h, 0);
    tarn_error error;
    (void)state;
    for (uint64_t page = 0; page < WORLD_PAGES; page++)
        h->pages[page].at = (page + WORLD_PAGES / 2 + 100) % WORLD_PAGES; // a new run at page 924
    h->between = unmap_after_submission;
    tarn_addr from = WORLD_BASE + (WORLD_PAGES / 2 - 200) * WORLD_PAGE;
    assert_int_equal(world_fill(h, stream, from, 1, 2 * MIB - WORLD_PAGE), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_DEVICE_FAILED);
    tarn_last_error(&error);
    // 1 MiB is 256 pages, less the cost of the two rows of the first piece.
    assert_non_null(strstr(error.message, "NOT_MAPPED: page 1079 of the world"));
    world_close(h);
}

struct flipper {
    struct tn_host *h;
    _Atomic bool stop;
};

// Unmaps and maps a page repeatedly, and writes to its bytes while it is unmapped. A copy that
// touched them would be a race, which ThreadSanitizer reports.
static void *flip(void *arg) {
    struct flipper *f = (struct flipper *)arg;
    while (!f->stop) {
        world_set_mapped(f->h, 600, false);
        memset(world_at(f->h, WORLD_BASE + 600 * WORLD_PAGE), 0xee, WORLD_PAGE);
        world_set_mapped(f->h, 600, true);
    }
    return NULL;
}

static void an_unmap_has_taken_effect_when_it_returns(void **state) {
    struct tn_host *h = world_open(2);
    struct flipper f = {.h = h};
    pthread_t thread;
    unsigned faults = 0;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, flip, &f), 0);
    for (int i = 0; i < 100; i++) {
        void *stream = world_stream(h, 0);
        assert_int_equal(world_copy(h, stream, WORLD_BASE, WORLD_BASE + 4 * MIB, 4 * MIB), TARN_OK);
        tarn_status status = tn_host_stream_synchronize(h, stream, UINT64_MAX);
        assert_true(status == TARN_OK || status == TARN_DEVICE_FAILED);
        faults += status == TARN_DEVICE_FAILED;
        tn_host_stream_destroy(h, stream);
    }
    f.stop = true;
    pthread_join(thread, NULL);
    print_message("%u of 100 copies met the page unmapped\n", faults);
    world_close(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_boxes_are_those_of_a_naive_loop),
        cmocka_unit_test(fills_of_boxes_are_those_of_a_naive_loop),
        cmocka_unit_test(a_huge_copy_moves_every_byte_and_no_other),
        cmocka_unit_test(ordinary_host_memory_goes_in_and_comes_out),
        cmocka_unit_test(a_copy_without_stream_that_fails_writes_nothing),
        cmocka_unit_test(rows_need_no_memory_between_them),
        cmocka_unit_test(rows_of_one_run_are_translated_once),
        cmocka_unit_test(rights_are_asked_of_the_device_its_peers_and_the_owner),
        cmocka_unit_test(rights_are_asked_when_work_runs),
        cmocka_unit_test(nothing_translated_outlives_a_hold_of_the_mmu),
        cmocka_unit_test(idle_workers_help_with_a_large_copy),
        cmocka_unit_test(a_large_copy_is_complete_when_its_last_helper_is),
        cmocka_unit_test(a_violation_ends_a_large_copy_whoever_meets_it),
        cmocka_unit_test(an_unmap_has_taken_effect_when_it_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
