// SPDX-License-Identifier: Apache-2.0
// The reader of msMemScope's dumps in CSV: passes the rows to memscope.c. One thread at a time.
#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/memscope.h"
#include "trace/read/read.h"

static const char *const columns[] = {
#define COLUMN(name, text) text,
    TN_MEMSCOPE_COLUMN_LIST(COLUMN)
#undef COLUMN
};

bool tn_memscope_csv_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_begins(bytes, size, columns, TN_MEMSCOPE_NAME + 1);
}

static tarn_status read_rows(struct tn_csv *csv, struct tn_memscope *memscope) {
    bool more = false;
    TN_TRY(tn_csv_bind(csv, columns, TN_MEMSCOPE_COLUMNS, TN_MEMSCOPE_PYTHON_STACK));
    for (;;) {
        struct tn_memscope_row row;
        TN_TRY(tn_csv_next(csv, &more));
        if (!more) return TARN_OK;
        row.where = tn_csv_line(csv);
        for (size_t i = 0; i < TN_MEMSCOPE_COLUMNS; i++)
            row.cells[i] = tn_csv_cell(csv, i);
        TN_TRY(tn_memscope_add(memscope, &row));
    }
}

tarn_status tn_memscope_csv_read(struct tn_source *source, struct tn_builder *builder) {
    struct tn_memscope *memscope = NULL;
    struct tn_csv *csv = NULL;
    TN_TRY(tn_csv_open(source, builder, &csv));
    tarn_status status = tn_memscope_begin(builder, "line", &memscope);
    if (status == TARN_OK) status = tn_memscope_end(memscope, read_rows(csv, memscope));
    tn_csv_close(csv);
    return status;
}
