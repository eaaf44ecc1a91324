// SPDX-License-Identifier: Apache-2.0
// Tables in CSV: quotes, line breaks, marks and blanks are those of the file, not of the values,
// and every kind of bad row is refused with its line.
#include "trace/parse/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct table {
    struct tn_source *source;
    struct tn_builder builder;
    struct tn_csv *csv;
};

static tarn_status open_table(struct table *table, const char *text, size_t size) {
    memset(table, 0, sizeof *table);
    tarn_clear_error();
    assert_int_equal(tn_source_open_memory("file", text, size, &table->source), TARN_OK);
    assert_int_equal(tn_builder_begin(&table->builder, "file", TN_TRACE_CSV, NULL), TARN_OK);
    return tn_csv_open(table->source, &table->builder, &table->csv);
}

static void close_table(struct table *table) {
    struct tn_trace trace = {.note_count = 0};
    if (table->csv != NULL) tn_csv_close(table->csv);
    (void)tn_builder_end(&table->builder, TARN_CORRUPT, &trace);
    tn_source_close(table->source);
}

static void assert_cell(const struct table *table, size_t column, const char *expected) {
    struct tn_cell cell = tn_csv_cell(table->csv, column);
    assert_int_equal(cell.length, strlen(expected));
    assert_memory_equal(cell.text, expected, cell.length);
}

static void assert_row(struct table *table, const char *first, const char *second, uint64_t line) {
    bool more = false;
    assert_int_equal(tn_csv_next(table->csv, &more), TARN_OK);
    assert_true(more);
    assert_cell(table, 0, first);
    assert_cell(table, 1, second);
    assert_int_equal(tn_csv_line(table->csv), line);
}

static void assert_end(struct table *table) {
    bool more = true;
    assert_int_equal(tn_csv_next(table->csv, &more), TARN_OK);
    assert_false(more);
}

static void assert_message(const char *expected) {
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, expected);
}

// Reads all rows of a table with the columns a and b; the last one is refused.
static void assert_refused(const char *rows, const char *message) {
    struct table table;
    char text[1024];
    bool more = true;
    tarn_status status = TARN_OK;
    (void)snprintf(text, sizeof text, "a,b\n%s", rows);
    assert_int_equal(open_table(&table, text, strlen(text)), TARN_OK);
    while (more && status == TARN_OK) status = tn_csv_next(table.csv, &more);
    assert_int_equal(status, TARN_CORRUPT);
    assert_message(message);
    close_table(&table);
}

static void csv_columns_are_found_by_name(void **state) {
    (void)state;
    struct table table;
    static const char text[] = "a,\"b (ns)\" , c\n1,2,3\n";
    size_t column = 77;
    assert_int_equal(open_table(&table, text, strlen(text)), TARN_OK);
    assert_int_equal(tn_csv_find(table.csv, "b (ns)"), 1);
    assert_int_equal(tn_csv_find(table.csv, "c"), 2);
    assert_int_equal(tn_csv_find(table.csv, "d"), TN_CSV_NO_COLUMN);
    assert_int_equal(tn_csv_need(table.csv, "d", &column), TARN_CORRUPT);
    assert_message("file:1: no column is named \"d\"");
    assert_row(&table, "1", "2", 2);
    assert_cell(&table, TN_CSV_NO_COLUMN, "");
    close_table(&table);
}

static void csv_quotes_hide_commas_quotes_and_line_breaks(void **state) {
    (void)state;
    struct table table;
    static const char text[] =
        "a,b\n\"x,y\",\"say \"\"no\"\"\"\n\"one\ntwo\r\nthree\",z\n,\n\"\",\"\"\n";
    assert_int_equal(open_table(&table, text, strlen(text)), TARN_OK);
    assert_row(&table, "x,y", "say \"no\"", 2);
    assert_row(&table, "one\ntwo\r\nthree", "z", 3);
    assert_row(&table, "", "", 6);
    assert_row(&table, "", "", 7);
    assert_end(&table);
    close_table(&table);
}

static void csv_marks_returns_blanks_and_empty_lines_are_no_values(void **state) {
    (void)state;
    struct table table;
    static const char text[] = "\xef\xbb\xbf"
                               "a,b\r\n1\t, 2 \r\n\r\n\n\"3\t\" ,4\r\n5,6";
    assert_int_equal(open_table(&table, text, strlen(text)), TARN_OK);
    assert_int_equal(tn_csv_find(table.csv, "a"), 0);
    assert_row(&table, "1", "2", 2);
    assert_row(&table, "3", "4", 5);
    assert_row(&table, "5", "6", 6);
    assert_end(&table);
    close_table(&table);
}

