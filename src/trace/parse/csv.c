// SPDX-License-Identifier: Apache-2.0
// Reads tables in CSV; see csv.h. A row is collected into one buffer, and its cells are unquoted
// in place.
#include "trace/parse/csv.h"

#include <inttypes.h>

#include "base/error.h"

static const char utf8_mark[] = "\xef\xbb\xbf";
enum { MARK_SIZE = sizeof utf8_mark - 1 };

struct tn_csv {
    struct tn_source *source;
    struct tn_builder *builder;
    uint64_t line;      // of the row
    uint64_t next_line; // on which the next row begins
    char *row;
    size_t row_size, row_room;
    bool cut;    // the file ends without the end of the line
    bool quoted; // at the end of the bytes collected: within quotes
    size_t cell_count;
    size_t column_count;
    struct tn_cell cells[TN_CSV_COLUMNS];
    char *columns[TN_CSV_COLUMNS + 1]; // names; NULL for TN_CSV_NO_COLUMN
    const struct tn_column *format;    // the bound columns, or NULL
    size_t bound_count;
    size_t bound[TN_CSV_COLUMNS]; // columns by the reader's numbers
};

static tarn_status fail_row(const struct tn_csv *csv, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s", csv->builder->name, csv->line, what);
}

// ---- rows

// Finds the newline that ends the row: the first one outside quotes. Quotes toggle: a doubled one
// toggles twice. Returns the number of bytes before it.
static size_t scan_row(struct tn_csv *csv, const uint8_t *bytes, size_t size) {
    const uint8_t *at = bytes, *end = bytes + size;
    for (;;) {
        const uint8_t *newline = (const uint8_t *)memchr(at, '\n', (size_t)(end - at));
        const uint8_t *stop = newline != NULL ? newline : end;
        while ((at = (const uint8_t *)memchr(at, '"', (size_t)(stop - at))) != NULL) {
            csv->quoted = !csv->quoted;
            at++;
        }
        if (newline == NULL || !csv->quoted) return (size_t)(stop - bytes);
        csv->next_line++;
        at = newline + 1;
    }
}

static tarn_status append_bytes(struct tn_csv *csv, const uint8_t *bytes, size_t size) {
    if (size > TN_CSV_ROW_BYTES - csv->row_size)
        return fail_row(csv, "a row of more than 1048576 bytes");
    char *grown = (char *)tn_grow(csv->row, &csv->row_room, csv->row_size + size + 1, 1);
    TN_REFUSE(grown == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory for a row",
              csv->builder->name);
    csv->row = grown;
    memcpy(csv->row + csv->row_size, bytes, size);
    csv->row_size += size;
    return TARN_OK;
}

// Collects the bytes of a row without its newline. *more is false at the end of the file.
static tarn_status collect_row(struct tn_csv *csv, bool *more) {
    csv->row_size = 0;
    csv->quoted = false;
    csv->line = csv->next_line;
    for (;;) {
        const uint8_t *bytes = NULL;
        size_t size = 0;
        TN_TRY(tn_source_peek(csv->source, &bytes, &size));
        csv->cut = size == 0;
        *more = size > 0 || csv->row_size > 0;
        if (size == 0) return TARN_OK;
        size_t part = scan_row(csv, bytes, size);
        TN_TRY(append_bytes(csv, bytes, part));
        tn_source_take(csv->source, part < size ? part + 1 : part);
        if (part < size) break;
    }
    csv->next_line++;
    return TARN_OK;
}

// ---- cells

// Removes the quotes of a cell that begins with one. Returns its end in the row, or NULL if the
// quotes are not closed, or followed by anything but blanks.
static char *unquote_cell(char *at, char *end, struct tn_cell *cell) {
    char *to = at, *from = at + 1;
    cell->text = at;
    for (;; from++) {
        if (from == end) return NULL;
        if (*from == '"' && (++from == end || *from != '"')) break;
        *to++ = *from;
    }
    cell->length = (size_t)(to - at);
    while (from < end && (*from == ' ' || *from == '\t' || *from == '\r')) from++;
    return from == end || *from == ',' ? from : NULL;
}

