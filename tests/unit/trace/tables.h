// SPDX-License-Identifier: Apache-2.0
// Databases of the tests: made by SQL in memory, and read as a file would be.
#pragma once

#include "unit/trace/story.h"

#include <sqlite3.h>

// Returns the bytes of a database that the SQL makes. The caller frees them by sqlite3_free().
static inline uint8_t *make_database(const char *const *sql, size_t count, size_t *size) {
    sqlite3 *handle = NULL;
    sqlite3_int64 bytes = 0;
    assert_int_equal(sqlite3_open(":memory:", &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, "PRAGMA page_size=512", NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < count; i++) {
        char *text = NULL;
        if (sqlite3_exec(handle, sql[i], NULL, NULL, &text) != SQLITE_OK)
            fail_msg("%s: %s", sql[i], text);
    }
    uint8_t *database = sqlite3_serialize(handle, "main", &bytes, 0);
    assert_non_null(database);
    *size = (size_t)bytes;
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    return database;
}

static inline tarn_status read_database(const char *const *sql, size_t count,
                                        struct tn_trace *trace) {
    size_t size = 0;
    uint8_t *database = make_database(sql, count, &size);
    tarn_status status = tn_trace_read_memory("file", database, size, NULL, trace);
    sqlite3_free(database);
    if (status == TARN_OK) sound_trace(trace);
    return status;
}

#define READ_DATABASE(sql, trace) read_database((sql), sizeof(sql) / sizeof *(sql), (trace))

static inline void assert_message(const char *expected) {
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, expected);
}
