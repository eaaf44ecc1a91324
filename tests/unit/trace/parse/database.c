// SPDX-License-Identifier: Apache-2.0
// SQLite databases as recordings: from memory and gzip, without trust in what they contain.
#include "unit/trace/tables.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#define EVENTS                                                                                     \
    "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, globalPid, deviceId, contextId, address, "   \
    "pc, bytes, memKind, memoryOperationType);"                                                    \
    "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES(1000,0,0,1,4096,0,512,2,0)"

static const char *const plain[] = {EVENTS};

static void database_of_other_programs_is_told_its_tables(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {"CREATE TABLE pictures(id)", "CREATE TABLE albums(id)",
                               "CREATE VIEW best AS SELECT * FROM pictures"};
    const char *const empty[] = {"CREATE TABLE gone(id); DROP TABLE gone"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_CORRUPT);
    assert_message("file: a database without a table of memory events; it has albums, best, "
                   "pictures");
    assert_int_equal(READ_DATABASE(empty, &trace), TARN_CORRUPT);
    assert_message("file: a database without a table of memory events; it has no table");
}

// A program that has not closed its database leaves it in the mode of a write-ahead log.
static void database_opens_without_its_log(void **state) {
    (void)state;
    struct tn_trace trace;
    size_t size = 0;
    uint8_t *database = make_database(plain, 1, &size);
    database[18] = database[19] = 2;
    assert_int_equal(tn_trace_read_memory("file", database, size, NULL, &trace), TARN_OK);
    assert_int_equal(trace.block_count, 1);
    sqlite3_free(database);
    tn_trace_release(&trace);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void database_notes_changes_beside_it(void **state) {
    (void)state;
    struct tn_trace trace;
    char path[] = "/tmp/tarn-database-XXXXXX", beside[sizeof path + 8], expected[128];
    size_t size = 0;
    uint8_t *database = make_database(plain, 1, &size);
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    write_file(path, database, size);
    (void)snprintf(beside, sizeof beside, "%s-wal", path);
    write_file(beside, "", 0);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
    write_file(beside, "log", 3);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    (void)snprintf(expected, sizeof expected, "%s has changes to the database, which are not read",
                   beside);
    assert_int_equal(trace.note_count, 1);
    assert_string_equal(trace.notes[0], expected);
    tn_trace_release(&trace);
    sqlite3_free(database);
    (void)unlink(beside);
    (void)unlink(path);
}

static void database_is_read_from_gzip(void **state) {
    (void)state;
    struct tn_trace trace;
    static uint8_t packed[64 * 1024];
    size_t size = 0;
    uint8_t *database = make_database(plain, 1, &size);
    z_stream stream = {.next_in = database,
                       .avail_in = (uInt)size,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&stream);
    assert_int_equal(
        tn_trace_read_memory("file", packed, sizeof packed - stream.avail_out, NULL, &trace),
        TARN_OK);
    assert_int_equal(trace.block_count, 1);
    tn_trace_release(&trace);
    sqlite3_free(database);
}

static void database_stops_a_view_without_end(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {
        "CREATE VIEW rocpd_memory_allocate AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n) SELECT i AS id, 1 AS pid, i AS address, 0 AS size, 1 AS agent_id, 'FREE' "
        "AS type, 'VIRTUAL' AS level, i AS start FROM n"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_CORRUPT);
    assert_message("file: table rocpd_memory_allocate: its queries take more than 10000000 steps, "
                   "too many for a database of this size");
}

static void database_runs_no_code_of_its_own(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const unsafe[] = {"CREATE VIEW rocpd_memory_allocate AS SELECT "
                                  "load_extension('x') AS start, 1 AS pid, 1 AS address, 1 AS "
                                  "size, 1 AS agent_id, 'FREE' AS type, 'REAL' AS level"};
    const char *const virtual[] = {"CREATE VIRTUAL TABLE CUDA_GPU_MEMORY_USAGE_EVENTS USING "
                                   "rtree(start, globalPid, deviceId)"};
    assert_int_equal(READ_DATABASE(unsafe, &trace), TARN_CORRUPT);
    assert_message("file: table rocpd_memory_allocate: unsafe use of load_extension()");
    assert_int_equal(READ_DATABASE(virtual, &trace), TARN_CORRUPT);
    assert_message("file: table CUDA_GPU_MEMORY_USAGE_EVENTS: no such module: rtree");
}

static void database_that_is_damaged_names_the_table(void **state) {
    (void)state;
    struct tn_trace trace;
    size_t size = 0;
    uint8_t *database = make_database(plain, 1, &size);
    assert_int_equal(size, 1024);
    assert_int_equal(tn_trace_read_memory("file", database, 99, NULL, &trace), TARN_CORRUPT);
    assert_message("file: byte 99: the header of the database is truncated");
    memset(database + 512, 0xff, size - 512); // the first page has the schema alone
    assert_int_equal(tn_trace_read_memory("file", database, size, NULL, &trace), TARN_CORRUPT);
    assert_message("file: table CUDA_GPU_MEMORY_USAGE_EVENTS: database disk image is malformed");
    sqlite3_free(database);
}

static void database_keeps_to_the_limits(void **state) {
    (void)state;
    struct tn_trace trace;
    const struct tn_trace_limits events = {.events = 1}, memory = {.memory = 512};
    const char *const sql[] = {
        EVENTS, "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES(1000,0,0,1,8192,0,512,2,0)"};
    size_t size = 0;
    uint8_t *database = make_database(sql, 2, &size);
    assert_int_equal(tn_trace_read_memory("file", database, size, &events, &trace),
                     TARN_NO_HOST_MEMORY);
    assert_message("file: more than the 1 events allowed");
    assert_int_equal(tn_trace_read_memory("file", database, size, &memory, &trace),
                     TARN_NO_HOST_MEMORY);
    assert_message("file: more than the 512 bytes allowed");
    sqlite3_free(database);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(database_of_other_programs_is_told_its_tables),
        cmocka_unit_test(database_opens_without_its_log),
        cmocka_unit_test(database_notes_changes_beside_it),
        cmocka_unit_test(database_is_read_from_gzip),
        cmocka_unit_test(database_stops_a_view_without_end),
        cmocka_unit_test(database_runs_no_code_of_its_own),
        cmocka_unit_test(database_that_is_damaged_names_the_table),
        cmocka_unit_test(database_keeps_to_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
