// SPDX-License-Identifier: Apache-2.0
// Sources: bytes come out as they went in, packed or not, and damage is named with its position.
#include "trace/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

enum { SIZE = 300000, ROOM = 2 * SIZE };

static uint8_t plain[SIZE];
static uint8_t packed[ROOM];
static uint8_t out[ROOM];

// Something that packs, but not to nothing.
static int make_plain(void **state) {
    (void)state;
    uint32_t random = 1;
    for (size_t i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        plain[i] = (uint8_t)((random >> 24) & 0x3f);
    }
    return 0;
}

static size_t pack(const uint8_t *bytes, size_t size, uint8_t *to, size_t room) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = room - z.avail_out;
    (void)deflateEnd(&z);
    return made;
}

static tarn_status drain(struct tn_source *source, size_t *total) {
    *total = 0;
    for (;;) {
        const uint8_t *bytes;
        size_t size;
        tarn_status status = tn_source_peek(source, &bytes, &size);
        if (status != TARN_OK || size == 0)
            return status;
        assert_true(*total + size <= ROOM);
        memcpy(out + *total, bytes, size);
        tn_source_take(source, size);
        *total += size;
    }
}

static tarn_status drain_memory(const void *bytes, size_t size, size_t *total) {
    struct tn_source *source;
    assert_int_equal(tn_source_open_memory("file", bytes, size, &source), TARN_OK);
    tarn_status status = drain(source, total);
    if (status != TARN_OK) {
        size_t more;
        assert_int_equal(drain(source, &more), status); // a failure stays
    }
    tn_source_close(source);
    return status;
}

static void assert_message(const char *expected) {
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, expected));
}

static void source_passes_plain_bytes_through(void **state) {
    (void)state;
    size_t total;
    assert_int_equal(drain_memory(plain, SIZE, &total), TARN_OK);
    assert_int_equal(total, SIZE);
    assert_memory_equal(out, plain, SIZE);
}

static void source_unpacks_gzip(void **state) {
    (void)state;
    size_t total, size = pack(plain, SIZE, packed, ROOM);
    assert_int_equal(drain_memory(packed, size, &total), TARN_OK);
    assert_int_equal(total, SIZE);
    assert_memory_equal(out, plain, SIZE);
}

// So much is made of the last few packed bytes that it takes several calls after the input has
// ended.
static void source_unpacks_what_the_inflater_still_holds(void **state) {
    (void)state;
    static uint8_t zeros[ROOM];
    size_t total, size = pack(zeros, ROOM, packed, ROOM);
    assert_int_equal(drain_memory(packed, size, &total), TARN_OK);
    assert_int_equal(total, ROOM);
    assert_memory_equal(out, zeros, ROOM);
}

static void source_joins_gzip_members(void **state) {
    (void)state;
    size_t total, first = pack(plain, 1000, packed, ROOM);
    size_t second = pack(plain + 1000, 5000, packed + first, ROOM - first);
    assert_int_equal(drain_memory(packed, first + second, &total), TARN_OK);
    assert_int_equal(total, 6000);
    assert_memory_equal(out, plain, 6000);
}

static void source_refuses_gzip_cut_anywhere(void **state) {
    (void)state;
    size_t total, size = pack(plain, 20, packed, ROOM);
    for (size_t cut = 1; cut < size; cut++) {
        assert_int_equal(drain_memory(packed, cut, &total), TARN_CORRUPT);
        assert_message("the gzip stream is truncated");
    }
    size = pack(plain, SIZE, packed, ROOM);
    assert_int_equal(drain_memory(packed, size / 2, &total), TARN_CORRUPT);
    char where[64];
    (void)snprintf(where, sizeof where, "file: compressed byte %zu: ", size / 2);
    assert_message(where);
}

static void source_refuses_gzip_with_a_wrong_checksum(void **state) {
    (void)state;
    size_t total, size = pack(plain, 1000, packed, ROOM);
    packed[size - 6] ^= 1;
    assert_int_equal(drain_memory(packed, size, &total), TARN_CORRUPT);
    assert_message("damaged gzip: incorrect data check");
}

static void source_refuses_bytes_after_the_last_member(void **state) {
    (void)state;
    size_t total, size = pack(plain, 1000, packed, ROOM);
    memcpy(packed + size, "rubbish", 7);
    assert_int_equal(drain_memory(packed, size + 7, &total), TARN_CORRUPT);
    assert_message("damaged gzip");
}

static void source_reads_exactly_or_fails(void **state) {
    (void)state;
    struct tn_source *source;
    uint8_t bytes[8];
    assert_int_equal(tn_source_open_memory("file", "0123456789", 10, &source), TARN_OK);
    assert_int_equal(tn_source_read(source, bytes, 8), TARN_OK);
    assert_memory_equal(bytes, "01234567", 8);
    assert_int_equal(tn_source_offset(source), 8);
    assert_int_equal(tn_source_read(source, bytes, 8), TARN_CORRUPT);
    assert_message("file: byte 10: the file ends early");
    tn_source_close(source);
}

static void source_reads_files(void **state) {
    (void)state;
    char path[] = "/tmp/tarn-source-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    size_t total, size = pack(plain, SIZE, packed, ROOM);
    assert_int_equal(write(file, packed, size), (ssize_t)size);
    (void)close(file);
    struct tn_source *source;
    assert_int_equal(tn_source_open(path, &source), TARN_OK);
    assert_int_equal(drain(source, &total), TARN_OK);
    tn_source_close(source);
    (void)unlink(path);
    assert_int_equal(total, SIZE);
    assert_memory_equal(out, plain, SIZE);
}

static void source_names_a_file_it_cannot_open_or_read(void **state) {
    (void)state;
    struct tn_source *source = NULL;
    assert_int_equal(tn_source_open("/nowhere/at-all", &source), TARN_SYSTEM);
    assert_message("/nowhere/at-all: cannot open: No such file");
    assert_int_equal(tn_source_open("/", &source), TARN_SYSTEM);
    assert_message("/: cannot read: Is a directory");
    assert_null(source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_passes_plain_bytes_through),
        cmocka_unit_test(source_unpacks_gzip),
        cmocka_unit_test(source_unpacks_what_the_inflater_still_holds),
        cmocka_unit_test(source_joins_gzip_members),
        cmocka_unit_test(source_refuses_gzip_cut_anywhere),
        cmocka_unit_test(source_refuses_gzip_with_a_wrong_checksum),
        cmocka_unit_test(source_refuses_bytes_after_the_last_member),
        cmocka_unit_test(source_reads_exactly_or_fails),
        cmocka_unit_test(source_reads_files),
        cmocka_unit_test(source_names_a_file_it_cannot_open_or_read),
    };
    return cmocka_run_group_tests(tests, make_plain, NULL);
}