static char *find_cell_end(char *at, char *end, struct tn_cell *cell) {
    char *comma = (char *)memchr(at, ',', (size_t)(end - at));
    char *stop = comma != NULL ? comma : end;
    size_t length = (size_t)(stop - at);
    while (length > 0 && at[length - 1] == '\r') length--;
    *cell = (struct tn_cell){at, length};
    return stop;
}

// Splits the row into cells. Returns false if a quoted cell is malformed.
static bool split_row(struct tn_csv *csv) {
    char *at = csv->row, *end = csv->row + csv->row_size;
    csv->cell_count = 0;
    for (;;) {
        struct tn_cell *cell = &csv->cells[csv->cell_count++];
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        at = at < end && *at == '"' ? unquote_cell(at, end, cell) : find_cell_end(at, end, cell);
        if (at == NULL) return false;
        if (at == end || csv->cell_count == TN_CSV_COLUMNS) return at == end;
        at++;
    }
}

static tarn_status fail_split(const struct tn_csv *csv) {
    if (csv->cell_count == TN_CSV_COLUMNS) return fail_row(csv, "a row of more than 256 columns");
    return fail_row(csv, csv->quoted ? "a quote that is not closed"
                                     : "a quoted value with something behind its quote");
}

// ---- the table

static tarn_status read_columns(struct tn_csv *csv) {
    const uint8_t *bytes;
    size_t size;
    bool more;
    TN_TRY(tn_source_look(csv->source, MARK_SIZE, &bytes, &size));
    if (size >= MARK_SIZE && memcmp(bytes, utf8_mark, MARK_SIZE) == 0)
        tn_source_take(csv->source, MARK_SIZE);
    TN_TRY(collect_row(csv, &more));
    if (!more || !split_row(csv))
        return more ? fail_split(csv) : fail_row(csv, "no row with the names of the columns");
    for (; csv->column_count < csv->cell_count; csv->column_count++) {
        struct tn_cell cell = tn_csv_cell(csv, csv->column_count);
        csv->columns[csv->column_count] = tn_copy_text(cell.text, cell.length);
        TN_REFUSE(csv->columns[csv->column_count] == NULL, TARN_NO_HOST_MEMORY,
                  "%s: out of host memory", csv->builder->name);
    }
    return TARN_OK;
}

tarn_status tn_csv_open(struct tn_source *source, struct tn_builder *builder, struct tn_csv **csv) {
    struct tn_csv *fresh = (struct tn_csv *)calloc(1, sizeof *fresh);
    TN_REFUSE(fresh == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory", builder->name);
    fresh->source = source;
    fresh->builder = builder;
    fresh->next_line = 1;
    tarn_status status = read_columns(fresh);
    if (status == TARN_OK)
        *csv = fresh;
    else
        tn_csv_close(fresh);
    return status;
}

void tn_csv_close(struct tn_csv *csv) {
    for (size_t i = 0; i < csv->column_count; i++) free(csv->columns[i]);
    free(csv->row);
    free(csv);
}

size_t tn_csv_find(const struct tn_csv *csv, const char *name) {
    for (size_t i = 0; i < csv->column_count; i++)
        if (strcmp(csv->columns[i], name) == 0) return i;
    return TN_CSV_NO_COLUMN;
}

tarn_status tn_csv_need(const struct tn_csv *csv, const char *name, size_t *column) {
    *column = tn_csv_find(csv, name);
    if (*column != TN_CSV_NO_COLUMN) return TARN_OK;
    return tn_fail(TARN_CORRUPT, "%s:1: no column is named \"%s\"", csv->builder->name, name);
}

tarn_status tn_csv_bind(struct tn_csv *csv, const struct tn_column *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *name = columns[i].name;
        csv->bound[i] = name != NULL ? tn_csv_find(csv, name) : TN_CSV_NO_COLUMN;
        if ((columns[i].flags & TN_NEEDED) != 0) TN_TRY(tn_csv_need(csv, name, &csv->bound[i]));
    }
    csv->format = columns;
    csv->bound_count = count;
    return TARN_OK;
}

