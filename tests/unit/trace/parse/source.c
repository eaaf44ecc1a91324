// SPDX-License-Identifier: Apache-2.0
// Sources: bytes come out as they went in, packed or not, and damage is named with its position.
#include "trace/parse/source.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "trace/progress.h"

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
        if (status != TARN_OK || size == 0) return status;
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
    if (strstr(error.message, expected) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", error.message, expected);
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

static size_t pack_zstd(const uint8_t *bytes, size_t size, uint8_t *to, size_t room) {
    size_t made = ZSTD_compress(to, room, bytes, size, 3);
    assert_false(ZSTD_isError(made));
    return made;
}

static size_t pack_xz(const uint8_t *bytes, size_t size, uint8_t *to, size_t room) {
    size_t made = 0;
    assert_int_equal(
        lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, size, to, &made, room), LZMA_OK);
    return made;
}

typedef size_t pack_function(const uint8_t *bytes, size_t size, uint8_t *to, size_t room);

static const struct packer {
    const char *name;
    pack_function *pack;
    size_t magic; // shorter files are not known to be compressed
} packers[] = {{"gzip", pack, 2}, {"zstd", pack_zstd, 4}, {"xz", pack_xz, 6}};

static void source_unpacks_streams_that_follow_each_other(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t total, first = packers[i].pack(plain, 1000, packed, ROOM);
        size_t second = packers[i].pack(plain + 1000, SIZE - 1000, packed + first, ROOM - first);
        assert_int_equal(drain_memory(packed, first + second, &total), TARN_OK);
        assert_int_equal(total, SIZE);
        assert_memory_equal(out, plain, SIZE);
    }
}

static void source_refuses_streams_cut_anywhere(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        char expected[64];
        size_t total, size = packers[i].pack(plain, 20, packed, ROOM);
        (void)snprintf(expected, sizeof expected, "the %s stream is truncated", packers[i].name);
        for (size_t cut = packers[i].magic; cut < size; cut++) {
            assert_int_equal(drain_memory(packed, cut, &total), TARN_CORRUPT);
            assert_message(expected);
        }
        memcpy(packed + size, "rubbish, more of it", 19);
        assert_int_equal(drain_memory(packed, size + 19, &total), TARN_CORRUPT);
        (void)snprintf(expected, sizeof expected, "damaged %s: ", packers[i].name);
        assert_message(expected);
    }
}

static void source_never_crashes_at_a_changed_byte(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t total, size = packers[i].pack(plain, 2000, packed, ROOM);
        for (size_t at = packers[i].magic; at < size; at += 7) {
            packed[at] ^= 0x40;
            tarn_status status = drain_memory(packed, size, &total);
            assert_true(status == TARN_OK || status == TARN_CORRUPT ||
                        status == TARN_NO_HOST_MEMORY);
            packed[at] ^= 0x40;
        }
    }
}

static void source_looks_ahead_without_taking(void **state) {
    (void)state;
    for (int i = -1; i < 3; i++) {
        struct tn_source *source;
        const uint8_t *bytes;
        size_t size, total;
        size_t length = i < 0 ? SIZE : packers[i].pack(plain, SIZE, packed, ROOM);
        assert_int_equal(tn_source_open_memory("file", i < 0 ? plain : packed, length, &source),
                         TARN_OK);
        assert_int_equal(tn_source_look(source, 10, &bytes, &size), TARN_OK);
        assert_true(size >= 10);
        tn_source_take(source, 3);
        assert_int_equal(tn_source_look(source, TN_SOURCE_LOOK, &bytes, &size), TARN_OK);
        assert_true(size >= TN_SOURCE_LOOK);
        assert_memory_equal(bytes, plain + 3, TN_SOURCE_LOOK);
        assert_int_equal(drain(source, &total), TARN_OK);
        assert_int_equal(total, SIZE - 3);
        assert_memory_equal(out, plain + 3, SIZE - 3);
        tn_source_close(source);
    }
}