static void csv_numbers_are_exact(void **state) {
    (void)state;
    struct table table;
    static const char text[] = "a,b\n18446744073709551615,0x7fFF\n1.5,0.0009765625\n";
    uint64_t value = 0;
    assert_int_equal(open_table(&table, text, strlen(text)), TARN_OK);
    assert_row(&table, "18446744073709551615", "0x7fFF", 2);
    assert_int_equal(tn_csv_number(table.csv, 0, &value), TARN_OK);
    assert_int_equal(value, UINT64_MAX);
    assert_int_equal(tn_csv_number(table.csv, 1, &value), TARN_OK);
    assert_int_equal(value, 0x7fff);
    assert_int_equal(tn_cell_scaled(tn_csv_cell(table.csv, 0), 2, &value), false);
    assert_row(&table, "1.5", "0.0009765625", 3);
    assert_int_equal(tn_cell_scaled(tn_csv_cell(table.csv, 0), 1024, &value), true);
    assert_int_equal(value, 1536);
    assert_int_equal(tn_cell_scaled(tn_csv_cell(table.csv, 1), 1 << 20, &value), true);
    assert_int_equal(value, 1023); // nine digits of the fraction count
    assert_int_equal(tn_csv_number(table.csv, 0, &value), TARN_CORRUPT);
    assert_message("file:3: a: expected a number of 64 bits, found \"1.5\"");
    close_table(&table);
}

static void csv_bad_rows_are_refused_with_their_line(void **state) {
    (void)state;
    assert_refused("1,2\n1,2,3\n", "file:3: expected 2 columns, found 3");
    assert_refused("\"1\n\n\",2\n1\n", "file:5: expected 2 columns, found 1");
    assert_refused("1,\"2\"x\n", "file:2: a quoted value with something behind its quote");
}

static void csv_row_without_an_end_is_left_out_and_noted(void **state) {
    (void)state;
    static const char *const texts[] = {"a,b\n1,2\n3", "a,b\n1,2\n3,\"4", "a,b\n1,2\n\"3\n,4\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct table table;
        assert_int_equal(open_table(&table, texts[i], strlen(texts[i])), TARN_OK);
        assert_row(&table, "1", "2", 2);
        assert_end(&table);
        assert_string_equal(table.builder.trace.notes[0],
                            "line 3: the file ends within this row, which is skipped");
        close_table(&table);
    }
}

static void csv_rows_and_columns_have_limits(void **state) {
    (void)state;
    struct table table;
    bool more;
    size_t size = TN_CSV_ROW_BYTES + 5;
    char *text = (char *)malloc(size + 1);
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, "a\n\"", 3);
    text[TN_CSV_ROW_BYTES + 1] = '"';
    text[TN_CSV_ROW_BYTES + 2] = '\n';
    assert_int_equal(open_table(&table, text, TN_CSV_ROW_BYTES + 3), TARN_OK);
    assert_int_equal(tn_csv_next(table.csv, &more), TARN_OK);
    assert_int_equal(tn_csv_cell(table.csv, 0).length, TN_CSV_ROW_BYTES - 2);
    close_table(&table);
    text[TN_CSV_ROW_BYTES + 2] = 'x';
    assert_int_equal(open_table(&table, text, size), TARN_OK);
    assert_int_equal(tn_csv_next(table.csv, &more), TARN_CORRUPT);
    assert_message("file:2: a row of more than 1048576 bytes");
    close_table(&table);
    memset(text, ',', TN_CSV_COLUMNS);
    text[TN_CSV_COLUMNS - 1] = '\n';
    assert_int_equal(open_table(&table, text, TN_CSV_COLUMNS), TARN_OK);
    close_table(&table);
    text[TN_CSV_COLUMNS - 1] = ',';
    assert_int_equal(open_table(&table, text, TN_CSV_COLUMNS), TARN_CORRUPT);
    assert_message("file:1: a row of more than 256 columns");
    close_table(&table);
    free(text);
}

static void csv_detection_compares_whole_names(void **state) {
    (void)state;
    static const struct tn_column columns[] = {{.name = "A b"}, {.name = "C"}};
    static const struct {
        const char *text;
        bool expected;
    } cases[] = {{"A b,C,D\n", true},
                 {"\"A b\",\"C\"\n", true},
                 {"\xef\xbb\xbf"
                  "A b,C\n",
                  true},
                 {"A b,C", true},
                 {"A b\n", false},
                 {"A b", false},
                 {"\"A b,C\n", false},
                 {"A,C\n", false},
                 {"", false},
                 {"\"A b\"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            tn_csv_detect((const uint8_t *)cases[i].text, strlen(cases[i].text), columns, 2),
            cases[i].expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_columns_are_found_by_name),
        cmocka_unit_test(csv_quotes_hide_commas_quotes_and_line_breaks),
        cmocka_unit_test(csv_marks_returns_blanks_and_empty_lines_are_no_values),
        cmocka_unit_test(csv_numbers_are_exact),
        cmocka_unit_test(csv_bad_rows_are_refused_with_their_line),
        cmocka_unit_test(csv_row_without_an_end_is_left_out_and_noted),
        cmocka_unit_test(csv_rows_and_columns_have_limits),
        cmocka_unit_test(csv_detection_compares_whole_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