// Returns the column in the table.
static size_t column_of(const struct tn_csv *csv, size_t number) {
    if (csv->format == NULL) return number;
    return number < csv->bound_count ? csv->bound[number] : TN_CSV_NO_COLUMN;
}

bool tn_csv_has(const struct tn_csv *csv, size_t column) {
    return column_of(csv, column) < csv->column_count;
}

tarn_status tn_csv_next(struct tn_csv *csv, bool *more) {
    for (;;) {
        bool any = false;
        TN_TRY(collect_row(csv, &any));
        *more = any;
        if (!any) return TARN_OK;
        if (csv->row_size == 0 || (csv->row_size == 1 && csv->row[0] == '\r')) continue;
        bool split = split_row(csv);
        if (csv->cut && (csv->quoted || csv->cell_count < csv->column_count)) {
            *more = false;
            return tn_builder_note(
                csv->builder, "line %" PRIu64 ": the file ends within this row, which is skipped",
                csv->line);
        }
        if (!split) return fail_split(csv);
        return csv->cell_count == csv->column_count
                   ? TARN_OK
                   : tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": expected %zu columns, found %zu",
                             csv->builder->name, csv->line, csv->column_count, csv->cell_count);
    }
}

uint64_t tn_csv_line(const struct tn_csv *csv) { return csv->line; }

struct tn_cell tn_csv_text(const struct tn_csv *csv, size_t column) {
    size_t at = column_of(csv, column);
    return at < csv->cell_count ? csv->cells[at] : (struct tn_cell){"", 0};
}

struct tn_cell tn_csv_cell(const struct tn_csv *csv, size_t column) {
    return tn_cell_trim(tn_csv_text(csv, column));
}

tarn_status tn_csv_number(const struct tn_csv *csv, size_t column, uint64_t *value) {
    return tn_cell_unsigned(tn_csv_cell(csv, column), value)
               ? TARN_OK
               : tn_csv_fail(csv, column, "a number of 64 bits");
}

tarn_status tn_csv_fail(const struct tn_csv *csv, size_t column, const char *expected) {
    char shown[TN_CELL_SHOWN];
    const char *name = tn_csv_has(csv, column) ? csv->columns[column_of(csv, column)] : NULL;
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s: expected %s, found \"%s\"",
                   csv->builder->name, csv->line, name != NULL ? name : "a missing column",
                   expected, tn_cell_quote(tn_csv_cell(csv, column), shown));
}

tarn_status tn_csv_fields(const struct tn_csv *csv, void *row) {
    struct tn_cell cells[TN_CSV_COLUMNS];
    for (size_t i = 0; i < csv->bound_count; i++) cells[i] = tn_csv_cell(csv, i);
    return tn_column_fields(csv->format, csv->bound_count, cells, csv->builder->name, csv->line,
                            row);
}

bool tn_csv_detect(const uint8_t *bytes, size_t size, const struct tn_column *columns,
                   size_t count) {
    const uint8_t *end = bytes + size;
    if (size >= MARK_SIZE && memcmp(bytes, utf8_mark, MARK_SIZE) == 0) bytes += MARK_SIZE;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(columns[i].name);
        bool quoted = bytes < end && *bytes == '"';
        bytes += quoted;
        if ((size_t)(end - bytes) < length || memcmp(bytes, columns[i].name, length) != 0)
            return false;
        bytes += length;
        if (quoted && (bytes == end || *bytes++ != '"')) return false;
        if (i + 1 < count && (bytes == end || *bytes++ != ',')) return false;
    }
    return true;
}

tarn_status tn_csv_read(struct tn_source *source, struct tn_builder *builder,
                        const struct tn_column *columns, size_t count, tn_csv_step *begin,
                        tn_csv_step *row, void *reader) {
    struct tn_csv *csv = NULL;
    bool more = true;
    TN_TRY(tn_csv_open(source, builder, &csv));
    tarn_status status = columns != NULL ? tn_csv_bind(csv, columns, count) : TARN_OK;
    if (status == TARN_OK && begin != NULL) status = begin(csv, reader);
    while (status == TARN_OK && (status = tn_csv_next(csv, &more)) == TARN_OK && more)
        status = row(csv, reader);
    tn_csv_close(csv);
    return status;
}