static void source_reads_all_up_to_a_limit(void **state) {
    (void)state;
    struct tn_source *source;
    uint8_t *bytes;
    size_t size, length = pack(plain, SIZE, packed, ROOM);
    assert_int_equal(tn_source_open_memory("file", packed, length, &source), TARN_OK);
    assert_int_equal(tn_source_read_all(source, SIZE, &bytes, &size), TARN_OK);
    assert_int_equal(size, SIZE);
    assert_memory_equal(bytes, plain, SIZE);
    assert_int_equal(bytes[SIZE], 0);
    free(bytes);
    tn_source_close(source);
    assert_int_equal(tn_source_open_memory("file", packed, length, &source), TARN_OK);
    assert_int_equal(tn_source_read_all(source, SIZE - 1, &bytes, &size), TARN_NO_HOST_MEMORY);
    assert_message("file: more than the 299999 bytes allowed");
    tn_source_close(source);
}

// A pipe delivers what was written, in pieces of any length.
static void source_reads_standard_input(void **state) {
    (void)state;
    struct tn_source *source;
    int ends[2], before = dup(STDIN_FILENO);
    size_t total, size = pack_zstd(plain, 20000, packed, ROOM);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    assert_int_equal(write(ends[1], packed, 1), 1);
    assert_int_equal(write(ends[1], packed + 1, size - 1), (ssize_t)size - 1);
    (void)close(ends[1]);
    assert_int_equal(tn_source_open("-", &source), TARN_OK);
    assert_string_equal(tn_source_name(source), "standard input");
    assert_int_equal(drain(source, &total), TARN_OK);
    assert_int_equal(total, 20000);
    tn_source_close(source);
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    (void)close(before);
}

static void source_refuses_gzip_cut_anywhere(void **state) {
    (void)state;
    size_t total, size = pack(plain, 20, packed, ROOM);
    for (size_t cut = 2; cut < size; cut++) {
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

static uint64_t most_done;

static void note_progress(enum tn_trace_stage stage, uint64_t done, uint64_t total) {
    assert_int_equal(stage, TN_STAGE_READ);
    assert_int_equal(total, SIZE);
    most_done = done > most_done ? done : most_done;
}

// Looking further ahead reads no byte twice.
static void source_reports_each_byte_once(void **state) {
    (void)state;
    char path[] = "/tmp/tarn-source-XXXXXX";
    const uint8_t *bytes;
    size_t size;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, plain, SIZE), SIZE);
    (void)close(file);
    struct tn_source *source;
    most_done = 0;
    tn_trace_progress = note_progress;
    assert_int_equal(tn_source_open(path, &source), TARN_OK);
    do {
        assert_int_equal(tn_source_look(source, TN_SOURCE_LOOK, &bytes, &size), TARN_OK);
        tn_source_take(source, size < 100 ? size : size - size / 3);
    } while (size > 0);
    tn_source_close(source);
    tn_trace_progress = NULL;
    (void)unlink(path);
    assert_in_range(most_done, SIZE / 2, SIZE);
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
        cmocka_unit_test(source_unpacks_streams_that_follow_each_other),
        cmocka_unit_test(source_refuses_streams_cut_anywhere),
        cmocka_unit_test(source_never_crashes_at_a_changed_byte),
        cmocka_unit_test(source_looks_ahead_without_taking),
        cmocka_unit_test(source_reads_all_up_to_a_limit),
        cmocka_unit_test(source_reads_standard_input),
        cmocka_unit_test(source_refuses_gzip_cut_anywhere),
        cmocka_unit_test(source_refuses_gzip_with_a_wrong_checksum),
        cmocka_unit_test(source_refuses_bytes_after_the_last_member),
        cmocka_unit_test(source_reads_exactly_or_fails),
        cmocka_unit_test(source_reads_files),
        cmocka_unit_test(source_reports_each_byte_once),
        cmocka_unit_test(source_names_a_file_it_cannot_open_or_read),
    };
    return cmocka_run_group_tests(tests, make_plain, NULL);
}
